//! A frontier in memory.
//!
//! A slot for each URL says what it is doing and where it belongs ([`slot`]); a queue ([`queue`]) holds what waits: lanes,
//! a heap of single URLs, and those that must wait for a time. Moving a URL to another lane changes its slot and adds an
//! entry to the new lane; the entry in the old one disagrees with the slot from then on and is skipped when it is met.
//! Queues that may be due stand in order of their pass ([`crate::rotation`]); those that may not sleep until their time, or
//! are parked until one of their leases ends.

mod queue;
mod slot;

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Error;
use crate::key::KeyTable;
use crate::lane::{LaneId, LaneSettings};
use crate::priority::{Placement, Priority};
use crate::rotation::Rotation;
use crate::time::{Span, Time};
use crate::{Disposition, Due, Frontier, Key, LeaseId, Leased, Offered, Pace, Pick, QueueId};
use queue::{Queue, Readiness};
use slot::{Doing, Home, Slot};

/// What is known of a lease.
#[derive(Clone, Copy, Debug)]
struct Lease<K> {
    key: K,
    priority: Priority,
    ends: Time,
}

/// Where a queue stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Nothing in it waits, or as much is out as may be.
    Parked,
    /// In the order of passes.
    Awake,
    /// Until a time.
    Asleep(Time),
}

/// URLs in memory.
#[derive(Debug)]
pub struct MemoryFrontier<K: Key> {
    slots: K::Table<Slot>,
    queues: Vec<Queue<K>>,
    standings: Vec<Standing>,
    rotation: Rotation,
    awake: BTreeSet<(u64, QueueId)>,
    asleep: BTreeSet<(Time, QueueId)>,
    leases: BTreeMap<LeaseId, Lease<K>>,
    leases_by_end: BTreeSet<(Time, LeaseId)>,
    arrivals: u32,
    next_lease: u64,
    waiting: u64,
    /// The pass of the last queue taken from.
    pass: u64,
    /// Weights of the queues that are not parked, and their number.
    weights: (f64, u32),
}

impl<K: Key> MemoryFrontier<K> {
    /// An empty one.
    pub fn new(rotation: Rotation) -> Self {
        Self {
            slots: K::Table::default(),
            queues: Vec::new(),
            standings: Vec::new(),
            rotation,
            awake: BTreeSet::new(),
            asleep: BTreeSet::new(),
            leases: BTreeMap::new(),
            leases_by_end: BTreeSet::new(),
            arrivals: 0,
            next_lease: 0,
            waiting: 0,
            pass: 0,
            weights: (0.0, 0),
        }
    }

    fn queue(&mut self, queue: QueueId) -> &mut Queue<K> {
        let at = queue.0 as usize;
        while self.queues.len() <= at {
            self.queues.push(Queue::default());
            self.standings.push(Standing::Parked);
        }
        &mut self.queues[at]
    }

    /// Puts a queue where it may be found, if something in it could be due.
    fn wake(&mut self, id: QueueId) {
        let at = id.0 as usize;
        if self.standings[at] == Standing::Awake {
            return;
        }
        let queue = &mut self.queues[at];
        if let Standing::Asleep(until) = self.standings[at] {
            self.asleep.remove(&(until, id));
        } else {
            queue.pass = queue.pass.max(self.pass);
            self.weights.0 += queue.weight;
            self.weights.1 += 1;
        }
        self.awake.insert((queue.pass, id));
        self.standings[at] = Standing::Awake;
    }

    /// Takes a queue that was looked at and is not due out of the order of passes.
    fn rest(&mut self, id: QueueId, until: Option<Time>) {
        let at = id.0 as usize;
        self.awake.remove(&(self.queues[at].pass, id));
        self.standings[at] = match until {
            Some(until) => {
                self.asleep.insert((until, id));
                Standing::Asleep(until)
            }
            None => {
                self.weights.0 -= self.queues[at].weight;
                self.weights.1 -= 1;
                Standing::Parked
            }
        };
    }

    /// Puts a URL that is not waiting where its home is.
    fn settle_in(&mut self, key: K, home: Home, now: Time) {
        let slot = self.slots.slot(key);
        slot.doing = Doing::Waiting;
        slot.home = home.kind();
        let slot = *slot;
        self.waiting += 1;
        self.queue(slot.queue).insert(key, home, slot.arrival, now);
        self.wake(slot.queue);
    }

    fn end_leases(&mut self, now: Time) {
        while let Some(&(ends, lease)) = self.leases_by_end.first().filter(|first| first.0 <= now) {
            self.leases_by_end.remove(&(ends, lease));
            if let Some(lease) = self.leases.remove(&lease) {
                self.give_back(&lease, now);
            }
        }
    }

    /// Back to the front of where it was.
    fn give_back(&mut self, lease: &Lease<K>, now: Time) {
        let slot = self.slots.get(lease.key);
        let queue = self.queue(slot.queue);
        queue.out -= 1;
        queue.returned(lease.key, slot.home.at(lease.priority), slot.arrival, now);
        self.slots.slot(lease.key).doing = Doing::Waiting;
        self.waiting += 1;
        self.wake(slot.queue);
    }
}

impl<K: Key> Frontier for MemoryFrontier<K> {
    type Key = K;

    fn knows(&self, key: K) -> bool {
        self.slots.get(key).doing != Doing::Unknown
    }

