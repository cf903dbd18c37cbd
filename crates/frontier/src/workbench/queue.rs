//! What waits at one site: lanes, single URLs, and those that must wait for a time.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::lane_set::{FEW_STALE, Lane, LaneSet, at};
use super::lane_table::LaneTable;
use super::shelf::{Deferred, LaneAt, NewEntry, Shelf, Sorted};
use super::slot::{Doing, Home, HomeKind, Place, Slot};
use crate::error::Error;
use crate::heap::IndexedHeap;
use crate::lane::LaneId;
use crate::priority::Priority;
use crate::time::Time;
use crate::url_id::{UrlId, UrlTable};
use crate::{Pace, QueueId};

/// One queue.
#[derive(Debug)]
pub(crate) struct Queue<S: Shelf> {
    pub(crate) id: QueueId,
    pub(crate) pace: Pace,
    pub(crate) next_at: Time,
    /// Its server asked not to be asked before.
    pub(crate) held_until: Time,
    pub(crate) out: u32,
    pub(crate) pass: u64,
    pub(crate) weight: f64,
    pub(crate) waiting: u64,
    pub(crate) lanes: LaneSet<S::Lane>,
    /// Lanes that may hold something, best first by the prices that this queue has seen.
    pub(crate) filled: BTreeSet<(Reverse<Priority>, LaneId)>,
    /// How many changes of prices it has seen.
    seen: u64,
    pub(crate) exact: IndexedHeap<Priority, S::Places>,
    /// What waits for its time: a lane by time.
    pub(crate) deferred: S::Lane,
    /// How many URLs are done.
    pub(crate) done: u64,
    /// At how many no more are handed out.
    pub(crate) done_limit: u64,
}

impl<S: Shelf> Queue<S> {
    pub(crate) fn new(id: QueueId, deferred: S::Lane) -> Self {
        Self {
            id,
            pace: Pace::default(),
            next_at: Time(0),
            held_until: Time(0),
            out: 0,
            pass: 0,
            weight: 0.0,
            waiting: 0,
            lanes: LaneSet::default(),
            filled: BTreeSet::new(),
            seen: 0,
            exact: IndexedHeap::default(),
            deferred,
            done: 0,
            done_limit: u64::MAX,
        }
    }

    /// A lane, new or not.
    pub(crate) fn lane(&mut self, id: LaneId, shelf: &S) -> &mut Lane<S::Lane> {
        self.lanes.get_or_make(id, shelf)
    }

    /// A URL waits in a lane no more.
    pub(super) fn left_lane(&mut self, id: LaneId, shelf: &mut S) {
        if self.lanes.get_mut(id).is_some_and(Lane::left) {
            self.unlist(id);
            self.lanes.put_away(at(self.id, id), shelf);
        }
    }

    /// Forgets what it only needs while something waits, is deferred or is out: nothing is.
    pub(crate) fn clear(&mut self, shelf: &mut S) -> Result<(), Error> {
        self.filled.clear();
        self.exact = IndexedHeap::default();
        let deferred = shelf.put_away(self.deferred_at(), &mut self.deferred).entries();
        let entries = self.lanes.clear(self.id, shelf).saturating_add(deferred);
        self.deferred = shelf.lane();
        if entries > FEW_STALE { shelf.clear(self.id) } else { Ok(()) }
    }

    /// A lane may hold something.
    pub(crate) fn list(&mut self, id: LaneId, table: &LaneTable) {
        if let Some(lane) = self.lanes.get_mut(id).filter(|lane| lane.listed.is_none()) {
            let price = table.price(id);
            lane.listed = Some(price);
            self.filled.insert((Reverse(price), id));
        }
    }

    /// A lane may hold something, if a URL waits in it.
    pub(crate) fn list_if_waiting(&mut self, id: LaneId, table: &LaneTable) {
        if self.lanes.get(id).is_some_and(Lane::is_waited_in) {
            self.list(id, table);
        }
    }

    /// A lane holds nothing.
    pub(super) fn unlist(&mut self, id: LaneId) {
        if let Some(price) = self.lanes.get_mut(id).and_then(|lane| lane.listed.take()) {
            self.filled.remove(&(Reverse(price), id));
        }
    }

    /// Puts lanes where their prices are now. Cost: the changes since it was last asked, or its lanes if these are fewer.
    pub(super) fn look_up_prices(&mut self, table: &LaneTable) {
        let missed = table.changes() - self.seen;
        if missed == 0 {
            return;
        }
        let changed = table.changed_since(self.seen).filter(|_| missed <= self.filled.len() as u64);
        let listed: Vec<LaneId> = match changed {
            Some(changed) => changed.collect(),
            None => self.filled.iter().map(|(_, id)| *id).collect(),
        };
        for id in listed {
            let price = table.price(id);
            if let Some(old) = self.lanes.get_mut(id).and_then(|lane| lane.listed.as_mut())
                && *old != price
            {
                self.filled.remove(&(Reverse(std::mem::replace(old, price)), id));
                self.filled.insert((Reverse(price), id));
            }
        }
        self.seen = table.changes();
    }

