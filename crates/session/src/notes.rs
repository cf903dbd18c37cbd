//! What is kept beside the frontier? All of it is in the frontier's own store, and in the same batch as what it belongs to: after a
//! crash either both are there or neither is.

use serde::Serialize;
use serde::de::DeserializeOwned;
use trodden_frontier::{DiskFrontier, Note, NoteKind, UrlId};

use crate::error::Error;

/// Number of a step → a block of [`TimedStep`](crate::journal::TimedStep)s from there on.
pub(crate) const JOURNAL: NoteKind = NoteKind(1);
/// URL → [`UrlRecord`](crate::record::UrlRecord).
pub(crate) const RECORD: NoteKind = NoteKind(2);
/// URL → [`UrlSource`](crate::record::UrlSource).
pub(crate) const SOURCE: NoteKind = NoteKind(3);
/// URL → how often it was asked for in vain.
pub(crate) const TRIES: NoteKind = NoteKind(4);
/// Lease → the lane that its URL was taken from to learn; of others the frontier knows all.
pub(crate) const LEASE: NoteKind = NoteKind(5);
/// Single facts of the session.
pub(crate) const STATE: NoteKind = NoteKind(6);
/// Notes from here on belong to whoever drives the session.
pub const FIRST_DRIVER_NOTE: u8 = 32;

/// The format of all of these.
pub(crate) const VERSION_KEY: &[u8] = b"version";
/// The version of the format.
pub(crate) const VERSION: u32 = 4;
/// The first step after the last checkpoint.
pub(crate) const CHECKPOINT: &[u8] = b"checkpoint";
/// Which model the session goes by.
pub(crate) const MODEL: &[u8] = b"model";
/// The latest time that the session was told.
pub(crate) const LATEST: &[u8] = b"latest";
/// Whether URLs are handed out to those who ask for several.
pub(crate) const ACTIVE: &[u8] = b"active";
/// The order of the next record.
pub(crate) const ORDER: &[u8] = b"order";

/// Notes that are read at a time.
pub(crate) const PORTION: usize = 4_096;

/// Writes something.
pub(crate) fn put<T: Serialize>(
    frontier: &mut DiskFrontier,
    kind: NoteKind,
    key: &[u8],
    value: &T,
) -> Result<(), Error> {
    let bytes = postcard::to_stdvec(value).map_err(|_| Error::Damaged("a record cannot be written"))?;
    Ok(frontier.note(kind, key, &bytes)?)
}

/// Reads something.
pub(crate) fn get<T: DeserializeOwned>(
    frontier: &DiskFrontier,
    kind: NoteKind,
    key: &[u8],
) -> Result<Option<T>, Error> {
    frontier.note_of(kind, key)?.map(|bytes| read(&bytes)).transpose()
}

/// What a note says.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    postcard::from_bytes(bytes).map_err(|_| Error::Damaged("a record cannot be read"))
}

/// All notes of a kind from a key on, a portion at a time.
pub(crate) fn each(
    frontier: &DiskFrontier,
    kind: NoteKind,
    from: &[u8],
    mut tell: impl FnMut(&[u8], &[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut from = from.to_vec();
    loop {
        let portion = frontier.notes(kind, &from, PORTION)?;
        for Note { key, value } in &portion {
            tell(key, value)?;
        }
        match portion.into_iter().next_back() {
            Some(last) => from = after(last.key),
            None => return Ok(()),
        }
    }
}

/// The first key after another.
pub(crate) fn after(mut key: Vec<u8>) -> Vec<u8> {
    key.push(0);
    key
}

/// A number that is a key.
pub(crate) fn number_of(key: &[u8]) -> Result<UrlId, Error> {
    key.try_into()
        .map(|bytes| UrlId(u32::from_be_bytes(bytes)))
        .map_err(|_| Error::Damaged("the key of a record cannot be read"))
}

/// Notes of whoever drives a session: what must be of the same moment, and means nothing to the session.
pub struct DriverNotes<'s>(pub(crate) &'s mut DiskFrontier);

impl DriverNotes<'_> {
    /// Writes something, in place of what had the key.
    ///
    /// # Errors
    /// If it is too long.
    pub fn put<T: Serialize>(&mut self, kind: u8, key: &[u8], value: &T) -> Result<(), Error> {
        debug_assert!(kind >= FIRST_DRIVER_NOTE, "notes below belong to the session");
        put(self.0, NoteKind(kind), key, value)
    }

    /// Deletes something, if it is there.
    ///
    /// # Errors
    /// If the key is too long.
    pub fn forget(&mut self, kind: u8, key: &[u8]) -> Result<(), Error> {
        debug_assert!(kind >= FIRST_DRIVER_NOTE, "notes below belong to the session");
        Ok(self.0.forget_note(NoteKind(kind), key)?)
    }
}
