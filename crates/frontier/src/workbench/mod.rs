//! What waits, whose turn is it, and what is out? What every frontier does, wherever it keeps its lanes.
//!
//! A slot for each URL says what it is doing and where it belongs ([`slot`]); a queue ([`queue`]) holds what waits: lanes,
//! a heap of single URLs, and those that must wait for a time. Moving a URL to another lane changes its slot and adds an
//! entry to the new lane; the entry in the old one disagrees with the slot from then on and is skipped when it is met.
//! Queues that may be due stand in order of their pass ([`turns`]); those that may not sleep until their time, or are
//! parked until one of their leases ends. Where the entries of lanes lie is the business of a [`shelf`].

mod lane_table;
pub(crate) mod queue;
mod reservoir;
pub(crate) mod shelf;
pub(crate) mod slot;
pub(crate) mod turns;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::lane::{LaneId, LaneOrder, LaneSettings};
use crate::priority::{Placement, Priority};
use crate::rotation::Rotation;
use crate::time::{Span, Time};
use crate::url_id::{UrlId, UrlTable};
use crate::{Disposition, Due, Frontier, LeaseId, Leased, Offered, Pace, Pick, QueueCounts, QueueId, UrlState};
use lane_table::LaneTable;
use queue::{Queue, Readiness};
use shelf::{Deferred, Shelf};
use slot::{Doing, Home, HomeKind, Place, Slot};
use turns::Turns;

/// A time that never comes.
const FOR_EVER: Time = Time(u64::MAX);

/// What is known of a lease.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    pub(crate) key: UrlId,
    pub(crate) priority: Priority,
    pub(crate) place: Place,
    pub(crate) ends: Time,
}

/// URLs that wait, kept on a shelf. Use it as [`MemoryFrontier`](crate::MemoryFrontier) or
/// [`DiskFrontier`](crate::DiskFrontier).
#[derive(Debug)]
pub struct Workbench<S: Shelf> {
    pub(crate) slots: UrlTable<Slot>,
    pub(crate) queues: Vec<Queue<S>>,
    pub(crate) turns: Turns,
    pub(crate) lanes: LaneTable,
    pub(crate) leases: BTreeMap<LeaseId, Lease>,
    leases_by_end: BTreeSet<(Time, LeaseId)>,
    /// By URL that is out.
    leases_by_url: FxHashMap<UrlId, LeaseId>,
    /// Those that ran out and were not asked for since.
    ended: Vec<LeaseId>,
    arrivals: u32,
    pub(crate) next_lease: u64,
    waiting: u64,
    pub(crate) shelf: S,
}

impl<S: Shelf> Workbench<S> {
    pub(crate) fn with(shelf: S, rotation: Rotation) -> Self {
        Self {
            slots: UrlTable::default(),
            queues: Vec::new(),
            turns: Turns::new(rotation),
            lanes: LaneTable::default(),
            leases: BTreeMap::new(),
            leases_by_end: BTreeSet::new(),
            leases_by_url: FxHashMap::default(),
            ended: Vec::new(),
            arrivals: 0,
            next_lease: 0,
            waiting: 0,
            shelf,
        }
    }

    /// From now on the queues share like this.
    pub fn set_rotation(&mut self, rotation: Rotation) {
        self.turns.set_rotation(rotation);
    }

