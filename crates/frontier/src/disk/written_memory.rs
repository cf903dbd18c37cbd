//! A store in memory that remembers every write: what a crash leaves of it can be looked at, whenever it comes.
//!
//! A process that ends loses nothing that was committed; a machine that loses its power loses what was not
//! [synced](crate::Frontier::sync). [`WrittenMemory::after`] is the store as either would find it.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fjall::Slice;

use super::pending::Durable;
use super::store::{Change, Pair, Space};

/// What is lost in a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// The process ends.
    Process,
    /// The machine loses its power: what was not synced goes.
    Power,
}

/// A store in memory. Clones are the same store.
#[derive(Clone, Debug, Default)]
pub struct WrittenMemory(Arc<Mutex<Written>>);

#[derive(Debug, Default)]
struct Written {
    pairs: BTreeMap<(Space, Slice), Slice>,
    writes: Vec<Write>,
}

#[derive(Clone, Debug)]
struct Write {
    changes: Vec<Change>,
    is_synced: bool,
}

impl WrittenMemory {
    fn written(&self) -> MutexGuard<'_, Written> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many writes there were.
    #[must_use]
    pub fn writes(&self) -> usize {
        self.written().writes.len()
    }

    /// What is left after so many writes.
    #[must_use]
    pub fn after(&self, writes: usize, crash: Crash) -> Self {
        let written = self.written();
        let kept = match crash {
            Crash::Process => writes,
            Crash::Power => written.writes[..writes].iter().rposition(|write| write.is_synced).map_or(0, |at| at + 1),
        };
        let left = Self::default();
        for write in &written.writes[..kept] {
            left.written().apply(write.clone());
        }
        left
    }

    /// Bytes of keys and values in a space.
    #[cfg(test)]
    pub(super) fn bytes(&self, space: Space) -> usize {
        let written = self.written();
        let pairs = written.pairs.iter().filter(|((of, _), _)| *of == space);
        pairs.map(|((_, key), value)| key.len() + value.len()).sum()
    }

    pub(super) fn get(&self, space: Space, key: &[u8]) -> Option<Slice> {
        self.written().pairs.get(&(space, key.into())).cloned()
    }

    pub(super) fn range(&self, space: Space, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Vec<Pair> {
        let from = match from {
            Bound::Unbounded => Bound::Included((space, Slice::from(&[][..]))),
            bound => bound.map(|key| (space, Slice::from(key))),
        };
        let is_before_end = |key: &Slice| match to {
            Bound::Unbounded => true,
            Bound::Included(to) => key[..] <= *to,
            Bound::Excluded(to) => key[..] < *to,
        };
        let written = self.written();
        let found = written.pairs.range((from, Bound::Unbounded));
        let found = found.take_while(|((of, key), _)| *of == space && is_before_end(key));
        found.map(|((_, key), value)| (key.clone(), value.clone())).collect()
    }

    pub(super) fn last_key(&self, space: Space) -> Option<Slice> {
        self.range(space, Bound::Unbounded, Bound::Unbounded).pop().map(|(key, _)| key)
    }

    pub(super) fn commit(&self, changes: Vec<Change>, durable: Durable) {
        self.written().apply(Write { changes, is_synced: durable == Durable::Power });
    }

    pub(super) fn persist(&self) {
        self.written().apply(Write { changes: Vec::new(), is_synced: true });
    }
}

impl Written {
    fn apply(&mut self, write: Write) {
        for (space, key, value) in &write.changes {
            match value {
                Some(value) => drop(self.pairs.insert((*space, key.clone()), value.clone())),
                None => drop(self.pairs.remove(&(*space, key.clone()))),
            }
        }
        self.writes.push(write);
    }
}
