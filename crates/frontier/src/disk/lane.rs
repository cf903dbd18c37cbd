//! Which entries of a lane are at hand? The first few: its head. The others are on disk only, until the head is used up.
//!
//! ```text
//! on disk   ─ taken, deleted ─│─ head ──────│─ the rest ───────────▶  by what the lane is sorted by, then text or number
//!                             first       last
//! ```
//! The head is every entry up to `last`. A new entry at or before it goes into the head too; one behind it goes to disk
//! alone, unless there is no rest. A head that ran empty is filled by one scan from behind `last`, so that it never
//! wades through what was deleted.

use std::collections::BTreeSet;

use super::record::Spot;

/// What is at hand of a lane.
#[derive(Debug, Default)]
pub struct Head {
    entries: BTreeSet<Spot>,
    /// The last that was at hand, if there is more behind it.
    last: Option<Spot>,
}

impl Head {
    pub(super) fn first(&self) -> Option<&Spot> {
        self.entries.first()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Takes out the first.
    pub(super) fn pop(&mut self) -> Option<Spot> {
        self.entries.pop_first()
    }

    /// Where to go on reading, if it ran empty and there is more.
    pub(super) fn wants(&self) -> Option<&Spot> {
        self.last.as_ref().filter(|_| self.entries.is_empty())
    }

    /// A new entry was written; there is room for so many.
    pub(super) fn add(&mut self, entry: Spot, room: usize) {
        if self.last.as_ref().is_some_and(|last| entry > *last) {
            return;
        }
        self.entries.insert(entry);
        // By one at a time: room may have become less, and a lane that is read gives up slowly what it has.
        if self.entries.len() > room.max(1) {
            self.entries.pop_last();
            self.last = self.entries.last().cloned();
        }
    }

    /// An entry was deleted, wherever it is; whether it was at hand.
    pub(super) fn remove(&mut self, entry: &Spot) -> bool {
        self.entries.remove(entry)
    }

    /// What was read from behind `last`; there is more if as much was found as was asked for.
    pub(super) fn fill(&mut self, found: impl IntoIterator<Item = Spot>, asked: usize) {
        self.entries.extend(found);
        self.last = self.entries.last().cloned().filter(|_| self.entries.len() >= asked);
    }

    /// One more, read in order, at the start of a crawl.
    pub(super) fn read_one(&mut self, entry: Spot, room: usize) {
        if self.entries.len() < room.max(1) {
            self.entries.insert(entry);
        } else if self.last.is_none() {
            self.last = self.entries.last().cloned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url_id::UrlId;
    use crate::workbench::shelf::Tie;
    use crate::workbench::slot::Turn;

    fn spot(sort: u64, number: u32) -> Spot {
        Spot { sort, tie: Tie::default(), number: UrlId(number), turn: Turn(0) }
    }

    #[test]
    fn a_head_holds_the_first_and_knows_of_the_rest() {
        let mut head = Head::default();
        (1..=5).for_each(|sort| head.add(spot(sort, 0), 3));
        assert_eq!((head.len(), head.wants()), (3, None));
        head.add(spot(2, 7), 3);
        assert_eq!(head.entries, BTreeSet::from([spot(1, 0), spot(2, 0), spot(2, 7)]));
        while head.pop().is_some() {}
        assert_eq!(head.wants(), Some(&spot(2, 7)), "3, 4 and 5 are on disk");
        head.fill([spot(3, 0), spot(4, 0), spot(5, 0)], 3);
        while head.pop().is_some() {}
        assert_eq!(head.wants(), Some(&spot(5, 0)));
        head.fill([], 3);
        assert_eq!((head.first(), head.wants()), (None, None));
        head.add(spot(9, 0), 3);
        assert_eq!(head.first(), Some(&spot(9, 0)));
    }
}