    /// What is out, and of which queue, by lease.
    pub fn leases(&self) -> impl Iterator<Item = (LeaseId, QueueId)> + '_ {
        self.leases.iter().map(|(id, lease)| (*id, self.slots.get(lease.key).queue))
    }

    /// Gives back everything that is out, at once: for a crawler that starts again and is the only one that takes from
    /// here.
    pub fn release_leases(&mut self) {
        while let Some((id, lease)) = self.leases.pop_first() {
            self.leases_by_end.remove(&(lease.ends, id));
            self.leases_by_url.remove(&lease.key);
            self.give_back(id, &lease);
        }
    }

    /// Lets go what is held, or waits, for ever: for a crawl that goes on with a larger budget.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn release_for_ever(&mut self) -> Result<(), Error> {
        for id in (0..self.queues.len() as u32).map(QueueId) {
            let queue = &mut self.queues[id.0 as usize];
            let held = queue.held_until == FOR_EVER;
            if held {
                queue.held_until = Time(0);
            }
            let released = queue.release_at(&mut self.slots, FOR_EVER, &self.lanes, &mut self.shelf)?;
            if held || released > 0 {
                self.wake(id);
                self.shelf.note_queue(id);
            }
        }
        Ok(())
    }

    pub(crate) fn make_queue(&mut self, queue: QueueId) {
        while self.queues.len() <= queue.0 as usize {
            let id = QueueId(self.queues.len() as u32);
            self.queues.push(Queue::new(id, self.shelf.lane()));
            self.turns.add();
            self.shelf.note_queue(id);
        }
    }

    pub(crate) fn wake(&mut self, id: QueueId) {
        self.turns.wake(&mut self.queues[id.0 as usize]);
        self.shelf.note_queue(id);
    }

    pub(crate) fn count_waiting(&mut self, id: QueueId) {
        self.queues[id.0 as usize].waiting += 1;
        self.waiting += 1;
    }

    pub(crate) fn count_left(&mut self, id: QueueId) {
        self.queues[id.0 as usize].waiting -= 1;
        self.waiting -= 1;
    }

    pub(crate) fn hold_lease(&mut self, id: LeaseId, lease: Lease) {
        self.leases_by_end.insert((lease.ends, id));
        self.leases_by_url.insert(lease.key, id);
        self.leases.insert(id, lease);
    }

    /// Puts a URL that is not waiting where its home is.
    fn settle_in(&mut self, key: UrlId, home: Home, now: Time) {
        let slot = self.slots.slot(key);
        slot.doing = Doing::Waiting;
        slot.set_home(home.kind());
        let slot = *slot;
        self.count_waiting(slot.queue);
        self.queues[slot.queue.0 as usize].insert(key, home, &slot, now, &self.lanes, &mut self.shelf);
        self.wake(slot.queue);
    }

    fn end_leases(&mut self, now: Time) {
        while let Some(&(ends, id)) = self.leases_by_end.first().filter(|first| first.0 <= now) {
            self.leases_by_end.remove(&(ends, id));
            if let Some(lease) = self.leases.remove(&id) {
                self.leases_by_url.remove(&lease.key);
                self.give_back(id, &lease);
                self.ended.push(id);
            }
        }
    }

    /// Back to where it was.
    fn give_back(&mut self, id: LeaseId, lease: &Lease) {
        let slot = self.slots.get(lease.key);
        let queue = &mut self.queues[slot.queue.0 as usize];
        queue.out -= 1;
        let home = slot.home().at(lease.priority);
        queue.returned(lease.key, home, lease.place, &slot, &self.lanes, &mut self.shelf);
        self.shelf.forget_lease(id);
        self.slots.slot(lease.key).doing = Doing::Waiting;
        self.count_waiting(slot.queue);
        self.wake(slot.queue);
    }

    /// A URL that waited never will again.
    fn finish(&mut self, key: UrlId, queue: QueueId) {
        self.count_left(queue);
        self.done(key);
    }

    /// A URL that waits nowhere is done.
    fn done(&mut self, key: UrlId) {
        let slot = self.slots.slot(key);
        slot.doing = Doing::Done;
        let slot = *slot;
        self.queues[slot.queue.0 as usize].done += 1;
        self.shelf.note_done(key, &slot);
    }

    /// A URL that waits nowhere waits for a time, and goes home then.
    fn defer(&mut self, key: UrlId, deferred: Deferred) {
        let slot = self.slots.slot(key);
        slot.doing = Doing::Deferred;
        slot.turn = slot.turn.next();
        slot.set_home(deferred.home.kind());
        let slot = *slot;
        self.queues[slot.queue.0 as usize].defer(key, &slot, deferred, &mut self.shelf);
        self.count_waiting(slot.queue);
    }
}

