//! What share of a set of URLs, and of the visits to them, does a tree locate?
//!
//! ```text
//! URL coverage     = |{u ∈ U : u is in a pattern}| / |U|
//! traffic coverage = Σ {n(u) : u is in a pattern}  / Σ n(u)
//! ```
//!
//! *U*, the different URLs visited → [`PatternCoverage::urls`]; *n(u)*, visits to one, summed → [`PatternCoverage::visits`]. A URL is
//! in a pattern if the walk of [`locate`](crate::locate) ends in one: one that violates a constant or has a value of a
//! class never met is not covered, even though a branch leads to it.

use serde::Serialize;

use super::share;

/// How many URLs and visits there were, and how many of them were located.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PatternCoverage {
    /// Different URLs.
    pub urls: u64,
    /// Visits to them.
    pub visits: u64,
    /// Those of the URLs that are in a pattern.
    pub located_urls: u64,
    /// Visits to these.
    pub located_visits: u64,
}

impl PatternCoverage {
    /// Counts a URL.
    pub fn add(&mut self, pattern: Option<u32>, visits: u64) {
        self.urls += 1;
        self.visits += visits;
        if pattern.is_some() {
            self.located_urls += 1;
            self.located_visits += visits;
        }
    }

    /// The share of URLs that were located.
    #[must_use]
    pub fn of_urls(&self) -> Option<f64> {
        share(self.located_urls, self.urls)
    }

    /// The share of visits that were located.
    #[must_use]
    pub fn of_traffic(&self) -> Option<f64> {
        share(self.located_visits, self.visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cikm11_coverage_counts_urls_once_and_traffic_by_visits() {
        let mut coverage = PatternCoverage::default();
        assert_eq!((coverage.of_urls(), coverage.of_traffic()), (None, None));
        for (pattern, visits) in [(Some(3), 6), (Some(3), 1), (None, 2), (Some(9), 1)] {
            coverage.add(pattern, visits);
        }
        assert_eq!((coverage.of_urls(), coverage.of_traffic()), (Some(0.75), Some(0.8)));
    }
}
