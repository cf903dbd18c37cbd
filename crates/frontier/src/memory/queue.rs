//! What waits at one site: lanes, single URLs, and those that must wait for a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use rustc_hash::FxHashMap;

use super::slot::{Doing, Home, HomeKind, Slot};
use crate::heap::IndexedHeap;
use crate::key::KeyTable;
use crate::lane::{LaneId, LaneOrder, LaneSettings};
use crate::priority::Priority;
use crate::time::Time;
use crate::{Key, Pace, Pick};

/// Whether a queue may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readiness {
    Now,
    At(Time),
    /// Nothing waits, or as much is out as may be.
    Blocked,
}

/// A lane.
#[derive(Debug)]
struct Lane<K> {
    settings: LaneSettings,
    /// Of an arrival lane.
    line: VecDeque<K>,
    /// Of a lane by date or period: when from (or last), then key.
    dated: BinaryHeap<Reverse<(Time, K)>>,
}

impl<K: Key> Lane<K> {
    fn new(settings: LaneSettings) -> Self {
        Self { settings, line: VecDeque::new(), dated: BinaryHeap::new() }
    }

    /// The next URL and the time from which it may be taken; entries that `is_live` denies are dropped on the way.
    fn next(&mut self, is_live: impl Fn(K) -> bool) -> Option<(K, Time)> {
        match self.settings.order {
            LaneOrder::Arrival => {
                while let Some(&key) = self.line.front() {
                    if is_live(key) {
                        return Some((key, Time(0)));
                    }
                    self.line.pop_front();
                }
                None
            }
            LaneOrder::Date | LaneOrder::Period(_) => {
                while let Some(&Reverse((time, key))) = self.dated.peek() {
                    if is_live(key) {
                        return Some(match self.settings.order {
                            LaneOrder::Period(period) => (key, time + period),
                            LaneOrder::Date | LaneOrder::Arrival => (key, time),
                        });
                    }
                    self.dated.pop();
                }
                None
            }
        }
    }

    fn pop(&mut self) {
        match self.settings.order {
            LaneOrder::Arrival => drop(self.line.pop_front()),
            LaneOrder::Date | LaneOrder::Period(_) => drop(self.dated.pop()),
        }
    }

    fn push(&mut self, key: K, now: Time) {
        match self.settings.order {
            LaneOrder::Arrival => self.line.push_back(key),
            LaneOrder::Date | LaneOrder::Period(_) => self.dated.push(Reverse((now, key))),
        }
    }
}

/// One queue.
#[derive(Debug)]
pub(super) struct Queue<K: Key> {
    pub(super) pace: Pace,
    pub(super) next_at: Time,
    pub(super) out: u32,
    pub(super) pass: u64,
    pub(super) weight: f64,
    lanes: FxHashMap<LaneId, Lane<K>>,
    /// Lanes that may hold something, best first.
    filled: BTreeSet<(Reverse<Priority>, LaneId)>,
    exact: IndexedHeap<K, Priority>,
    /// By time, then arrival: what waits for its time, and where it goes then.
    later: BTreeMap<(Time, u32), (K, Home)>,
    later_times: FxHashMap<K, (Time, u32)>,
}

impl<K: Key> Default for Queue<K> {
    fn default() -> Self {
        Self {
            pace: Pace::default(),
            next_at: Time(0),
            out: 0,
            pass: 0,
            weight: 0.0,
            lanes: FxHashMap::default(),
            filled: BTreeSet::new(),
            exact: IndexedHeap::default(),
            later: BTreeMap::new(),
            later_times: FxHashMap::default(),
        }
    }
}

fn is_in<K: Key>(slots: &K::Table<Slot>, lane: LaneId, key: K) -> bool {
    let slot = slots.get(key);
    slot.doing == Doing::Waiting && slot.home == HomeKind::Lane(lane)
}

impl<K: Key> Queue<K> {
    pub(super) fn set_lane(&mut self, id: LaneId, settings: LaneSettings) {
        let lane = self.lanes.entry(id).or_insert_with(|| Lane::new(settings));
        let old = std::mem::replace(&mut lane.settings, settings);
        let dated = |order| !matches!(order, LaneOrder::Arrival);
        if dated(old.order) && !dated(settings.order) {
            let sorted = std::mem::take(&mut lane.dated).into_sorted_vec();
            lane.line = sorted.into_iter().rev().map(|Reverse((_, key))| key).collect();
        } else if !dated(old.order) && dated(settings.order) {
            lane.dated = lane.line.drain(..).map(|key| Reverse((Time(0), key))).collect();
        }
        if self.filled.remove(&(Reverse(old.priority), id)) {
            self.filled.insert((Reverse(settings.priority), id));
        }
    }

    /// Takes in a URL that comes here anew.
    pub(super) fn insert(&mut self, key: K, home: Home, arrival: u32, now: Time) {
        match home {
            Home::Lane(id) => {
                let lane = self.lanes.entry(id).or_insert_with(|| Lane::new(LaneSettings::default()));
                lane.push(key, now);
                self.filled.insert((Reverse(lane.settings.priority), id));
            }
            Home::Exact(priority) => self.exact.set_arrived(key, priority, arrival.into()),
        }
    }

