//! A frontier in memory: a [`Workbench`] whose lanes are plain lists, and that writes nothing down.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::priority::Priority;
use crate::rotation::Rotation;
use crate::time::Time;
use crate::url_id::{UrlId, UrlTable};
use crate::workbench::Workbench;
use crate::workbench::shelf::{Deferred, LaneAt, NewEntry, PutAway, Shelf, Sorted, Tie};
use crate::workbench::slot::{HomeKind, Place, Slot, Turn};

/// URLs in memory: the model that any other frontier is tested against.
pub type MemoryFrontier = Workbench<MemoryShelf>;

impl MemoryFrontier {
    /// An empty one.
    pub fn new(rotation: Rotation) -> Self {
        Self::with(MemoryShelf::default(), rotation)
    }

    /// Tells the text of a URL, before it is offered. It decides between URLs of one date; without it, their numbers do.
    pub fn set_text(&mut self, url: UrlId, text: &str) {
        self.shelf.texts.insert(url, Tie::by(text));
    }
}

/// Lanes in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryShelf {
    deferred: FxHashMap<UrlId, Deferred>,
    texts: FxHashMap<UrlId, Tie>,
}

/// The entries of a lane; either its line or its dates are empty.
#[derive(Debug)]
pub struct MemoryLane {
    /// By arrival.
    line: VecDeque<(UrlId, Turn)>,
    /// How many were taken out of the line: the first of it arrived as the next.
    popped: u64,
    /// What was taken out and came back, by arrival: before the line.
    returned: BTreeSet<(u64, UrlId, Turn)>,
    /// By date or period: when from (or last), then text and key.
    dated: BTreeSet<(Time, Tie, UrlId, Turn)>,
}

impl MemoryLane {
    fn first(&self, sorted: Sorted) -> Option<(UrlId, Turn, Time)> {
        match sorted {
            Sorted::Arrival if self.returned.is_empty() => self.line.front().map(|&(key, turn)| (key, turn, Time(0))),
            Sorted::Arrival => self.returned.first().map(|&(_, key, turn)| (key, turn, Time(0))),
            Sorted::Time | Sorted::Date => self.dated.first().map(|&(time, _, key, turn)| (key, turn, time)),
        }
    }

    fn pop(&mut self, sorted: Sorted) -> Place {
        match sorted {
            Sorted::Arrival => match self.returned.pop_first() {
                Some((place, ..)) => Place::Line(place),
                None => {
                    self.line.pop_front();
                    self.popped += 1;
                    Place::Line(self.popped)
                }
            },
            Sorted::Time | Sorted::Date => Place::Dated(self.dated.pop_first().map_or(Time(0), |first| first.0)),
        }
    }
}

impl MemoryShelf {
    /// What decides between entries of one time.
    fn tie(&self, sorted: Sorted, url: UrlId) -> Tie {
        if sorted == Sorted::Date { self.texts.get(&url).cloned().unwrap_or_default() } else { Tie::default() }
    }
}

#[expect(private_interfaces, reason = "as the trait")]
impl Shelf for MemoryShelf {
    type Lane = MemoryLane;
    type Places = UrlTable<u32>;

    fn lane(&self) -> MemoryLane {
        MemoryLane { line: VecDeque::new(), popped: 0, returned: BTreeSet::new(), dated: BTreeSet::new() }
    }

    fn arrival(&self, _: UrlId, slot: &Slot, count: u32) -> Result<u32, Error> {
        Ok(if slot.was_removed() { slot.arrival } else { count })
    }

    fn next(
        &mut self,
        _: LaneAt,
        lane: &mut MemoryLane,
        sorted: Sorted,
        is_live: impl Fn(UrlId, Turn) -> bool,
    ) -> Result<Option<(UrlId, Time)>, Error> {
        while let Some((key, turn, time)) = lane.first(sorted) {
            if is_live(key, turn) {
                return Ok(Some((key, time)));
            }
            lane.pop(sorted);
        }
        Ok(None)
    }

    /// A lane counts who arrives, and goes on counting.
    fn put_away(&mut self, _: LaneAt, lane: &mut MemoryLane) -> PutAway {
        *lane = MemoryLane { popped: lane.popped + lane.line.len() as u64, ..self.lane() };
        PutAway::Stays
    }

    fn lane_on_shelf(&self) -> MemoryLane {
        self.lane()
    }

    fn pop(&mut self, _: LaneAt, lane: &mut MemoryLane, sorted: Sorted) -> Place {
        lane.pop(sorted)
    }

    fn push(&mut self, _: LaneAt, lane: &mut MemoryLane, sorted: Sorted, entry: NewEntry) {
        let NewEntry { url, turn, time } = entry;
        match sorted {
            Sorted::Arrival => lane.line.push_back((url, turn)),
            Sorted::Time | Sorted::Date => drop(lane.dated.insert((time, self.tie(sorted, url), url, turn))),
        }
    }

    fn put_back(&mut self, _: LaneAt, lane: &mut MemoryLane, sorted: Sorted, (key, turn): (UrlId, Turn), place: Place) {
        match (sorted, place) {
            (Sorted::Arrival, Place::Line(place)) => drop(lane.returned.insert((place, key, turn))),
            // It came from the heap: before all others.
            (Sorted::Arrival, Place::Dated(_) | Place::Alone) => drop(lane.returned.insert((0, key, turn))),
            (Sorted::Time | Sorted::Date, place) => {
                let time = if let Place::Dated(time) = place { time } else { Time(0) };
                lane.dated.insert((time, self.tie(sorted, key), key, turn));
            }
        }
    }

    fn take_at(&mut self, _: LaneAt, lane: &mut MemoryLane, time: Time) -> Result<Vec<(UrlId, Turn)>, Error> {
        let first = |time| (time, Tie::default(), UrlId(0), Turn(0));
        let mut at = lane.dated.split_off(&first(time));
        let behind = time.0.checked_add(1).map(|next| at.split_off(&first(Time(next))));
        lane.dated.extend(behind.into_iter().flatten());
        Ok(at.into_iter().map(|(_, _, key, turn)| (key, turn)).collect())
    }

    fn note_deferred(&mut self, key: UrlId, _: &Slot, deferred: Deferred) {
        self.deferred.insert(key, deferred);
    }

    fn deferred(&self, key: UrlId, home: HomeKind) -> Result<Deferred, Error> {
        let none = || Deferred { until: Time(0), home: home.at(Priority::LAST) };
        Ok(self.deferred.get(&key).copied().unwrap_or_else(none))
    }

    fn forget_deferred(&mut self, key: UrlId) {
        self.deferred.remove(&key);
    }
}

#[cfg(test)]
mod tests;
