//! Which pages are fetched again how often? One file for each schedule.

mod adaptive;
mod azar;
mod fixed_interval;
mod lambda_crawl;
mod name;
mod price;
mod proportional;

pub use adaptive::AdaptiveInterval;
pub use fixed_interval::FixedInterval;
pub use name::{Schedule, UnknownSchedule};
pub use proportional::in_proportion;

use super::Perishable;

/// More requests a day and page than this are never made: one a millisecond. A budget that is larger is cut.
const MOST_REQUESTS: f64 = 86_400_000.0;

impl Schedule {
    /// Requests a day for each page. They add up to the budget.
    ///
    /// The adaptive schedule has a state of its own for each page ([`AdaptiveInterval`]); before it has learnt anything, it is uniform.
    ///
    /// Cost: some passes over the pages; Azar sorts them.
    #[must_use]
    pub fn rates(self, pages: &[Perishable], budget: f64) -> Vec<f64> {
        let budget = sound_budget(pages.len(), budget);
        match self {
            Self::Uniform | Self::Adaptive => in_proportion(pages, budget, |_| 1.0),
            Self::Change => in_proportion(pages, budget, Perishable::change_rate),
            Self::Popularity => in_proportion(pages, budget, Perishable::importance),
            Self::RootPopularity => in_proportion(pages, budget, |page| page.importance().sqrt()),
            Self::Azar => azar::rates(pages, budget),
            Self::LambdaCrawl => lambda_crawl::rates(pages, budget),
            Self::FixedInterval => FixedInterval::for_budget(pages, budget, None).rates(pages, budget),
        }
    }
}

/// A smaller budget is none: a request in more than the age of the universe.
const LEAST_BUDGET: f64 = 1e-15;

/// What is no number, or below 0, is no budget.
fn sound_budget(pages: usize, budget: f64) -> f64 {
    let most = pages as f64 * MOST_REQUESTS;
    if budget >= LEAST_BUDGET { budget.min(most) } else { 0.0 }
}

/// Makes rates add up to the budget: what rounding has left over is divided in proportion.
fn scaled(mut rates: Vec<f64>, budget: f64) -> Vec<f64> {
    let total: f64 = rates.iter().sum();
    if total > 0.0 && budget > 0.0 {
        rates.iter_mut().for_each(|rate| *rate *= budget / total);
    } else {
        rates.fill(0.0);
    }
    rates
}
