//! May a queue be asked, and which of its URLs is the best? What waits in lanes and alone is compared here, and taken.

use super::lane_set::at;
use super::lane_table::LaneTable;
use super::queue::Queue;
use super::shelf::Shelf;
use super::slot::{Place, Slot};
use crate::Pick;
use crate::error::Error;
use crate::lane::LaneId;
use crate::priority::Priority;
use crate::time::Time;
use crate::url_id::{UrlId, UrlTable};

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

/// What a queue looks at when it is asked.
#[derive(Debug)]
pub(crate) struct Around<'a, S> {
    pub(crate) slots: &'a UrlTable<Slot>,
    pub(crate) table: &'a LaneTable,
    pub(crate) shelf: &'a mut S,
}

impl<S: Shelf> Queue<S> {
    /// Whether it may be asked now, or when.
    pub(crate) fn readiness(&mut self, now: Time, around: &mut Around<'_, S>) -> Result<Readiness, Error> {
        if self.out >= self.pace.at_once || self.done >= self.done_limit {
            return Ok(Readiness::Blocked);
        }
        let ready = if self.exact.is_empty() { self.lane_ready(around)? } else { Some(Time(0)) };
        let later = self.next_deferred(around.slots, around.shelf)?.map(|(_, time)| time);
        let asked = self.next_at.max(self.held_until);
        Ok(match ready.into_iter().chain(later).min() {
            None => Readiness::Blocked,
            Some(time) if time.max(asked) <= now => Readiness::Now,
            Some(time) => Readiness::At(time.max(asked)),
        })
    }

    /// When the first of the lanes has something.
    fn lane_ready(&mut self, around: &mut Around<'_, S>) -> Result<Option<Time>, Error> {
        let mut first = None;
        let mut empty = Vec::new();
        for &(_, id) in &self.filled {
            let Some(lane) = self.lanes.get_mut(id) else { continue };
            match lane.next(at(self.id, id), around.slots, around.table.order(id), around.shelf)? {
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
    pub(crate) fn take(&mut self, pick: Pick, now: Time, around: &mut Around<'_, S>) -> Result<Option<Taken>, Error> {
        if let Pick::Lane(id) = pick {
            return self.take_from(id, now, around);
        }
        self.look_up_prices(around.table);
        let mut empty = Vec::new();
        let mut best = None;
        for &(priority, id) in &self.filled {
            if self.exact.first().is_some_and(|(_, exact)| exact >= priority.0) {
                break;
            }
            let Some(lane) = self.lanes.get_mut(id) else { continue };
            match lane.next(at(self.id, id), around.slots, around.table.order(id), around.shelf)? {
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
            return self.take_from(id, now, around);
        }
        Ok(self.exact.pop().map(|(key, priority)| {
            around.shelf.forget_exact(key);
            Taken { key, priority, place: Place::Alone }
        }))
    }

    /// Takes the next of a lane, which waits there no more.
    fn take_from(&mut self, id: LaneId, now: Time, around: &mut Around<'_, S>) -> Result<Option<Taken>, Error> {
        let taken = self.take_of_lane(id, now, around)?;
        if taken.is_some() {
            self.left_lane(id, around.shelf);
        }
        Ok(taken)
    }

    /// Takes the first entries of a lane out, whatever their time. Their URLs belong to it until they are moved.
    pub(crate) fn draw(&mut self, id: LaneId, most: usize, around: &mut Around<'_, S>) -> Result<Vec<UrlId>, Error> {
        let mut drawn: Vec<UrlId> = Vec::new();
        while drawn.len() < most
            && let Some(taken) = self.take_of_lane(id, Time(u64::MAX), around)?
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

    fn take_of_lane(&mut self, id: LaneId, now: Time, around: &mut Around<'_, S>) -> Result<Option<Taken>, Error> {
        let (at, order) = (at(self.id, id), around.table.order(id));
        // Of a lane in which nothing waits no stale entry is dropped: whether it is in memory must make no difference.
        let Some(lane) = self.lanes.get_mut(id).filter(|lane| lane.is_waited_in()) else { return Ok(None) };
        let next = lane.next(at, around.slots, order, around.shelf)?.filter(|(_, time)| *time <= now);
        let Some((key, _)) = next else { return Ok(None) };
        let place = around.shelf.pop(at, &mut lane.entries, order.sorted());
        Ok(Some(Taken { key, priority: around.table.price(id), place }))
    }
}
