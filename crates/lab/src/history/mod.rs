//! When was a page born, changed, moved, gone?
//!
//! A mirror is a site at one moment. Its history says how it got there and how it went on. It is read from a [`table`], or [made up](made_up)
//! from a seed.
//!
//! A page without a row was always there and never changes; so was one whose first row is no birth, until that row. The *version* of a page
//! at a time is how often it was born or changed until then: two requests saw the same page if they saw the same version.

pub mod made_up;
pub mod table;

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::graph::PageId;

pub use made_up::MadeUp;

/// What a page is at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Not there yet.
    Unborn,
    /// There, in this version.
    There {
        /// How often it was born or changed until now.
        version: u32,
    },
    /// Gone.
    Gone,
    /// Gone, and leads to another page; none if that is not in the mirror.
    Moved(Option<PageId>),
}

/// What happens to a page at a time. In the order in which two of the same moment count: what goes and comes back is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happening {
    /// It is gone.
    Gone,
    /// It is gone, and leads to another page.
    Moved(Option<PageId>),
    /// It is there, and was not before.
    Born,
    /// It is there when the table begins.
    Found,
    /// Its text is another.
    Changed,
}

/// What happens to the pages of a mirror, in milliseconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// By page, in the order of time.
    happenings: HashMap<PageId, Vec<(u64, Happening)>, FxBuildHasher>,
    /// When the first and the last of them are.
    span_ms: Option<[u64; 2]>,
    /// What was said of pages of the mirror.
    pub rows: u64,
    /// Rows of URLs that the mirror does not have.
    pub elsewhere: u64,
    /// Rows of other kinds, without a time, or too long.
    pub unused: u64,
    /// Where the table could be read only in part: its name, and why.
    pub damaged: Vec<String>,
}

impl History {
    /// What happened to these pages, in any order.
    pub fn new(all: impl IntoIterator<Item = (PageId, u64, Happening)>) -> Self {
        let mut history = Self::default();
        all.into_iter().for_each(|(page, at_ms, what)| history.add(page, at_ms, what));
        history.sort();
        history
    }

    fn add(&mut self, page: PageId, at_ms: u64, what: Happening) {
        self.happenings.entry(page).or_default().push((at_ms, what));
        let [first, last] = self.span_ms.unwrap_or([at_ms; 2]);
        self.span_ms = Some([first.min(at_ms), last.max(at_ms)]);
        self.rows += 1;
    }

    fn sort(&mut self) {
        self.happenings.values_mut().for_each(|of_page| of_page.sort_unstable());
    }

    /// When the first and the last thing happen; none if nothing does.
    pub fn span_ms(&self) -> Option<[u64; 2]> {
        self.span_ms
    }

    /// What happens to a page, in the order of time.
    pub fn of_page(&self, page: PageId) -> &[(u64, Happening)] {
        self.happenings.get(&page).map_or(&[], Vec::as_slice)
    }

    /// What a page is at a time, in milliseconds since 1970. Cost: a look-up, and the past of the page.
    pub fn presence(&self, page: PageId, at_ms: u64) -> Presence {
        let Some(all) = self.happenings.get(&page) else { return Presence::There { version: 0 } };
        let past = &all[..all.partition_point(|(time, _)| *time <= at_ms)];
        let is_version = |what: &Happening| matches!(what, Happening::Born | Happening::Changed);
        let version = past.iter().filter(|(_, what)| is_version(what)).count() as u32;
        match past.last().map(|(_, what)| *what) {
            Some(Happening::Born | Happening::Found | Happening::Changed) => Presence::There { version },
            Some(Happening::Gone) => Presence::Gone,
            Some(Happening::Moved(to)) => Presence::Moved(to),
            None if matches!(all.first(), Some((_, Happening::Born))) => Presence::Unborn,
            None => Presence::There { version: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_page_is_born_changes_moves_and_goes() {
        let history = History::new([
            (1, 30, Happening::Moved(Some(2))),
            (1, 10, Happening::Born),
            (1, 20, Happening::Changed),
            (0, 15, Happening::Changed),
            (0, 40, Happening::Gone),
            (3, 10, Happening::Found),
        ]);
        let there = |version| Presence::There { version };
        let at = |page, time| history.presence(page, time);
        assert_eq!([5, 10, 19, 20, 29].map(|t| at(1, t)), [Presence::Unborn, there(1), there(1), there(2), there(2)]);
        assert_eq!(at(1, 30), Presence::Moved(Some(2)));
        // A page whose first row is no birth was there before; one without a row always is.
        assert_eq!([0, 15, 39, 40].map(|t| at(0, t)), [there(0), there(1), there(1), Presence::Gone]);
        assert_eq!([at(3, 0), at(3, 10), at(2, 99)], [there(0); 3]);
        assert_eq!((history.rows, history.span_ms()), (6, Some([10, 40])));
    }

    #[test]
    fn ours_what_goes_and_comes_back_in_one_moment_is_there() {
        let history = History::new([(0, 10, Happening::Born), (0, 10, Happening::Gone)]);
        assert_eq!(history.presence(0, 10), Presence::There { version: 1 });
    }
}
