//! By the rank of the URL's pattern (CIKM 2011).
//!
//! A lane for each pattern of each model, worth what the pattern ranks by the strategy and goal that were chosen; in a
//! lane, URLs go as found. What no pattern covers goes last. Cost: one walk down a tree for each URL.

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, Placement, Priority, Rotation, Time, UrlId, UrlTable};

use super::OrderingPolicy;
use super::save::saves;
use crate::outcome::Known;
use crate::standing::Standings;

/// No site gets less than this share of what an even rotation would give it.
const FLOOR: f64 = 0.05;

/// The best pattern first.
pub struct ByPattern {
    standings: Standings,
    /// By lane.
    scores: Vec<f64>,
    state: State,
}

#[derive(Serialize, Deserialize)]
struct State {
    lanes: UrlTable<LaneId>,
}

impl ByPattern {
    /// By the lanes of models and their scores: see [`CompiledModels`](crate::standing::CompiledModels).
    pub fn new(standings: Standings, scores: Vec<f64>) -> Self {
        Self { standings, scores, state: State { lanes: UrlTable::default() } }
    }

    fn score(&self, lane: LaneId) -> f64 {
        self.scores.get(lane.0 as usize).copied().unwrap_or(0.0)
    }
}

impl OrderingPolicy for ByPattern {
    fn place(&mut self, url: &Known<'_>, _: Time) -> Placement {
        let lane = self.standings.lane(url.url);
        *self.state.lanes.slot(url.key) = lane;
        Placement::Lane(lane)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Lane(self.state.lanes.get(url.key))
    }

    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(self.score(lane))
    }

    fn estimate(&self, key: UrlId) -> f64 {
        self.score(self.state.lanes.get(key))
    }

    fn forget(&mut self, url: UrlId) {
        self.state.lanes.forget(url);
    }

    fn rotation(&self) -> Rotation {
        Rotation::ByPriority { floor: FLOOR }
    }

    saves!(state);
}
