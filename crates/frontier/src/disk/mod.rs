//! A frontier that survives its process.
//!
//! The life of a URL on disk: its text gets a number ([`sieve`]), in order of first sight; offered, it becomes an
//! entry of a [`lane`] (or a place of its own, or a mark that it is done); taken, the entry goes and a lease is written;
//! settled, the lease goes. Every such change waits in one batch ([`pending`]) until [`DiskFrontier::commit`] writes it, whole
//! or not at all. Who crawls puts its own [`notes`] into the same batch, so that both are always of one moment.
//!
//! In memory are 16 bytes a URL and 15 for the [`sieve`], the first entries of each lane, and the single URLs of each queue. All of that is set up
//! again at the start ([`recovery`]). The order of what is handed out is that of
//! a [`MemoryFrontier`](crate::MemoryFrontier), and stays so over a restart: leases, passes and clocks of queues are kept.
//! Only samples of lanes are drawn anew.
//!
//! After an error of the store nothing more is written: memory may know more than the disk. Open it again.
//!
//! Every byte is drawn in docs/formats/frontier.md.

mod failure;
mod lane;
mod names;
mod notes;
mod pending;
mod recent;
mod record;
mod recovery;
mod settings;
mod shelf;
mod sieve;
mod store;
mod texts;
mod written_memory;

pub use notes::{Note, NoteKind};
pub use settings::DiskSettings;
pub use written_memory::{Crash, WrittenMemory};

use std::path::Path;

use trodden_urls::MAX_URL_BYTES;

use crate::QueueId;
use crate::error::Error;
use crate::rotation::Rotation;
use crate::time::Time;
use crate::url_id::UrlId;
use crate::workbench::Workbench;
use crate::workbench::shelf::Shelf;
use pending::Durable;
use record::{Counters, Kind, QueueRecord};
use shelf::DiskShelf;
use sieve::Fingerprint;
use store::Store;

/// The version of the format.
const VERSION: u32 = 6;
/// The longest name of a queue: a host has 253 bytes, an origin a few more.
const MAX_NAME_BYTES: usize = 1_024;

/// URLs on disk, numbered in order of first sight.
pub type DiskFrontier = Workbench<DiskShelf>;

impl DiskFrontier {
    /// Opens the frontier in a folder, or makes one. What was out when it was closed still is: see
    /// [`Self::release_leases`].
    ///
    /// # Errors
    /// If the folder cannot be read or written, is in use, or was made by another version.
    pub fn open(path: &Path, settings: DiskSettings, rotation: Rotation) -> Result<Self, Error> {
        recovery::open(Store::open(path, settings.cache_bytes)?, settings, rotation)
    }

    /// The same in memory, for tests of crashes.
    ///
    /// # Errors
    /// If what is there is not what a frontier wrote.
    pub fn open_in_memory(memory: WrittenMemory, settings: DiskSettings, rotation: Rotation) -> Result<Self, Error> {
        recovery::open(Store::in_memory(memory), settings, rotation)
    }

    /// The number of a URL, which is new if the URL is.
    ///
    /// # Errors
    /// If the URL is too long, or the store fails.
    pub fn number(&mut self, url: &str) -> Result<UrlId, Error> {
        let shelf = &mut self.shelf;
        shelf.check()?;
        check_length("a URL", url.len(), MAX_URL_BYTES)?;
        let print = Fingerprint::of(url, shelf.seed);
        if let Some(number) = shelf.sieve.find(print) {
            return Ok(number);
        }
        let number = shelf.new_number(url)?;
        shelf.sieve.add(print, number);
        Ok(number)
    }

    /// The number of a URL that was seen before.
    pub fn find(&self, url: &str) -> Option<UrlId> {
        self.shelf.sieve.find(Fingerprint::of(url, self.shelf.seed))
    }

