//! How does a running crawl go by another model?
//!
//! A model with another tree has other lanes, and what waits, waits in the lanes of the old one. Placing all of it anew would
//! take minutes; so it is done bit by bit, the best first:
//!
//! 1. New lanes get numbers of their own, after all old ones. What the new model has evidence of its own for is placed at once.
//! 2. Each old lane is given a *price*: of a few of its URLs, placed by the new policy, the ninth tenth. The frontier takes
//!    from old lanes only when nothing else waits.
//! 3. Before each hand-out of a queue, as long as an old lane's price is not below what was handed out last, its next
//!    [`AT_ONCE`] URLs are placed anew, up to [`ROUNDS`] times. When all prices are below, only [`IN_PASSING`] URLs are, of the
//!    dearest lane: in the end all of it. Prices stay: a lane is in the order of arrival, in which URLs of a kind come
//!    together, so what was drawn last says less of the rest than what was drawn by chance.
//!
//! So the work of a swap is some URLs of each lane; the rest is spread over the hand-outs, and goes to where it matters first.
//! The new policy takes over what the old one knows of links ([`OrderingPolicy::hand_over`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trodden_frontier::{Error, Frontier, LaneId, LaneSettings, Placement, Priority, QueueId};

use super::{Engine, EventLog};
use crate::outcome::Known;
use crate::policy::OrderingPolicy;

/// URLs of a lane that its price is told by.
const SAMPLE: usize = 16;
/// URLs that are placed anew together.
const AT_ONCE: usize = 64;
/// URLs that are placed anew with a hand-out when nothing better can be among them.
const IN_PASSING: usize = 8;
/// Times that a hand-out may wait for URLs to be placed anew.
const ROUNDS: usize = 4;
/// What old lanes are worth to the frontier: less than anything.
const LAST: Priority = Priority { tier: 0, value: f64::NEG_INFINITY };

/// Lanes of models that went.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Old {
    /// By queue: lanes as the frontier numbers them, and their prices.
    lanes: BTreeMap<QueueId, Vec<(LaneId, Priority)>>,
    /// The priority of the last hand-out, by queue.
    last: BTreeMap<QueueId, Priority>,
}

impl Old {
    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    pub(super) fn handed_out(&mut self, queue: QueueId, priority: Priority) {
        if self.lanes.contains_key(&queue) {
            self.last.insert(queue, priority);
        }
    }

    fn dearest(&self, queue: QueueId) -> Option<(usize, LaneId, Priority)> {
        let lanes = self.lanes.get(&queue)?.iter().enumerate();
        lanes
            .max_by_key(|(at, (_, price))| (*price, std::cmp::Reverse(*at)))
            .map(|(at, (lane, price))| (at, *lane, *price))
    }
}

impl<F: Frontier, L: EventLog<F::Key>> Engine<F, L> {
    /// Goes by another policy from now on. `evident` are URLs that the new one has evidence of its own for, most important
    /// ones first.
    ///
    /// Cost: sixteen URLs of each lane, and those with evidence.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn swap_policy(
        &mut self,
        mut policy: Box<dyn OrderingPolicy<F::Key>>,
        evident: impl IntoIterator<Item = F::Key>,
    ) -> Result<(), Error> {
        if let Some(known) = self.policy.hand_over() {
            policy.take_over(known);
        }
        self.policy = policy;
        let mut old: BTreeMap<QueueId, Vec<LaneId>> = BTreeMap::new();
        for queue in (0..self.frontier.queues()).map(QueueId) {
            old.insert(queue, self.frontier.lanes(queue));
        }
        let most = old.values().flatten().map(|lane| lane.0 + 1).max().unwrap_or(0);
        self.lanes.begin_anew(most.max(self.lanes.base()));
        self.old.lanes.clear();
        for (queue, lanes) in old {
            for lane in lanes {
                let sample: Vec<F::Key> = self.frontier.sample(queue, lane).into_iter().take(SAMPLE).collect();
                let price = self.place_anew(&sample)?;
                self.frontier.set_lane(queue, lane, LaneSettings::arrival(LAST));
                self.old.lanes.entry(queue).or_default().push((lane, price));
            }
        }
        let evident: Vec<F::Key> = evident.into_iter().collect();
        self.place_anew(&evident)?;
        self.act()
    }

    /// URLs that were placed anew since this was last asked: a step of the crawl, to be told to an engine that goes on.
    pub fn take_placed_anew(&mut self) -> Vec<F::Key> {
        std::mem::take(&mut self.placed_anew)
    }

    /// Whether URLs wait that were placed by a policy that went.
    pub fn is_swapping(&self) -> bool {
        !self.old.is_empty()
    }

    /// Places some of what an old policy placed anew, before a URL of this queue is handed out.
    pub(super) fn place_some_anew(&mut self, queue: QueueId) -> Result<(), Error> {
        for round in 0..ROUNDS {
            let Some((at, lane, price)) = self.old.dearest(queue) else { return Ok(()) };
            let is_behind = self.old.last.get(&queue).is_some_and(|last| price < *last);
            if is_behind && round > 0 {
                break;
            }
            let drawn = self.frontier.draw(queue, lane, if is_behind { IN_PASSING } else { AT_ONCE })?;
            self.place_anew(&drawn)?;
            if let Some(lanes) = self.old.lanes.get_mut(&queue) {
                if drawn.is_empty() {
                    lanes.swap_remove(at);
                }
                if lanes.is_empty() {
                    self.old.lanes.remove(&queue);
                    self.old.last.remove(&queue);
                }
            }
        }
        self.act()
    }

    /// Places URLs by the policy of today; the ninth tenth of what they are worth.
    fn place_anew(&mut self, keys: &[F::Key]) -> Result<Priority, Error> {
        let mut worth = Vec::with_capacity(keys.len());
        for &key in keys {
            let Some(text) = self.frontier.text(key)? else { continue };
            let placement = self.policy.place(&Known::seed(key, &text));
            worth.push(match placement {
                Placement::Lane(lane) => self.policy.lane_priority(lane),
                Placement::Exact(priority) => priority,
                Placement::Reject => LAST,
            });
            self.moves.place(key, placement);
            self.placed_anew.push(key);
        }
        self.act()?;
        worth.sort_unstable();
        let ninth = (worth.len() * 9 / 10).min(worth.len().saturating_sub(1));
        Ok(worth.get(ninth).copied().unwrap_or(LAST))
    }
}
