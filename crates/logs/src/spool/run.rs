//! Runs of records: filled by one worker, kept in memory or written to disk.
//!
//! ```text
//! run on disk = segment of shard 0 | segment of shard 1 | …          (one unlinked scratch file)
//! segment     = block | block | …              records in the order of the run, at most BLOCK_RECORDS each
//! block       = u32 records, urls, clients, text bytes               (little endian, like all that follows)
//!             | urls × { path 16, shape 8, host 4, kind 1, text length 2 }
//!             | clients × { user 8, address 8 }
//!             | records × { see record.rs }      target, referrer and extra count within this block
//!             | text
//! ```
//! A block carries the URLs it needs, so a reader holds one block a segment and nothing else. The format is
//! private to a process: the file has no name and does not outlive it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::record::RECORD_BYTES;
use super::{ClientOrSite, NO_URL, Record, ScratchDir, ShardMerge, UrlEntry, UrlTable};

/// Records a block holds at most: about half a megabyte, and as much again of text.
pub(super) const BLOCK_RECORDS: usize = 1 << 14;
/// Records a block holds at least, if there are as many: fewer would be read one by one.
const MIN_BLOCK_RECORDS: usize = 1 << 9;
/// Blocks that a run is cut into at least, if it is large enough. A reader holds a block of each run: where the memory is
/// small, runs are many, and blocks must be small.
const BLOCKS_OF_RUN: usize = 1 << 8;

/// What a shard is, and in which order its records come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunOrder {
    /// Shards are shares of the users; records by user, then time.
    ByUser,
    /// Shards are days; records by site, user, time, target, referrer.
    ByDay,
}

/// The place of a record in the order of its run.
pub(super) type Key = (ClientOrSite, u64, i64, (u64, u64), (u64, u64));

impl RunOrder {
    pub(super) fn key(self, record: &Record, urls: &UrlTable) -> Key {
        match self {
            Self::ByUser => (ClientOrSite::NONE, record.user, record.time_ms, (0, 0), (0, 0)),
            Self::ByDay => {
                let path = |id| if id == NO_URL { (0, 0) } else { urls.entry(id).path };
                (record.of, record.user, record.time_ms, path(record.target), path(record.referrer))
            }
        }
    }

    fn sort(self, records: &mut [Record], urls: &UrlTable) {
        match self {
            Self::ByUser => records.sort_unstable_by_key(|r| (r.user, r.time_ms)),
            Self::ByDay => records.sort_unstable_by(|a, b| {
                let early = |r: &Record| (r.of, r.user, r.time_ms);
                early(a).cmp(&early(b)).then_with(|| self.key(a, urls).cmp(&self.key(b, urls)))
            }),
        }
    }
}

/// Records of one worker by shard, with their URLs.
#[derive(Debug, Default)]
pub(crate) struct Run {
    keys: Vec<u32>,
    shards: Vec<Vec<Record>>,
    index: FxHashMap<u32, usize>,
    /// The URLs that records name.
    pub(crate) urls: UrlTable,
    /// Forwarded clients: hashes of user and address, where the log has such a field.
    pub(crate) clients: Vec<(u64, u64)>,
}

impl Run {
    /// A run whose shards are `0..shards`, with room for so many records in each: growing would copy them, and have
    /// the system clear as much memory again.
    pub(crate) fn with_shards(shards: u32, room: usize) -> Self {
        let keys: Vec<u32> = (0..shards).collect();
        Self {
            index: keys.iter().map(|k| (*k, *k as usize)).collect(),
            shards: keys.iter().map(|_| Vec::with_capacity(room)).collect(),
            keys,
            ..Self::default()
        }
    }

    /// Adds a record to a shard that [`Run::with_shards`] made.
    pub(crate) fn push_to(&mut self, shard: usize, record: Record) {
        self.shards[shard].push(record);
    }

