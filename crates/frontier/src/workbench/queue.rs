//! What waits at one site: lanes, single URLs, and those that must wait for a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::lane_table::LaneTable;
use super::reservoir::Reservoir;
use super::shelf::{LaneAt, Shelf};
use super::slot::{Doing, Home, HomeKind, Place, Slot};
use crate::error::Error;
use crate::heap::IndexedHeap;
use crate::lane::{LaneId, LaneOrder};
use crate::priority::Priority;
use crate::time::Time;
use crate::url_id::{UrlId, UrlTable};
use crate::{Pace, Pick, QueueId};

/// Whether a queue may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readiness {
    Now,
    At(Time),
    /// Nothing waits, or as much is out as may be.
    Blocked,
}

/// A URL that is taken, and where it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) key: UrlId,
    pub(crate) priority: Priority,
    pub(crate) place: Place,
}

/// A lane.
#[derive(Debug)]
pub(crate) struct Lane<L> {
    pub(crate) entries: L,
    pub(crate) sample: Reservoir,
    /// The price at which it stands among the lanes that may hold something; none if it is not among them.
    listed: Option<Priority>,
}

impl<L> Lane<L> {
    fn new(at: LaneAt, entries: L) -> Self {
        Self { entries, sample: Reservoir::new(at), listed: None }
    }

    /// The next URL and the time from which it may be taken.
    fn next<S: Shelf<Lane = L>>(
        &mut self,
        at: LaneAt,
        slots: &UrlTable<Slot>,
        order: LaneOrder,
        shelf: &mut S,
    ) -> Result<Option<(UrlId, Time)>, Error> {
        let is_live = |key| slots.get(key).waits_in(at);
        let next = shelf.next(at, &mut self.entries, order.sorted(), is_live)?;
        Ok(next.map(|(key, time)| match order {
            LaneOrder::Arrival => (key, Time(0)),
            LaneOrder::Date => (key, time),
            LaneOrder::Period(period) => (key, time + period),
        }))
    }
}

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
    pub(crate) lanes: FxHashMap<LaneId, Lane<S::Lane>>,
    /// Lanes that may hold something, best first by the prices that this queue has seen.
    pub(crate) filled: BTreeSet<(Reverse<Priority>, LaneId)>,
    /// How many changes of prices it has seen.
    seen: u64,
    pub(crate) exact: IndexedHeap<Priority, S::Places>,
    /// By time, then arrival: what waits for its time, and where it goes then.
    later: BTreeMap<(Time, u32), (UrlId, Home)>,
    later_times: FxHashMap<UrlId, (Time, u32)>,
}

impl<S: Shelf> Queue<S> {
    pub(crate) fn new(id: QueueId) -> Self {
        Self {
            id,
            pace: Pace::default(),
            next_at: Time(0),
            held_until: Time(0),
            out: 0,
            pass: 0,
            weight: 0.0,
            waiting: 0,
            lanes: FxHashMap::default(),
            filled: BTreeSet::new(),
            seen: 0,
            exact: IndexedHeap::default(),
            later: BTreeMap::new(),
            later_times: FxHashMap::default(),
        }
    }

    /// A lane, new or not.
    pub(crate) fn lane(&mut self, id: LaneId, shelf: &S) -> &mut Lane<S::Lane> {
        let at = LaneAt { queue: self.id, lane: id };
        self.lanes.entry(id).or_insert_with(|| Lane::new(at, shelf.lane()))
    }

    /// A lane may hold something.
    pub(crate) fn list(&mut self, id: LaneId, table: &LaneTable) {
        if let Some(lane) = self.lanes.get_mut(&id).filter(|lane| lane.listed.is_none()) {
            let price = table.price(id);
            lane.listed = Some(price);
            self.filled.insert((Reverse(price), id));
        }
    }

    /// A lane holds nothing.
    fn unlist(&mut self, id: LaneId) {
        if let Some(price) = self.lanes.get_mut(&id).and_then(|lane| lane.listed.take()) {
            self.filled.remove(&(Reverse(price), id));
        }
    }

