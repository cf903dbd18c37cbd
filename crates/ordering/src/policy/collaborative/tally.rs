//! Of so many pages, how many satisfy: shares, their ratio to that of all pages, and whether they differ by more than chance.

use serde::{Deserialize, Serialize};

use super::settings::SampleSize;

/// Ratios are between 1/20 and 20.
const MOST_NATS: f64 = 2.995_732_273_553_991;
/// Parts of a nat that weights are rounded to: sums of whole numbers do not depend on the order of adding. A sixteenth is 6 %.
pub(super) const PARTS: f64 = 16.0;

/// How many pages, and how many of them satisfy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) pages: u32,
    pub(super) satisfying: u32,
}

impl Tally {
    pub(super) fn count(&mut self, satisfies: bool) {
        self.pages += 1;
        self.satisfying += u32::from(satisfies);
    }

    /// The opposite of [`count`](Self::count).
    pub(super) fn take_back(&mut self, satisfies: bool) {
        self.pages = self.pages.saturating_sub(1);
        self.satisfying = self.satisfying.saturating_sub(u32::from(satisfies));
    }

    pub(super) fn add(&mut self, other: Self) {
        self.pages += other.pages;
        self.satisfying += other.satisfying;
    }

    /// The share that satisfies, smoothed towards that of all pages.
    pub(super) fn share(self, base: f64) -> f64 {
        (f64::from(self.satisfying) + base) / (f64::from(self.pages) + 1.0)
    }

    /// The logarithm of its ratio to that of all pages.
    pub(super) fn nats(self, base: f64) -> f64 {
        clamped((self.share(base) / base).ln())
    }
}

/// All pages that were fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Totals {
    pub(super) fetched: u64,
    pub(super) satisfying: u64,
}

impl Totals {
    /// P(U).
    pub(super) fn base(self) -> f64 {
        (self.satisfying as f64 + 0.5) / (self.fetched as f64 + 1.0)
    }

    /// The logarithm of a tally's ratio if it is off by more than `t` standard deviations, else 0.
    pub(super) fn significant_nats(self, tally: Tally, sample: SampleSize, t: f64) -> f64 {
        let base = self.base();
        let size = match sample {
            SampleSize::Own => f64::from(tally.pages),
            SampleSize::Crawl => self.fetched as f64,
        };
        let deviation = (base * (1.0 - base) / size.max(1.0)).sqrt();
        let is_significant = tally.pages > 0 && (tally.share(base) - base).abs() > t * deviation;
        if is_significant { tally.nats(base) } else { 0.0 }
    }
}

pub(super) fn clamped(nats: f64) -> f64 {
    nats.clamp(-MOST_NATS, MOST_NATS)
}

/// A weight in whole parts of a nat.
pub(super) fn parts(nats: f64) -> i16 {
    (clamped(nats) * PARTS).round() as i16
}
