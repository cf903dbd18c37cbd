//! What changed since the last commit? Everything that does goes into one batch, and is on disk whole or not at all.
//!
//! Whoever reads looks here first, so nothing has to be committed to be seen. The last change of a key counts.

use std::collections::BTreeMap;

use fjall::{OwnedWriteBatch, PersistMode, Slice};

use super::record::{Counters, Entry};
use super::store::Store;
use super::texts::Texts;
use crate::error::Error;

/// The key of the counters.
pub(super) const COUNTERS: &str = "counters";

/// How far a commit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durable {
    /// To the operating system: it survives the end of the process.
    Process,
    /// To the disk: it survives a loss of power.
    Power,
}

/// Changes that are not committed.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// Entries of lanes, and when they were written; none: deleted.
    pub(super) entries: BTreeMap<Entry, Option<u64>>,
    pub(super) state: BTreeMap<Slice, Option<Slice>>,
    pub(super) notes: BTreeMap<Slice, Option<Slice>>,
    pub(super) texts: Texts,
}

impl Pending {
    pub(super) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.state.insert(key.into(), Some(value.into()));
    }

    pub(super) fn delete(&mut self, key: Vec<u8>) {
        self.state.insert(key.into(), None);
    }

    /// Deletes a key that was never written before and never will be again: if that is pending, nothing happened.
    pub(super) fn delete_once(&mut self, key: Vec<u8>) {
        let key = key.into();
        if self.state.remove(&key).is_none() {
            self.state.insert(key, None);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.state.is_empty() && self.notes.is_empty() && self.texts.len() == 0
    }

    /// Writes everything, and is empty then.
    pub(super) fn commit(&mut self, store: &Store, counters: Counters, durable: Durable) -> Result<(), Error> {
        let room = self.entries.len() + self.state.len() + self.notes.len() + self.texts.len() / 32 + 1;
        let mode = match durable {
            Durable::Process => PersistMode::Buffer,
            Durable::Power => PersistMode::SyncData,
        };
        let mut batch = OwnedWriteBatch::with_capacity(store.database.clone(), room).durability(Some(mode));
        for (entry, written) in std::mem::take(&mut self.entries) {
            match written {
                Some(written) => batch.insert(&store.lanes, entry.key(), entry.value(written)),
                None => batch.remove(&store.lanes, entry.key()),
            }
        }
        for (changes, keyspace) in [(&mut self.state, &store.state), (&mut self.notes, &store.notes)] {
            for (key, value) in std::mem::take(changes) {
                match value {
                    Some(value) => batch.insert(keyspace, key, value),
                    None => batch.remove(keyspace, key),
                }
            }
        }
        for (last, block) in self.texts.blocks() {
            batch.insert(&store.urls, last.to_be_bytes(), block);
        }
        batch.insert(&store.meta, COUNTERS, counters.bytes());
        batch.commit().map_err(|source| store.unwritable(source))
    }
}