impl<S: Shelf> Frontier for Workbench<S> {
    fn knows(&self, key: UrlId) -> bool {
        self.slots.get(key).doing != Doing::Unknown
    }

    fn lane_of(&self, key: UrlId) -> Option<LaneId> {
        let slot = self.slots.get(key);
        match slot.home() {
            HomeKind::Lane(lane) if matches!(slot.doing, Doing::Waiting | Doing::Deferred) => Some(lane),
            _ => None,
        }
    }

    fn offer(&mut self, queue: QueueId, key: UrlId, placement: Placement, now: Time) -> Result<Offered, Error> {
        self.shelf.check()?;
        let before = self.slots.get(key);
        let arrival = self.shelf.arrival(key, &before, self.arrivals)?;
        let slot = self.slots.slot(key);
        if slot.doing != Doing::Unknown {
            return Ok(Offered::Known);
        }
        *slot = Slot::new(queue, arrival, slot.turn);
        self.arrivals += 1;
        self.make_queue(queue);
        match Home::of(placement) {
            Some(home) => self.settle_in(key, home, now),
            None => self.done(key),
        }
        Ok(Offered::New)
    }

    fn put(
        &mut self,
        queue: QueueId,
        key: UrlId,
        placement: Placement,
        from: Time,
        now: Time,
    ) -> Result<Offered, Error> {
        self.put_anyhow(queue, key, Home::of(placement), from, now)
    }

    fn remove(&mut self, key: UrlId) -> Result<bool, Error> {
        self.remove_anyhow(key)
    }

    fn state(&self, key: UrlId) -> Result<Option<UrlState>, Error> {
        self.state_of(key)
    }

    fn list(&self, queue: QueueId, from: UrlId, most: usize) -> Vec<UrlId> {
        let of_queue = |(_, slot): &(UrlId, Slot)| slot.doing != Doing::Unknown && slot.queue == queue;
        self.slots.from(from).filter(of_queue).map(|(key, _)| key).take(most).collect()
    }

    fn counts(&self, queue: QueueId) -> QueueCounts {
        let queue = self.queues.get(queue.0 as usize);
        queue.map_or_else(QueueCounts::default, |queue| QueueCounts {
            waiting: queue.waiting,
            out: queue.out.into(),
            done: queue.done,
        })
    }

    fn lease_of(&self, key: UrlId) -> Option<LeaseId> {
        self.leases_by_url.get(&key).copied()
    }

    fn place(&mut self, key: UrlId, placement: Placement) -> Result<Option<QueueId>, Error> {
        self.shelf.check()?;
        let slot = self.slots.get(key);
        if matches!(slot.doing, Doing::Unknown | Doing::Leased | Doing::Done) {
            return Ok(None);
        }
        let queue = &mut self.queues[slot.queue.0 as usize];
        match (slot.doing, Home::of(placement)) {
            (Doing::Deferred, Some(home)) => {
                // It waits for a time: it goes to its new place then.
                let until = self.shelf.deferred(key, slot.home())?.until;
                self.slots.slot(key).set_home(home.kind());
                self.shelf.note_deferred(key, &slot, Deferred { until, home });
            }
            (Doing::Deferred, None) => {
                self.shelf.forget_deferred(key);
                self.finish(key, slot.queue);
            }
            (_, Some(home)) => {
                if queue.moved(key, &slot, home, &self.lanes, &mut self.shelf) {
                    self.slots.slot(key).set_home(home.kind());
                    self.wake(slot.queue);
                }
            }
            (_, None) => {
                queue.left(key, slot.home(), &mut self.shelf);
                self.finish(key, slot.queue);
            }
        }
        Ok(Some(slot.queue))
    }

