//! How long is a page of interest? Curves of interest, and the pages, patterns, folders and sites that are temporal.
//!
//! News is read within days of its birth, an encyclopedia for years. From views by bin of time (a day, an hour) the interest
//! in a page is fitted by a log-normal curve (Wang, Liu, Zhang, Ma, Ru, IJCNLP 2008):
//!
//! ```text
//! f(x) = A · φ(x − b; μ, σ)        φ the log-normal density
//! Φ(n) = share of a page's interest within n days of its birth
//! temporal: Φ(n) > q               n = 3 days, q = 0.7
//! ```
//!
//! - `A` [`InterestCurve::amount`]: all views of its life. `b` [`InterestCurve::birth`]: between one window before the
//!   window and the first view. `μ`, `σ`: of the logarithm of age.
//! - **\[ours\]** By default the mass of each bin is fitted, `A·(Φ(x+1−b) − Φ(x−b))`: a density at a point is ill-posed for a
//!   page that was read within one day. The paper's form is [`CurveForm::PointDensity`].
//! - A site scores `α · share of its pages that are temporal + β · share of its views that go to temporal pages`,
//!   α : β = 3 : 2 ([`GroupScore`]); folders and patterns are scored the same way.
//!
//! The life of a series: checked ([`Series`]), bounded and begun (`start`), fitted (`fit`, with the mathematics), compared
//! with a flat line ([`Interest`]), judged by a rule ([`TemporalRule`]), added up by group ([`GroupScore`]); [`analyze`] does
//! that for a window of many pages at once. `tune` finds rules on labelled pages.
//!
//! Pure: no clock, no files, no randomness; the result does not depend on the order of pages or the number of threads.

mod analysis;
mod curve;
mod fit;
mod group;
mod normal;
mod page;
mod score;
mod series;
mod start;
mod tune;
mod window;

#[cfg(test)]
mod tests;

pub use analysis::{Analysis, AnalysisSettings, JudgedPage, PageSeries, analyze};
pub use curve::InterestCurve;
pub use fit::CurveForm;
pub use group::{GroupNames, folder_of};
pub use page::{Fitted, Interest, TemporalRule};
pub use score::{GroupScore, ListQuality, ScoreWeights, judge_list, rank};
pub use series::{Bin, Series, SeriesFault};
pub use tune::{Gains, Labelled, TunedRule, tune_rule, tune_weights};
pub use window::{ListChange, changes, windows};
