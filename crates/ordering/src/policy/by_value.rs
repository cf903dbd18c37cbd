//! By a number that was given for each URL before the crawl.
//!
//! Three orders are that: a URL's own visits in the logs (`url-visit`), which are counted and go by [`levels`]
//! as they would on disk; and two that no crawler can have, whose numbers come from the whole mirror (`pagerank-whole`) or
//! from the future (`ideal`).

use trodden_frontier::{LaneId, Placement, Priority, Time, UrlId, UrlTable};

use super::{OrderingPolicy, SaveFault};
use crate::levels;
use crate::outcome::Known;

/// How fine values are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fineness {
    /// A lane for each level.
    Levels,
    /// Exactly.
    Exact,
}

/// The highest value first; equals as found.
#[derive(Debug)]
pub struct ByValue {
    values: UrlTable<f64>,
    fineness: Fineness,
}

impl ByValue {
    /// By these values; 0 for a URL that has none.
    pub fn new(values: impl IntoIterator<Item = (UrlId, f64)>, fineness: Fineness) -> Self {
        let mut table = UrlTable::default();
        for (key, value) in values {
            *table.slot(key) = value;
        }
        Self { values: table, fineness }
    }
}

impl OrderingPolicy for ByValue {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        let value = self.values.get(url.key);
        match self.fineness {
            Fineness::Levels => Placement::Lane(LaneId(levels::level(value))),
            Fineness::Exact => Placement::Exact(Priority::of(value)),
        }
    }

    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(f64::from(lane.0))
    }

    fn estimate(&self, key: UrlId) -> f64 {
        self.values.get(key)
    }

    /// As it was, so it will be.
    fn foretell(&self, key: UrlId) -> Option<f64> {
        Some(self.values.get(key))
    }

    fn reads_urls(&self) -> bool {
        false
    }

    /// It learns nothing.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    fn restore(&mut self, _: &[u8]) -> Result<(), SaveFault> {
        Ok(())
    }
}
