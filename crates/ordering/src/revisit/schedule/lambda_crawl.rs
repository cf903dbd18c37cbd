//! The least penalty for stale visits, where no page is starved (Kolobov et al., NeurIPS 2019: LambdaCrawl).
//!
//! ```text
//! minimize   −Σ m·ln(r/(r + D))      under   Σ r = R
//! r = (2mD/λ) / (D + √(D² + 4mD/λ))
//! ```
//! This form of the root of r² + Dr = mD/λ has no difference of large numbers. A rate of 0 has an infinite penalty, so every page
//! gets one. Like Azar's, it takes revisits at random times for granted.

use super::price::price;
use super::scaled;
use crate::revisit::Perishable;

/// Requests a day for each page.
pub(super) fn rates(pages: &[Perishable], budget: f64) -> Vec<f64> {
    let at = price(pages, budget, None, rate);
    scaled(pages.iter().map(|page| at.rate(|at| rate(page, at))).collect(), budget)
}

/// The rate of a page at λ = e^`log_price`.
fn rate(page: &Perishable, log_price: f64) -> f64 {
    let change = page.change_rate();
    let product = page.importance() * change * (-log_price).exp();
    2.0 * product / (change + (change * change + 4.0 * product).sqrt())
}
