//! The members of the forum: a profile each, and a list of them. Thousands of pages, linked to from every post, and
//! hardly read.

use super::draft::Draft;
use super::page::{MadePage, Role, Section};
use super::topics::{MadeTopic, capitalized};
use crate::chance::Chance;
use crate::graph::PageId;

const BEFORE: usize = 1_500;
const A_DAY: f64 = 12.0;

/// The members, in the order in which they joined.
pub(super) struct Members {
    /// The list of them.
    pub(super) front: PageId,
    pub(super) profiles: Vec<PageId>,
}

pub(super) fn build(draft: &mut Draft) -> Members {
    let mut chance = draft.chance(Section::Profiles);
    let front = draft.add(MadePage::new(Section::Profiles, Role::Front, "/user/", "Members").appeal(0.05));
    let mut profiles = Vec::new();
    for born in draft.births(BEFORE, A_DAY, &mut chance) {
        let name = name(&mut chance);
        let page = MadePage::new(Section::Profiles, Role::Item, format!("/user/{name}"), capitalized(&name));
        let page = page.about(MadeTopic::any(&mut chance)).born(born).appeal(0.012 * chance.heavy(10.0));
        profiles.push(draft.add(page));
    }
    draft.listing(front, profiles.clone(), 50, |number| format!("/user/?page={number}"));
    Members { front, profiles }
}

/// A made-up name.
pub(super) fn name(chance: &mut Chance) -> String {
    const SYLLABLES: [&str; 24] = [
        "ba", "ke", "mo", "ri", "ta", "lu", "no", "si", "va", "de", "fi", "jo", "pe", "ra", "su", "to", "wi", "za",
        "lan", "mer", "dor", "bel", "hen", "kar",
    ];
    let mut name: String = (0..2 + chance.below(2)).map(|_| *chance.pick(&SYLLABLES)).collect();
    if chance.happens(0.5) {
        name.push_str(&(1 + chance.below(99)).to_string());
    }
    name
}
