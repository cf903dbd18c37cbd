//! Where do the bytes lie? Five keyspaces of one store, written together or not at all.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fjall::compaction::Leveled;
use fjall::config::{CompressionPolicy, FilterPolicy};
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use super::failure::failure;
use super::record::Entry;
use crate::error::Error;

/// How much of what was written last may lie in the store's journal, to be read again at the next start.
const MAX_JOURNAL_BYTES: u64 = 192 << 20;
/// Memory for what was written last and is not sorted into the files yet: of a keyspace that every URL goes into in no order,
/// and of another. The store holds up to four of each before it makes writers wait. Twice as much halved the merges, and cost as
/// much more in cache misses: half of what a put costs is finding its place in here.
const LARGE_TABLE_BYTES: u64 = 32 << 20;
const SMALL_TABLE_BYTES: u64 = 8 << 20;
/// Files of a keyspace that may overlap before they are merged with all others. Every merge reads and writes what is there
/// already: with 4, the store's default, a URL among millions was written nine times. Reading pays little for it: what is new
/// is known by the filter, and a lane is read by the thousand.
const OVERLAPPING_FILES: u8 = 16;
/// Threads that sort what was written. The store keeps the first free for small work, and has it ask again and again, without
/// a pause, while all others are busy; of the large keyspaces two are ever merged, so the fourth stays idle and nobody asks.
/// With two threads a core was lost to asking.
const THREADS: usize = 4;

/// What a keyspace holds.
enum Holds {
    /// Little, or what is often overwritten.
    Little,
    /// Entries of lanes: they are read in order, never one by one, so nothing must tell which file has one.
    Entries,
    /// Text of every URL, in order.
    Text,
}

impl Holds {
    fn options(&self) -> KeyspaceCreateOptions {
        let options = KeyspaceCreateOptions::default();
        match self {
            Self::Little => options.max_memtable_size(SMALL_TABLE_BYTES),
            Self::Entries => options
                .max_memtable_size(LARGE_TABLE_BYTES)
                .compaction_strategy(Arc::new(Leveled::default().with_l0_threshold(OVERLAPPING_FILES)))
                .data_block_compression_policy(CompressionPolicy::disabled())
                .filter_policy(FilterPolicy::disabled()),
            // Files in order are moved, not merged, so they are compressed at once or never.
            Self::Text => options
                .max_memtable_size(SMALL_TABLE_BYTES)
                .filter_policy(FilterPolicy::disabled())
                .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4)),
        }
    }
}

/// An open store.
pub(super) struct Store {
    path: PathBuf,
    pub(super) database: Database,
    /// Version, seed, counters.
    pub(super) meta: Keyspace,
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
        let builder = Database::builder(path).cache_size(cache_bytes).worker_threads(THREADS);
        let database = builder.max_journaling_size(MAX_JOURNAL_BYTES).open().map_err(opened)?;
        let keyspace = |name, holds: Holds| database.keyspace(name, || holds.options()).map_err(opened);
        Ok(Self {
            path: path.to_owned(),
            meta: keyspace("meta", Holds::Little)?,
            urls: keyspace("urls", Holds::Text)?,
            lanes: keyspace("lanes", Holds::Entries)?,
            state: keyspace("state", Holds::Little)?,
            notes: keyspace("notes", Holds::Little)?,
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
