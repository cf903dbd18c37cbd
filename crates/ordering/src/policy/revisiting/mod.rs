//! Any order, and revisits: pages are fetched again at fixed intervals, within one budget.
//!
//! The inner order says in which order URLs are fetched for the first time. This policy adds when they are fetched again, by the mathematics
//! of [`revisit`](crate::revisit):
//!
//! ```text
//! m   importance of a page      what the inner order estimates (expected visits a day, where it foretells visits)
//! D   change rate               from what the crawl saw; the mean rate of its pattern or folder is the prior       `known`
//! λ   price of a request        so that revisits of all pages fetched so far, at fixed intervals, need the budget  `lanes`
//! τ   interval                  V(τ) = λ, at most `max_age`
//! ```
//! A page waits in a lane of order *period*, which it shares with pages of nearly the same m and D (two levels to an octave) that are known about equally well. A new λ changes
//! the periods of lanes and moves no URL. A page moves when it was fetched and its numbers have changed.
//!
//! **First fetches and revisits have one value.** A revisit that is due is worth λ. A first fetch is worth m·max(1/D, 30 days), D being the mean of
//! the crawl. Inner orders give prices in visits a day, so a revisit costs λ/max(1/D, 30 days) there. Prices of other orders mean
//! something else (ranks, levels). With such an order, revisits that are due go first, and λ is such that they need half of the budget; all of
//! it when nothing was fetched for the first time for a while. **\[ours\]**
//!
//! **What is gone** is asked for ever more rarely: after 30, 60, 120 days and so on, up to 20 years. When it is back, it is a page again.
//!
//! Lanes of the inner order have even numbers here, lanes of revisits odd ones.

mod known;
mod lanes;

use std::any::Any;

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, LaneOrder, Placement, Priority, Rotation, Span, Time, UrlId};

use super::save::{restore, save};
use super::{Again, Moves, OrderingPolicy, SaveFault};
use crate::outcome::{Found, Known, Outcome};
use crate::outcome_kind::OutcomeKind;
use crate::revisit::{Perishable, UNFETCHED_DAYS};
use crate::standing::Standings;
use known::KnownPages;
use lanes::{RevisitLanes, Shelf};

/// What revisits may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevisitPlan {
    /// Requests a day, first fetches included.
    pub requests_a_day: f64,
    /// No page waits longer, if the budget allows it.
    pub max_age: Option<Span>,
}

/// The share of the budget for revisits, if their value cannot be compared with that of first fetches; and the answers without a first
/// fetch after which they get all of it. By the share every second answer would be one, so none is left.
const SHARE: f64 = 0.5;
const QUIET: u64 = 256;
/// What such revisits go before.
const BEFORE_FIRST: u8 = u8::MAX - 1;
/// The price is computed again after so many answers, and after this part of the known pages.
const ANSWERS: u64 = 32;
const PART: u64 = 64;

/// An order with revisits.
pub struct Revisiting {
    inner: Box<dyn OrderingPolicy>,
    plan: RevisitPlan,
    standings: Option<Standings>,
    repriced: Vec<LaneId>,
    inner_moves: Moves,
    state: State,
}

#[derive(Default, Serialize, Deserialize)]
struct State {
    known: KnownPages,
    lanes: RevisitLanes,
    /// Answers since the price was computed.
    answers: u64,
    /// Answers since the last first fetch.
    quiet: u64,
}

/// What a new model does not change.
struct HandedOver {
    inner: Option<Box<dyn Any + Send>>,
    state: State,
}

impl Revisiting {
    /// Adds revisits to an order. Rates are pooled by the patterns of these models, else by folder.
    pub fn new(inner: Box<dyn OrderingPolicy>, plan: RevisitPlan, standings: Option<Standings>) -> Self {
        let (repriced, inner_moves) = (Vec::new(), Moves::default());
        Self { inner, plan, standings, repriced, inner_moves, state: State::default() }
    }

