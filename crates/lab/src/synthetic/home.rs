//! What holds the site together: the home page, the small print, a page for each topic, and related items.

use super::draft::Draft;
use super::page::{Block, MadePage, Role, Section};
use super::topics::{MadeTopic, capitalized};
use crate::graph::PageId;

/// The small print.
const ABOUT: [(&str, &str); 6] = [
    ("/about", "About us"),
    ("/about/team", "The team"),
    ("/contact", "Contact"),
    ("/imprint", "Imprint"),
    ("/privacy", "Privacy"),
    ("/terms", "Terms of use"),
];

/// Links under each item to other items of its topic.
const RELATED: usize = 4;

pub(super) fn home(draft: &mut Draft) -> PageId {
    draft.add(MadePage::new(Section::Home, Role::Front, "/", "Home").appeal(1.0))
}

/// The small print; what the footer links to.
pub(super) fn about(draft: &mut Draft) -> Vec<PageId> {
    ABOUT
        .iter()
        .map(|&(path, title)| draft.add(MadePage::new(Section::Home, Role::Part, path, title).appeal(0.3)))
        .collect()
}

/// Pages by topic, listing what all sections have on it. Must come after them.
pub(super) fn topics(draft: &mut Draft) -> (PageId, Vec<usize>) {
    let front = draft.add(MadePage::new(Section::Topics, Role::Front, "/topics/", "All topics").appeal(0.6));
    let listings = MadeTopic::all()
        .map(|topic| {
            let path = format!("/topic/{}/", topic.name());
            let page = MadePage::new(Section::Topics, Role::Front, path.clone(), capitalized(topic.name()));
            let page = draft.add(page.about(topic).appeal(1.0));
            draft.link(front, page, Block::Body);
            draft.link(page, front, Block::Aside);
            let items = draft.by_topic[topic.index()].clone();
            for &item in &items {
                draft.link(item, page, Block::Aside);
            }
            draft.listing(page, items, 30, |number| format!("{path}page/{number}"))
        })
        .collect();
    (front, listings)
}

/// Related items: each leads to four older ones of its topic, rather recent ones, and of two candidates to the better.
pub(super) fn relate(draft: &mut Draft, listings: &[usize]) {
    let mut chance = draft.chance(Section::Topics);
    for &listing in listings {
        let items = draft.streams[listing].until(draft.end).to_vec();
        for (older, &item) in items.iter().enumerate().skip(1) {
            for _ in 0..RELATED {
                let candidates = [(); 2].map(|()| {
                    let u = chance.unit();
                    items[older - 1 - (u * u * older as f64) as usize]
                });
                let appeal = |page: PageId| draft.pages[page as usize].appeal;
                let better = if appeal(candidates[0]) < appeal(candidates[1]) { candidates[1] } else { candidates[0] };
                draft.link(item, better, Block::Aside);
            }
        }
    }
}
