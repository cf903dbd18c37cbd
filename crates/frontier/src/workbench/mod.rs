//! What waits, whose turn is it, and what is out? What every frontier does, wherever it keeps its lanes.
//!
//! A slot for each URL says what it is doing and where it belongs ([`slot`]); a queue ([`queue`]) holds what waits: lanes,
//! a heap of single URLs, and those that must wait for a time. Moving a URL to another lane changes its slot and adds an
//! entry to the new lane; the entry in the old one disagrees with the slot from then on and is skipped when it is met.
//! Queues that may be due stand in order of their pass ([`turns`]); those that may not sleep until their time, or are
//! parked until one of their leases ends. Where the entries of lanes lie is the business of a [`shelf`].

mod by_url;
mod deferred;
mod frontier;
pub(crate) mod lane_set;
mod lane_table;
pub(crate) mod queue;
mod reservoir;
pub(crate) mod shelf;
pub(crate) mod slot;
pub(crate) mod take;
pub(crate) mod turns;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::priority::Priority;
use crate::rotation::Rotation;
use crate::time::Time;
use crate::url_id::{UrlId, UrlTable};
use crate::{LeaseId, QueueId};
use deferred::DeferredBlocks;
use lane_table::LaneTable;
use queue::Queue;
use shelf::{Deferred, Shelf};
use slot::{Doing, Home, Place, Slot};
use turns::{Standing, Turns};

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
    pub(crate) deferred: DeferredBlocks,
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
            deferred: DeferredBlocks::default(),
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

    /// Passes a queue over until a time, or until it is [brought back](Self::bring_back) or something happens to it, because whoever asks has no
    /// use for it just now. It keeps its turn. Nothing of this is written down: it costs little to do it often.
    pub fn set_aside(&mut self, queue: QueueId, until: Time) {
        if self.turns.standings.get(queue.0 as usize) == Some(&Standing::Awake) {
            self.turns.rest(&self.queues[queue.0 as usize], Some(until));
        }
    }

    /// A queue that was [set aside](Self::set_aside) may be asked again.
    pub fn bring_back(&mut self, queue: QueueId) {
        if let Some(queue) = self.queues.get_mut(queue.0 as usize) {
            self.turns.wake(queue);
        }
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

    /// A queue was looked at, and nothing in it may be taken before something else happens to it.
    fn park(&mut self, id: QueueId) {
        let queue = &mut self.queues[id.0 as usize];
        self.turns.rest(queue, None);
        if queue.waiting == 0 && queue.out == 0 {
            // That it could not be read is told by whoever writes next.
            drop(queue.clear(&mut self.shelf));
        }
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
        self.deferred.mark(key);
        slot.turn = slot.turn.next();
        slot.set_home(deferred.home.kind());
        let slot = *slot;
        self.queues[slot.queue.0 as usize].defer(key, &slot, deferred, &mut self.shelf);
        self.count_waiting(slot.queue);
    }
}