    /// Takes back a URL whose lease ran out: it is the next of its lane.
    pub(super) fn returned(&mut self, key: K, home: Home, arrival: u32, now: Time) {
        match home {
            Home::Lane(id) if self.lanes.get(&id).is_some_and(|l| l.settings.order == LaneOrder::Arrival) => {
                if let Some(lane) = self.lanes.get_mut(&id) {
                    lane.line.push_front(key);
                    self.filled.insert((Reverse(lane.settings.priority), id));
                }
            }
            home => self.insert(key, home, arrival, now),
        }
    }

    /// Moves a URL that waits; false if it is there already.
    pub(super) fn moved(&mut self, key: K, from: HomeKind, to: Home, arrival: u32) -> bool {
        match (from, to) {
            (HomeKind::Lane(old), Home::Lane(new)) if old == new => return false,
            (HomeKind::Exact, Home::Exact(priority)) => self.exact.set(key, priority),
            (from, to) => {
                self.left(key, from);
                self.insert(key, to, arrival, Time(0));
            }
        }
        true
    }

    /// Forgets a URL that waited. Entries in lanes are known by their slot to be stale.
    pub(super) fn left(&mut self, key: K, from: HomeKind) {
        if from == HomeKind::Exact {
            self.exact.remove(key);
        }
    }

    pub(super) fn later(&mut self, key: K, home: Home, arrival: u32, time: Time) {
        self.later.insert((time, arrival), (key, home));
        self.later_times.insert(key, (time, arrival));
    }

    pub(super) fn change_later(&mut self, key: K, home: Home) {
        if let Some(entry) = self.later_times.get(&key).and_then(|at| self.later.get_mut(at)) {
            entry.1 = home;
        }
    }

    pub(super) fn forget_later(&mut self, key: K) {
        if let Some(at) = self.later_times.remove(&key) {
            self.later.remove(&at);
        }
    }

    /// Puts what waited for its time where it belongs.
    pub(super) fn release(&mut self, slots: &mut K::Table<Slot>, now: Time) {
        while let Some((&(time, arrival), _)) = self.later.first_key_value().filter(|(at, _)| at.0 <= now) {
            if let Some((key, home)) = self.later.remove(&(time, arrival)) {
                self.later_times.remove(&key);
                slots.slot(key).doing = Doing::Waiting;
                self.insert(key, home, arrival, time);
            }
        }
    }

    pub(super) fn readiness(&mut self, slots: &K::Table<Slot>, now: Time) -> Readiness {
        if self.out >= self.pace.at_once {
            return Readiness::Blocked;
        }
        let ready = if self.exact.is_empty() { self.lane_ready(slots) } else { Some(Time(0)) };
        let later = self.later.first_key_value().map(|(at, _)| at.0);
        match ready.into_iter().chain(later).min() {
            None => Readiness::Blocked,
            Some(time) if time.max(self.next_at) <= now => Readiness::Now,
            Some(time) => Readiness::At(time.max(self.next_at)),
        }
    }

    /// When the first of the lanes has something.
    fn lane_ready(&mut self, slots: &K::Table<Slot>) -> Option<Time> {
        let mut first = None;
        let mut empty = Vec::new();
        for &(priority, id) in &self.filled {
            let next = self.lanes.get_mut(&id).and_then(|lane| lane.next(|key| is_in::<K>(slots, id, key)));
            match next {
                Some((_, time)) => first = Some(first.map_or(time, |first: Time| first.min(time))),
                None => empty.push((priority, id)),
            }
            if first == Some(Time(0)) {
                break;
            }
        }
        for lane in empty {
            self.filled.remove(&lane);
        }
        first
    }

    /// Takes the best URL that is due, or the next of a lane.
    pub(super) fn take(&mut self, slots: &K::Table<Slot>, pick: Pick, now: Time) -> Option<(K, Priority)> {
        if let Pick::Lane(id) = pick {
            return self.take_of_lane(slots, id, now);
        }
        let mut empty = Vec::new();
        let mut best = None;
        for &(priority, id) in &self.filled {
            if self.exact.first().is_some_and(|(_, exact)| exact >= priority.0) {
                break;
            }
            match self.lanes.get_mut(&id).and_then(|lane| lane.next(|key| is_in::<K>(slots, id, key))) {
                Some((_, time)) if time <= now => {
                    best = Some(id);
                    break;
                }
                Some(_) => {}
                None => empty.push((priority, id)),
            }
        }
        for lane in empty {
            self.filled.remove(&lane);
        }
        match best {
            Some(id) => self.take_of_lane(slots, id, now),
            None => self.exact.pop(),
        }
    }

    fn take_of_lane(&mut self, slots: &K::Table<Slot>, id: LaneId, now: Time) -> Option<(K, Priority)> {
        let lane = self.lanes.get_mut(&id)?;
        let (key, time) = lane.next(|key| is_in::<K>(slots, id, key))?;
        if time > now {
            return None;
        }
        lane.pop();
        Some((key, lane.settings.priority))
    }
}