    /// Takes in a URL that comes here anew.
    pub(crate) fn insert(&mut self, key: UrlId, home: Home, slot: &Slot, time: Time, table: &LaneTable, shelf: &mut S) {
        match home {
            Home::Lane(id) => {
                let at = at(self.id, id);
                let lane = self.lane(id, shelf);
                let entry = NewEntry { url: key, turn: slot.turn, time };
                shelf.push(at, &mut lane.entries, table.order(id).sorted(), entry);
                lane.sample.saw(at, key);
                lane.joined();
                self.list(id, table);
            }
            Home::Exact(priority) => {
                self.exact.set_arrived(key, priority, slot.arrival.into());
                shelf.note_exact(key, slot, priority);
            }
        }
    }

    /// Takes back a URL whose lease ran out: it goes where it was.
    pub(crate) fn returned(
        &mut self,
        key: UrlId,
        home: Home,
        place: Place,
        slot: &Slot,
        table: &LaneTable,
        shelf: &mut S,
    ) {
        let Home::Lane(id) = home else { return self.insert(key, home, slot, Time(0), table, shelf) };
        let at = at(self.id, id);
        let lane = self.lane(id, shelf);
        lane.joined();
        shelf.put_back(at, &mut lane.entries, table.order(id).sorted(), (key, slot.turn), place);
        self.list(id, table);
    }

    /// Moves a URL that waits; its slot from then on, or none if it is there already.
    pub(crate) fn moved(
        &mut self,
        key: UrlId,
        slot: &Slot,
        to: Home,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Option<Slot> {
        let mut moved = *slot;
        moved.set_home(to.kind());
        match (slot.home(), to) {
            (HomeKind::Lane(old), Home::Lane(new)) if old == new => return None,
            (HomeKind::Exact, Home::Exact(priority)) => {
                self.exact.set(key, priority);
                shelf.note_exact(key, &moved, priority);
            }
            (from, to) => {
                self.left(key, from, shelf);
                moved.turn = slot.turn.next();
                self.insert(key, to, &moved, Time(0), table, shelf);
            }
        }
        Some(moved)
    }

    /// Forgets a URL that waited. Entries in lanes are known by their slot to be stale.
    pub(crate) fn left(&mut self, key: UrlId, from: HomeKind, shelf: &mut S) {
        match from {
            HomeKind::Exact => {
                self.exact.remove(key);
                shelf.forget_exact(key);
            }
            HomeKind::Lane(id) => self.left_lane(id, shelf),
        }
    }

    fn deferred_at(&self) -> LaneAt {
        at(self.id, LaneId::DEFERRED)
    }

    /// Lets a URL wait for a time; its slot says so already.
    pub(crate) fn defer(&mut self, key: UrlId, slot: &Slot, deferred: Deferred, shelf: &mut S) {
        let entry = NewEntry { url: key, turn: slot.turn, time: deferred.until };
        shelf.push(self.deferred_at(), &mut self.deferred, Sorted::Time, entry);
        shelf.note_deferred(key, slot, deferred);
    }

    /// The next that waits for its time.
    pub(super) fn next_deferred(
        &mut self,
        slots: &UrlTable<Slot>,
        shelf: &mut S,
    ) -> Result<Option<(UrlId, Time)>, Error> {
        let (at, id) = (self.deferred_at(), self.id);
        shelf.next(at, &mut self.deferred, Sorted::Time, |key, turn| slots.get(key).is_deferred_in(id, turn))
    }

    /// Puts what waited for its time where it belongs.
    pub(crate) fn release(
        &mut self,
        slots: &mut UrlTable<Slot>,
        now: Time,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Result<(), Error> {
        while let Some((key, time)) = self.next_deferred(slots, shelf)?.filter(|(_, time)| *time <= now) {
            shelf.pop(self.deferred_at(), &mut self.deferred, Sorted::Time);
            self.go_home(key, time, slots, table, shelf)?;
        }
        Ok(())
    }

    /// Puts what waited for exactly this time where it belongs, at once; how many those were.
    pub(crate) fn release_at(
        &mut self,
        slots: &mut UrlTable<Slot>,
        until: Time,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Result<u64, Error> {
        let mut released = 0;
        for (key, turn) in shelf.take_at(self.deferred_at(), &mut self.deferred, until)? {
            if slots.get(key).is_deferred_in(self.id, turn) {
                self.go_home(key, Time(0), slots, table, shelf)?;
                released += 1;
            }
        }
        Ok(released)
    }

    /// Lets a URL that was deferred wait at its home.
    fn go_home(
        &mut self,
        key: UrlId,
        time: Time,
        slots: &mut UrlTable<Slot>,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Result<(), Error> {
        let slot = slots.slot(key);
        let home = shelf.deferred(key, slot.home())?.home;
        shelf.forget_deferred(key);
        slot.doing = Doing::Waiting;
        let slot = *slot;
        self.insert(key, home, &slot, time, table, shelf);
        Ok(())
    }
}
