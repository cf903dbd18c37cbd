//! What are lanes worth, and how are they taken? One table for all queues.
//!
//! A lane has the same number, price and order in every queue that has it. So a new price is one change here, however many
//! queues there are; a queue looks at what changed since it was last asked. Nothing of the table is written down: whoever
//! decides about the order fills it again when a crawl is resumed.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::lane::{LaneId, LaneOrder, LaneSettings};
use crate::priority::Priority;

/// Changes that are remembered. A queue that missed more looks all its lanes up again, which costs more only if it has more
/// lanes than that.
const REMEMBERED: usize = 256;

/// Settings of lanes, by number.
#[derive(Debug, Default)]
pub(crate) struct LaneTable {
    settings: FxHashMap<LaneId, LaneSettings>,
    /// Lanes below are [retired](Self::retire).
    retired: u32,
    /// The last of all changes, oldest first.
    recent: VecDeque<LaneId>,
    changes: u64,
}

impl LaneTable {
    pub(crate) fn price(&self, lane: LaneId) -> Priority {
        if lane.0 < self.retired {
            return Priority::LAST;
        }
        self.settings.get(&lane).map_or_else(Priority::default, |settings| settings.priority)
    }

    pub(crate) fn order(&self, lane: LaneId) -> LaneOrder {
        self.settings.get(&lane).map_or(LaneOrder::Arrival, |settings| settings.order)
    }

    /// Says what a lane is worth and how it is taken; what it was said before.
    pub(crate) fn set(&mut self, lane: LaneId, settings: LaneSettings) -> LaneSettings {
        let old = self.settings.insert(lane, settings).unwrap_or_default();
        if old.priority != settings.priority {
            self.changes += 1;
            self.recent.push_back(lane);
            if self.recent.len() > REMEMBERED {
                self.recent.pop_front();
            }
        }
        old
    }

    /// Lanes below this one are worth less than anything from now on.
    pub(crate) fn retire(&mut self, below: LaneId) {
        if below.0 > self.retired {
            self.retired = below.0;
            self.settings.retain(|lane, settings| lane.0 >= below.0 || settings.order != LaneOrder::Arrival);
            self.recent.clear();
            // More than anybody remembers: all are looked up again.
            self.changes += REMEMBERED as u64 + 1;
        }
    }

    /// How many changes there were.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// The lanes that changed since there were so many changes; none if that is too long ago.
    pub(crate) fn changed_since(&self, seen: u64) -> Option<impl Iterator<Item = LaneId> + '_> {
        let missed = usize::try_from(self.changes - seen).ok().filter(|missed| *missed <= self.recent.len())?;
        Some(self.recent.iter().skip(self.recent.len() - missed).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(value: f64) -> LaneSettings {
        LaneSettings::arrival(Priority::of(value))
    }

    #[test]
    fn ours_who_missed_little_is_told_what_and_who_missed_much_is_not() {
        let mut table = LaneTable::default();
        for lane in 0..4 {
            table.set(LaneId(lane), worth(1.0));
        }
        table.set(LaneId(3), worth(1.0));
        assert_eq!(table.changes(), 4, "the same price is no change");
        let told: Vec<LaneId> = table.changed_since(2).unwrap().collect();
        assert_eq!(told, [LaneId(2), LaneId(3)]);
        for lane in 0..REMEMBERED as u32 {
            table.set(LaneId(lane), worth(2.0));
        }
        assert!(table.changed_since(3).is_none() && table.changed_since(4).is_some());
    }

    #[test]
    fn ours_retired_lanes_are_worth_less_than_anything() {
        let mut table = LaneTable::default();
        for lane in 0..4 {
            table.set(LaneId(lane), worth(f64::from(lane)));
        }
        let seen = table.changes();
        table.retire(LaneId(2));
        assert!(table.price(LaneId(1)) < Priority::of(f64::MIN) && table.price(LaneId(2)) == Priority::of(2.0));
        assert!(table.changed_since(seen).is_none());
    }
}
