//! What waits, and when may it be asked for?
//!
//! A [`Frontier`] holds the URLs of a crawl: one queue a site, in each queue lanes, and beside the lanes a heap of URLs
//! that have a place of their own. The life of a URL in it:
//!
//! 1. *offered*: the first time it is [new](Offered::New) and put where its [`Placement`] says; ever after it is
//!    [known](Offered::Known), and nothing happens. That is the sieve.
//! 2. *placed* again, as often as whoever decides changes their mind, as long as it waits.
//! 3. *taken* under a [lease](Leased) when its queue is due: the best of the queue, by [`Priority`], then by arrival.
//! 4. *settled*: done, or back for later, or into another lane. A lease that nobody settles in time ends, and the URL
//!    waits again, exactly where it was.
//!
//! [`MemoryFrontier`] is that in memory, and the model that any other is tested against; [`DiskFrontier`] survives its
//! process. Both are a [`Workbench`], over another shelf. A frontier decides nothing about order; it keeps the one it is
//! told. It reads no clock: time is an argument.

mod disk;
mod error;
mod heap;
mod lane;
mod memory;
mod priority;
mod rotation;
mod time;
mod url_id;
mod workbench;

pub use disk::{Crash, DiskFrontier, DiskSettings, Note, NoteKind, WrittenMemory};
pub use error::Error;
pub use heap::{FewPlaces, IndexedHeap, Places};
pub use lane::{LaneId, LaneOrder, LaneSettings};
pub use memory::MemoryFrontier;
pub use priority::{Placement, Priority};
pub use rotation::Rotation;
pub use time::{Span, Time};
pub use url_id::{UrlId, UrlTable};
pub use workbench::Workbench;

use serde::{Deserialize, Serialize};

/// A queue: the URLs of one site, asked for one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct QueueId(pub u32);

/// A URL that was handed out and not yet settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseId(pub u64);

/// What became of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// The URL was not known.
    New,
    /// It was, and stays as it is.
    Known,
}

/// Which queue may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// This one, now.
    Queue(QueueId),
    /// None before this time.
    At(Time),
    /// Nothing waits and nothing is out.
    Empty,
}

/// Which URL of a queue is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// The one with the highest priority.
    #[default]
    Best,
    /// The next of this lane.
    Lane(LaneId),
}

/// A URL that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leased {
    /// To settle it by.
    pub lease: LeaseId,
    /// The URL.
    pub key: UrlId,
    /// Its queue.
    pub queue: QueueId,
    /// The priority it was taken at.
    pub priority: Priority,
}

/// How a lease ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// For good.
    Done,
    /// It waits again, where it was, but not before this time.
    At(Time),
    /// It waits in this lane of its queue.
    Into(LaneId),
}

/// What a URL is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlState {
    /// It waits to be taken.
    Waiting,
    /// It is out, until this time at the latest.
    Out(Time),
    /// It waits for this time.
    Deferred(Time),
    /// It is done, or was rejected.
    Done,
}

/// How many URLs of a queue do what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// Wait, also for a time.
    pub waiting: u64,
    /// Are out.
    pub out: u64,
    /// Are done, or were rejected.
    pub done: u64,
}

/// How fast a queue may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Time from a settled URL to the next one taken.
    pub delay: Span,
    /// How many may be out at once.
    pub at_once: u32,
}

impl Default for Pace {
    /// As fast as anyone asks.
    fn default() -> Self {
        Self { delay: Span::ZERO, at_once: u32::MAX }
    }
}

/// The URLs of a crawl, waiting.
pub trait Frontier {
    /// Whether a URL was ever offered.
    fn knows(&self, key: UrlId) -> bool;

    /// The lane in which a URL waits, or that it comes back to when its time has come; none if it waits elsewhere, or not at all.
    fn lane_of(&self, key: UrlId) -> Option<LaneId>;

    /// Offers a URL; it is put in place if it is new. A rejected one is known from then on, and never taken.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn offer(&mut self, queue: QueueId, key: UrlId, placement: Placement, now: Time) -> Result<Offered, Error>;

