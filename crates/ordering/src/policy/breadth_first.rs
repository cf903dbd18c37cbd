//! As found: a URL that was seen earlier is fetched earlier.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Key, KeyTable, LaneId, Placement, Time};

use super::OrderingPolicy;
use super::save::saves;
use crate::outcome::Known;

/// The one lane.
const LANE: LaneId = LaneId(0);

/// First come, first served.
#[derive(Debug, Default)]
pub struct BreadthFirst<K: Key> {
    state: State<K>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct State<K: Key> {
    seen: u32,
    /// By URL: the how-many-eth it was, from 1.
    numbers: K::Table<u32>,
}

impl<K: Key> Default for State<K> {
    fn default() -> Self {
        Self { seen: 0, numbers: K::Table::default() }
    }
}

impl<K: Key> OrderingPolicy<K> for BreadthFirst<K> {
    fn place(&mut self, url: &Known<'_, K>, _: Time) -> Placement {
        self.state.seen += 1;
        *self.state.numbers.slot(url.key) = self.state.seen;
        Placement::Lane(LANE)
    }

    fn place_again(&self, _: &Known<'_, K>, _: Time) -> Placement {
        Placement::Lane(LANE)
    }

    /// The earlier, the better.
    fn estimate(&self, key: K) -> f64 {
        match self.state.numbers.get(key) {
            0 => f64::NEG_INFINITY,
            number => -f64::from(number),
        }
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
