//! How often will a URL be read? One model. **\[ours\]**
//!
//! Everything that is known of a URL, its visits in the log, its kind, and links to it where a crawl has found some, says one thing: how
//! often it will be read. Visits are counted in eight slices of the log ([`SLICES`]) with as many visits each.
//!
//! ```text
//! y(u) = 0 with probability q, else NegBin(mean 8·m(u), size r)             the log
//! m(u) = θ(K)·e^(β·x(u))                                                     visits a slice
//! θ(K) ~ Gamma(shape a, mean θ(above K))                                      kinds, up the pattern tree
//!
//! read    value = ρ(K)·m·(r + ŷ)/(r + m·ê)                                   ŷ = Σ δ^a·y_a,  ê = Σ δ^a
//! unread  value = (1 − p)·m·r/(r + m·ê) + p·m + g·ν(K)·e^(β·x)               p = q/(q + (1 − q)(1 + 8m/r)^−r)
//!                 and b of what it lacks of θ'·e^(β·x)
//! ```
//! - K, its kind: the pattern that covers it, or the node of the tree at which its walk ended. θ is a mean over the URLs that are
//!   *known*, read or not: a kind that makes unread URLs without end sinks by itself. Traps starve.
//! - x: what links say ([`LinkEvidence`]): who crawls says what that is. A log alone has none.
//! - **A read URL** has the posterior mean of its own rate: between what it had (ŷ/ê, visits a slices old counting δ^a) and what is usual (m).
//!   r says how much its own visits tell. ρ: how much of it read URLs of its kind keep.
//! - **An unread URL** was unlucky (first term), missed by the log (p), or is new (ν: what URLs of its kind got that were read for the first time;
//!   g: how much of that is left when the log grows). Where the log missed the whole branch (probability b), it has what the branches
//!   beside it have, θ'.
//!
//! | number | found by | believed beforehand |
//! |---|---|---|
//! | β, two | likelihood of all visits | ½ each, like 100 visits: links and readers alike |
//! | r | the same | ½, give or take a factor of five: counts of visits vary far more than chance |
//! | q | the same | near 0, like 3 URLs: most logs miss little |
//! | a | likelihood of each node's visits by the branches beside it | 20, give or take a third: ten lines of a log change little |
//! | θ, ρ, ν | posterior means, up the tree | the node above, like a visits |
//! | g | four slices after four beside two after two | at most 1 |
//! | b | the branches beside it | one branch in 500 is missed |
//! | δ | the first half of the log foretelling the second | 1 |
//!
//! [`mine_site`](crate::mine_site) fits it to a log alone: without links β = 0, and nothing is taken to be missed (`of_log`). A crawl fits it again
//! and again to the URLs that it has found, with their links.
//!
//! Read next: `model` for the value of a URL, `fit` for how the numbers are found, `tree` for kinds, `of_log` for what a model keeps of it.

mod branches;
mod change;
mod discount;
mod fit;
mod gamma;
mod model;
mod of_log;
mod sample;
mod slopes;
mod spread;
mod tree;

use serde::{Deserialize, Serialize};

use crate::site_table::SLICES;

pub use fit::{FitTerms, FittedModel, fit};
pub use model::{KindLevel, LinkEvidence, Taste, VisitEvidence, WHOLE};
pub(crate) use of_log::OfLog;
pub use sample::FitSample;
pub use tree::KindTree;

/// Slices of the first part; the second has the others.
pub const FIRST_PART: usize = SLICES / 2;

/// How a site's visits foretell its visits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// δ: what a visit counts one slice later.
    pub discount: f64,
}

impl Default for Forecast {
    /// What is believed without any visits.
    fn default() -> Self {
        Self { discount: 1.0 }
    }
}

/// What URLs of one node can expect that have no visits of their own to tell: visits a slice. All zero where nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Expect {
    /// One that the model does not name: read by few, or by nobody.
    pub unnamed: f64,
    /// One that nobody read.
    pub unread: f64,
    /// One that reaches the node and that no branch of it covers.
    pub uncovered: f64,
}
