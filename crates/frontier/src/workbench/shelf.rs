//! Where do the entries of lanes lie, and who writes down what changes?
//!
//! A [`Workbench`](super::Workbench) knows what waits where and whose turn it is. What it does not know is how a lane is
//! kept: that is its shelf. One shelf keeps lanes in memory and writes nothing down; another keeps them on disk, a few
//! of each at hand, and is told of every change, so that a workbench can be set up again from what was written.

use std::fmt::Debug;
use std::sync::Arc;

use super::Lease;
use super::slot::{Home, HomeKind, Place, Slot, Turn};
use crate::error::Error;
use crate::heap::Places;
use crate::lane::{LaneId, LaneOrder};
use crate::priority::Priority;
use crate::time::Time;
use crate::url_id::UrlId;
use crate::{LeaseId, QueueId};

/// Which lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneAt {
    pub(crate) queue: QueueId,
    pub(crate) lane: LaneId,
}

/// What an order does with the times of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sorted {
    /// Nothing: entries go by arrival.
    Arrival,
    /// Entries go by them.
    Time,
    /// Entries go by them, and those of one time by the texts of their URLs, where these are known.
    Date,
}

/// What decides between entries of one time: the text of the URL in a lane by date, nothing in another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tie(
    /// A pointer of eight bytes, not sixteen: few entries have a text, and all have room for it.
    Option<Arc<Box<str>>>,
);

impl Tie {
    pub(crate) const NONE: Self = Self(None);

    pub(crate) fn by(text: &str) -> Self {
        Self(Some(Arc::new(text.into())))
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.0.as_ref().map(|text| &***text)
    }
}

impl LaneOrder {
    pub(crate) fn sorted(self) -> Sorted {
        match self {
            Self::Arrival => Sorted::Arrival,
            Self::Date => Sorted::Date,
            Self::Period(_) => Sorted::Time,
        }
    }
}

/// Something that goes into a lane.
#[derive(Clone, Copy, Debug)]
pub struct NewEntry {
    pub(crate) url: UrlId,
    pub(crate) turn: Turn,
    /// Counts where the lane is by time.
    pub(crate) time: Time,
}

/// Until when a URL is deferred, and where it goes then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Deferred {
    pub(crate) until: Time,
    pub(crate) home: Home,
}

/// What becomes of a lane in which nothing waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutAway {
    /// It stays in memory.
    Stays,
    /// It has no entries: there is nothing to keep.
    Empty,
    /// Its stale entries are on the shelf, and need not be in memory: so many, or more than anybody counted.
    OnShelf(u32),
}

impl PutAway {
    /// Stale entries that are on the shelf.
    pub(crate) fn entries(self) -> u32 {
        if let Self::OnShelf(entries) = self { entries } else { 0 }
    }
}

/// Keeps the entries of lanes.
///
/// An entry is live if its URL waits in that very lane, since the turn that the entry has. One that is stale stays so, and goes when it is the first of
/// its lane, or sooner: a URL that comes back to a lane comes anew.
#[expect(private_interfaces, reason = "nobody outside can name, call or implement it")]
pub trait Shelf: Debug {
    /// The entries of one lane, or what is at hand of them.
    type Lane: Debug;
    /// Where in the heap of its queue a URL with a place of its own is.
    type Places: Places;

    /// An empty lane.
    fn lane(&self) -> Self::Lane;
    /// The rank of a URL among equals, if it may be offered: it was the `count`-th. One that has the number of a removed URL has its
    /// rank, too.
    fn arrival(&self, key: UrlId, slot: &Slot, count: u32) -> Result<u32, Error>;

    /// The text of a URL, where it is kept.
    fn text(&self, _key: UrlId) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// The first live entry and its time; stale ones before it are dropped.
    fn next(
        &mut self,
        at: LaneAt,
        lane: &mut Self::Lane,
        sorted: Sorted,
        is_live: impl Fn(UrlId, Turn) -> bool,
    ) -> Result<Option<(UrlId, Time)>, Error>;
    /// Nothing waits in a lane: all its entries are stale. What becomes of the lane until something is put into it again.
    fn put_away(&mut self, at: LaneAt, lane: &mut Self::Lane) -> PutAway;
    /// A lane whose stale entries are on the shelf, as it was [put away](Self::put_away): they are dropped as they are met.
    fn lane_on_shelf(&self) -> Self::Lane;
    /// Nothing of a queue waits, is deferred or is out: entries of it that are left may go.
    fn clear(&mut self, _queue: QueueId) -> Result<(), Error> {
        Ok(())
    }
    /// Takes out the first entry, which [`Shelf::next`] has just told.
    fn pop(&mut self, at: LaneAt, lane: &mut Self::Lane, sorted: Sorted) -> Place;
    /// Puts a URL at the end, or at its time.
    fn push(&mut self, at: LaneAt, lane: &mut Self::Lane, sorted: Sorted, entry: NewEntry);
    /// Puts a URL back where it was.
    fn put_back(&mut self, at: LaneAt, lane: &mut Self::Lane, sorted: Sorted, url: (UrlId, Turn), place: Place);
    /// Takes out all entries of exactly this time, in a lane by time: URLs and turns.
    fn take_at(&mut self, at: LaneAt, lane: &mut Self::Lane, time: Time) -> Result<Vec<(UrlId, Turn)>, Error>;

    /// A URL is at a place of its own now.
    fn note_exact(&mut self, _key: UrlId, _slot: &Slot, _priority: Priority) {}
    /// It no longer is.
    fn forget_exact(&mut self, _key: UrlId) {}
    /// A URL waits for a time, and goes home then.
    fn note_deferred(&mut self, key: UrlId, slot: &Slot, deferred: Deferred);
    /// Until when a URL is deferred, and where it goes then.
    fn deferred(&self, key: UrlId, home: HomeKind) -> Result<Deferred, Error>;
    /// It no longer is.
    fn forget_deferred(&mut self, key: UrlId);
    /// A URL is out.
    fn note_lease(&mut self, _id: LeaseId, _slot: &Slot, _home: Home, _lease: &Lease) {}
    /// It no longer is.
    fn forget_lease(&mut self, _id: LeaseId) {}
    /// A URL is done for good.
    fn note_done(&mut self, _key: UrlId, _slot: &Slot) {}
    /// A URL that was done waits again.
    fn forget_done(&mut self, _key: UrlId) {}
    /// A URL is not known any more; its next turn would be this one.
    fn note_removed(&mut self, _key: UrlId, _turn: Turn) -> Result<(), Error> {
        Ok(())
    }
    /// The clock, pace or turn of a queue changed.
    fn note_queue(&mut self, _queue: QueueId) {}
    /// Whether all is well with what is written.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
    /// Makes durable what was noted. The workbench's own part (turns) is its business.
    fn sync(_workbench: &mut super::Workbench<Self>) -> Result<(), Error>
    where
        Self: Sized,
    {
        Ok(())
    }
}
