//! How often will a URL be visited? **\[ours\]**
//!
//! Time is cut into [`SLICES`] with as many visits each; all rates here are visits a slice. `y_i(u)` are the visits of URL u
//! in slice i, P its pattern.
//!
//! **A URL with visits** has its own rate, by visits that count less the older they are, shrunk to the mean of its pattern
//! over *visited* URLs (the mean of a Gamma–Poisson posterior, `strength` being what the prior counts in slices):
//!
//! ```text
//! own(u)      = Σ δ^(a_i) y_i / Σ δ^(a_i)                             a_i: slices since slice i
//! expected(u) = (Σ δ^(a_i) y_i + s·mean(P)) / (Σ δ^(a_i) + s)         between own(u) and mean(P)
//! ```
//!
//! **A URL without** has none of that: the mean of its pattern is taken over URLs that were visited, and it was not. What it
//! may hope for is its part of the visits that go to URLs nobody had visited before:
//!
//! ```text
//! expected(u) = novel(P) / unread(P)
//! ```
//! novel(P) are the visits a slice of the second part of the time to URLs of P without a visit in the first part, the later
//! slices counting more (where there are not two parts: those visited once, by Good and Turing), and ½ in all; unread(P) are the URLs of P that are
//! known and have no visit, at least 1. A crawl keeps count of them as it finds them, so a pattern that makes URLs without
//! end sinks by itself. A URL that no pattern covers stands at the deepest node n it reaches: `fresh(n)` counts in place of
//! novel(n), visits to URLs below n that were under no branch of n which the first part had seen.
//!
//! **Fitting.** δ and s are those of the whole site that best foretell the second part from the first: with
//! `λ(u) = expected(u)` by the first part alone, over the URLs visited in it,
//!
//! ```text
//! maximize   Σ y_B(u)·ln(λ(u) / Σ λ)  −  ½(ln s / 1.5)²  −  ½((1 − δ) / 0.15)²
//! ```
//! the likelihood of how B's visits share out, whatever their number; the last two terms are what is believed without any
//! visits, so that a log of ten lines does not fit its own noise. `kept = (1 + Σ y_B) / (1 + Σ 4λ)` is what is left of these URLs'
//! visits in B: the rest went to URLs that are new.
//!
//! Read next: `fit` for how all that is found.

mod fit;

use serde::{Deserialize, Serialize};

use crate::site_table::{SLICES, Slices};

pub(crate) use fit::{Fitted, fit};

/// Slices of the first part; the second has the others.
pub const FIRST_PART: usize = SLICES / 2;

/// How a site's visits foretell its visits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// δ: what a visit counts one slice later.
    pub discount: f64,
    /// s: slices that the mean of a pattern counts for.
    pub strength: f64,
    /// What is left of the visits to URLs that had visits before.
    pub kept: f64,
    /// The mean of all visited URLs of the site: for patterns that have none.
    pub mean: f64,
}

/// What is expected of the URLs of one node. All zero where nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Expect {
    /// Visits a slice of a URL that was visited, on average.
    pub mean: f64,
    /// Visits a slice to all its URLs that were not visited before.
    pub novel: f64,
    /// Visits a slice to URLs below it that are under no branch it has.
    pub fresh: f64,
}

impl Default for Forecast {
    /// What is believed without any visits.
    fn default() -> Self {
        Self { discount: 1.0, strength: 1.0, kept: 1.0, mean: 0.0 }
    }
}

impl Forecast {
    /// Visits by slice, those of old slices counting less, and the slices they are worth.
    fn evidence(&self, slices: &[u32]) -> (f64, f64) {
        let (mut visits, mut worth, mut weight) = (0.0, 0.0, 1.0);
        for n in slices.iter().rev() {
            visits += weight * f64::from(*n);
            worth += weight;
            weight *= self.discount;
        }
        (visits, worth)
    }

    /// The rate of a URL by its own visits alone.
    #[must_use]
    pub fn own(&self, slices: &Slices) -> f64 {
        let (visits, worth) = self.evidence(slices);
        visits / worth
    }

    /// The expected rate of a URL that was visited, by its own visits and its pattern's mean.
    #[must_use]
    pub fn of_visited(&self, slices: &Slices, mean: f64) -> f64 {
        self.of_part(slices, mean)
    }

    /// The same by the first part alone.
    #[must_use]
    pub fn of_first_part(&self, slices: &Slices, mean: f64) -> f64 {
        self.of_part(&slices[..FIRST_PART], mean)
    }

    fn of_part(&self, slices: &[u32], mean: f64) -> f64 {
        let (visits, worth) = self.evidence(slices);
        (visits + self.strength * mean) / (worth + self.strength)
    }
}

impl Expect {
    /// The expected rate of one URL that was not visited, of so many.
    #[must_use]
    pub fn of_unread(&self, is_covered: bool, unread: u64) -> f64 {
        (if is_covered { self.novel } else { self.fresh }) / unread.max(1) as f64
    }
}

#[cfg(test)]
mod tests;