    /// The text of a URL.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn url(&self, number: UrlId) -> Result<Option<String>, Error> {
        self.shelf.text(number)
    }

    /// When a URL got its number: the latest time that was [told](Self::tell_time) before.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn created(&self, number: UrlId) -> Result<Option<Time>, Error> {
        Ok(self.shelf.text_and_time(number)?.map(|(_, created)| created))
    }

    /// Says what time it is: URLs that come from now on were made then. Time never goes back.
    pub fn tell_time(&mut self, now: Time) {
        self.shelf.now = self.shelf.now.max(now);
    }

    /// Gives the numbers of URLs that were [removed](crate::Frontier::remove) to new ones from now on, and drops their texts: nobody may
    /// speak of the old ones any more.
    ///
    /// # Errors
    /// If the store fails.
    pub fn free_removed(&mut self) -> Result<(), Error> {
        self.shelf.check()?;
        self.shelf.free_removed().inspect_err(|error| self.shelf.failed(error))
    }

    /// How many numbers no URL has: those of removed ones.
    pub fn unused_numbers(&self) -> usize {
        self.shelf.removed.len() + self.shelf.free.len()
    }

    /// How many URLs are numbered: those below.
    pub fn numbered(&self) -> u32 {
        self.shelf.next_number
    }

    /// The queue of this name, which is new if the name is.
    ///
    /// # Errors
    /// If the name is too long.
    pub fn queue(&mut self, name: &str) -> Result<QueueId, Error> {
        if let Some(id) = self.shelf.named.get(name) {
            return Ok(*id);
        }
        check_length("the name of a queue", name.len(), MAX_NAME_BYTES)?;
        let id = QueueId(self.queues.len() as u32);
        self.make_queue(id);
        self.shelf.name(id, name);
        Ok(id)
    }

    /// The queue of this name, if there is one.
    pub fn find_queue(&self, name: &str) -> Option<QueueId> {
        self.shelf.named.get(name).copied()
    }

    /// The name of a queue; empty if it was never given one.
    pub fn queue_name(&self, queue: QueueId) -> &str {
        self.shelf.names.get(queue.0 as usize).map_or("", |name| name)
    }

    /// Hands every change so far to the operating system, together: it survives the end of this process, however that
    /// comes. [`sync`](crate::Frontier::sync) also survives a loss of power. What is not committed when the frontier is closed
    /// is gone, whole.
    ///
    /// # Errors
    /// If the store fails. Nothing more can be written then; open the frontier again.
    pub fn commit(&mut self) -> Result<(), Error> {
        self.commit_to(Durable::Process)
    }

    fn commit_to(&mut self, durable: Durable) -> Result<(), Error> {
        self.shelf.check()?;
        for id in self.shelf.take_changed() {
            let queue = &self.queues[id.0 as usize];
            let record = QueueRecord {
                pace: queue.pace,
                next_at: queue.next_at,
                held_until: queue.held_until,
                done_limit: queue.done_limit,
                pass: queue.pass,
                weight: queue.weight,
                standing: self.turns.standings[id.0 as usize],
                name: self.queue_name(id).to_owned(),
            };
            self.shelf.pending.put(Kind::Queue.key(id.0), record.bytes());
        }
        let shelf = &mut self.shelf;
        let done = if shelf.pending.is_empty() {
            match durable {
                Durable::Process => Ok(()),
                Durable::Power => shelf.store.persist(),
            }
        } else {
            let counters = Counters {
                written: shelf.written,
                lease: self.next_lease,
                pass: self.turns.pass,
                weights: self.turns.weights,
            };
            shelf.pending.commit(&shelf.store, shelf.settings.recent, counters, durable)
        };
        done.inspect_err(|error| shelf.failed(error))
    }
}

impl DiskShelf {
    fn name(&mut self, id: QueueId, name: &str) {
        self.names.resize(self.names.len().max(id.0 as usize + 1), "".into());
        self.names[id.0 as usize] = name.into();
        self.named.insert(name.into(), id);
        self.note_queue(id);
    }
}

fn check_length(what: &'static str, length: usize, limit: usize) -> Result<(), Error> {
    if length > limit { Err(Error::TooLong { what, length, limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
