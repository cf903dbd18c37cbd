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
//! shows a change. Therefore something is added that was not seen:
//!
//! ```text
//! half a pseudo-interval of each kind, of the median length T       if nothing is known of pages like this one
//! half a pseudo-change in 1/(2G) days                               if pages like this one change at rate G [ours]
//! ```
//! The first gives the known closed form D = ln((n + 1)/(unchanged + ½))/T for n equal intervals. The second is a Gamma prior with mean G and
//! shape ½: rates of pages differ by orders of magnitude, even within a folder. It adds ½/D on the left and ½/G on the right. Pooling:
//! G is the mean rate of the pages of a pattern, each estimated with the G before. A page without an interval of its own has D = G.
//!
//! **How well D is known [ours].** Near its peak, the likelihood of ln D looks like that of a Gamma distribution with mean D and shape a:
//!
//! ```text
//! a  =  Σ  x²·e^x/(e^x − 1)²,   x = Dt          the curvature at the peak
//!    changed
//! ```
//! A short interval that shows a change counts 1, a long one hardly anything: that a page changed within a year says little of how often.

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
    },
}

/// What is not seen counts half.
const HALF: f64 = 0.5;

impl PriorRate {
    /// The length of the interval that shows half a change, and the days without one.
    fn pseudo(self) -> [f64; 2] {
        let days = |days: f64| days.clamp(SHORTEST_DAYS, LONGEST_DAYS);
        match self {
            Self::Unknown { interval_days } => [days(interval_days), HALF * days(interval_days)],
            // In an interval this short t/(e^(Dt) − 1) is 1/D.
            Self::Like { rate } => [SHORTEST_DAYS, HALF * days(1.0 / rate)],
        }
    }

    /// What is thought of a page that was never seen again.
    #[must_use]
    pub fn estimate(self) -> RateEstimate {
        change_rate(&[], 0.0, self)
    }
}

/// D and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateEstimate {
    /// D: changes a day.
    pub rate: f64,
    /// a: as if so many changes had been seen.
    pub shape: f64,
}

/// D by intervals: `changed` are lengths and how many there are of each, `unchanged_days` is the sum of the others.
///
/// Newton's method in ln D, kept inside a bracket that is halved when a step leaves it. Cost: some ten looks at each of `changed`.
#[must_use]
pub fn change_rate(changed: &[(f64, f64)], unchanged_days: f64, prior: PriorRate) -> RateEstimate {
    let [length, without] = prior.pseudo();
    let right = unchanged_days.max(0.0) + without;
    let seen = changed.iter().map(|&(days, count)| (days.clamp(SHORTEST_DAYS, LONGEST_DAYS), count.max(0.0)));
    let terms = seen.chain(std::iter::once((length, HALF)));
    // Each term is below count/D and above count·(1/D − t/2): the solution lies between these.
    let total: f64 = terms.clone().map(|(_, count)| count).sum();
    let days: f64 = terms.clone().map(|(days, count)| days * count).sum();
    let (mut low, mut high) = ((total / (right + days)).ln(), (total / right).ln());
    let estimate = |rate: f64| {
        let weight = |x: f64| x * x * (-x).exp() / (-x).exp_m1().powi(2).max(f64::MIN_POSITIVE);
        RateEstimate { rate, shape: terms.clone().map(|(days, count)| count * weight(rate * days)).sum() }
    };
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
            return estimate(next.exp());
        }
        at = next;
    }
    estimate(at.exp())
}

/// Intervals count as at least a second and at most a thousand years.
const SHORTEST_DAYS: f64 = 1.0 / 86_400.0;
const LONGEST_DAYS: f64 = 365_250.0;
/// A rate that is right to nine digits is more than any history tells.
const CLOSE: f64 = 1e-9;
const MOST_STEPS: usize = 100;