    fn set_lane(&mut self, lane: LaneId, settings: LaneSettings) {
        let old = self.lanes.set(lane, settings);
        if let (LaneOrder::Period(old), LaneOrder::Period(new)) = (old.order, settings.order)
            && new < old
        {
            // It may make some due at once.
            for id in (0..self.queues.len() as u32).map(QueueId) {
                if self.queues[id.0 as usize].lanes.contains_key(&lane) {
                    self.wake(id);
                }
            }
        }
    }

    fn retire_lanes(&mut self, below: LaneId) {
        self.lanes.retire(below);
    }

    fn set_pace(&mut self, queue: QueueId, pace: Pace) {
        self.make_queue(queue);
        self.queues[queue.0 as usize].pace = pace;
        self.wake(queue);
    }

    fn hold(&mut self, queue: QueueId, until: Time) {
        self.make_queue(queue);
        let held = &mut self.queues[queue.0 as usize].held_until;
        *held = until.max(*held);
        self.wake(queue);
    }

    fn block(&mut self, queue: QueueId, until: Time) {
        self.make_queue(queue);
        self.queues[queue.0 as usize].held_until = until;
        self.wake(queue);
    }

    fn set_done_limit(&mut self, queue: QueueId, limit: Option<u64>) {
        self.make_queue(queue);
        self.queues[queue.0 as usize].done_limit = limit.unwrap_or(u64::MAX);
        self.wake(queue);
    }

    fn pause(&mut self, queue: QueueId, now: Time) {
        if let Some(paused) = self.queues.get_mut(queue.0 as usize) {
            paused.next_at = now + paused.pace.delay;
            self.shelf.note_queue(queue);
        }
    }

    fn due_queues(&mut self, most: usize, most_out: u32, now: Time) -> Vec<QueueId> {
        self.all_due(most, most_out, now)
    }

    fn is_due(&mut self, queue: QueueId, most_out: u32, now: Time) -> bool {
        self.end_leases(now);
        let Some(queue) = self.queues.get_mut(queue.0 as usize).filter(|queue| queue.out < most_out) else {
            return false;
        };
        !matches!(
            queue.readiness(&self.slots, now, &self.lanes, &mut self.shelf),
            Ok(Readiness::At(_) | Readiness::Blocked)
        )
    }

    fn due_queue(&mut self, now: Time) -> Due {
        self.end_leases(now);
        while let Some(id) = self.turns.first_to_wake(now) {
            self.wake(id);
        }
        while let Some(id) = self.turns.first() {
            let queue = &mut self.queues[id.0 as usize];
            match queue.readiness(&self.slots, now, &self.lanes, &mut self.shelf) {
                // What cannot be read is told by whoever takes from it.
                Ok(Readiness::Now) | Err(_) => return Due::Queue(id),
                Ok(Readiness::At(time)) => self.turns.rest(queue, Some(time)),
                Ok(Readiness::Blocked) => self.turns.rest(queue, None),
            }
            self.shelf.note_queue(id);
        }
        let wakes = self.turns.next_wake();
        let ends = self.leases_by_end.first().map(|first| first.0);
        wakes.into_iter().chain(ends).min().map_or(Due::Empty, Due::At)
    }

    fn take(&mut self, id: QueueId, pick: Pick, lease: Span, now: Time) -> Result<Option<Leased>, Error> {
        self.shelf.check()?;
        let Some(queue) = self.queues.get_mut(id.0 as usize).filter(|queue| queue.held_until <= now) else {
            return Ok(None);
        };
        queue.release(&mut self.slots, now, &self.lanes, &mut self.shelf)?;
        let Some(taken) = queue.take(&self.slots, pick, now, &self.lanes, &mut self.shelf)? else { return Ok(None) };
        queue.out += 1;
        self.turns.moves_on(queue, taken.priority);
        self.count_left(id);
        let slot = self.slots.slot(taken.key);
        slot.doing = Doing::Leased;
        let slot = *slot;
        let home = slot.home().at(taken.priority);
        let name = LeaseId(self.next_lease);
        self.next_lease += 1;
        let lease = Lease { key: taken.key, priority: taken.priority, place: taken.place, ends: now + lease };
        self.shelf.note_lease(name, &slot, home, &lease);
        self.shelf.note_queue(id);
        self.hold_lease(name, lease);
        Ok(Some(Leased { lease: name, key: taken.key, queue: id, priority: taken.priority }))
    }

