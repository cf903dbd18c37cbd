//! One curve of interest.

use super::normal::{Normal, quantile};

/// How interest in a page rises and falls: `A` views in all, log-normal in the time since its birth. Times are in bins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterestCurve {
    /// All views of its life, those beyond the window included.
    pub amount: f64,
    /// When it was born, in bins from the start of the window; may be before it.
    pub birth: f64,
    /// Mean of the logarithm of the time from birth to view.
    pub mu: f64,
    /// Its standard deviation.
    pub sigma: f64,
}

/// Share of its interest that comes before a page counts as active, and after it counts as dormant.
const ASLEEP: f64 = 0.05;

impl InterestCurve {
    /// Share of all interest within so many bins of the birth: the log-normal distribution function.
    #[must_use]
    pub fn share_within(&self, bins: f64) -> f64 {
        if bins <= 0.0 { 0.0 } else { Normal::new().below((bins.ln() - self.mu) / self.sigma) }
    }

    /// Views expected between two times of the window.
    #[must_use]
    pub fn views_between(&self, from: f64, to: f64) -> f64 {
        self.amount * (self.share_within(to - self.birth) - self.share_within(from - self.birth))
    }

    /// Views a bin at a time of the window.
    #[must_use]
    pub fn density(&self, at: f64) -> f64 {
        let since = at - self.birth;
        if since <= 0.0 {
            return 0.0;
        }
        let z = (since.ln() - self.mu) / self.sigma;
        self.amount * Normal::new().both(z).1 / (self.sigma * since)
    }

    /// Bins from birth until this share of its interest has come.
    #[must_use]
    pub fn bins_until(&self, share: f64) -> f64 {
        (self.mu + self.sigma * quantile(share.clamp(0.0, 1.0))).exp()
    }

    /// When interest awakes **\[ours\]**: 5 % of it has come. In bins from the start of the window.
    #[must_use]
    pub fn activation(&self) -> f64 {
        self.birth + self.bins_until(ASLEEP)
    }

    /// When it falls asleep **\[ours\]**: 95 % of it has come.
    #[must_use]
    pub fn dormancy(&self) -> f64 {
        self.birth + self.bins_until(1.0 - ASLEEP)
    }

    /// Bins in which half of its readers come.
    #[must_use]
    pub fn half_life(&self) -> f64 {
        self.mu.exp()
    }
}
