//! The calls of a [`Frontier`], one by one; what they share is in the modules beside.

use super::shelf::{Deferred, Shelf};
use super::slot::{Doing, Home, HomeKind, Slot};
use super::take::{Around, Readiness};
use super::{Lease, Workbench};
use crate::error::Error;
use crate::lane::{LaneId, LaneOrder, LaneSettings};
use crate::priority::Placement;
use crate::time::{Span, Time};
use crate::url_id::UrlId;
use crate::{Disposition, Due, Frontier, LeaseId, Leased, Offered, Pace, Pick, QueueCounts, QueueId, UrlState};

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
                if let Some(moved) = queue.moved(key, &slot, home, &self.lanes, &mut self.shelf) {
                    *self.slots.slot(key) = moved;
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
                if self.queues[id.0 as usize].lanes.has(lane) {
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
            queue.readiness(now, &mut Around { slots: &self.slots, table: &self.lanes, shelf: &mut self.shelf }),
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
            match queue.readiness(now, &mut Around { slots: &self.slots, table: &self.lanes, shelf: &mut self.shelf }) {
                // What cannot be read is told by whoever takes from it.
                Ok(Readiness::Now) | Err(_) => return Due::Queue(id),
                Ok(Readiness::At(time)) => self.turns.rest(queue, Some(time)),
                Ok(Readiness::Blocked) => self.park(id),
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
        let Some(taken) =
            queue.take(pick, now, &mut Around { slots: &self.slots, table: &self.lanes, shelf: &mut self.shelf })?
        else {
            return Ok(None);
        };
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
        queue.map_or_else(Vec::new, |queue| queue.lanes.ids())
    }

    fn deferred(&self) -> Vec<UrlId> {
        self.deferred.of(&self.slots)
    }

    fn sample(&self, queue: QueueId, lane: LaneId) -> Vec<UrlId> {
        let queue = self.queues.get(queue.0 as usize);
        queue.and_then(|queue| queue.lanes.get(lane)).map_or_else(Vec::new, |lane| lane.sample.keys().to_vec())
    }

    fn text(&self, key: UrlId) -> Result<Option<String>, Error> {
        self.shelf.text(key)
    }

    fn draw(&mut self, queue: QueueId, lane: LaneId, most: usize) -> Result<Vec<UrlId>, Error> {
        self.shelf.check()?;
        let Some(queue) = self.queues.get_mut(queue.0 as usize) else { return Ok(Vec::new()) };
        queue.draw(lane, most, &mut Around { slots: &self.slots, table: &self.lanes, shelf: &mut self.shelf })
    }

    fn sync(&mut self) -> Result<(), Error> {
        S::sync(self)
    }
}
