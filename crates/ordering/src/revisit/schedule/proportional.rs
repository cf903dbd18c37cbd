//! In proportion to a number: uniform, by change rate, by importance, by its square root.

use super::scaled;

/// Rates in proportion to a weight that is not negative; all alike if no page has any.
#[must_use]
pub fn in_proportion<P>(pages: &[P], budget: f64, weight: impl Fn(&P) -> f64) -> Vec<f64> {
    let mut weights: Vec<f64> = pages.iter().map(|page| weight(page).max(0.0)).collect();
    if weights.iter().all(|weight| *weight == 0.0) {
        weights.fill(1.0);
    }
    scaled(weights, budget)
}
