//! In which lane does a page wait to be fetched again, and how long?
//!
//! ```text
//! lane(m, D, a) = (⌊2·log2 m⌉, ⌊2·log2 D⌉, ⌊log2 a⌉)      a: how well D is known; pages of a lane count as if they had its numbers
//! Σ over lanes of pages·r(m, D, a, λ) = R
//! ```
//! Lanes are numbered in the order of first use. One more page or another λ costs as much as there are lanes: some hundred.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trodden_frontier::Span;

use crate::revisit::{FixedInterval, Perishable, RateEstimate, interval_at_price};

/// Levels of an octave.
const STEPS: f64 = 2.0;
/// 2⁶ changes seen.
const MOST_SHAPE: i16 = 6;
const DAY_MS: f64 = 86_400_000.0;
/// The first time that something gone is asked for again, and how often the time doubles.
const GONE_DAYS: f64 = 30.0;
const MOST_DOUBLINGS: u8 = 8;
/// Nothing is worth more than this many requests a day: one in ten minutes.
const MOST_A_DAY: f64 = 144.0;
/// A period that changes by less is not worth telling.
const SAME: f64 = 0.05;

/// What pages of a lane have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Shelf {
    /// Levels of importance, of change rate, and of how well that is known.
    Pages(i16, i16, i16),
    /// So often missing in a row.
    Gone(u8),
}

impl Shelf {
    pub(super) fn of(page: &Perishable) -> Self {
        let level = |number: f64| (number.log2() * STEPS).round() as i16;
        // A shape above the largest level is as good as any.
        let shape = page.shape().log2().round().min(f64::from(MOST_SHAPE)) as i16;
        Self::Pages(level(page.importance()), level(page.change_rate()), shape)
    }

    /// What a page of it counts as; none if it is gone.
    fn page(self) -> Option<Perishable> {
        let number = |level: i16| (f64::from(level) / STEPS).exp2();
        match self {
            Self::Pages(importance, rate, shape) => {
                let estimate = RateEstimate { rate: number(rate), shape: f64::from(shape).exp2() };
                Some(Perishable::estimated(number(importance), estimate))
            }
            Self::Gone(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Lane {
    shelf: Shelf,
    pages: u64,
    period: Span,
}

/// All lanes, and the price that their periods are made of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RevisitLanes {
    lanes: Vec<Lane>,
    numbers: BTreeMap<Shelf, u32>,
    /// λ; none before it was computed.
    price: Option<f64>,
    /// Requests a day that every page gets.
    least: f64,
    pages: u64,
}

impl RevisitLanes {
    /// The number of a lane.
    pub(super) fn find(&mut self, shelf: Shelf) -> usize {
        let next = self.lanes.len() as u32;
        let lane = *self.numbers.entry(shelf).or_insert(next);
        if lane == next {
            let period = match shelf {
                Shelf::Gone(misses) => days(GONE_DAYS * f64::from(misses.saturating_sub(1).min(MOST_DOUBLINGS)).exp2()),
                // Until a price is known nothing is worth it.
                Shelf::Pages(..) => shelf.page().map_or(Span(u64::MAX), |page| self.period_of(&page)),
            };
            self.lanes.push(Lane { shelf, pages: 0, period });
        }
        lane as usize
    }

    /// A page has moved.
    pub(super) fn move_page(&mut self, from: Option<usize>, to: Option<usize>) {
        if let Some(lane) = from.and_then(|lane| self.lanes.get_mut(lane)) {
            lane.pages = lane.pages.saturating_sub(1);
            self.pages = self.pages.saturating_sub(1);
        }
        if let Some(lane) = to.and_then(|lane| self.lanes.get_mut(lane)) {
            lane.pages += 1;
            self.pages += 1;
        }
    }

    /// Pages in all lanes.
    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    /// Whether there are pages and no price yet.
    pub(super) fn is_unpriced(&self) -> bool {
        self.price.is_none()
    }

    /// How long a page of a lane waits.
    pub(super) fn period(&self, lane: usize) -> Span {
        self.lanes.get(lane).map_or(Span(u64::MAX), |lane| lane.period)
    }

    /// What a page of a lane is worth when it is due.
    pub(super) fn worth(&self, lane: usize) -> f64 {
        let price = self.price.unwrap_or(0.0);
        match self.lanes.get(lane).map(|lane| lane.shelf) {
            Some(Shelf::Gone(misses)) => price / f64::from(misses.min(MOST_DOUBLINGS)).exp2(),
            _ => price,
        }
    }

    /// Computes the price at which all pages need the budget; the lanes whose period or worth is another by that.
    pub(super) fn price(&mut self, budget: f64, max_age: Option<Span>) -> Vec<usize> {
        let least = max_age.map_or(0.0, |age| (DAY_MS / age.0.max(1) as f64).min(MOST_A_DAY));
        self.least = least;
        let lanes: Vec<(Perishable, f64)> = self
            .lanes
            .iter()
            .filter(|lane| lane.pages > 0)
            .filter_map(|lane| Some((lane.shelf.page()?, lane.pages as f64)))
            .collect();
        let found = FixedInterval::for_counts(&lanes, budget, [least, MOST_A_DAY], None);
        let before = self.price.replace(found.price());
        let is_other = |now: f64, before: f64| (now / before).ln().abs() > SAME || before.is_nan();
        let all = before.is_none_or(|before| is_other(found.price(), before));
        let mut changed = Vec::new();
        for at in 0..self.lanes.len() {
            let Some(page) = self.lanes[at].shelf.page() else {
                changed.extend(all.then_some(at));
                continue;
            };
            let rate = found.rate(&page).clamp(least, MOST_A_DAY);
            let period = days(1.0 / rate);
            let told = &mut self.lanes[at].period;
            if all || is_other(period.0 as f64, told.0 as f64) {
                *told = period;
                changed.push(at);
            }
        }
        changed
    }

    /// The period of a page at the price of today.
    fn period_of(&self, page: &Perishable) -> Span {
        let Some(price) = self.price else { return Span(u64::MAX) };
        let rate = 1.0 / interval_at_price(page, price);
        days(1.0 / rate.clamp(self.least, MOST_A_DAY))
    }
}

fn days(days: f64) -> Span {
    // A float that is too large becomes the largest number: never.
    Span((days * DAY_MS) as u64)
}