    /// Whether both kinds of fetches have prices that can be compared.
    fn is_comparable(&self) -> bool {
        self.inner.estimates_visits()
    }

    /// What revisits may need.
    fn budget(&self) -> f64 {
        let share = if self.is_comparable() || self.state.quiet >= QUIET { 1.0 } else { SHARE };
        self.plan.requests_a_day * share
    }

    fn outer(placement: Placement) -> Placement {
        match placement {
            Placement::Lane(LaneId(lane)) => Placement::Lane(LaneId(2 * lane)),
            other => other,
        }
    }

    /// A lane as the inner order numbers it; none if it is one of revisits.
    fn inner_lane(lane: LaneId) -> Option<LaneId> {
        lane.0.is_multiple_of(2).then_some(LaneId(lane.0 / 2))
    }

    fn revisit_lane(lane: LaneId) -> Option<usize> {
        (!lane.0.is_multiple_of(2)).then_some(lane.0 as usize / 2)
    }

    fn outer_revisit(lane: usize) -> LaneId {
        LaneId(2 * lane as u32 + 1)
    }

    /// Where a page waits that was fetched before.
    fn revisited(&self, key: UrlId) -> Option<Placement> {
        self.state.known.lane(key).map(|lane| Placement::Lane(Self::outer_revisit(lane)))
    }

    /// Computes the price again if enough has happened.
    fn count_answer(&mut self) {
        self.state.answers += 1;
        if self.state.answers >= ANSWERS.max(self.state.lanes.pages() / PART) || self.state.lanes.is_unpriced() {
            self.state.answers = 0;
            let (budget, max_age) = (self.budget(), self.plan.max_age);
            let changed = self.state.lanes.price(budget, max_age);
            self.repriced.extend(changed.into_iter().map(Self::outer_revisit));
        }
    }
}

/// Whether a URL may have a page another time.
fn may_come_back(kind: OutcomeKind) -> bool {
    use OutcomeKind::{AddressRefused, BadUrl, Listing, NotWanted, RobotsDenied, RobotsUnreachable, TooLarge};
    !matches!(kind, RobotsDenied | RobotsUnreachable | NotWanted | BadUrl | AddressRefused | TooLarge | Listing)
}

