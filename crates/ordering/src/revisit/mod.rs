//! When is a page fetched again?
//!
//! A page has two numbers ([`Perishable`]):
//!
//! ```text
//! m   importance       visits a day                            from logs
//! D   change rate      changes a day                           from what the crawl saw: `change_rate`
//! ```
//! Changes come at random (Poisson): a copy of age t is still right with probability e^(−Dt). A page that is fetched r times a day at
//! *fixed* intervals τ = 1/r is fresh for this share of the time (`freshness`):
//!
//! ```text
//! F(r) = (r/D)·(1 − e^(−D/r))             at random (Poisson) times it would be r/(r + D), which is less
//! ```
//! A schedule divides a budget of R requests a day among pages so that Σ r = R ([`Schedule`], one file each):
//!
//! | file | rate of a page | source |
//! |---|---|---|
//! | `proportional` | the same for all; in proportion to D, to m, to √m | – |
//! | `adaptive` | 1 / an interval that grows when nothing changed and shrinks when something did | Nutch |
//! | `azar` | the most fresh visits, if revisits come at random times | Azar et al. 2018 |
//! | `lambda_crawl` | the same with a penalty that starves no page | Kolobov et al. 2019 |
//! | `fixed_interval` | the most fresh visits at fixed intervals: the default | ours |
//!
//! D is estimated, so the default takes the mean over all rates that are likely, not the value at the most likely one. Otherwise a page that
//! was once thought to change too fast would never be asked for again, and the error never found.
//!
//! The default is a value, too: a refetch of a page whose copy has age t gains what [`refetch_value`] says, a first fetch what
//! [`first_value`] says. Whatever is worth more than a common price λ is due. So one number holds the whole budget.
//!
//! Times are days here. Everything is pure: the same input gives the same output, and no input gives a number that is none.

mod change_rate;
mod evidence;
mod freshness;
mod schedule;
#[cfg(test)]
mod tests;

pub use change_rate::{PriorRate, RateEstimate, change_rate};
pub use evidence::{ChangeEvidence, PageHistory};
pub use freshness::{UNFETCHED_DAYS, first_value};
pub use freshness::{fresh_share, fresh_share_at_random, interval_at_price, refetch_value};
pub use schedule::{AdaptiveInterval, FixedInterval, Schedule, UnknownSchedule, in_proportion};

/// What a page is worth and how fast its copy spoils. All numbers are positive; all but the shape are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perishable {
    importance: f64,
    change_rate: f64,
    /// How well the rate is known; infinite if it is known exactly.
    shape: f64,
}

impl Perishable {
    /// The least and the most that a number counts as. A page nobody reads and one that never changes have a place in the order, too,
    /// and no quotient of two numbers is out of range.
    const RANGE: [f64; 2] = [1e-18, 1e18];
    /// Shapes below and above are as good as none, and as exact.
    const SHAPES: [f64; 2] = [0.01, 1e4];

    /// Visits a day and changes a day. What is no number counts as the least.
    #[must_use]
    pub fn new(importance: f64, change_rate: f64) -> Self {
        let [least, most] = Self::RANGE;
        // `max` and `min` pass over what is no number.
        let sound = |number: f64| number.max(least).min(most);
        Self { importance: sound(importance), change_rate: sound(change_rate), shape: f64::INFINITY }
    }

    /// The same with a rate that was estimated.
    #[must_use]
    pub fn estimated(importance: f64, estimate: RateEstimate) -> Self {
        let [least, most] = Self::SHAPES;
        let shape = if estimate.shape < most { estimate.shape.max(least) } else { f64::INFINITY };
        Self { shape, ..Self::new(importance, estimate.rate) }
    }

    /// m: visits a day.
    #[must_use]
    pub fn importance(&self) -> f64 {
        self.importance
    }

    /// D: changes a day.
    #[must_use]
    pub fn change_rate(&self) -> f64 {
        self.change_rate
    }

    /// a: how well D is known.
    #[must_use]
    pub fn shape(&self) -> f64 {
        self.shape
    }
}
