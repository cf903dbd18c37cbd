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

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Error;
use crate::lane::{LaneId, LaneOrder, LaneSettings};
use crate::priority::{Placement, Priority};
use crate::rotation::Rotation;
use crate::time::{Span, Time};
use crate::url_id::{UrlId, UrlTable};
use crate::{Disposition, Due, Frontier, LeaseId, Leased, Offered, Pace, Pick, QueueId};
use lane_table::LaneTable;
use queue::{Queue, Readiness};
use shelf::Shelf;
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
            self.give_back(id, &lease);
        }
    }

    /// Lets go what is held, or waits, for ever: for a crawl that goes on with a larger budget.
    pub fn release_for_ever(&mut self) {
        for id in (0..self.queues.len() as u32).map(QueueId) {
            let queue = &mut self.queues[id.0 as usize];
            let held = queue.held_until == FOR_EVER;
            if held {
                queue.held_until = Time(0);
            }
            let released = queue.release_at(&mut self.slots, FOR_EVER, &self.lanes, &mut self.shelf);
            if held || released > 0 {
                self.wake(id);
                self.shelf.note_queue(id);
            }
        }
    }

    pub(crate) fn make_queue(&mut self, queue: QueueId) {
        while self.queues.len() <= queue.0 as usize {
            let id = QueueId(self.queues.len() as u32);
            self.queues.push(Queue::new(id));
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
        self.leases.insert(id, lease);
    }

    /// Puts a URL that is not waiting where its home is.
    fn settle_in(&mut self, key: UrlId, home: Home, now: Time) {
        let slot = self.slots.slot(key);
        slot.doing = Doing::Waiting;
        slot.set_home(home.kind());
        let slot = *slot;
        self.count_waiting(slot.queue);
        self.queues[slot.queue.0 as usize].insert(key, home, slot.arrival, now, &self.lanes, &mut self.shelf);
        self.wake(slot.queue);
    }

    fn end_leases(&mut self, now: Time) {
        while let Some(&(ends, id)) = self.leases_by_end.first().filter(|first| first.0 <= now) {
            self.leases_by_end.remove(&(ends, id));
            if let Some(lease) = self.leases.remove(&id) {
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
        queue.returned(lease.key, home, lease.place, slot.arrival, &self.lanes, &mut self.shelf);
        self.shelf.forget_lease(id);
        self.slots.slot(lease.key).doing = Doing::Waiting;
        self.count_waiting(slot.queue);
        self.wake(slot.queue);
    }

    /// A URL that waited never will again.
    fn finish(&mut self, key: UrlId, queue: QueueId) {
        self.slots.slot(key).doing = Doing::Done;
        self.shelf.note_done(key);
        self.count_left(queue);
    }
}

impl<S: Shelf> Frontier for Workbench<S> {
    fn knows(&self, key: UrlId) -> bool {
        self.slots.get(key).doing != Doing::Unknown
    }

    fn lane_of(&self, key: UrlId) -> Option<LaneId> {
        let slot = self.slots.get(key);
        match slot.home() {
            HomeKind::Lane(lane) if matches!(slot.doing, Doing::Waiting | Doing::Later) => Some(lane),
            _ => None,
        }
    }

    fn offer(&mut self, queue: QueueId, key: UrlId, placement: Placement, now: Time) -> Result<Offered, Error> {
        self.shelf.check()?;
        let arrival = self.shelf.arrival(key, self.arrivals)?;
        let slot = self.slots.slot(key);
        if slot.doing != Doing::Unknown {
            return Ok(Offered::Known);
        }
        *slot = Slot::new(queue, arrival);
        self.arrivals += 1;
        self.make_queue(queue);
        match Home::of(placement) {
            Some(home) => self.settle_in(key, home, now),
            None => {
                self.slots.slot(key).doing = Doing::Done;
                self.shelf.note_done(key);
            }
        }
        Ok(Offered::New)
    }

    fn revive(&mut self, queue: QueueId, key: UrlId, priority: Priority, now: Time) -> Result<bool, Error> {
        self.shelf.check()?;
        let slot = self.slots.get(key);
        if slot.doing != Doing::Done {
            return Ok(false);
        }
        self.make_queue(queue);
        *self.slots.slot(key) = Slot::new(queue, slot.arrival);
        self.shelf.forget_done(key);
        self.settle_in(key, Home::Exact(priority), now);
        Ok(true)
    }

    fn place(&mut self, key: UrlId, placement: Placement) -> Result<Option<QueueId>, Error> {
        self.shelf.check()?;
        let slot = self.slots.get(key);
        if matches!(slot.doing, Doing::Unknown | Doing::Leased | Doing::Done) {
            return Ok(None);
        }
        let queue = &mut self.queues[slot.queue.0 as usize];
        match (slot.doing, Home::of(placement)) {
            (Doing::Later, Some(home)) => {
                // It waits for a time: it goes to its new place then.
                queue.change_later(key, home, &mut self.shelf);
                self.slots.slot(key).set_home(home.kind());
            }
            (Doing::Later, None) => {
                queue.forget_later(key, &mut self.shelf);
                self.finish(key, slot.queue);
            }
            (_, Some(home)) => {
                if queue.moved(key, slot.home(), home, slot.arrival, &self.lanes, &mut self.shelf) {
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
        queue.release(&mut self.slots, now, &self.lanes, &mut self.shelf);
        let Some(taken) = queue.take(&self.slots, pick, now, &self.lanes, &mut self.shelf)? else { return Ok(None) };
        queue.out += 1;
        self.turns.moves_on(queue, taken.priority);
        self.count_left(id);
        let slot = self.slots.slot(taken.key);
        slot.doing = Doing::Leased;
        let home = slot.home().at(taken.priority);
        let name = LeaseId(self.next_lease);
        self.next_lease += 1;
        let lease = Lease { key: taken.key, priority: taken.priority, place: taken.place, ends: now + lease };
        self.shelf.note_lease(name, id, home, &lease);
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
        self.shelf.forget_lease(name);
        let slot = self.slots.get(lease.key);
        let queue = &mut self.queues[slot.queue.0 as usize];
        queue.out -= 1;
        queue.next_at = now + queue.pace.delay;
        match disposition {
            Disposition::Done => {
                self.slots.slot(lease.key).doing = Doing::Done;
                self.shelf.note_done(lease.key);
            }
            Disposition::At(time) => {
                let home = slot.home().at(lease.priority);
                queue.later(lease.key, home, slot.arrival, time);
                self.shelf.note_later(lease.key, slot.queue, time, home);
                self.slots.slot(lease.key).doing = Doing::Later;
                self.count_waiting(slot.queue);
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

    fn put_off(&self, queue: QueueId) -> Vec<UrlId> {
        self.queues.get(queue.0 as usize).map_or_else(Vec::new, |queue| queue.put_off().collect())
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