    /// Puts a URL into a queue whatever it is doing, new or known: a lease on it ends, and it waits from a time on at its placement; if
    /// that is to be rejected, it is done. In a lane by date the time is its date, elsewhere it is deferred until then. Also lets one that is
    /// done wait again.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn put(
        &mut self,
        queue: QueueId,
        key: UrlId,
        placement: Placement,
        from: Time,
        now: Time,
    ) -> Result<Offered, Error>;

    /// Forgets a URL, whatever it is doing; false if it is not known. It is new when it is next offered.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn remove(&mut self, key: UrlId) -> Result<bool, Error>;

    /// What a URL is doing; none if it is not known.
    ///
    /// # Errors
    /// If it cannot be read.
    fn state(&self, key: UrlId) -> Result<Option<UrlState>, Error>;

    /// URLs of a queue from a number on, by number, at most so many.
    ///
    /// Cost: a look at 16 bytes for each URL of all queues from there on, until there are enough; no index is kept for it.
    fn list(&self, queue: QueueId, from: UrlId, most: usize) -> Vec<UrlId>;

    /// How many URLs of a queue wait, are out and are done.
    fn counts(&self, queue: QueueId) -> QueueCounts;

    /// The lease under which a URL is out.
    fn lease_of(&self, key: UrlId) -> Option<LeaseId>;

    /// Moves a URL that waits, and says in which queue. One that does not wait (unknown, taken, done) stays as it is.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn place(&mut self, key: UrlId, placement: Placement) -> Result<Option<QueueId>, Error>;

    /// Says what a lane is worth, and in which order it is taken, in all queues at once; the order before the first URL goes
    /// into it. Nothing of it is stored: it must be said again when a crawl is resumed.
    ///
    /// Cost: none for a price, whatever the number of queues. A shorter period wakes the queues that have the lane.
    fn set_lane(&mut self, lane: LaneId, settings: LaneSettings);

    /// Lanes below this one are worth less than anything from now on: they belong to a policy that went.
    fn retire_lanes(&mut self, below: LaneId);

    /// Says how fast a queue may be asked.
    fn set_pace(&mut self, queue: QueueId, pace: Pace);

    /// Takes no URL of a queue before this time: its server asked for a pause. The longest pause that was asked for counts.
    fn hold(&mut self, queue: QueueId, until: Time);

    /// Takes no URL of a queue before this time, whatever was asked for before; one that is past ends the pause.
    fn block(&mut self, queue: QueueId, until: Time);

    /// Takes no URL of a queue from which so many are done; none: whatever their number.
    fn set_done_limit(&mut self, queue: QueueId, limit: Option<u64>);

    /// Counts the delay of a queue from now: for whoever hands out several URLs at once, and counts from that.
    fn pause(&mut self, queue: QueueId, now: Time);

    /// Queues that are due now and have fewer URLs out than this, in the order of their turns, at most so many. Nothing is taken, and a
    /// queue that is only asked for keeps its turn. Leases that have run out are ended first.
    fn due_queues(&mut self, most: usize, most_out: u32, now: Time) -> Vec<QueueId>;

    /// Whether a queue is due now and has fewer URLs out than this. Leases that have run out are ended first.
    fn is_due(&mut self, queue: QueueId, most_out: u32, now: Time) -> bool;

    /// The queue that should be asked now. Leases that have run out are ended first. A queue that cannot be read is due, so
    /// that taking from it tells why.
    fn due_queue(&mut self, now: Time) -> Due;

    /// Takes a URL of a queue for some time; none if nothing that may be picked is due, or the queue is held.
    ///
    /// # Errors
    /// If that cannot be stored.
    fn take(&mut self, queue: QueueId, pick: Pick, lease: Span, now: Time) -> Result<Option<Leased>, Error>;

    /// Whether a lease was neither settled nor has run out.
    fn is_out(&self, lease: LeaseId) -> bool;

    /// Leases that ran out since this was last asked: their URLs wait again.
    fn take_ended(&mut self) -> Vec<LeaseId>;

    /// Ends a lease.
    ///
    /// # Errors
    /// If there is no such lease, or that cannot be stored.
    fn settle(&mut self, lease: LeaseId, disposition: Disposition, now: Time) -> Result<(), Error>;

    /// How many URLs wait.
    fn waiting(&self) -> u64;

    /// How many of them in this queue.
    fn waiting_in(&self, queue: QueueId) -> u64;

    /// How many queues there are; they are numbered from 0.
    fn queues(&self) -> u32;

    /// Lanes of a queue that may hold something, by number.
    fn lanes(&self, queue: QueueId) -> Vec<LaneId>;

    /// Lanes of a queue to which URLs belong that wait, are out or are deferred, by number; some may have left.
    fn all_lanes(&self, queue: QueueId) -> Vec<LaneId>;

    /// All URLs that wait for a time, by number. Cost: as [listing](Self::list) all queues.
    fn deferred(&self) -> Vec<UrlId>;

    /// A few URLs of those that went into a lane, each as likely as any other; some may have left it.
    fn sample(&self, queue: QueueId, lane: LaneId) -> Vec<UrlId>;

    /// The text of a URL; none where only numbers are kept.
    ///
    /// # Errors
    /// If it cannot be read.
    fn text(&self, key: UrlId) -> Result<Option<String>, Error>;

    /// Takes the next URLs out of a lane, at most so many, without taking them under a lease: they wait nowhere until they
    /// are [placed](Self::place) again, which must be done at once.
    ///
    /// # Errors
    /// If the lane cannot be read.
    fn draw(&mut self, queue: QueueId, lane: LaneId, most: usize) -> Result<Vec<UrlId>, Error>;

    /// Makes everything so far durable.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn sync(&mut self) -> Result<(), Error>;
}
