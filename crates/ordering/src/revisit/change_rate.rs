//! How often does a page change, if all we know is what we saw when we looked?
//!
//! At each request we learn whether the page has changed since the one before, not how often. For changes at random (Poisson) with
//! rate D, an interval t shows a change with probability 1 − e^(−Dt). The most likely D solves
//!
//! ```text
//!   Σ  t / (e^(Dt) − 1)  =  Σ  t                         (Cho and Garcia-Molina 2003)
//! changed                unchanged
//! ```
//! The left side falls from infinity to 0, so there is one solution; but it is 0 if nothing ever changed, and infinite if every interval
//! shows a change. Therefore one pseudo-interval is added. Its length T is the median interval. A share p of it counts as changed, and
//! the rest as unchanged:
//!
//! ```text
//! p = ½                        if nothing is known of pages like this one: half a pseudo-interval of each kind
//! p = 1 − e^(−GT)              if pages like this one change at rate G [ours]: what such a page shows on average
//! ```
//! With p = ½ and n equal intervals this is the known closed form D = ln((n + 1)/(unchanged + ½))/T. Pooling: G is the mean rate of
//! the pages of a pattern, each estimated with the G before. A page without an interval of its own has D = G.

use serde::{Deserialize, Serialize};

/// What is known of a page before it was ever seen again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PriorRate {
    /// Nothing; intervals are about so many days long.
    Unknown {
        /// T.
        interval_days: f64,
    },
    /// Pages like it change so often.
    Like {
        /// G: changes a day.
        rate: f64,
        /// T.
        interval_days: f64,
    },
}

impl PriorRate {
    /// T, and the share p of the pseudo-interval that shows a change.
    fn pseudo(self) -> (f64, f64) {
        match self {
            Self::Unknown { interval_days } => (interval_days, 0.5),
            Self::Like { rate, interval_days } => (interval_days, -(-rate * interval_days).exp_m1()),
        }
    }

    /// The rate of a page that was never seen again.
    #[must_use]
    pub fn rate(self) -> f64 {
        match self {
            Self::Unknown { interval_days } => std::f64::consts::LN_2 / interval_days,
            Self::Like { rate, .. } => rate,
        }
    }
}

/// D by intervals: `changed` are lengths and how many there are of each, `unchanged_days` is the sum of the others.
///
/// Newton's method in ln D, kept inside a bracket that is halved when a step leaves it. Cost: some ten looks at each of `changed`.
#[must_use]
pub fn change_rate(changed: &[(f64, f64)], unchanged_days: f64, prior: PriorRate) -> f64 {
    let (length, share) = prior.pseudo();
    let length = length.clamp(SHORTEST_DAYS, LONGEST_DAYS);
    let right = unchanged_days.max(0.0) + (1.0 - share) * length;
    let seen = changed.iter().map(|&(days, count)| (days.clamp(SHORTEST_DAYS, LONGEST_DAYS), count.max(0.0)));
    let terms = seen.chain(std::iter::once((length, share)));
    // Each term is below count/D and above count·(1/D − t/2): the solution lies between these.
    let total: f64 = terms.clone().map(|(_, count)| count).sum();
    let days: f64 = terms.clone().map(|(days, count)| days * count).sum();
    let (mut low, mut high) = ((total / (right + days)).ln(), (total / right.max(f64::MIN_POSITIVE)).ln());
    if !(low.is_finite() && high.is_finite()) {
        return prior.rate();
    }
    let mut at = low.midpoint(high);
    for _ in 0..MOST_STEPS {
        let rate = at.exp();
        let (mut left, mut slope) = (0.0, 0.0);
        for (days, count) in terms.clone() {
            let x = rate * days;
            let odds = 1.0 / x.exp_m1();
            left += count * days * odds;
            // d/d(ln D) of t/(e^x − 1) is −t·x·e^x/(e^x − 1)²
            slope -= count * days * x * odds * (1.0 + odds);
        }
        if left > right {
            low = at;
        } else {
            high = at;
        }
        // In logarithms both sides are nearly straight.
        let step = (right / left).ln() * left / slope;
        let next = at + step;
        let is_inside = next.is_finite() && next > low && next < high;
        let next = if is_inside { next } else { low.midpoint(high) };
        if (next - at).abs() < CLOSE {
            return next.exp();
        }
        at = next;
    }
    at.exp()
}

/// Intervals count as at least a second and at most a thousand years.
const SHORTEST_DAYS: f64 = 1.0 / 86_400.0;
const LONGEST_DAYS: f64 = 365_250.0;
/// A rate that is right to nine digits is more than any history tells.
const CLOSE: f64 = 1e-9;
const MOST_STEPS: usize = 100;