    /// Adds a record to the shard of this key, made if need be.
    pub(crate) fn push(&mut self, key: u32, record: Record) {
        let slot = *self.index.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.shards.push(Vec::new());
            self.shards.len() - 1
        });
        self.shards[slot].push(record);
    }

    /// Memory in use; room that was never written to is none.
    pub(crate) fn heap_bytes(&self) -> usize {
        let records: usize = self.shards.iter().map(|s| s.len() * size_of::<Record>()).sum();
        records + self.urls.heap_bytes() + self.clients.capacity() * 16
    }

    /// Moves every record to the user and address of its forwarded client, where it has one.
    pub(crate) fn use_forwarded_clients(&mut self) {
        let shards = self.shards.len();
        let old = std::mem::replace(&mut self.shards, vec![Vec::new(); shards]);
        for mut record in old.into_iter().flatten() {
            if let Some((user, address)) = record.of.client_place().map(|place| self.clients[place]) {
                (record.user, record.address) = (user, address);
                record.traits &= !super::traits::NOBODY;
            }
            self.push_to(shard_of(record.user, shards), record);
        }
    }

    /// Sorts every shard: the run can be read from now on.
    pub(crate) fn seal(&mut self, order: RunOrder) {
        for shard in &mut self.shards {
            order.sort(shard, &self.urls);
        }
    }

    pub(super) fn shard(&self, key: u32) -> &[Record] {
        self.index.get(&key).map_or(&[], |slot| &self.shards[*slot])
    }

    /// Writes the run and empties it; the memory of its shards is kept for what comes.
    fn spill(&mut self, order: RunOrder, scratch: &ScratchDir) -> io::Result<SpilledRun> {
        self.seal(order);
        let mut out = BufWriter::with_capacity(1 << 20, scratch.file()?);
        let mut writer = BlockWriter { local: vec![NO_URL; self.urls.len()], ..BlockWriter::default() };
        let mut segments = FxHashMap::default();
        let mut at = 0;
        let records: usize = self.shards.iter().map(Vec::len).sum();
        let of_block = (records / BLOCKS_OF_RUN).clamp(MIN_BLOCK_RECORDS, BLOCK_RECORDS);
        for (key, shard) in self.keys.iter().zip(&self.shards) {
            let mut blocks = Vec::new();
            for records in shard.chunks(of_block) {
                let bytes = writer.block(records, &self.urls, &self.clients);
                out.write_all(bytes)?;
                blocks.push((at, bytes.len()));
                at += bytes.len() as u64;
            }
            if !blocks.is_empty() {
                segments.insert(*key, blocks);
            }
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.shards.iter_mut().for_each(Vec::clear);
        self.urls.clear();
        self.clients.clear();
        Ok(SpilledRun { file: Arc::new(file), segments })
    }
}

/// Which shard a user belongs to: by the upper bits, which the sort does not depend on.
pub(crate) fn shard_of(user: u64, shards: usize) -> usize {
    (((user >> 32) * shards as u64) >> 32) as usize
}

/// A run on disk: where the blocks of each shard are.
#[derive(Debug)]
pub(super) struct SpilledRun {
    pub(super) file: Arc<File>,
    pub(super) segments: FxHashMap<u32, Vec<(u64, usize)>>,
}

#[derive(Default)]
struct BlockWriter {
    /// Number in the run → number in the block, NO_URL where it has none yet.
    local: Vec<u32>,
    touched: Vec<u32>,
    bytes: Vec<u8>,
    urls: Vec<u8>,
    clients: Vec<u8>,
    text: Vec<u8>,
    records: Vec<u8>,
}

impl BlockWriter {
    fn block(&mut self, records: &[Record], urls: &UrlTable, clients: &[(u64, u64)]) -> &[u8] {
        for part in [&mut self.bytes, &mut self.urls, &mut self.clients, &mut self.text, &mut self.records] {
            part.clear();
        }
        self.records.reserve(records.len() * RECORD_BYTES);
        let mut client_count = 0;
        for record in records {
            let mut record = *record;
            record.target = self.localize(record.target, urls);
            record.referrer = self.localize(record.referrer, urls);
            if let Some(place) = record.of.client_place() {
                let (user, address) = clients[place];
                self.clients.extend_from_slice(&user.to_le_bytes());
                self.clients.extend_from_slice(&address.to_le_bytes());
                record.of = ClientOrSite::client(client_count);
                client_count += 1;
            }
            record.put(&mut self.records);
        }
        for count in [records.len(), self.touched.len(), client_count, self.text.len()] {
            let count = u32::try_from(count).expect("a block has at most BLOCK_RECORDS records and twice as many URLs");
            self.bytes.extend_from_slice(&count.to_le_bytes());
        }
        for part in [&self.urls, &self.clients, &self.records, &self.text] {
            self.bytes.extend_from_slice(part);
        }
        for id in self.touched.drain(..) {
            self.local[id as usize] = NO_URL;
        }
        &self.bytes
    }

    fn localize(&mut self, id: u32, urls: &UrlTable) -> u32 {
        if id == NO_URL || self.local[id as usize] != NO_URL {
            return if id == NO_URL { NO_URL } else { self.local[id as usize] };
        }
        let number = u32::try_from(self.touched.len()).expect("at most twice BLOCK_RECORDS");
        self.local[id as usize] = number;
        self.touched.push(id);
        let entry = urls.entry(id);
        let text = urls.text(entry);
        self.urls.extend_from_slice(&entry.path.0.to_le_bytes());
        self.urls.extend_from_slice(&entry.path.1.to_le_bytes());
        self.urls.extend_from_slice(&entry.shape.to_le_bytes());
        self.urls.extend_from_slice(&entry.host.to_le_bytes());
        self.urls.push(entry.kind);
        self.urls.extend_from_slice(&u16::try_from(text.len()).expect("URLs are capped below 64 KiB").to_le_bytes());
        self.text.extend_from_slice(text.as_bytes());
        number
    }
}