impl OrderingPolicy for Revisiting {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        if let Some(placement) = self.revisited(url.key) {
            return placement;
        }
        Self::outer(self.inner.place(url, now))
    }

    fn place_again(&self, url: &Known<'_>, now: Time) -> Placement {
        self.revisited(url.key).unwrap_or_else(|| Self::outer(self.inner.place_again(url, now)))
    }

    fn settled(&mut self, url: &Known<'_>, outcome: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, now: Time) {
        let mut inner_moves = std::mem::take(&mut self.inner_moves);
        self.inner.settled(url, outcome, found, &mut inner_moves, now);
        for (key, placement) in inner_moves.drain() {
            // What was fetched waits for its time, whatever it would be worth as a new one.
            if self.state.known.lane(key).is_none() {
                moves.place(key, Self::outer(placement));
            }
        }
        self.inner_moves = inner_moves;
    }

    fn again(&mut self, url: &Known<'_>, outcome: &Outcome<'_>, now: Time) -> Again {
        let before = self.state.known.lane(url.key);
        self.state.quiet = if before.is_some() { self.state.quiet.saturating_add(1) } else { 0 };
        let shelf = if outcome.is_page() {
            let group = self.state.known.group(url.url, self.standings.as_mut());
            let estimate = self.state.known.learn(url.key, group, outcome.change, now);
            Some(Shelf::of(&Perishable::estimated(self.inner.estimate(url.key), estimate)))
        } else if may_come_back(outcome.kind) {
            Some(Shelf::Gone(self.state.known.miss(url.key)))
        } else {
            None
        };
        let lane = shelf.map(|shelf| self.state.lanes.find(shelf));
        self.state.lanes.move_page(before, lane);
        self.state.known.set_lane(url.key, lane);
        self.count_answer();
        match (lane, self.inner.again(url, outcome, now)) {
            (Some(lane), Again::Never) => Again::Into(Self::outer_revisit(lane)),
            (_, Again::Into(LaneId(lane))) => Again::Into(LaneId(2 * lane)),
            (_, other) => other,
        }
    }

    fn lane_priority(&self, lane: LaneId, now: Time) -> Priority {
        let Some(lane) = Self::revisit_lane(lane) else {
            return Self::inner_lane(lane).map_or(Priority::LAST, |lane| self.inner.lane_priority(lane, now));
        };
        let price = self.state.lanes.worth(lane);
        if self.is_comparable() {
            let rate = self.state.known.mean_rate().unwrap_or(0.0).max(f64::MIN_POSITIVE);
            Priority::of(price / (1.0 / rate).max(UNFETCHED_DAYS))
        } else {
            Priority { tier: BEFORE_FIRST, value: price }
        }
    }

    fn lane_order(&self, lane: LaneId) -> LaneOrder {
        match (Self::revisit_lane(lane), Self::inner_lane(lane)) {
            (Some(lane), _) => LaneOrder::Period(self.state.lanes.period(lane)),
            (None, Some(lane)) => self.inner.lane_order(lane),
            (None, None) => LaneOrder::Arrival,
        }
    }

    fn repriced(&mut self) -> Vec<LaneId> {
        let mut repriced = std::mem::take(&mut self.repriced);
        repriced.extend(self.inner.repriced().into_iter().map(|LaneId(lane)| LaneId(2 * lane)));
        repriced
    }

    fn explores(&self, hand_out: u64) -> bool {
        self.inner.explores(hand_out)
    }

    fn curiosity(&self, lane: LaneId) -> Option<Priority> {
        self.inner.curiosity(Self::inner_lane(lane)?)
    }

    fn explored(&mut self, lane: LaneId) {
        if let Some(lane) = Self::inner_lane(lane) {
            self.inner.explored(lane);
        }
    }

    fn unexplored(&mut self, lane: LaneId) {
        if let Some(lane) = Self::inner_lane(lane) {
            self.inner.unexplored(lane);
        }
    }

    fn forget(&mut self, url: UrlId) {
        self.inner.forget(url);
        self.state.lanes.move_page(self.state.known.lane(url), None);
        self.state.known.forget(url);
    }

    fn estimate(&self, key: UrlId) -> f64 {
        self.inner.estimate(key)
    }

    fn estimates_visits(&self) -> bool {
        self.inner.estimates_visits()
    }

    fn foretell(&self, key: UrlId) -> Option<f64> {
        self.inner.foretell(key)
    }

    /// Folders are told from URLs.
    fn reads_urls(&self) -> bool {
        true
    }

    fn reads_text(&self) -> bool {
        self.inner.reads_text()
    }

    fn reads_anchors(&self) -> bool {
        self.inner.reads_anchors()
    }

    fn rotation(&self) -> Rotation {
        self.inner.rotation()
    }

    fn hand_over(&mut self) -> Option<Box<dyn Any + Send>> {
        Some(Box::new(HandedOver { inner: self.inner.hand_over(), state: std::mem::take(&mut self.state) }))
    }

    /// What was seen of pages does not depend on a model. Their importance does, and is looked up when they are fetched next.
    fn take_over(&mut self, known: Box<dyn Any + Send>) {
        match known.downcast::<HandedOver>() {
            Ok(known) => {
                self.state = known.state;
                if let Some(known) = known.inner {
                    self.inner.take_over(known);
                }
            }
            Err(known) => self.inner.take_over(known),
        }
    }

    fn save(&self) -> Vec<u8> {
        save(&(self.inner.save(), &self.state))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SaveFault> {
        let (inner, state): (Vec<u8>, State) = restore(saved)?;
        self.inner.restore(&inner)?;
        self.state = state;
        Ok(())
    }
}
