//! What changed since the last commit? Everything that does goes into one batch, and is on disk whole or not at all; entries of
//! lanes as [a note of what came and went](super::recent).
//!
//! Whoever reads looks here first, so nothing has to be committed to be seen. The last change of a key counts.

use std::collections::BTreeMap;

use fjall::Slice;

use super::recent::Recent;
use super::record::Counters;
use super::store::{Change, Space, Store};
use super::texts::{Committed, Texts};
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
    pub(super) entries: Recent,
    pub(super) state: BTreeMap<Slice, Option<Slice>>,
    pub(super) notes: BTreeMap<Slice, Option<Slice>>,
    pub(super) texts: Texts,
    /// Blocks of texts that were made anew, by key.
    pub(super) blocks: BTreeMap<u32, Slice>,
    /// Where the other texts are.
    pub(super) committed: Committed,
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
        self.entries.is_committed()
            && self.state.is_empty()
            && self.notes.is_empty()
            && self.blocks.is_empty()
            && self.texts.len() == 0
    }

    /// Writes everything, and is empty then but for so many entries of lanes.
    pub(super) fn commit(
        &mut self,
        store: &Store,
        recent: usize,
        counters: Counters,
        durable: Durable,
    ) -> Result<(), Error> {
        let room = self.state.len() + self.notes.len() + self.texts.len() / 32 + 2;
        let mut changes: Vec<Change> = Vec::with_capacity(room);
        self.entries.changes(recent, &mut changes);
        let state = std::mem::take(&mut self.state).into_iter();
        changes.extend(state.map(|(key, value)| (Space::State, key, value)));
        let notes = std::mem::take(&mut self.notes).into_iter();
        changes.extend(notes.map(|(key, value)| (Space::Notes, key, value)));
        let blocks = std::mem::take(&mut self.blocks).into_iter();
        changes.extend(blocks.map(|(last, block)| (Space::Urls, last.to_be_bytes().into(), Some(block))));
        for (last, block) in self.texts.blocks() {
            self.committed.push(last);
            changes.push((Space::Urls, last.to_be_bytes().into(), Some(block)));
        }
        changes.push((Space::Meta, COUNTERS.as_bytes().into(), Some(counters.bytes().into())));
        store.commit(changes.into_iter(), durable)
    }
}
