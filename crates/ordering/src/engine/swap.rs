//! How does a running crawl go by another model?
//!
//! A model with another tree has other lanes, and what waits, waits in the lanes of the old one. Placing all of it anew would
//! take minutes; so it is done bit by bit, the best first, and the swap itself only numbers lanes:
//!
//! 1. New lanes get numbers of their own, after all old ones. From old ones the frontier takes only when nothing else waits.
//! 2. With the hand-outs that follow, what the new model has evidence of its own for, and what waits for a time, is placed anew,
//!    [`AT_ONCE`] at a time, the most important first; and [`PRICED`] old lanes at a time are given a *price*: of [`SAMPLE`] of their URLs, placed by the new
//!    policy, the ninth tenth.
//! 3. Before each hand-out of a queue, as long as an old lane's price is not below what was handed out last, its next
//!    [`AT_ONCE`] URLs are placed anew, up to [`ROUNDS`] times. When all prices are below, only [`IN_PASSING`] URLs are, of the
//!    dearest lane: in the end all of it. Prices stay: a lane is in the order of arrival, in which URLs of a kind come
//!    together, so what was drawn last says less of the rest than what was drawn by chance.
//!
//! So the work goes to where it matters first. The best that are a few of every old lane, though, are found only as fast as
//! lanes are drawn: whoever crawls has more of them drawn while it waits ([`Engine::place_more_anew`]). The new policy takes over what the old one knows of links ([`OrderingPolicy::hand_over`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trodden_frontier::{Error, Frontier, LaneId, Placement, Priority, QueueId, Time, UrlId};

use super::{Engine, EventLog};
use crate::outcome::Known;
use crate::policy::OrderingPolicy;

/// URLs of a lane that its price is told by.
const SAMPLE: usize = 16;
/// URLs that are placed anew together.
const AT_ONCE: usize = 64;
/// URLs that are placed anew with a hand-out when nothing better can be among them.
const IN_PASSING: usize = 8;
/// Old lanes that are given a price with a hand-out.
const PRICED: usize = 8;
/// Times that a hand-out may wait for URLs to be placed anew.
const ROUNDS: usize = 4;

/// What models that went have left.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Old {
    lanes: BTreeMap<QueueId, Vec<OldLane>>,
    /// The priority of the last hand-out, by queue.
    last: BTreeMap<QueueId, Priority>,
    /// URLs to be placed anew before all others: what has evidence of its own, then what was deferred. The most important one is
    /// last.
    evident: Vec<UrlId>,
}

/// A lane, as the frontier numbers it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct OldLane {
    lane: LaneId,
    /// None until URLs of it were looked at.
    price: Option<Priority>,
}

impl Old {
    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty() && self.evident.is_empty()
    }

    /// A URL of an old lane was deferred: its lane may be drawn to the end when its time comes.
    pub(super) fn defer(&mut self, key: UrlId) {
        self.evident.insert(0, key);
    }

    fn price(&mut self, queue: QueueId, lane: LaneId, price: Priority) {
        let lanes = self.lanes.get_mut(&queue);
        if let Some(old) = lanes.and_then(|lanes| lanes.iter_mut().find(|old| old.lane == lane)) {
            old.price = Some(price);
        }
    }

    /// The dearest lane of those that have a price.
    fn dearest(&self, queue: QueueId) -> Option<(LaneId, Priority)> {
        let lanes = self.lanes.get(&queue)?.iter().enumerate();
        let priced = lanes.filter_map(|(at, old)| Some((at, old.lane, old.price?)));
        priced.max_by_key(|(at, _, price)| (*price, std::cmp::Reverse(*at))).map(|(_, lane, price)| (lane, price))
    }

    /// A lane that has no price yet.
    fn unpriced(&self, queue: QueueId) -> Option<LaneId> {
        self.lanes.get(&queue)?.iter().find(|old| old.price.is_none()).map(|old| old.lane)
    }

    fn is_empty_now(&mut self, queue: QueueId, lane: LaneId) {
        if let Some(lanes) = self.lanes.get_mut(&queue) {
            lanes.retain(|old| old.lane != lane);
            if lanes.is_empty() {
                self.lanes.remove(&queue);
                self.last.remove(&queue);
            }
        }
    }
}

