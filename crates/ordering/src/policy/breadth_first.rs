//! As found: a URL that was seen earlier is fetched earlier.

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, Placement, Time, UrlId, UrlTable};

use super::OrderingPolicy;
use super::save::saves;
use crate::outcome::Known;

/// The one lane.
const LANE: LaneId = LaneId(0);

/// First come, first served.
#[derive(Debug, Default)]
pub struct BreadthFirst {
    state: State,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    seen: u32,
    /// By URL: the how-many-eth it was, from 1.
    numbers: UrlTable<u32>,
}

impl OrderingPolicy for BreadthFirst {
    fn place(&mut self, url: &Known<'_>, _: Time) -> Placement {
        self.state.seen += 1;
        *self.state.numbers.slot(url.key) = self.state.seen;
        Placement::Lane(LANE)
    }

    fn place_again(&self, _: &Known<'_>, _: Time) -> Placement {
        Placement::Lane(LANE)
    }

    /// The earlier, the better.
    fn estimate(&self, key: UrlId) -> f64 {
        match self.state.numbers.get(key) {
            0 => f64::NEG_INFINITY,
            number => -f64::from(number),
        }
    }

    fn forget(&mut self, url: UrlId) {
        self.state.numbers.forget(url);
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
