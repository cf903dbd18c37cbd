//! Which URLs wait for a time? Few of many, so whoever asks for all of them should not look at every URL.
//!
//! A mark for each block of URLs says that one of them was deferred at some time. Marks stay, so that none can be missing.

use super::slot::{Doing, Slot};
use crate::url_id::{UrlId, UrlTable};

/// URLs of a block: looking at them takes a few microseconds.
const BLOCK: usize = 4_096;

/// The blocks in which URLs were deferred.
#[derive(Debug, Default)]
pub(crate) struct DeferredBlocks {
    marks: Vec<bool>,
}

impl DeferredBlocks {
    /// A URL is deferred.
    pub(crate) fn mark(&mut self, key: UrlId) {
        let block = key.index() / BLOCK;
        if block >= self.marks.len() {
            self.marks.resize(block + 1, false);
        }
        self.marks[block] = true;
    }

    /// The URLs that are.
    pub(super) fn of(&self, slots: &UrlTable<Slot>) -> Vec<UrlId> {
        let marked = self.marks.iter().enumerate().filter(|(_, is_marked)| **is_marked);
        let first = marked.map(|(block, _)| UrlId((block * BLOCK) as u32));
        let deferred = |first| slots.from(first).take(BLOCK).filter(|(_, slot)| slot.doing == Doing::Deferred);
        first.flat_map(deferred).map(|(key, _)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_all_that_are_deferred_are_found_in_order() {
        let (mut slots, mut blocks) = (UrlTable::<Slot>::default(), DeferredBlocks::default());
        assert_eq!(blocks.of(&slots), []);
        for number in [0, 4_095, 4_096, 20_000, 9_000] {
            slots.slot(UrlId(number)).doing = Doing::Deferred;
            blocks.mark(UrlId(number));
        }
        // One goes; its block stays marked.
        slots.slot(UrlId(9_000)).doing = Doing::Waiting;
        assert_eq!(blocks.of(&slots), [0, 4_095, 4_096, 20_000].map(UrlId));
    }
}
