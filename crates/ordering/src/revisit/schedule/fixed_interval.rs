//! The most fresh visits at fixed intervals: the default **[ours]**.
//!
//! ```text
//! maximize   Σ m·F(r)      under   Σ r = R              F(r) = (r/D)(1 − e^(−D/r))
//! (m/D)·(1 − e^(−x)(1 + x)) = λ,   x = D/r              if m/D > λ, else r = 0
//! ```
//! F is concave, so this is the optimum. In floating point, λ cannot come close enough to the largest m/D to tell the rates of
//! small budgets apart. So we look for μ instead:
//!
//! ```text
//! λ = L·(1 − e^(−μ)),   L = max m/D,   c = (D/m)·L ≥ 1
//! e^(−x)(1 + x) = 1 − c·(1 − e^(−μ))                    for c = 1: x − ln(1 + x) = μ, at every μ
//! ```

use super::price::{Price, price};
use super::{scaled, sound_budget};
use crate::revisit::Perishable;
use crate::revisit::freshness::changes_between;

/// A page is the best one if its m/D is the largest, but for rounding.
const BEST: f64 = 1.0 + 1e-12;

/// A common price for requests: what is worth more is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedInterval {
    /// L.
    best_ratio: f64,
    /// ln μ.
    log_price: Price,
}

impl FixedInterval {
    /// The price at which pages need the whole budget.
    #[must_use]
    pub fn for_budget(pages: &[Perishable], budget: f64) -> Self {
        let budget = sound_budget(pages.len(), budget);
        let best_ratio = pages.iter().map(ratio).fold(0.0, f64::max);
        Self { best_ratio, log_price: price(pages, budget, |page, log_price| rate(page, best_ratio, log_price)) }
    }

    /// The same for groups of equal pages and how many there are of each; no page is fetched more rarely or more often than these rates
    /// allow. Where the budget is not enough for the least, the price is as high as can be.
    #[must_use]
    pub fn for_counts(groups: &[(Perishable, f64)], budget: f64, [least, most]: [f64; 2]) -> Self {
        let best_ratio = groups.iter().map(|(page, _)| ratio(page)).fold(0.0, f64::max);
        let log_price = price(groups, budget, |(page, count), log_price| {
            count * rate(page, best_ratio, log_price).clamp(least, most)
        });
        Self { best_ratio, log_price }
    }

    /// λ: what a request must be worth.
    #[must_use]
    pub fn price(&self) -> f64 {
        -self.best_ratio * (-self.log_price.high.exp()).exp_m1()
    }

    /// Requests a day for a page.
    #[must_use]
    pub fn rate(&self, page: &Perishable) -> f64 {
        self.log_price.rate(|log_price| rate(page, self.best_ratio, log_price))
    }

    /// The same for all pages, made to add up to the budget.
    #[must_use]
    pub fn rates(&self, pages: &[Perishable], budget: f64) -> Vec<f64> {
        scaled(pages.iter().map(|page| self.rate(page)).collect(), sound_budget(pages.len(), budget))
    }
}

fn ratio(page: &Perishable) -> f64 {
    page.importance() / page.change_rate()
}

/// The rate of a page at μ = e^`log_price`.
fn rate(page: &Perishable, best_ratio: f64, log_price: f64) -> f64 {
    let mu = log_price.exp();
    let c = best_ratio / ratio(page);
    let z = if c <= BEST {
        mu
    } else {
        // Below 1 as long as a request is ever worth the price.
        let y = -c * (-mu).exp_m1();
        if y >= 1.0 {
            return 0.0;
        }
        -(-y).ln_1p()
    };
    page.change_rate() / changes_between(z)
}
