//! Where do the bytes lie? Six keyspaces of one store, written together or not at all.

use std::fmt;
use std::path::{Path, PathBuf};

use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use super::failure::failure;
use super::record::Entry;
use crate::error::Error;

/// How much of what was written last may lie in the store's journal, to be read again at the next start.
const MAX_JOURNAL_BYTES: u64 = 128 << 20;
/// Memory for what was written last and is not sorted into the files yet: of a keyspace that every URL goes into, and of
/// another. The store holds up to four of each before it makes writers wait.
const LARGE_TABLE_BYTES: u64 = 16 << 20;
const SMALL_TABLE_BYTES: u64 = 8 << 20;

/// An open store.
pub(super) struct Store {
    path: PathBuf,
    pub(super) database: Database,
    /// Version, seed, counters.
    pub(super) meta: Keyspace,
    /// Fingerprint → number.
    pub(super) sieve: Keyspace,
    /// Number → texts, by the block.
    pub(super) urls: Keyspace,
    /// Entries of lanes.
    pub(super) lanes: Keyspace,
    /// Queues, lane settings, leases, what waits for a time, what has a place of its own, what is done.
    pub(super) state: Keyspace,
    /// Of whoever crawls.
    pub(super) notes: Keyspace,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Store {
    pub(super) fn open(path: &Path, cache_bytes: u64) -> Result<Self, Error> {
        let opened = |source| failure(path, "opened", source);
        let builder = Database::builder(path).cache_size(cache_bytes).max_journaling_size(MAX_JOURNAL_BYTES);
        let database = builder.open().map_err(opened)?;
        let keyspace = |name, bytes| {
            let options = || KeyspaceCreateOptions::default().max_memtable_size(bytes);
            database.keyspace(name, options).map_err(opened)
        };
        Ok(Self {
            path: path.to_owned(),
            meta: keyspace("meta", SMALL_TABLE_BYTES)?,
            sieve: keyspace("sieve", LARGE_TABLE_BYTES)?,
            urls: keyspace("urls", LARGE_TABLE_BYTES)?,
            lanes: keyspace("lanes", LARGE_TABLE_BYTES)?,
            state: keyspace("state", SMALL_TABLE_BYTES)?,
            notes: keyspace("notes", SMALL_TABLE_BYTES)?,
            database,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged { path: self.path.clone(), what }
    }

    pub(super) fn unreadable(&self, source: fjall::Error) -> Error {
        failure(&self.path, "read", source)
    }

    pub(super) fn unwritable(&self, source: fjall::Error) -> Error {
        failure(&self.path, "written", source)
    }

    /// The value of a key.
    pub(super) fn get(&self, keyspace: &Keyspace, key: &[u8]) -> Result<Option<fjall::Slice>, Error> {
        keyspace.get(key).map_err(|source| self.unreadable(source))
    }

    /// Entries of lanes from here to there, and when each was written.
    pub(super) fn entries(
        &self,
        range: impl std::ops::RangeBounds<[u8; 20]>,
    ) -> impl Iterator<Item = Result<(Entry, u64), Error>> {
        self.lanes.range(range).map(|guard| {
            let (key, value) = guard.into_inner().map_err(|source| self.unreadable(source))?;
            let entry = Entry::read(&key).and_then(|entry| Some((entry, entry.written(&value)?)));
            entry.ok_or_else(|| self.damaged("an entry of a lane cannot be read"))
        })
    }

    /// Hands what was committed to the disk itself.
    pub(super) fn persist(&self) -> Result<(), Error> {
        self.database.persist(PersistMode::SyncData).map_err(|source| self.unwritable(source))
    }
}
