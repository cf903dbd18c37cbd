//! What can be done to a URL by its name, whatever it is doing; and which queues are due, all of them.
//!
//! Whoever crawls alone takes a URL and settles its lease. A service is told of URLs by others: an update comes while a URL waits,
//! is out, is done, or was never seen, and must hold in each case. So a URL first *leaves* whatever it was doing, then begins a new
//! [turn](super::slot::Turn): its old entries in lanes count no more.

use super::Workbench;
use super::shelf::{Deferred, Shelf};
use super::slot::{Doing, Home, Slot};
use super::take::{Around, Readiness};
use crate::error::Error;
use crate::lane::LaneOrder;
use crate::time::Time;
use crate::url_id::UrlId;
use crate::{Offered, QueueId, UrlState};

impl<S: Shelf> Workbench<S> {
    pub(super) fn put_anyhow(
        &mut self,
        queue: QueueId,
        key: UrlId,
        home: Option<Home>,
        from: Time,
        now: Time,
    ) -> Result<Offered, Error> {
        self.shelf.check()?;
        let before = self.slots.get(key);
        let new_arrival = self.shelf.arrival(key, &before, self.arrivals)?;
        let (offered, arrival) = match before.doing {
            Doing::Unknown => (Offered::New, new_arrival),
            _ => (Offered::Known, before.arrival),
        };
        self.arrivals += u32::from(offered == Offered::New);
        self.leave(key, &before);
        self.make_queue(queue);
        *self.slots.slot(key) = Slot::new(queue, arrival, before.turn.next());
        match home {
            None => self.done(key),
            Some(home) if from <= now || self.goes_by_date(home) => self.settle_in(key, home, from),
            Some(home) => self.defer(key, Deferred { until: from, home }),
        }
        self.wake(queue);
        Ok(offered)
    }

    /// A lane by date holds what may be taken later, in its order.
    fn goes_by_date(&self, home: Home) -> bool {
        matches!(home, Home::Lane(lane) if self.lanes.order(lane) == LaneOrder::Date)
    }

    pub(super) fn remove_anyhow(&mut self, key: UrlId) -> Result<bool, Error> {
        self.shelf.check()?;
        let before = self.slots.get(key);
        if before.doing == Doing::Unknown {
            return Ok(false);
        }
        let turn = before.turn.next();
        self.shelf.note_removed(key, turn)?;
        self.leave(key, &before);
        *self.slots.slot(key) = Slot::removed(before.arrival, turn);
        self.wake(before.queue);
        Ok(true)
    }

    /// A URL stops whatever it is doing.
    fn leave(&mut self, key: UrlId, slot: &Slot) {
        let Some(queue) = self.queues.get_mut(slot.queue.0 as usize) else { return };
        match slot.doing {
            Doing::Unknown => {}
            Doing::Waiting => {
                queue.left(key, slot.home(), &mut self.shelf);
                self.count_left(slot.queue);
            }
            Doing::Deferred => {
                self.shelf.forget_deferred(key);
                self.count_left(slot.queue);
            }
            Doing::Leased => {
                queue.out -= 1;
                self.shelf.note_queue(slot.queue);
                if let Some(id) = self.leases_by_url.remove(&key) {
                    self.shelf.forget_lease(id);
                    if let Some(lease) = self.leases.remove(&id) {
                        self.leases_by_end.remove(&(lease.ends, id));
                    }
                }
            }
            Doing::Done => {
                queue.done -= 1;
                self.shelf.forget_done(key);
            }
        }
    }

    pub(super) fn state_of(&self, key: UrlId) -> Result<Option<UrlState>, Error> {
        let slot = self.slots.get(key);
        Ok(Some(match slot.doing {
            Doing::Unknown => return Ok(None),
            Doing::Waiting => UrlState::Waiting,
            Doing::Deferred => UrlState::Deferred(self.shelf.deferred(key, slot.home())?.until),
            Doing::Leased => {
                let lease = self.leases_by_url.get(&key).and_then(|id| self.leases.get(id));
                UrlState::Out(lease.map_or(Time(0), |lease| lease.ends))
            }
            Doing::Done => UrlState::Done,
        }))
    }

    /// The queue of a URL that is known.
    pub fn queue_of(&self, key: UrlId) -> Option<QueueId> {
        let slot = self.slots.get(key);
        (slot.doing != Doing::Unknown).then_some(slot.queue)
    }

    pub(super) fn all_due(&mut self, most: usize, most_out: u32, now: Time) -> Vec<QueueId> {
        self.end_leases(now);
        while let Some(id) = self.turns.first_to_wake(now) {
            self.wake(id);
        }
        let (mut due, mut last) = (Vec::new(), None);
        while due.len() < most
            && let Some((pass, id)) = self.turns.after(last)
        {
            let queue = &mut self.queues[id.0 as usize];
            match queue.readiness(now, &mut Around { slots: &self.slots, table: &self.lanes, shelf: &mut self.shelf }) {
                Ok(Readiness::Now) | Err(_) => {
                    // One that has too many out for this call is passed over, and stays where it is.
                    due.extend((queue.out < most_out).then_some(id));
                    last = Some((pass, id));
                    continue;
                }
                Ok(Readiness::At(time)) => self.turns.rest(queue, Some(time)),
                Ok(Readiness::Blocked) => self.park(id),
            }
            self.shelf.note_queue(id);
        }
        due
    }
}