    /// Puts lanes where their prices are now. Cost: the changes since it was last asked, or its lanes if these are fewer.
    fn look_up_prices(&mut self, table: &LaneTable) {
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
            if let Some(old) = self.lanes.get_mut(&id).and_then(|lane| lane.listed.as_mut())
                && *old != price
            {
                self.filled.remove(&(Reverse(std::mem::replace(old, price)), id));
                self.filled.insert((Reverse(price), id));
            }
        }
        self.seen = table.changes();
    }

    /// Takes in a URL that comes here anew.
    pub(crate) fn insert(&mut self, key: UrlId, home: Home, arrival: u32, now: Time, table: &LaneTable, shelf: &mut S) {
        match home {
            Home::Lane(id) => {
                let at = LaneAt { queue: self.id, lane: id };
                let lane = self.lane(id, shelf);
                shelf.push(at, &mut lane.entries, table.order(id).sorted(), key, now);
                lane.sample.saw(key);
                self.list(id, table);
            }
            Home::Exact(priority) => {
                self.exact.set_arrived(key, priority, arrival.into());
                shelf.note_exact(key, self.id, priority);
            }
        }
    }

    /// Takes back a URL whose lease ran out: it goes where it was.
    pub(crate) fn returned(
        &mut self,
        key: UrlId,
        home: Home,
        place: Place,
        arrival: u32,
        table: &LaneTable,
        shelf: &mut S,
    ) {
        let Home::Lane(id) = home else { return self.insert(key, home, arrival, Time(0), table, shelf) };
        let at = LaneAt { queue: self.id, lane: id };
        let lane = self.lane(id, shelf);
        shelf.put_back(at, &mut lane.entries, table.order(id).sorted(), key, place);
        self.list(id, table);
    }

    /// Moves a URL that waits; false if it is there already.
    pub(crate) fn moved(
        &mut self,
        key: UrlId,
        from: HomeKind,
        to: Home,
        arrival: u32,
        table: &LaneTable,
        shelf: &mut S,
    ) -> bool {
        match (from, to) {
            (HomeKind::Lane(old), Home::Lane(new)) if old == new => return false,
            (HomeKind::Exact, Home::Exact(priority)) => {
                self.exact.set(key, priority);
                shelf.note_exact(key, self.id, priority);
            }
            (from, to) => {
                self.left(key, from, shelf);
                self.insert(key, to, arrival, Time(0), table, shelf);
            }
        }
        true
    }

    /// Forgets a URL that waited. Entries in lanes are known by their slot to be stale.
    pub(crate) fn left(&mut self, key: UrlId, from: HomeKind, shelf: &mut S) {
        if from == HomeKind::Exact {
            self.exact.remove(key);
            shelf.forget_exact(key);
        }
    }

    pub(crate) fn later(&mut self, key: UrlId, home: Home, arrival: u32, time: Time) {
        self.later.insert((time, arrival), (key, home));
        self.later_times.insert(key, (time, arrival));
    }

    /// What waits for a time, the soonest first.
    pub(crate) fn put_off(&self) -> impl Iterator<Item = UrlId> {
        self.later.values().map(|(key, _)| *key)
    }

    pub(crate) fn change_later(&mut self, key: UrlId, home: Home, shelf: &mut S) {
        if let Some((at, entry)) = self.later_times.get(&key).and_then(|at| Some((at, self.later.get_mut(at)?))) {
            entry.1 = home;
            shelf.note_later(key, self.id, at.0, home);
        }
    }

    pub(crate) fn forget_later(&mut self, key: UrlId, shelf: &mut S) {
        if let Some(at) = self.later_times.remove(&key) {
            self.later.remove(&at);
            shelf.forget_later(key);
        }
    }

    /// Puts what waited for its time where it belongs.
    pub(crate) fn release(&mut self, slots: &mut UrlTable<Slot>, now: Time, table: &LaneTable, shelf: &mut S) {
        while let Some((&(time, arrival), _)) = self.later.first_key_value().filter(|(at, _)| at.0 <= now) {
            if let Some((key, home)) = self.later.remove(&(time, arrival)) {
                self.later_times.remove(&key);
                shelf.forget_later(key);
                slots.slot(key).doing = Doing::Waiting;
                self.insert(key, home, arrival, time, table, shelf);
            }
        }
    }

    /// Puts what waited for exactly this time where it belongs, at once; how many those were.
    pub(crate) fn release_at(&mut self, slots: &mut UrlTable<Slot>, at: Time, table: &LaneTable, shelf: &mut S) -> u64 {
        let waited: Vec<(Time, u32)> = self.later.range((at, 0)..=(at, u32::MAX)).map(|(key, _)| *key).collect();
        for key in &waited {
            if let Some((url, home)) = self.later.remove(key) {
                self.later_times.remove(&url);
                shelf.forget_later(url);
                slots.slot(url).doing = Doing::Waiting;
                self.insert(url, home, key.1, Time(0), table, shelf);
            }
        }
        waited.len() as u64
    }

    pub(crate) fn readiness(
        &mut self,
        slots: &UrlTable<Slot>,
        now: Time,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Result<Readiness, Error> {
        if self.out >= self.pace.at_once {
            return Ok(Readiness::Blocked);
        }
        let ready = if self.exact.is_empty() { self.lane_ready(slots, table, shelf)? } else { Some(Time(0)) };
        let later = self.later.first_key_value().map(|(at, _)| at.0);
        let asked = self.next_at.max(self.held_until);
        Ok(match ready.into_iter().chain(later).min() {
            None => Readiness::Blocked,
            Some(time) if time.max(asked) <= now => Readiness::Now,
            Some(time) => Readiness::At(time.max(asked)),
        })
    }

    /// When the first of the lanes has something.
    fn lane_ready(&mut self, slots: &UrlTable<Slot>, table: &LaneTable, shelf: &mut S) -> Result<Option<Time>, Error> {
        let mut first = None;
        let mut empty = Vec::new();
        for &(_, id) in &self.filled {
            let at = LaneAt { queue: self.id, lane: id };
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            match lane.next(at, slots, table.order(id), shelf)? {
                Some((_, time)) => first = Some(first.map_or(time, |first: Time| first.min(time))),
                None => empty.push(id),
            }
            if first == Some(Time(0)) {
                break;
            }
        }
        empty.into_iter().for_each(|id| self.unlist(id));
        Ok(first)
    }

    /// Takes the best URL that is due, or the next of a lane.
    pub(crate) fn take(
        &mut self,
        slots: &UrlTable<Slot>,
        pick: Pick,
        now: Time,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Result<Option<Taken>, Error> {
        if let Pick::Lane(id) = pick {
            return self.take_of_lane(slots, id, now, table, shelf);
        }
        self.look_up_prices(table);
        let mut empty = Vec::new();
        let mut best = None;
        for &(priority, id) in &self.filled {
            if self.exact.first().is_some_and(|(_, exact)| exact >= priority.0) {
                break;
            }
            let at = LaneAt { queue: self.id, lane: id };
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            match lane.next(at, slots, table.order(id), shelf)? {
                Some((_, time)) if time <= now => {
                    best = Some(id);
                    break;
                }
                Some(_) => {}
                None => empty.push(id),
            }
        }
        empty.into_iter().for_each(|id| self.unlist(id));
        if let Some(id) = best {
            return self.take_of_lane(slots, id, now, table, shelf);
        }
        Ok(self.exact.pop().map(|(key, priority)| {
            shelf.forget_exact(key);
            Taken { key, priority, place: Place::Alone }
        }))
    }

    /// Takes the first entries of a lane out, whatever their time.
    pub(crate) fn draw(
        &mut self,
        slots: &UrlTable<Slot>,
        id: LaneId,
        most: usize,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Result<Vec<UrlId>, Error> {
        let mut drawn: Vec<UrlId> = Vec::new();
        while drawn.len() < most
            && let Some(taken) = self.take_of_lane(slots, id, Time(u64::MAX), table, shelf)?
        {
            // A URL that came back to the lane may have two entries there.
            if drawn.last() != Some(&taken.key) {
                drawn.push(taken.key);
            }
        }
        drawn.sort_unstable();
        drawn.dedup();
        Ok(drawn)
    }

    fn take_of_lane(
        &mut self,
        slots: &UrlTable<Slot>,
        id: LaneId,
        now: Time,
        table: &LaneTable,
        shelf: &mut S,
    ) -> Result<Option<Taken>, Error> {
        let (at, order) = (LaneAt { queue: self.id, lane: id }, table.order(id));
        let Some(lane) = self.lanes.get_mut(&id) else { return Ok(None) };
        let next = lane.next(at, slots, order, shelf)?.filter(|(_, time)| *time <= now);
        let Some((key, _)) = next else { return Ok(None) };
        let place = shelf.pop(at, &mut lane.entries, order.sorted());
        Ok(Some(Taken { key, priority: table.price(id), place }))
    }
}
