//! What does not age: manuals in a tree, and an encyclopedia whose entries lead to each other.

use super::draft::{Draft, Part};
use super::page::{Block, MadePage, Role, Section};
use super::topics::{MadeTopic, capitalized, slug};
use crate::graph::PageId;

const MANUAL_PAGES: usize = 300;
const MANUAL_PAGES_A_DAY: f64 = 1.0;
const ENTRIES: usize = 900;
const ENTRIES_A_DAY: f64 = 3.0;

pub(super) fn docs(draft: &mut Draft) -> PageId {
    let mut chance = draft.chance(Section::Docs);
    let front = draft.add(MadePage::new(Section::Docs, Role::Front, "/docs/", "Manuals").appeal(0.7));
    let mut manuals: Vec<(MadeTopic, PageId, Vec<PageId>)> = MadeTopic::all()
        .map(|topic| {
            let title = format!("Manual of {}", topic.name());
            let page = MadePage::new(Section::Docs, Role::Front, format!("/docs/{}/", topic.name()), title);
            let manual = draft.add(page.about(topic).appeal(0.7));
            draft.link(front, manual, Block::Body);
            draft.link(manual, front, Block::Aside);
            (topic, manual, Vec::new())
        })
        .collect();
    for born in draft.births(MANUAL_PAGES, MANUAL_PAGES_A_DAY, &mut chance) {
        let at = chance.below(manuals.len());
        let (topic, _, of_manual) = &mut manuals[at];
        let title = topic.title(&mut chance);
        let path = format!("/docs/{}/{}.html", topic.name(), slug(&title));
        let page = MadePage::new(Section::Docs, Role::Item, path, capitalized(&title)).about(*topic).born(born);
        let item = draft.add(page.appeal(0.4 * chance.heavy(40.0)));
        let edits = chance.below(3);
        draft.revise(item, edits, &mut chance);
        of_manual.push(item);
    }
    for (topic, manual, pages) in manuals {
        let listing = draft.listing(manual, pages, 60, |number| format!("/docs/{}/index-{number}.html", topic.name()));
        draft.leaf_through(listing);
    }
    front
}

pub(super) fn wiki(draft: &mut Draft) -> Part {
    let mut chance = draft.chance(Section::Wiki);
    let front = draft.add(MadePage::new(Section::Wiki, Role::Front, "/wiki/", "Encyclopedia").appeal(0.8));
    let recent = draft.add(MadePage::new(Section::Wiki, Role::Front, "/wiki/Recent", "Recent entries").appeal(0.3));
    draft.link(front, recent, Block::Aside);
    let mut entries: Vec<(MadeTopic, PageId)> = Vec::new();
    for born in draft.births(ENTRIES, ENTRIES_A_DAY, &mut chance) {
        let topic = MadeTopic::any(&mut chance);
        let title = topic.title(&mut chance);
        let path = format!("/wiki/{}", capitalized(&title).replace(' ', "_"));
        let page = MadePage::new(Section::Wiki, Role::Item, path, capitalized(&title)).about(topic).born(born);
        let entry = draft.add(page.appeal(0.6 * chance.heavy(40.0)));
        let edits = chance.below(6);
        draft.revise(entry, edits, &mut chance);
        entries.push((topic, entry));
    }
    for &(topic, entry) in &entries {
        for _ in 0..4 + chance.below(5) {
            // Of three entries anywhere, one of the same topic if there is any: most links stay within a topic.
            let drawn = [(); 3].map(|()| *chance.pick(&entries));
            let (_, to) = drawn.into_iter().find(|drawn| drawn.0 == topic).unwrap_or(drawn[0]);
            if to != entry {
                draft.link(entry, to, Block::Body);
            }
        }
        draft.link(entry, front, Block::Aside);
    }
    let items = entries.into_iter().map(|entry| entry.1).collect();
    let newest = draft.listing(recent, items, 50, |number| format!("/wiki/Recent?page={number}"));
    draft.show_heads(front, vec![(newest, 15)]);
    Part { front, newest }
}
