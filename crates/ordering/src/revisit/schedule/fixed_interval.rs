//! The most fresh visits at fixed intervals: the default **\[ours\]**.
//!
//! ```text
//! maximize   Σ m·F(r)      under   Σ r = R              F(r) = (r/D)(1 − e^(−D/r))
//! V(1/r) = λ   if V(∞) > λ, else r = 0                  V: what a refetch is worth
//! ```
//! F is concave, so this is the optimum. Where D is not known well, V is its mean over what D can be
//! ([`refetch_value`](crate::revisit::refetch_value)).

use rayon::prelude::*;

use super::price::{Price, price};
use super::{scaled, sound_budget};
use crate::revisit::{Perishable, interval_at_price};

/// A common price for requests: what is worth more is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedInterval {
    /// ln λ.
    log_price: Price,
}

impl FixedInterval {
    /// The price at which pages need the whole budget. `before` is one that may come near.
    #[must_use]
    pub fn for_budget(pages: &[Perishable], budget: f64, before: Option<&Self>) -> Self {
        let budget = sound_budget(pages.len(), budget);
        Self { log_price: price(pages, budget, before.map(|before| before.log_price), rate) }
    }

    /// The same for groups of equal pages and how many there are of each; no page is fetched more rarely or more often than these rates
    /// allow. Where the budget is not enough for the least, the price is as high as can be.
    #[must_use]
    pub fn for_counts(
        groups: &[(Perishable, f64)],
        budget: f64,
        [least, most]: [f64; 2],
        before: Option<&Self>,
    ) -> Self {
        let bounded = |(page, count): &(Perishable, f64), at: f64| count * rate(page, at).clamp(least, most);
        Self { log_price: price(groups, budget, before.map(|before| before.log_price), bounded) }
    }

    /// λ: what a request must be worth.
    #[must_use]
    pub fn price(&self) -> f64 {
        self.log_price.high.exp()
    }

    /// Requests a day for a page.
    #[must_use]
    pub fn rate(&self, page: &Perishable) -> f64 {
        self.log_price.rate(|at| rate(page, at))
    }

    /// The same for all pages, made to add up to the budget.
    #[must_use]
    pub fn rates(&self, pages: &[Perishable], budget: f64) -> Vec<f64> {
        scaled(pages.par_iter().map(|page| self.rate(page)).collect(), sound_budget(pages.len(), budget))
    }
}

/// The rate of a page at λ = e^`log_price`.
fn rate(page: &Perishable, log_price: f64) -> f64 {
    1.0 / interval_at_price(page, log_price.exp())
}
