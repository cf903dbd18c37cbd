//! Where do the bytes lie? Five spaces of sorted keys, written together or not at all.
//!
//! A store is on disk ([`Fjall`]), or in memory ([`WrittenMemory`], which remembers every write and can be set back to any of
//! them, for tests of crashes). The rest of the frontier does not know which.

use std::fmt;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fjall::compaction::Leveled;
use fjall::config::{CompressionPolicy, FilterPolicy};
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode, Slice};

use super::failure::failure;
use super::pending::Durable;
use super::record::Entry;
use super::written_memory::WrittenMemory;
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

/// A space of sorted keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    /// Version, seed, counters.
    Meta,
    /// Number → texts, by the block.
    Urls,
    /// Entries of lanes.
    Lanes,
    /// Queues, leases, what waits for a time, what has a place of its own, what is done.
    State,
    /// Of whoever crawls.
    Notes,
}

/// A key, and its new value; none: it goes.
pub(super) type Change = (Space, Slice, Option<Slice>);
/// A key with its value.
pub(super) type Pair = (Slice, Slice);

/// An open store.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    backend: Backend,
}

#[derive(Debug)]
enum Backend {
    Disk(Fjall),
    Memory(WrittenMemory),
}

/// A store on disk.
struct Fjall {
    database: Database,
    /// By [`Space`].
    spaces: [Keyspace; 5],
}

impl fmt::Debug for Fjall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fjall").finish_non_exhaustive()
    }
}

impl Store {
    pub(super) fn open(path: &Path, cache_bytes: u64) -> Result<Self, Error> {
        let opened = |source| failure(path, "opened", source);
        let builder = Database::builder(path).cache_size(cache_bytes).worker_threads(THREADS);
        let database = builder.max_journaling_size(MAX_JOURNAL_BYTES).open().map_err(opened)?;
        let keyspace = |name, holds: Holds| database.keyspace(name, || holds.options()).map_err(opened);
        let spaces = [
            keyspace("meta", Holds::Little)?,
            keyspace("urls", Holds::Text)?,
            keyspace("lanes", Holds::Entries)?,
            keyspace("state", Holds::Little)?,
            keyspace("notes", Holds::Little)?,
        ];
        Ok(Self { path: path.to_owned(), backend: Backend::Disk(Fjall { database, spaces }) })
    }

    pub(super) fn in_memory(memory: WrittenMemory) -> Self {
        Self { path: PathBuf::from("memory"), backend: Backend::Memory(memory) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged { path: self.path.clone(), what }
    }

    fn unreadable(&self, source: fjall::Error) -> Error {
        failure(&self.path, "read", source)
    }

    fn unwritable(&self, source: fjall::Error) -> Error {
        failure(&self.path, "written", source)
    }

    /// The value of a key.
    pub(super) fn get(&self, space: Space, key: &[u8]) -> Result<Option<Slice>, Error> {
        match &self.backend {
            Backend::Disk(disk) => disk.spaces[space as usize].get(key).map_err(|source| self.unreadable(source)),
            Backend::Memory(memory) => Ok(memory.get(space, key)),
        }
    }

    /// Keys and values between two keys, in order.
    pub(super) fn range<'s>(
        &'s self,
        space: Space,
        from: Bound<&[u8]>,
        to: Bound<&[u8]>,
    ) -> Box<dyn Iterator<Item = Result<Pair, Error>> + 's> {
        match &self.backend {
            Backend::Disk(disk) => {
                let found = disk.spaces[space as usize].range::<&[u8], _>((from, to));
                Box::new(found.map(|guard| guard.into_inner().map_err(|source| self.unreadable(source))))
            }
            Backend::Memory(memory) => Box::new(memory.range(space, from, to).into_iter().map(Ok)),
        }
    }

    /// Everything of a space, in order.
    pub(super) fn all(&self, space: Space) -> Box<dyn Iterator<Item = Result<Pair, Error>> + '_> {
        self.range(space, Bound::Unbounded, Bound::Unbounded)
    }

    /// The last key of a space.
    pub(super) fn last_key(&self, space: Space) -> Result<Option<Slice>, Error> {
        match &self.backend {
            Backend::Disk(disk) => {
                let last = disk.spaces[space as usize].last_key_value();
                last.map(|guard| guard.key().map_err(|source| self.unreadable(source))).transpose()
            }
            Backend::Memory(memory) => Ok(memory.last_key(space)),
        }
    }

    /// Entries of lanes from here to there, and when each was written.
    pub(super) fn entries(
        &self,
        from: Bound<&[u8]>,
        to: Bound<&[u8]>,
    ) -> impl Iterator<Item = Result<(Entry, u64), Error>> {
        self.range(Space::Lanes, from, to).map(|pair| {
            let (key, value) = pair?;
            let entry = Entry::read(&key).and_then(|entry| entry.written(&value).map(|written| (entry, written)));
            entry.ok_or_else(|| self.damaged("an entry of a lane cannot be read"))
        })
    }

    /// Writes changes together, or none of them.
    pub(super) fn commit(&self, changes: impl ExactSizeIterator<Item = Change>, durable: Durable) -> Result<(), Error> {
        match &self.backend {
            Backend::Disk(disk) => {
                let mode = match durable {
                    Durable::Process => PersistMode::Buffer,
                    Durable::Power => PersistMode::SyncData,
                };
                let batch = OwnedWriteBatch::with_capacity(disk.database.clone(), changes.len());
                let mut batch = batch.durability(Some(mode));
                for (space, key, value) in changes {
                    let space = &disk.spaces[space as usize];
                    match value {
                        Some(value) => batch.insert(space, key, value),
                        None => batch.remove(space, key),
                    }
                }
                batch.commit().map_err(|source| self.unwritable(source))
            }
            Backend::Memory(memory) => {
                memory.commit(changes.collect(), durable);
                Ok(())
            }
        }
    }

    /// Hands what was committed to the disk itself.
    pub(super) fn persist(&self) -> Result<(), Error> {
        match &self.backend {
            Backend::Disk(disk) => {
                disk.database.persist(PersistMode::SyncData).map_err(|source| self.unwritable(source))
            }
            Backend::Memory(memory) => {
                memory.persist();
                Ok(())
            }
        }
    }
}
