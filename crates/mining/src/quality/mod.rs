//! How good are the patterns of a model?
//!
//! A model is learnt from one stretch of time and judged on visits of a later one ([`LaterVisits`]), once for each of
//! its three trees. The measures are those of CIKM 2011 (tables 3 and 4, figure 6), one file each:
//!
//! | measure | file | good is |
//! |---|---|---|
//! | leaves and height | [`SiteModel::trees`](crate::SiteModel::trees) | few |
//! | share of URLs and of visits that a tree locates | [`coverage`] | near 1 |
//! | how far visits spread by pattern are from the real ones | [`divergence`] | near 0 |
//! | the same coverage in each month after training | [`reliability`] | flat |
//! | likeness of pages of one pattern, against random pages | [`layout`] | near 1, far above random |
//!
//! Visits are counted as they are: no step of a user is counted once only, as it is in mining. Everything is summed in
//! the order of URLs, so that no number depends on the order of log lines.

pub mod coverage;
pub mod divergence;
pub mod layout;
mod per_tree;
pub mod periods;
pub mod reliability;
mod site_quality;
mod visits;

pub use crate::random::SplitMix64;
pub use coverage::PatternCoverage;
pub use layout::{Layout, random_likeness, within_patterns};
pub use per_tree::PerTree;
pub use periods::Periods;
pub use reliability::PeriodCoverage;
pub use site_quality::{LayoutQuality, SiteQuality, TreeQuality, judge, judge_layout};
pub use visits::LaterVisits;

#[cfg(test)]
mod tests;

/// A part of a whole; none of nothing.
#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