/// What a swap did since it was last asked ([`Engine::take_swap_work`]): a step of the crawl, to be told to an engine that is
/// resumed ([`Engine::swapped_before`]).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SwapWork(Vec<Work>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Work {
    /// So many of the evident URLs were taken up.
    Evident(usize),
    /// These were placed by the new policy, together.
    Placed(Vec<UrlId>),
    /// An old lane got a price.
    Priced(QueueId, LaneId, Priority),
    /// An old lane was drawn to its end.
    Emptied(QueueId, LaneId),
    /// A URL of this priority was handed out.
    HandedOut(QueueId, Priority),
}

impl SwapWork {
    /// How many URLs were placed by the new policy.
    #[must_use]
    pub fn placed(&self) -> usize {
        let placed = |work: &Work| if let Work::Placed(keys) = work { keys.len() } else { 0 };
        self.0.iter().map(placed).sum()
    }

    /// Whether nothing was done.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<F: Frontier, L: EventLog> Engine<F, L> {
    /// Goes by another policy from now on. `evident` are URLs that the new one has evidence of its own for, most important
    /// ones first.
    ///
    /// Cost: the lanes of each queue are listed. The rest is done with the hand-outs that follow.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn swap_policy(
        &mut self,
        mut policy: Box<dyn OrderingPolicy>,
        evident: impl IntoIterator<Item = UrlId>,
        now: Time,
    ) -> Result<(), Error> {
        if let Some(known) = self.policy.hand_over() {
            policy.take_over(known);
        }
        self.policy = policy;
        // Empty ones, too: what is deferred belongs to lanes that may have nothing in them now, and comes back to them.
        let queues = || (0..self.frontier.queues()).map(QueueId);
        let lanes: Vec<(QueueId, Vec<LaneId>)> = queues().map(|queue| (queue, self.policy_lanes(queue))).collect();
        let deferred = self.frontier.deferred();
        let most = lanes.iter().flat_map(|(_, lanes)| lanes).map(|lane| lane.0 + 1).max().unwrap_or(0);
        self.lanes.begin_anew(most.max(self.lanes.base()));
        self.frontier.retire_lanes(LaneId(self.lanes.base()));
        // When their time comes it is too late: their lane may be drawn to the end by then.
        self.old = Old { evident: evident.into_iter().chain(deferred).collect(), ..Old::default() };
        self.old.evident.reverse();
        for (queue, lanes) in lanes.into_iter().filter(|(_, lanes)| !lanes.is_empty()) {
            self.old.lanes.insert(queue, lanes.into_iter().map(|lane| OldLane { lane, price: None }).collect());
        }
        self.act(now)
    }

    /// Lanes of a queue that belong to some policy.
    fn policy_lanes(&self, queue: QueueId) -> Vec<LaneId> {
        let mut lanes = self.frontier.all_lanes(queue);
        lanes.retain(|lane| *lane < LaneId::FIRST_RESERVED);
        lanes
    }

    /// What a swap did since this was last asked.
    pub fn take_swap_work(&mut self) -> SwapWork {
        std::mem::take(&mut self.work)
    }

    /// A swap did this. The frontier has it; prices and what the policy knows follow.
    ///
    /// # Errors
    /// If the text of a URL cannot be read.
    pub fn swapped_before(&mut self, work: SwapWork, now: Time) -> Result<(), Error> {
        for work in work.0 {
            match work {
                Work::Evident(taken) => self.old.evident.truncate(self.old.evident.len().saturating_sub(taken)),
                Work::Placed(keys) => {
                    let mut placements = Vec::with_capacity(keys.len());
                    for key in keys {
                        let text = self.frontier.text(key)?.unwrap_or_default();
                        placements.push(self.policy.place(&Known::seed(key, &text), now));
                    }
                    placements.into_iter().for_each(|placement| self.name_again(placement, now));
                    self.reprice(now);
                }
                Work::Priced(queue, lane, price) => self.old.price(queue, lane, price),
                Work::Emptied(queue, lane) => self.old.is_empty_now(queue, lane),
                Work::HandedOut(queue, priority) => drop(self.old.last.insert(queue, priority)),
            }
        }
        Ok(())
    }

    /// The best of a queue that has old lanes was handed out.
    pub(super) fn old_handed_out(&mut self, queue: QueueId, priority: Priority) {
        if self.old.lanes.contains_key(&queue) {
            self.old.last.insert(queue, priority);
            self.work.0.push(Work::HandedOut(queue, priority));
        }
    }

    fn drawn_to_the_end(&mut self, queue: QueueId, lane: LaneId) {
        self.old.is_empty_now(queue, lane);
        self.work.0.push(Work::Emptied(queue, lane));
    }

    /// Whether URLs wait that were placed by a policy that went.
    pub fn is_swapping(&self) -> bool {
        !self.old.is_empty()
    }

    /// Places some of what an old policy placed anew, before a URL of this queue is handed out.
    pub(super) fn place_some_anew(&mut self, queue: QueueId, now: Time) -> Result<(), Error> {
        let first = self.old.evident.len().saturating_sub(AT_ONCE);
        let mut evident = self.old.evident.split_off(first);
        if !evident.is_empty() {
            self.work.0.push(Work::Evident(evident.len()));
        }
        evident.reverse();
        self.place_anew(&evident, now)?;
        self.price_some(queue, now)?;
        for round in 0..ROUNDS {
            let Some((lane, price)) = self.old.dearest(queue) else { return Ok(()) };
            let is_behind = self.old.last.get(&queue).is_some_and(|last| price < *last);
            if is_behind && round > 0 {
                break;
            }
            let drawn = self.frontier.draw(queue, lane, if is_behind { IN_PASSING } else { AT_ONCE })?;
            self.place_anew(&drawn, now)?;
            if drawn.is_empty() {
                self.drawn_to_the_end(queue, lane);
            }
        }
        Ok(())
    }

    /// Gives some old lanes of a queue a price.
    fn price_some(&mut self, queue: QueueId, now: Time) -> Result<(), Error> {
        for _ in 0..PRICED {
            let Some(lane) = self.old.unpriced(queue) else { break };
            let sample: Vec<UrlId> = self.frontier.sample(queue, lane).into_iter().take(SAMPLE).collect();
            let price = self.place_anew(&sample, now)?;
            self.old.price(queue, lane, price);
            self.work.0.push(Work::Priced(queue, lane, price));
        }
        Ok(())
    }

    /// Places some more of what an old policy placed anew, of the dearest lane of all; false if nothing is left. To be done
    /// while there is nothing else to do.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn place_more_anew(&mut self, now: Time) -> Result<bool, Error> {
        let queues = self.old.lanes.keys();
        let dearest = queues.max_by_key(|queue| self.old.dearest(**queue).map(|(_, price)| price)).copied();
        let Some(queue) = dearest else { return Ok(false) };
        match self.old.dearest(queue) {
            Some((lane, _)) => {
                let drawn = self.frontier.draw(queue, lane, AT_ONCE)?;
                self.place_anew(&drawn, now)?;
                if drawn.is_empty() {
                    self.drawn_to_the_end(queue, lane);
                }
            }
            None => self.price_some(queue, now)?,
        }
        Ok(true)
    }

    /// Places URLs by the policy of today, if they wait in an old lane; the ninth tenth of what they are worth.
    fn place_anew(&mut self, keys: &[UrlId], now: Time) -> Result<Priority, Error> {
        let (mut worth, mut placed) = (Vec::with_capacity(keys.len()), Vec::new());
        for &key in keys {
            if self.frontier.lane_of(key).is_none_or(|lane| lane.0 >= self.lanes.base()) {
                continue;
            }
            let Some(text) = self.frontier.text(key)? else { continue };
            let placement = self.policy.place(&Known::seed(key, &text), now);
            worth.push(match placement {
                Placement::Lane(lane) => self.policy.lane_priority(lane, now),
                Placement::Exact(priority) => priority,
                Placement::Reject => Priority::LAST,
            });
            self.moves.place(key, placement);
            placed.push(key);
        }
        if !placed.is_empty() {
            self.work.0.push(Work::Placed(placed));
        }
        self.act(now)?;
        worth.sort_unstable();
        let ninth = (worth.len() * 9 / 10).min(worth.len().saturating_sub(1));
        Ok(worth.get(ninth).copied().unwrap_or(Priority::LAST))
    }
}
