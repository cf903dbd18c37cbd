//! What else must be of the same moment? Notes of whoever crawls: outcomes, what a policy has learnt, robots.txt, totals.
//! They are written with the frontier's own changes, or not at all, and mean nothing to it.

use std::collections::BTreeMap;
use std::ops::Bound;

use fjall::Slice;

use super::store::Space;
use super::{DiskFrontier, check_length};
use crate::error::Error;

/// The longest key of a note; the store takes 65,536 bytes, of which the kind is one.
const MAX_KEY_BYTES: usize = 65_535;
/// The longest note: the store counts by 32 bits.
const MAX_NOTE_BYTES: usize = 1 << 30;

/// Notes of a kind have their keys to themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteKind(pub u8);

/// A note as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its key.
    pub key: Vec<u8>,
    /// What it says.
    pub value: Vec<u8>,
}

impl NoteKind {
    fn key(self, key: &[u8]) -> Slice {
        let mut whole = Vec::with_capacity(key.len() + 1);
        whole.push(self.0);
        whole.extend_from_slice(key);
        whole.into()
    }
}

impl DiskFrontier {
    /// Writes a note, in place of one with the same key.
    ///
    /// # Errors
    /// If key or note are too long.
    pub fn note(&mut self, kind: NoteKind, key: &[u8], value: &[u8]) -> Result<(), Error> {
        check_length("the key of a note", key.len(), MAX_KEY_BYTES)?;
        check_length("a note", value.len(), MAX_NOTE_BYTES)?;
        self.shelf.pending.notes.insert(kind.key(key), Some(value.into()));
        Ok(())
    }

    /// Deletes a note, if there is one.
    ///
    /// # Errors
    /// If the key is too long.
    pub fn forget_note(&mut self, kind: NoteKind, key: &[u8]) -> Result<(), Error> {
        check_length("the key of a note", key.len(), MAX_KEY_BYTES)?;
        self.shelf.pending.notes.insert(kind.key(key), None);
        Ok(())
    }

    /// A note.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn note_of(&self, kind: NoteKind, key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let key = kind.key(key);
        let value = match self.shelf.pending.notes.get(&key) {
            Some(pending) => pending.clone(),
            None => self.shelf.store.get(Space::Notes, &key)?,
        };
        Ok(value.map(|value| value.to_vec()))
    }

    /// The notes of a kind from a key on, by key; at most so many.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn notes(&self, kind: NoteKind, from: &[u8], most: usize) -> Result<Vec<Note>, Error> {
        let (shelf, from) = (&self.shelf, kind.key(from));
        let is_kind = |key: &Slice| key.first() == Some(&kind.0);
        let changes = shelf.pending.notes.range(from.clone()..).take_while(|(key, _)| is_kind(key));
        let changes: BTreeMap<&Slice, &Option<Slice>> = changes.collect();
        // What is deleted takes no room: so many more are read.
        let (mut notes, mut read) = (BTreeMap::new(), 0);
        for pair in shelf.store.range(Space::Notes, Bound::Included(&from), Bound::Unbounded) {
            let (key, value) = pair?;
            if !is_kind(&key) || read >= most.saturating_add(changes.len()) {
                break;
            }
            read += 1;
            notes.insert(key, value);
        }
        for (key, change) in changes {
            match change {
                Some(value) => drop(notes.insert(key.clone(), value.clone())),
                None => drop(notes.remove(key)),
            }
        }
        Ok(notes
            .into_iter()
            .take(most)
            .map(|(key, value)| Note { key: key[1..].to_vec(), value: value.to_vec() })
            .collect())
    }
}
