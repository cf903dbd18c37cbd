//! What is kept of the past of a page?
//!
//! The equation of [`change_rate`](super::change_rate) needs the length of each interval that shows a change, but only the sum of the
//! others. Intervals of one page are alike, because a schedule changes slowly. So of the changed ones we keep their number, and mean
//! and variance of the logarithm of their lengths; they stand in the equation as two equally large groups of length e^(mean ± deviation)
//! **\[ours\]**. A page costs 16 bytes, however long its past. Evidence fades with time, because few pages keep one rate for years **\[ours\]**.

use serde::{Deserialize, Serialize};
use trodden_frontier::Time;

use super::change_rate::{PriorRate, RateEstimate, change_rate};
use crate::outcome::Change;

/// What was seen so long ago counts a third: pages change their habits. Chosen on one half of the pages of two histories; half and twice as much
/// change little.
const FADES_DAYS: f64 = 365.0;
/// Milliseconds of a day.
const DAY_MS: f64 = 86_400_000.0;

/// Intervals between requests for a page, and which of them show a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangeEvidence {
    unchanged_days: f32,
    /// How many show a change, as far as they still count.
    changed: f32,
    /// Of ln(days) of the changed ones: the mean, and the sum of squares around it.
    log_mean: f32,
    log_squares: f32,
}

impl ChangeEvidence {
    /// An interval has ended. One of no length tells nothing.
    pub fn add(&mut self, days: f64, is_changed: bool) {
        if !(days > 0.0 && days.is_finite()) {
            return;
        }
        let fade = (-days / FADES_DAYS).exp() as f32;
        self.unchanged_days *= fade;
        self.changed *= fade;
        self.log_squares *= fade;
        if !is_changed {
            self.unchanged_days += days as f32;
            return;
        }
        self.changed += 1.0;
        let off = days.ln() as f32 - self.log_mean;
        self.log_mean += off / self.changed;
        self.log_squares += off * (days.ln() as f32 - self.log_mean);
    }

    /// Whether there is any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changed == 0.0 && self.unchanged_days == 0.0
    }

    /// D: changes a day.
    #[must_use]
    pub fn estimate(&self, prior: PriorRate) -> RateEstimate {
        if self.is_empty() {
            return prior.estimate();
        }
        let half = f64::from(self.changed) / 2.0;
        let count = self.changed.max(f32::MIN_POSITIVE);
        let deviation = (self.log_squares.max(0.0) / count).sqrt();
        let groups = [self.log_mean - deviation, self.log_mean + deviation].map(|log| (f64::from(log).exp(), half));
        change_rate(&groups, f64::from(self.unchanged_days), prior)
    }
}

/// The past of a page, as the crawl saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageHistory {
    /// When it was first and last fetched, and when it was last found changed.
    pub first: Time,
    /// When it was last fetched.
    pub last: Time,
    /// When it was last found changed.
    pub last_changed: Time,
    /// How often it was fetched.
    pub fetches: u32,
    /// Which intervals show a change.
    pub evidence: ChangeEvidence,
}

impl PageHistory {
    /// It was fetched.
    pub fn fetched(&mut self, change: Change, now: Time) {
        if self.fetches == 0 {
            self.first = now;
            self.last_changed = now;
        } else if change != Change::First {
            self.evidence.add(self.age_days(now), change == Change::Changed);
        }
        if change == Change::Changed {
            self.last_changed = now;
        }
        self.last = now;
        self.fetches = self.fetches.saturating_add(1);
    }

    /// Days since it was last fetched.
    #[must_use]
    pub fn age_days(&self, now: Time) -> f64 {
        now.0.saturating_sub(self.last.0) as f64 / DAY_MS
    }
}
