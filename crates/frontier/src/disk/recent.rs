//! Which entries of lanes came and went lately? Most that come go again soon: a URL that is found is taken a moment later, or moves as
//! more links to it are found.
//!
//! So entries are kept in memory for a while before they go to the [store](super::store), sorted, and many never do. That none is
//! lost meanwhile, each commit writes down what came and went since the last one, in one block:
//!
//! ```text
//! block    change · change · …
//! change   what u8 · length of the key u16 · key of the entry · written u64, of one that came again
//! ```
//! When there are [too many](super::DiskSettings::recent), or the blocks have eight changes for each that there may be, all go to the
//! store, and the blocks go.

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::ops::{Bound, Range};

use super::record::{Entry, Kind, Reader};
use super::store::{Change, Space};

/// Changes in blocks for each entry that there may be: entries that come and go leave none, and their blocks must not pile up.
const CHANGES: usize = 8;

/// What became of an entry, as far as the store does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It came, and was never there before: a lane by arrival sorts it by when it was written.
    New(u64),
    /// It came, when; it may have been there before.
    Again(u64),
    /// It went.
    Gone,
}

impl Fate {
    /// When the entry was written, if it is there.
    pub(super) fn written(self) -> Option<u64> {
        match self {
            Self::New(written) | Self::Again(written) => Some(written),
            Self::Gone => None,
        }
    }

    fn code(self) -> u8 {
        match self {
            Self::Gone => 0,
            Self::New(_) => 1,
            Self::Again(_) => 2,
        }
    }
}

/// Entries that the store does not know of.
#[derive(Debug, Default)]
pub(super) struct Recent {
    entries: BTreeMap<Entry, Fate>,
    /// Changes since the last commit: written as a block only if the entries stay here.
    since: Vec<(Entry, Fate)>,
    /// Blocks that were written since all went to the store.
    blocks: Range<u32>,
    /// Changes in them, and in the block that is not written yet.
    changes: usize,
}

impl Recent {
    /// An entry came.
    pub(super) fn insert(&mut self, entry: Entry, fate: Fate) {
        self.note(entry.clone(), fate);
        self.entries.insert(entry, fate);
    }

    /// An entry went.
    pub(super) fn delete(&mut self, entry: Entry) {
        self.note(entry.clone(), Fate::Gone);
        self.forget(entry);
    }

    /// The same if the store has never heard of it; whether that is so.
    pub(super) fn delete_new(&mut self, entry: Entry) -> bool {
        let is_new = matches!(self.entries.get(&entry), Some(Fate::New(_)));
        if is_new {
            self.delete(entry);
        }
        is_new
    }

    fn forget(&mut self, entry: Entry) {
        match self.entries.entry(entry) {
            btree_map::Entry::Occupied(new) if matches!(new.get(), Fate::New(_)) => drop(new.remove()),
            btree_map::Entry::Occupied(mut known) => drop(known.insert(Fate::Gone)),
            btree_map::Entry::Vacant(unknown) => drop(unknown.insert(Fate::Gone)),
        }
    }

    fn note(&mut self, entry: Entry, fate: Fate) {
        self.changes += 1;
        self.since.push((entry, fate));
    }

    /// The block of what changed since the last commit.
    fn block(&mut self) -> Vec<u8> {
        let mut block = Vec::new();
        for (entry, fate) in self.since.drain(..) {
            let key = entry.key();
            block.push(fate.code());
            block.extend_from_slice(&(key.len() as u16).to_be_bytes());
            block.extend_from_slice(&key);
            if let Fate::Again(written) = fate {
                block.extend_from_slice(&written.to_be_bytes());
            }
        }
        block
    }

    /// Entries between two, and what became of them, in order.
    pub(super) fn range(&self, range: (Bound<Entry>, Bound<Entry>)) -> impl Iterator<Item = (&Entry, Fate)> {
        self.entries.range(range).map(|(entry, fate)| (entry, *fate))
    }

    /// Whether nothing changed since the last commit.
    pub(super) fn is_committed(&self) -> bool {
        self.since.is_empty()
    }

