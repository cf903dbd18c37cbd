//! Which entries of a lane are at hand? The first few: its head. The others are on disk only, until the head is used up.
//!
//! ```text
//! on disk   ─ taken, deleted ─│─ head ──────│─ the rest ───────────▶  by what the lane is sorted by, then text or number
//!                             first       last
//! ```
//! The head is every entry up to `last`. A new entry at or before it goes into the head too; one behind it goes to disk
//! alone, unless there is no rest. A head that ran empty is filled by one scan from behind `last`, so that it never
//! wades through what was deleted.
//!
//! A crawl of many hosts has a lane or two for each, with few entries: a sorted row takes a third of the memory of a tree.

use std::collections::VecDeque;

use super::record::Spot;

/// What is at hand of a lane.
#[derive(Debug, Default)]
pub struct Head {
    /// Sorted, each once.
    entries: VecDeque<Spot>,
    /// The last that was at hand, if there is more behind it.
    last: Option<Box<Spot>>,
}

impl Head {
    /// Of a lane that is on disk as a whole.
    pub(super) fn on_disk() -> Self {
        Self { entries: VecDeque::new(), last: Some(Box::new(Spot::FIRST)) }
    }

    /// Whether the lane has no entries, on disk neither.
    pub(super) fn is_all_empty(&self) -> bool {
        self.entries.is_empty() && self.last.is_none()
    }

    /// The entries of the lane, if all are at hand.
    pub(super) fn into_all(self) -> Option<VecDeque<Spot>> {
        self.last.is_none().then_some(self.entries)
    }

    pub(super) fn first(&self) -> Option<&Spot> {
        self.entries.front()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Takes out the first.
    pub(super) fn pop(&mut self) -> Option<Spot> {
        self.entries.pop_front()
    }

    /// Where to go on reading, if it ran empty and there is more.
    pub(super) fn wants(&self) -> Option<&Spot> {
        self.last.as_deref().filter(|_| self.entries.is_empty())
    }

    /// A new entry was written; there is room for so many.
    pub(super) fn add(&mut self, entry: Spot, room: usize) {
        if self.last.as_ref().is_some_and(|last| entry > **last) {
            return;
        }
        // Most go behind all others.
        match self.entries.back() {
            Some(back) if entry <= *back => {
                if let Err(place) = self.entries.binary_search(&entry) {
                    self.entries.insert(place, entry);
                }
            }
            _ => self.entries.push_back(entry),
        }
        // By one at a time: room may have become less, and a lane that is read gives up slowly what it has.
        if self.entries.len() > room.max(1) {
            self.entries.pop_back();
            self.last = self.last_at_hand();
        }
    }

    fn last_at_hand(&self) -> Option<Box<Spot>> {
        self.entries.back().cloned().map(Box::new)
    }

    /// An entry was deleted, wherever it is; whether it was at hand.
    pub(super) fn remove(&mut self, entry: &Spot) -> bool {
        self.entries.binary_search(entry).is_ok_and(|place| self.entries.remove(place).is_some())
    }

    /// What was read from behind `last`; there is more if as much was found as was asked for.
    pub(super) fn fill(&mut self, found: impl IntoIterator<Item = Spot>, asked: usize) {
        self.entries.extend(found);
        self.last = self.last_at_hand().filter(|_| self.entries.len() >= asked);
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
    fn ours_an_entry_takes_24_bytes_and_a_head_40() {
        assert_eq!((size_of::<Spot>(), size_of::<Head>()), (24, 40));
    }

    #[test]
    fn a_head_holds_the_first_and_knows_of_the_rest() {
        let mut head = Head::default();
        (1..=5).for_each(|sort| head.add(spot(sort, 0), 3));
        assert_eq!((head.len(), head.wants()), (3, None));
        head.add(spot(2, 7), 3);
        assert_eq!(head.entries, [spot(1, 0), spot(2, 0), spot(2, 7)]);
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
