//! Do patterns stay good as a site grows older?
//!
//! Figure 6 of the source: [`PatternCoverage`] of the URLs and the visits of each month after training, by each
//! of the three trees. A URL counts once in every month in which it was visited. Which stretches stand in for months in
//! shorter logs is said in [`periods`](super::periods).

use serde::Serialize;

use super::{PatternCoverage, PerTree};

/// How much of a stretch of time was located.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PeriodCoverage {
    /// The stretch, as [`Periods::name`](super::Periods::name) calls it.
    pub period: String,
    /// By tree.
    pub coverage: PerTree<PatternCoverage>,
}
