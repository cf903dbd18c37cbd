//! The sections whose URLs say nothing: reportages and scanned records share `/p/` and eight digits, pictures are at
//! `/view?id=` and eight digits. Fronts and listings look just like items. Whoever goes by URL patterns cannot tell
//! the reportages, which people read, from the records, which they do not.

use super::draft::{Draft, Part};
use super::page::{MadePage, Role, Section};
use super::topics::{MadeTopic, capitalized};
use crate::chance::Chance;

/// One opaque section: how its URLs begin, and how many items of what appeal it has.
struct Opaque {
    section: Section,
    prefix: &'static str,
    title: &'static str,
    before: usize,
    a_day: f64,
    appeal: f64,
    front_appeal: f64,
    per_page: usize,
}

const STORIES: Opaque = Opaque {
    section: Section::Stories,
    prefix: "/p/",
    title: "Stories",
    before: 1_000,
    a_day: 10.0,
    appeal: 1.3,
    front_appeal: 1.6,
    per_page: 20,
};

const RECORDS: Opaque = Opaque {
    section: Section::Records,
    prefix: "/p/",
    title: "Records",
    before: 1_100,
    a_day: 3.0,
    appeal: 0.02,
    front_appeal: 0.03,
    per_page: 40,
};

const GALLERY: Opaque = Opaque {
    section: Section::Gallery,
    prefix: "/view?id=",
    title: "Gallery",
    before: 900,
    a_day: 7.0,
    appeal: 0.8,
    front_appeal: 1.2,
    per_page: 30,
};

pub(super) fn stories(draft: &mut Draft) -> Part {
    STORIES.build(draft)
}

pub(super) fn records(draft: &mut Draft) -> Part {
    RECORDS.build(draft)
}

pub(super) fn gallery(draft: &mut Draft) -> Part {
    GALLERY.build(draft)
}

impl Opaque {
    fn path(&self, chance: &mut Chance) -> String {
        format!("{}{:08x}", self.prefix, chance.bits() >> 32)
    }

    fn build(&self, draft: &mut Draft) -> Part {
        let mut chance = draft.chance(self.section);
        let page = MadePage::new(self.section, Role::Front, self.path(&mut chance), self.title);
        let front = draft.add(page.appeal(self.front_appeal));
        let mut items = Vec::new();
        for born in draft.births(self.before, self.a_day, &mut chance) {
            let topic = MadeTopic::any(&mut chance);
            let title = capitalized(&topic.title(&mut chance));
            let page = MadePage::new(self.section, Role::Item, self.path(&mut chance), title).about(topic).born(born);
            items.push(draft.add(page.appeal(self.appeal * chance.heavy(40.0))));
        }
        let newest = draft.listing(front, items, self.per_page, |_| self.path(&mut chance));
        draft.leaf_through(newest);
        Part { front, newest }
    }
}
