//! By the rank of the URL's pattern (CIKM 2011).
//!
//! A lane for each pattern of each model, worth what the pattern ranks by the strategy and goal that were chosen; in a
//! lane, URLs go as found. What no pattern covers goes last. Cost: one walk down a tree for each URL.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Key, KeyTable, LaneId, Placement, Priority, Rotation, Time};

use super::OrderingPolicy;
use super::save::saves;
use crate::outcome::Known;
use crate::standing::Standings;

/// No site gets less than this share of what an even rotation would give it.
const FLOOR: f64 = 0.05;

/// The best pattern first.
pub struct ByPattern<K: Key> {
    standings: Standings,
    /// By lane.
    scores: Vec<f64>,
    state: State<K>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct State<K: Key> {
    lanes: K::Table<LaneId>,
}

impl<K: Key> ByPattern<K> {
    /// By the lanes of models and their scores: see [`CompiledModels`](crate::standing::CompiledModels).
    pub fn new(standings: Standings, scores: Vec<f64>) -> Self {
        Self { standings, scores, state: State { lanes: K::Table::default() } }
    }

    fn score(&self, lane: LaneId) -> f64 {
        self.scores.get(lane.0 as usize).copied().unwrap_or(0.0)
    }
}

impl<K: Key> OrderingPolicy<K> for ByPattern<K> {
    fn place(&mut self, url: &Known<'_, K>, _: Time) -> Placement {
        let lane = self.standings.lane(url.url);
        *self.state.lanes.slot(url.key) = lane;
        Placement::Lane(lane)
    }

    fn place_again(&self, url: &Known<'_, K>, _: Time) -> Placement {
        Placement::Lane(self.state.lanes.get(url.key))
    }

    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(self.score(lane))
    }

    fn estimate(&self, key: K) -> f64 {
        self.score(self.state.lanes.get(key))
    }

    fn rotation(&self) -> Rotation {
        Rotation::ByPriority { floor: FLOOR }
    }

    saves!(state);
}