    fn offer(&mut self, queue: QueueId, key: K, placement: Placement, now: Time) -> Result<Offered, Error> {
        let arrival = self.arrivals;
        let slot = self.slots.slot(key);
        if slot.doing != Doing::Unknown {
            return Ok(Offered::Known);
        }
        *slot = Slot { queue, arrival, ..Slot::default() };
        self.arrivals += 1;
        match Home::of(placement) {
            Some(home) => self.settle_in(key, home, now),
            None => self.slots.slot(key).doing = Doing::Done,
        }
        Ok(Offered::New)
    }

    fn place(&mut self, key: K, placement: Placement) -> Result<Option<QueueId>, Error> {
        let slot = self.slots.get(key);
        match (slot.doing, Home::of(placement)) {
            (Doing::Waiting, Some(home)) => {
                let queue = &mut self.queues[slot.queue.0 as usize];
                if queue.moved(key, slot.home, home, slot.arrival) {
                    self.slots.slot(key).home = home.kind();
                }
            }
            (Doing::Waiting, None) => {
                self.queues[slot.queue.0 as usize].left(key, slot.home);
                self.slots.slot(key).doing = Doing::Done;
                self.waiting -= 1;
            }
            // It waits for a time: it goes to its new place then.
            (Doing::Later, Some(home)) => {
                self.queues[slot.queue.0 as usize].change_later(key, home);
                self.slots.slot(key).home = home.kind();
            }
            (Doing::Later, None) => {
                self.queues[slot.queue.0 as usize].forget_later(key);
                self.slots.slot(key).doing = Doing::Done;
                self.waiting -= 1;
            }
            (Doing::Unknown | Doing::Leased | Doing::Done, _) => return Ok(None),
        }
        Ok(Some(slot.queue))
    }

    fn set_lane(&mut self, queue: QueueId, lane: LaneId, settings: LaneSettings) {
        self.queue(queue).set_lane(lane, settings);
        // A shorter period may make it due at once.
        self.wake(queue);
    }

    fn set_pace(&mut self, queue: QueueId, pace: Pace) {
        self.queue(queue).pace = pace;
        self.wake(queue);
    }

    fn due_queue(&mut self, now: Time) -> Due {
        self.end_leases(now);
        while let Some(&(_, id)) = self.asleep.first().filter(|first| first.0 <= now) {
            self.wake(id);
        }
        while let Some(&(_, id)) = self.awake.first() {
            match self.queues[id.0 as usize].readiness(&self.slots, now) {
                Readiness::Now => return Due::Queue(id),
                Readiness::At(time) => self.rest(id, Some(time)),
                Readiness::Blocked => self.rest(id, None),
            }
        }
        let wakes = self.asleep.first().map(|first| first.0);
        let ends = self.leases_by_end.first().map(|first| first.0);
        wakes.into_iter().chain(ends).min().map_or(Due::Empty, Due::At)
    }

    fn take(&mut self, id: QueueId, pick: Pick, lease: Span, now: Time) -> Result<Option<Leased<K>>, Error> {
        let rotation = self.rotation;
        if id.0 as usize >= self.queues.len() {
            return Ok(None);
        }
        let queue = &mut self.queues[id.0 as usize];
        queue.release(&mut self.slots, now);
        let Some((key, priority)) = queue.take(&self.slots, pick, now) else { return Ok(None) };
        queue.out += 1;
        self.waiting -= 1;
        self.slots.slot(key).doing = Doing::Leased;
        let weight = rotation.weight(priority);
        let (old_pass, old_weight) = (queue.pass, std::mem::replace(&mut queue.weight, weight));
        if self.standings[id.0 as usize] != Standing::Parked {
            self.weights.0 += weight - old_weight;
        }
        let mean = self.weights.0 / f64::from(self.weights.1.max(1));
        self.pass = self.pass.max(old_pass);
        queue.pass = old_pass.saturating_add(rotation.stride(weight, mean));
        if self.standings[id.0 as usize] == Standing::Awake {
            self.awake.remove(&(old_pass, id));
            self.awake.insert((queue.pass, id));
        }
        let name = LeaseId(self.next_lease);
        self.next_lease += 1;
        let ends = now + lease;
        self.leases.insert(name, Lease { key, priority, ends });
        self.leases_by_end.insert((ends, name));
        Ok(Some(Leased { lease: name, key, queue: id, priority }))
    }

    fn settle(&mut self, name: LeaseId, disposition: Disposition, now: Time) -> Result<(), Error> {
        let lease = self.leases.remove(&name).ok_or(Error::NoSuchLease(name))?;
        self.leases_by_end.remove(&(lease.ends, name));
        let slot = self.slots.get(lease.key);
        let queue = self.queue(slot.queue);
        queue.out -= 1;
        queue.next_at = now + queue.pace.delay;
        match disposition {
            Disposition::Done => self.slots.slot(lease.key).doing = Doing::Done,
            Disposition::At(time) => {
                queue.later(lease.key, slot.home.at(lease.priority), slot.arrival, time);
                self.slots.slot(lease.key).doing = Doing::Later;
                self.waiting += 1;
            }
            Disposition::Into(lane) => self.settle_in(lease.key, Home::Lane(lane), now),
        }
        self.wake(slot.queue);
        Ok(())
    }

    fn waiting(&self) -> u64 {
        self.waiting
    }

    fn sync(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
