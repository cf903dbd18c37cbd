//! Which lanes has a queue?
//!
//! Few of those that it ever had hold something: a URL whose value rises leaves a lane of each value behind. A lane is in memory while
//! URLs wait in it; when the last has left, its entries are all stale, and it is put away: what is left of it is its number, and
//! how many stale entries of it are on the shelf. It comes back when something goes into it again: empty, as those will never count, unless they are
//! so many that they should be read and dropped. None of this changes what is handed out; it makes a host of a crawl of many cost less than a kilobyte.

use rustc_hash::FxHashMap;

use super::reservoir::Reservoir;
use super::shelf::{LaneAt, PutAway, Shelf};
use super::slot::Slot;
use crate::QueueId;
use crate::error::Error;
use crate::lane::{LaneId, LaneOrder};
use crate::priority::Priority;
use crate::time::Time;
use crate::url_id::{UrlId, UrlTable};

/// So many stale entries may stay where they are: reading or deleting the few of a small site costs more than they take.
pub(super) const FEW_STALE: u32 = 64;

/// A lane.
#[derive(Debug)]
pub(crate) struct Lane<L> {
    pub(crate) entries: L,
    pub(crate) sample: Reservoir,
    /// The price at which it stands among the lanes that may hold something; none if it is not among them.
    pub(crate) listed: Option<Priority>,
    /// URLs that wait in it.
    waiting: u32,
    /// Stale entries on the shelf from before it was put away.
    left_behind: u32,
}

impl<L> Lane<L> {
    fn new(entries: L, left_behind: u32) -> Self {
        Self { entries, sample: Reservoir::default(), listed: None, waiting: 0, left_behind }
    }

    /// The next URL and the time from which it may be taken.
    pub(crate) fn next<S: Shelf<Lane = L>>(
        &mut self,
        at: LaneAt,
        slots: &UrlTable<Slot>,
        order: LaneOrder,
        shelf: &mut S,
    ) -> Result<Option<(UrlId, Time)>, Error> {
        let is_live = |key, turn| slots.get(key).waits_in(at, turn);
        let next = shelf.next(at, &mut self.entries, order.sorted(), is_live)?;
        Ok(next.map(|(key, time)| match order {
            LaneOrder::Arrival => (key, Time(0)),
            LaneOrder::Date => (key, time),
            LaneOrder::Period(period) => (key, time + period),
        }))
    }

    /// One more URL waits in it.
    pub(crate) fn joined(&mut self) {
        self.waiting += 1;
    }

    /// Whether any URL waits in it.
    pub(crate) fn is_waited_in(&self) -> bool {
        self.waiting > 0
    }

    /// One that waited does not any more; whether it was the last.
    pub(crate) fn left(&mut self) -> bool {
        self.waiting = self.waiting.saturating_sub(1);
        self.waiting == 0
    }
}

/// The lanes of a queue, by number.
#[derive(Debug)]
pub(crate) struct LaneSet<L> {
    /// In a box each: the table has more places than lanes.
    lanes: FxHashMap<LaneId, Box<Lane<L>>>,
    /// Those that were put away: how many stale entries of them are on the shelf.
    away: FxHashMap<LaneId, u32>,
}

impl<L> Default for LaneSet<L> {
    fn default() -> Self {
        Self { lanes: FxHashMap::default(), away: FxHashMap::default() }
    }
}

impl<L> LaneSet<L> {
    /// A lane that is in memory.
    pub(crate) fn get(&self, id: LaneId) -> Option<&Lane<L>> {
        self.lanes.get(&id).map(|lane| &**lane)
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, id: LaneId) -> Option<&mut Lane<L>> {
        self.lanes.get_mut(&id).map(|lane| &mut **lane)
    }

    /// A lane, new or not.
    pub(crate) fn get_or_make<S: Shelf<Lane = L>>(&mut self, id: LaneId, shelf: &S) -> &mut Lane<L> {
        let away = &mut self.away;
        self.lanes.entry(id).or_insert_with(|| {
            let stale = away.remove(&id).unwrap_or(0);
            Box::new(if stale > FEW_STALE {
                Lane::new(shelf.lane_on_shelf(), 0)
            } else {
                Lane::new(shelf.lane(), stale)
            })
        })
    }

    /// Whether the queue has, or had, a lane.
    pub(crate) fn has(&self, id: LaneId) -> bool {
        self.lanes.contains_key(&id) || self.away.contains_key(&id)
    }

    /// All lanes that there were since nothing waited at all, by number.
    pub(crate) fn ids(&self) -> Vec<LaneId> {
        let mut ids: Vec<LaneId> = self.lanes.keys().chain(self.away.keys()).copied().collect();
        ids.sort_unstable();
        ids
    }

    /// Nothing waits in a lane any more.
    pub(crate) fn put_away<S: Shelf<Lane = L>>(&mut self, at: LaneAt, shelf: &mut S) {
        let (id, is_only_one) = (at.lane, self.lanes.len() == 1);
        let Some(lane) = self.lanes.get_mut(&id) else { return };
        lane.sample = Reservoir::default();
        let entries = match shelf.put_away(at, &mut lane.entries) {
            // It is needed again before others are: a queue by arrival has no more than one.
            PutAway::Empty if is_only_one => return,
            PutAway::Stays => return,
            PutAway::Empty => 0,
            PutAway::OnShelf(entries) => entries,
        };
        let left_behind = self.lanes.remove(&id).map_or(0, |lane| lane.left_behind);
        self.away.insert(id, entries.saturating_add(left_behind));
    }

    /// Puts away every lane in which nothing waits: after it was read which ones do.
    pub(crate) fn put_idle_away<S: Shelf<Lane = L>>(&mut self, queue: QueueId, shelf: &mut S) {
        let idle: Vec<LaneId> = self.lanes.iter().filter(|(_, lane)| lane.waiting == 0).map(|(id, _)| *id).collect();
        idle.into_iter().for_each(|id| self.put_away(at(queue, id), shelf));
    }

    /// Forgets all lanes, as nothing waits, is deferred or is out; how many entries of them may be on the shelf.
    pub(crate) fn clear<S: Shelf<Lane = L>>(&mut self, queue: QueueId, shelf: &mut S) -> u32 {
        let (lanes, away) = (std::mem::take(&mut self.lanes), std::mem::take(&mut self.away));
        let in_memory = lanes.into_iter().map(|(id, mut lane)| {
            shelf.put_away(at(queue, id), &mut lane.entries).entries().saturating_add(lane.left_behind)
        });
        in_memory.chain(away.into_values()).fold(0, u32::saturating_add)
    }
}

/// Where a lane is.
pub(crate) fn at(queue: QueueId, lane: LaneId) -> LaneAt {
    LaneAt { queue, lane }
}