    /// What a commit has to write.
    pub(super) fn changes(&mut self, most: usize, changes: &mut Vec<Change>) {
        if self.entries.len() > most || self.changes > most.saturating_mul(CHANGES) {
            self.since.clear();
            self.changes = 0;
            changes.reserve(self.entries.len() + self.blocks.len());
            changes.extend(std::mem::take(&mut self.entries).into_iter().map(|(entry, fate)| {
                let value = fate.written().map(|written| entry.value(written).into());
                (Space::Lanes, entry.key()[..].into(), value)
            }));
            changes.extend(self.blocks.by_ref().map(|block| (Space::State, Kind::Recent.key(block).into(), None)));
        } else if !self.since.is_empty() {
            let block = self.block();
            changes.push((Space::State, Kind::Recent.key(self.blocks.end).into(), Some(block.into())));
            self.blocks.end += 1;
        }
    }

    /// Takes in a block that was written before; none if it cannot be read.
    pub(super) fn replay(&mut self, number: u32, block: &[u8]) -> Option<()> {
        if self.blocks.is_empty() {
            self.blocks = number..number;
        }
        if number != self.blocks.end {
            return None;
        }
        self.blocks.end += 1;
        let mut reader = Reader(block);
        while !reader.0.is_empty() {
            let (what, length) = (reader.u8()?, reader.u16()?);
            let (key, rest) = reader.0.split_at_checked(length.into())?;
            reader.0 = rest;
            let entry = Entry::read(key)?;
            self.changes += 1;
            match what {
                0 => self.forget(entry),
                1 => {
                    let fate = Fate::New(entry.spot.sort);
                    self.entries.insert(entry, fate);
                }
                2 => drop(self.entries.insert(entry, Fate::Again(reader.u64()?))),
                _ => return None,
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::record::Spot;
    use super::*;
    use crate::url_id::UrlId;
    use crate::workbench::shelf::{LaneAt, Tie};
    use crate::workbench::slot::Turn;
    use crate::{LaneId, QueueId};

    fn entry(sort: u64) -> Entry {
        let spot = Spot { sort, tie: Tie::default(), number: UrlId(7), turn: Turn(1) };
        Entry { at: LaneAt { queue: QueueId(2), lane: LaneId(3) }, spot }
    }

    fn all(recent: &Recent) -> Vec<(u64, Fate)> {
        let found = recent.range((Bound::Unbounded, Bound::Unbounded));
        found.map(|(entry, fate)| (entry.spot.sort, fate)).collect()
    }

    /// What was written: a store of entries and blocks.
    #[derive(Default)]
    struct Written {
        entries: BTreeSet<u64>,
        blocks: BTreeMap<u32, Vec<u8>>,
    }

    impl Written {
        fn commit(&mut self, recent: &mut Recent, most: usize) {
            let mut changes = Vec::new();
            recent.changes(most, &mut changes);
            for (space, key, value) in changes {
                match (space, value) {
                    (Space::Lanes, Some(_)) => drop(self.entries.insert(Entry::read(&key).unwrap().spot.sort)),
                    (Space::Lanes, None) => drop(self.entries.remove(&Entry::read(&key).unwrap().spot.sort)),
                    (_, value) => {
                        let number = Reader(&key[1..]).u32().unwrap();
                        match value {
                            Some(block) => drop(self.blocks.insert(number, block.to_vec())),
                            None => assert!(self.blocks.remove(&number).is_some(), "block {number} is deleted once"),
                        }
                    }
                }
            }
        }

        fn opened(&self) -> Recent {
            let mut recent = Recent::default();
            self.blocks.iter().for_each(|(number, block)| recent.replay(*number, block).unwrap());
            recent
        }
    }

    #[test]
    fn ours_an_entry_that_goes_soon_never_reaches_the_store() {
        let (mut recent, mut written) = (Recent::default(), Written::default());
        (1..=4).for_each(|sort| recent.insert(entry(sort), Fate::New(sort)));
        written.commit(&mut recent, 10);
        recent.delete(entry(2));
        assert!(recent.delete_new(entry(3)) && !recent.delete_new(entry(9)));
        assert!(!recent.is_committed());
        written.commit(&mut recent, 10);
        assert!(recent.is_committed());
        assert_eq!(all(&recent), [(1, Fate::New(1)), (4, Fate::New(4))]);
        assert_eq!((written.entries.len(), written.blocks.len()), (0, 2));
        // There are too many.
        recent.insert(entry(5), Fate::New(5));
        written.commit(&mut recent, 2);
        assert_eq!((written.entries.iter().copied().collect::<Vec<_>>(), written.blocks.len()), (vec![1, 4, 5], 0));
        assert_eq!(all(&recent), []);
        // The store has it now.
        assert!(!recent.delete_new(entry(4)));
        recent.delete(entry(4));
        assert_eq!(all(&recent), [(4, Fate::Gone)]);
    }

    #[test]
    fn ours_blocks_of_what_comes_and_goes_do_not_pile_up() {
        let (mut recent, mut written) = (Recent::default(), Written::default());
        for sort in 1..=1_000 {
            recent.insert(entry(sort), Fate::New(sort));
            recent.delete(entry(sort));
            written.commit(&mut recent, 10);
            assert!(written.blocks.len() <= 40, "{} blocks of two changes", written.blocks.len());
        }
        assert_eq!((all(&recent), written.entries.len()), (vec![], 0));
        // Opened again, they are counted on.
        let mut recent = written.opened();
        let before = recent.changes;
        assert_eq!(before, 2 * written.blocks.len());
        (before..=80).for_each(|_| recent.insert(entry(2_000), Fate::Again(2_000)));
        written.commit(&mut recent, 10);
        assert_eq!((written.blocks.len(), written.entries.len()), (0, 1));
    }

    #[test]
    fn ours_a_damaged_block_is_refused() {
        let (mut recent, mut written) = (Recent::default(), Written::default());
        recent.insert(entry(1), Fate::New(1));
        recent.insert(entry(2), Fate::Again(9));
        written.commit(&mut recent, 10);
        let block = &written.blocks[&0];
        assert_eq!(all(&written.opened()), [(1, Fate::New(1)), (2, Fate::Again(9))]);
        // A change takes 25 bytes, and 8 more if it came again.
        for end in (1..block.len()).filter(|end| *end != 25) {
            assert_eq!(Recent::default().replay(0, &block[..end]), None, "{end}");
        }
        let mut unknown = block.clone();
        unknown[0] = 3;
        assert_eq!(Recent::default().replay(0, &unknown), None);
        // One is missing.
        let mut recent = written.opened();
        assert_eq!(recent.replay(2, block), None);
    }

    proptest! {
        #[test]
        fn ours_nothing_is_lost_whenever_it_is_opened_again(
            steps in prop::collection::vec((0_u8..5, 1_u64..12), 0..120),
        ) {
            let (mut recent, mut written) = (Recent::default(), Written::default());
            let (mut there, mut next) = (BTreeSet::new(), 20);
            for (what, which) in steps {
                match what {
                    // By arrival: each once.
                    0 => {
                        recent.insert(entry(next), Fate::New(next));
                        there.insert(next);
                        next += 1;
                    }
                    // By date: again and again.
                    1 => {
                        recent.insert(entry(which), Fate::Again(next));
                        there.insert(which);
                        next += 1;
                    }
                    2 | 3 => {
                        if let Some(sort) = there.iter().nth(which as usize % there.len().max(1)).copied() {
                            there.remove(&sort);
                            recent.delete(entry(sort));
                        }
                    }
                    _ => {
                        written.commit(&mut recent, which as usize);
                        recent = written.opened();
                    }
                }
                let mut found = written.entries.clone();
                for (sort, fate) in all(&recent) {
                    if fate.written().is_some() { found.insert(sort) } else { found.remove(&sort) };
                }
                prop_assert_eq!(&found, &there);
            }
        }
    }
}
