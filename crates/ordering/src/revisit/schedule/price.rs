//! At which price of a request do the requests that are worth it add up to the budget?
//!
//! The rate of each page falls as the price rises, so the sum does, too. We look for its logarithm u. In logarithms the sum is nearly straight
//! (it falls as λ^(−1/2) where there is plenty, and as 1/λ where there is little), so the secant is nearly right. A sample of the pages
//! gives the start; then a few passes over all pages are enough. A bracket that is halved makes sure that it ends.
//!
//! A page that is hardly worth the price jumps: within the last digit of a price its rate falls from a thirtieth of D to nothing. There
//! the budget lies between the sums at both ends of the bracket, and so do the best rates: a mean of both that adds up.

use rayon::prelude::*;

/// Pages that a thread adds up at once. Sums of parts are added in order, so the result does not depend on the number of threads.
const PART: usize = 1 << 16;
/// Pages of the sample.
const SAMPLE: usize = 1 << 17;
/// u is between these: prices from e^−300 to e^300 times the unit.
const RANGE: [f64; 2] = [-300.0, 300.0];
/// The sum is right to such a part, over few pages and over many; what is left is divided in proportion. A price that is a hundredth off
/// costs a ten-thousandth of what can be gained, because the best rates are a maximum.
const CLOSE: [f64; 2] = [1e-7, 1e-2];
/// Looks at all pages. Where there are few, they find the last digit of any jump; where there are many, no page matters that much.
const MOST_PASSES: [usize; 2] = [160, 24];

/// A price: a mean of two that are very close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Price {
    /// u of the lower price, at which there are more requests.
    pub(super) low: f64,
    /// u of the higher price.
    pub(super) high: f64,
    /// What the lower one counts.
    pub(super) share: f64,
}

impl Price {
    fn at(log_price: f64) -> Self {
        Self { low: log_price, high: log_price, share: 1.0 }
    }

    /// A rate at this price.
    pub(super) fn rate(&self, rate: impl Fn(f64) -> f64) -> f64 {
        if self.low == self.high {
            rate(self.low)
        } else {
            self.share * rate(self.low) + (1.0 - self.share) * rate(self.high)
        }
    }
}

/// The price at which Σ `rate`(page, u) is the budget; `before` is one that may come near.
pub(super) fn price<P: Sync>(
    pages: &[P],
    budget: f64,
    before: Option<Price>,
    rate: impl Fn(&P, f64) -> f64 + Sync,
) -> Price {
    let [_, highest] = RANGE;
    if pages.is_empty() || budget <= 0.0 {
        return Price::at(highest);
    }
    let every = pages.len().div_ceil(SAMPLE);
    let sampled = |at: f64| pages.iter().step_by(every).map(|page| rate(page, at)).sum::<f64>();
    let near = before.map_or(0.0, |before| before.low);
    if every == 1 {
        return root(near, budget, 0, sampled);
    }
    let share = pages.len().div_ceil(every) as f64 / pages.len() as f64;
    let start = root(near, budget * share, 0, sampled);
    root(start.low, budget, 1, |at| {
        let part = |pages: &[P]| pages.iter().map(|page| rate(page, at)).sum::<f64>();
        pages.par_chunks(PART).map(part).collect::<Vec<f64>>().iter().sum()
    })
}

/// Where a falling sum is the budget; `many` is 1 if it is one over many pages.
fn root(start: f64, budget: f64, many: usize, total: impl Fn(f64) -> f64) -> Price {
    let [mut low, mut high] = RANGE;
    let (mut at_low, mut at_high) = (f64::INFINITY, 0.0);
    let (mut at, mut before) = (start, None);
    for pass in 1..=MOST_PASSES[many] {
        let sum = total(at);
        let over = (sum / budget).ln();
        if over.abs() < CLOSE[many] {
            return Price::at(at);
        }
        if over > 0.0 {
            (low, at_low) = (at, sum);
        } else {
            (high, at_high) = (at, sum);
        }
        if high - low <= 2.0 * f64::EPSILON * high.abs().max(low.abs()) {
            break;
        }
        let slope = match before {
            Some((last, last_over)) if f64::is_finite(last_over) => (over - last_over) / (at - last),
            // Plenty.
            _ => -0.5,
        };
        before = Some((at, over));
        let next = at - over / slope;
        let is_inside = next > low && next < high;
        // Where the secant has not ended it by now, there is a jump. Before that, every fourth step halves.
        let halves = pass > 12 || pass % 4 == 0;
        at = if is_inside && !halves { next } else { low.midpoint(high) };
    }
    // Where even the lowest or the highest price is not low or high enough, it is what there is.
    let share = if at_low.is_finite() { ((budget - at_high) / (at_low - at_high)).clamp(0.0, 1.0) } else { 1.0 };
    Price { low, high, share }
}
