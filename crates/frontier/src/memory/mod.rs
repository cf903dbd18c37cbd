//! A frontier in memory: a [`Workbench`] whose lanes are plain lists, and that writes nothing down.

use std::collections::{BTreeSet, VecDeque};

use crate::error::Error;
use crate::rotation::Rotation;
use crate::time::Time;
use crate::url_id::{UrlId, UrlTable};
use crate::workbench::Workbench;
use crate::workbench::shelf::{LaneAt, Shelf, Sorted};
use crate::workbench::slot::Place;

/// URLs in memory: the model that any other frontier is tested against.
pub type MemoryFrontier = Workbench<MemoryShelf>;

impl MemoryFrontier {
    /// An empty one.
    pub fn new(rotation: Rotation) -> Self {
        Self::with(MemoryShelf, rotation)
    }
}

/// Lanes in memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryShelf;

/// The entries of a lane; either its line or its dates are empty.
#[derive(Debug)]
pub struct MemoryLane {
    /// By arrival.
    line: VecDeque<UrlId>,
    /// How many were taken out of the line: the first of it arrived as the next.
    popped: u64,
    /// What was taken out and came back, by arrival: before the line.
    returned: BTreeSet<(u64, UrlId)>,
    /// By date or period: when from (or last), then key.
    dated: BTreeSet<(Time, UrlId)>,
}

impl MemoryLane {
    fn first(&self, sorted: Sorted) -> Option<(UrlId, Time)> {
        match sorted {
            Sorted::ByArrival if self.returned.is_empty() => self.line.front().map(|key| (*key, Time(0))),
            Sorted::ByArrival => self.returned.first().map(|(_, key)| (*key, Time(0))),
            Sorted::ByTime => self.dated.first().map(|(time, key)| (*key, *time)),
        }
    }

    fn pop(&mut self, sorted: Sorted) -> Place {
        match sorted {
            Sorted::ByArrival => match self.returned.pop_first() {
                Some((place, _)) => Place::Line(place),
                None => {
                    self.line.pop_front();
                    self.popped += 1;
                    Place::Line(self.popped)
                }
            },
            Sorted::ByTime => Place::Dated(self.dated.pop_first().map_or(Time(0), |first| first.0)),
        }
    }
}

#[expect(private_interfaces, reason = "as the trait")]
impl Shelf for MemoryShelf {
    type Lane = MemoryLane;
    type Places = UrlTable<u32>;

    fn lane(&self) -> MemoryLane {
        MemoryLane { line: VecDeque::new(), popped: 0, returned: BTreeSet::new(), dated: BTreeSet::new() }
    }

    fn arrival(&self, _: UrlId, count: u32) -> Result<u32, Error> {
        Ok(count)
    }

    fn next(
        &mut self,
        _: LaneAt,
        lane: &mut MemoryLane,
        sorted: Sorted,
        is_live: impl Fn(UrlId) -> bool,
    ) -> Result<Option<(UrlId, Time)>, Error> {
        while let Some(first) = lane.first(sorted) {
            if is_live(first.0) {
                return Ok(Some(first));
            }
            lane.pop(sorted);
        }
        Ok(None)
    }

    fn pop(&mut self, _: LaneAt, lane: &mut MemoryLane, sorted: Sorted) -> Place {
        lane.pop(sorted)
    }

    fn push(&mut self, _: LaneAt, lane: &mut MemoryLane, sorted: Sorted, key: UrlId, time: Time) {
        match sorted {
            Sorted::ByArrival => lane.line.push_back(key),
            Sorted::ByTime => drop(lane.dated.insert((time, key))),
        }
    }

    fn put_back(&mut self, _: LaneAt, lane: &mut MemoryLane, sorted: Sorted, key: UrlId, place: Place) {
        match (sorted, place) {
            (Sorted::ByArrival, Place::Line(place)) => drop(lane.returned.insert((place, key))),
            // It came from the heap: before all others.
            (Sorted::ByArrival, Place::Dated(_) | Place::Alone) => drop(lane.returned.insert((0, key))),
            (Sorted::ByTime, Place::Dated(time)) => drop(lane.dated.insert((time, key))),
            (Sorted::ByTime, Place::Line(_) | Place::Alone) => drop(lane.dated.insert((Time(0), key))),
        }
    }
}

#[cfg(test)]
mod tests;