    fn is_out(&self, lease: LeaseId) -> bool {
        self.leases.contains_key(&lease)
    }

    fn take_ended(&mut self) -> Vec<LeaseId> {
        std::mem::take(&mut self.ended)
    }

    fn settle(&mut self, name: LeaseId, disposition: Disposition, now: Time) -> Result<(), Error> {
        self.shelf.check()?;
        let lease = self.leases.remove(&name).ok_or(Error::NoSuchLease(name))?;
        self.leases_by_end.remove(&(lease.ends, name));
        self.leases_by_url.remove(&lease.key);
        self.shelf.forget_lease(name);
        let slot = self.slots.get(lease.key);
        let queue = &mut self.queues[slot.queue.0 as usize];
        queue.out -= 1;
        queue.next_at = now + queue.pace.delay;
        match disposition {
            Disposition::Done => self.done(lease.key),
            Disposition::At(until) => {
                let home = slot.home().at(lease.priority);
                self.defer(lease.key, Deferred { until, home });
            }
            Disposition::Into(lane) => self.settle_in(lease.key, Home::Lane(lane), now),
        }
        self.wake(slot.queue);
        Ok(())
    }

    fn waiting(&self) -> u64 {
        self.waiting
    }

    fn waiting_in(&self, queue: QueueId) -> u64 {
        self.queues.get(queue.0 as usize).map_or(0, |queue| queue.waiting)
    }

    fn queues(&self) -> u32 {
        self.queues.len() as u32
    }

    fn lanes(&self, queue: QueueId) -> Vec<LaneId> {
        let Some(queue) = self.queues.get(queue.0 as usize) else { return Vec::new() };
        let mut lanes: Vec<LaneId> = queue.filled.iter().map(|filled| filled.1).collect();
        lanes.sort_unstable();
        lanes
    }

    fn all_lanes(&self, queue: QueueId) -> Vec<LaneId> {
        let queue = self.queues.get(queue.0 as usize);
        let mut lanes: Vec<LaneId> = queue.map_or_else(Vec::new, |queue| queue.lanes.keys().copied().collect());
        lanes.sort_unstable();
        lanes
    }

    fn deferred(&self) -> Vec<UrlId> {
        let is_deferred = |(_, slot): &(UrlId, Slot)| slot.doing == Doing::Deferred;
        self.slots.from(UrlId(0)).filter(is_deferred).map(|(key, _)| key).collect()
    }

    fn sample(&self, queue: QueueId, lane: LaneId) -> Vec<UrlId> {
        let queue = self.queues.get(queue.0 as usize);
        queue.and_then(|queue| queue.lanes.get(&lane)).map_or_else(Vec::new, |lane| lane.sample.keys().to_vec())
    }

    fn text(&self, key: UrlId) -> Result<Option<String>, Error> {
        self.shelf.text(key)
    }

    fn draw(&mut self, queue: QueueId, lane: LaneId, most: usize) -> Result<Vec<UrlId>, Error> {
        self.shelf.check()?;
        let Some(queue) = self.queues.get_mut(queue.0 as usize) else { return Ok(Vec::new()) };
        queue.draw(&self.slots, lane, most, &self.lanes, &mut self.shelf)
    }

    fn sync(&mut self) -> Result<(), Error> {
        S::sync(self)
    }
}
