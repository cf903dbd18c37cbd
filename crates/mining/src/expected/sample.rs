//! What a fit looks at: a URL that the crawl knows.

use super::FIRST_PART;
use crate::site_table::{SLICES, Slices};

use super::model::{LinkEvidence, VisitEvidence};

/// A known URL.
#[derive(Clone, Copy, Debug)]
pub struct FitSample {
    /// Its kind, a node of the tree.
    pub(super) kind: u32,
    /// x.
    pub(super) links: LinkEvidence,
    /// Its visits.
    pub(super) slices: Slices,
    /// δ of its site.
    pub(super) discount: f64,
    /// y: all of them.
    pub visits: f64,
}

impl FitSample {
    /// Of this kind, with these links and visits.
    #[must_use]
    pub fn new(kind: u32, links: LinkEvidence, slices: Slices, discount: f64) -> Self {
        Self { kind, links, slices, discount, visits: sum(&slices) }
    }

    /// Its node.
    pub(super) fn node(&self) -> usize {
        self.kind as usize
    }

    pub(super) fn is_read(&self) -> bool {
        self.visits > 0.0
    }

    /// Visits of the first part of the log, and of the second.
    pub(super) fn parts(&self) -> (f64, f64) {
        let (first, second) = self.slices.split_at(FIRST_PART);
        (sum(first), sum(second))
    }

    /// What the first part says.
    pub(super) fn first(&self) -> VisitEvidence {
        VisitEvidence::of(&self.slices[..FIRST_PART], self.discount)
    }

    /// Visits in so many slices of a URL that had none in as many before them, from this slice on.
    pub(super) fn new_after(&self, start: usize, slices: usize) -> f64 {
        let (before, after) = (start + slices, (start + 2 * slices).min(SLICES));
        if self.slices[start..before].iter().any(|n| *n > 0) { 0.0 } else { sum(&self.slices[before..after]) }
    }
}

fn sum(slices: &[u32]) -> f64 {
    slices.iter().map(|n| f64::from(*n)).sum()
}
