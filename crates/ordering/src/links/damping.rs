//! How much do links count, and how exact must a score be? Two numbers that keep their promises.

use serde::{Deserialize, Serialize};

/// d: the share of a page's score that it hands on to the pages it links to. From 0 to less than 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct PageRankDamping(f64);

impl PageRankDamping {
    /// That of the URL-ordering paper (WWW 1998).
    pub const DEFAULT: Self = Self(0.9);

    /// This d, if it is at least 0 and below 1.
    pub fn new(share: f64) -> Option<Self> {
        (0.0..1.0).contains(&share).then_some(Self(share))
    }

    /// d.
    pub fn share(self) -> f64 {
        self.0
    }
}

impl Default for PageRankDamping {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl From<PageRankDamping> for f64 {
    fn from(damping: PageRankDamping) -> Self {
        damping.0
    }
}

impl TryFrom<f64> for PageRankDamping {
    type Error = &'static str;

    fn try_from(share: f64) -> Result<Self, Self::Error> {
        Self::new(share).ok_or("damping must be at least 0 and below 1")
    }
}

/// How far scores may be off; each solver says in what measure. Positive, and not below what `f64` can tell apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance(f64);

impl Tolerance {
    /// The least that can be asked for.
    pub const LEAST: Self = Self(1e-13);
    /// For whole graphs: all scores together are off by no more than a ten-thousand-millionth of their sum.
    pub const WHOLE: Self = Self(1e-10);

    /// This tolerance, or the least, if it is below that or no number.
    pub fn at_least(tolerance: f64) -> Self {
        Self(tolerance.max(Self::LEAST.0))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damping_is_a_share_below_one() {
        assert_eq!(PageRankDamping::new(0.0).map(PageRankDamping::share), Some(0.0));
        assert_eq!([1.0, -0.1, f64::NAN].map(PageRankDamping::new), [None; 3]);
        assert_eq!(PageRankDamping::default().share(), 0.9);
    }

    #[test]
    fn a_tolerance_is_never_out_of_reach() {
        assert_eq!(Tolerance::at_least(0.0), Tolerance::LEAST);
        assert_eq!(Tolerance::at_least(f64::NAN), Tolerance::LEAST);
        assert_eq!(Tolerance::at_least(1e-6).get(), 1e-6);
    }
}