/// All runs of a pass, some in memory, some on disk.
#[derive(Debug)]
pub(crate) struct Spool {
    order: RunOrder,
    scratch: ScratchDir,
    memory: Vec<Run>,
    disk: Vec<SpilledRun>,
    /// Whether what is in memory is sorted.
    sealed: bool,
}

impl Spool {
    /// An empty spool.
    pub(crate) fn new(order: RunOrder, scratch: ScratchDir) -> Self {
        Self { order, scratch, memory: Vec::new(), disk: Vec::new(), sealed: false }
    }

    /// Writes a run to disk and empties it. Called by workers, each with its own spool.
    pub(crate) fn spill(&mut self, run: &mut Run) -> io::Result<()> {
        if run.shards.iter().any(|shard| !shard.is_empty()) {
            self.disk.push(run.spill(self.order, &self.scratch)?);
        }
        Ok(())
    }

    /// Takes a run as it is; it is sorted when the spool is sealed.
    pub(crate) fn keep(&mut self, run: Run) {
        self.sealed = false;
        self.memory.push(run);
    }

    /// Takes over what another worker spooled.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.sealed = false;
        self.memory.extend(other.memory);
        self.disk.extend(other.disk);
    }

    /// How many runs went to disk.
    pub(crate) fn spilled_runs(&self) -> usize {
        self.disk.len()
    }

    /// Re-keys every record to its forwarded client: in memory in place, on disk run by run.
    pub(crate) fn use_forwarded_clients(&mut self, shards: u32) -> io::Result<()> {
        self.sealed = false;
        for run in &mut self.memory {
            run.use_forwarded_clients();
        }
        for spilled in std::mem::take(&mut self.disk) {
            let mut run = spilled.load(shards)?;
            run.use_forwarded_clients();
            self.spill(&mut run)?;
        }
        Ok(())
    }

    /// The shards there are, in ascending order.
    pub(crate) fn shard_keys(&self) -> Vec<u32> {
        let memory = self.memory.iter().flat_map(|r| r.keys.iter().copied());
        let disk = self.disk.iter().flat_map(|r| r.segments.keys().copied());
        let mut keys: Vec<u32> = memory.chain(disk).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Sorts what is in memory, a thread a run: there are as many as there were workers. Once is enough.
    pub(crate) fn seal(&mut self) {
        if std::mem::replace(&mut self.sealed, true) {
            return;
        }
        let order = self.order;
        std::thread::scope(|scope| {
            for run in &mut self.memory {
                scope.spawn(move || run.seal(order));
            }
        });
    }

    /// Reads one shard in order. The spool must be sealed.
    pub(crate) fn merge(&self, key: u32) -> io::Result<ShardMerge<'_>> {
        let memory = self.memory.iter().map(|run| (run.shard(key), &run.urls, &run.clients[..]));
        let disk = self.disk.iter().filter_map(|run| run.segments.get(&key).map(|blocks| (&*run.file, &blocks[..])));
        ShardMerge::new(self.order, memory, disk)
    }
}

impl SpilledRun {
    /// Back into memory, each URL once.
    fn load(self, shards: u32) -> io::Result<Run> {
        let mut run = Run::with_shards(shards, 0);
        let mut known: FxHashMap<(u32, (u64, u64)), u32> = FxHashMap::default();
        let mut segments: Vec<_> = self.segments.iter().collect();
        segments.sort_unstable();
        for (key, blocks) in segments {
            let mut merge =
                ShardMerge::new(RunOrder::ByUser, std::iter::empty(), std::iter::once((&*self.file, &blocks[..])))?;
            while let Some(item) = merge.next()? {
                let mut record = item.record;
                let mut keep = |id: u32| {
                    if id == NO_URL {
                        return NO_URL;
                    }
                    let entry: &UrlEntry = item.urls.entry(id);
                    let text = item.urls.text(entry);
                    // A URL may be known without its text (an image) and with it (a referrer).
                    *known
                        .entry((entry.host << 1 | u32::from(text.is_empty()), entry.path))
                        .or_insert_with(|| run.urls.push(*entry, text))
                };
                record.target = keep(record.target);
                record.referrer = keep(record.referrer);
                if let Some(place) = record.of.client_place() {
                    record.of = ClientOrSite::client(run.clients.len());
                    run.clients.push(item.clients[place]);
                }
                run.push(*key, record);
            }
        }
        Ok(run)
    }
}
