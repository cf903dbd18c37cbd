//! Which entries of a lane are at hand? The first few: its head. The others are on disk only, until the head is used up.
//!
//! ```text
//! on disk   ─ taken, deleted ─│─ head ──────│─ the rest ───────────▶  by what the lane is sorted by, then number
//!                             first       last
//! ```
//! The head is every entry up to `last`. A new entry at or before it goes into the head too; one behind it goes to disk
//! alone, unless there is no rest. A head that ran empty is filled by one scan from behind `last`, so that it never
//! wades through what was deleted.

use std::collections::BTreeSet;

use crate::url_id::UrlId;
use crate::workbench::slot::Turn;

/// What is at hand of a lane.
#[derive(Debug, Default)]
pub struct Head {
    entries: BTreeSet<(u64, UrlId, Turn)>,
    /// The last that was at hand, if there is more behind it.
    last: Option<(u64, UrlId, Turn)>,
}

impl Head {
    pub(super) fn first(&self) -> Option<(u64, UrlId, Turn)> {
        self.entries.first().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Takes out the first.
    pub(super) fn pop(&mut self) -> Option<(u64, UrlId, Turn)> {
        self.entries.pop_first()
    }

    /// Where to go on reading, if it ran empty and there is more.
    pub(super) fn wants(&self) -> Option<(u64, UrlId, Turn)> {
        self.last.filter(|_| self.entries.is_empty())
    }

    /// A new entry was written; there is room for so many.
    pub(super) fn add(&mut self, entry: (u64, UrlId, Turn), room: usize) {
        if self.last.is_some_and(|last| entry > last) {
            return;
        }
        self.entries.insert(entry);
        // By one at a time: room may have become less, and a lane that is read gives up slowly what it has.
        if self.entries.len() > room.max(1) {
            self.entries.pop_last();
            self.last = self.entries.last().copied();
        }
    }

    /// An entry was deleted, wherever it is; whether it was at hand.
    pub(super) fn remove(&mut self, entry: (u64, UrlId, Turn)) -> bool {
        self.entries.remove(&entry)
    }

    /// What was read from behind `last`; there is more if as much was found as was asked for.
    pub(super) fn fill(&mut self, found: impl IntoIterator<Item = (u64, UrlId, Turn)>, asked: usize) {
        self.entries.extend(found);
        self.last = self.entries.last().copied().filter(|_| self.entries.len() >= asked);
    }

    /// One more, read in order, at the start of a crawl.
    pub(super) fn read_one(&mut self, entry: (u64, UrlId, Turn), room: usize) {
        if self.entries.len() < room.max(1) {
            self.entries.insert(entry);
        } else if self.last.is_none() {
            self.last = self.entries.last().copied();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_holds_the_first_and_knows_of_the_rest() {
        let mut head = Head::default();
        (1..=5).for_each(|sort| head.add((sort, UrlId(0), Turn(0)), 3));
        assert_eq!((head.len(), head.wants()), (3, None));
        head.add((2, UrlId(7), Turn(0)), 3);
        assert_eq!(
            head.entries,
            BTreeSet::from([(1, UrlId(0), Turn(0)), (2, UrlId(0), Turn(0)), (2, UrlId(7), Turn(0))])
        );
        while head.pop().is_some() {}
        assert_eq!(head.wants(), Some((2, UrlId(7), Turn(0))), "3, 4 and 5 are on disk");
        head.fill([(3, UrlId(0), Turn(0)), (4, UrlId(0), Turn(0)), (5, UrlId(0), Turn(0))], 3);
        while head.pop().is_some() {}
        assert_eq!(head.wants(), Some((5, UrlId(0), Turn(0))));
        head.fill([], 3);
        assert_eq!((head.first(), head.wants()), (None, None));
        head.add((9, UrlId(0), Turn(0)), 3);
        assert_eq!(head.first(), Some((9, UrlId(0), Turn(0))));
    }
}
