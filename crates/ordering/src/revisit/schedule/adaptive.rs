//! Nutch's adaptive schedule (`AdaptiveFetchSchedule`).
//!
//! ```text
//! interval ← 0.8·interval      when a page was found changed
//!          ← 1.4·interval      when it was not
//! ```
//! within bounds, from 30 days. It knows neither importance nor a budget. To compare it under a budget, only the proportions of the
//! intervals count: a page is fetched at a rate in proportion to 1/interval **\[ours\]**.

use serde::{Deserialize, Serialize};

use crate::outcome::Change;

/// The interval of a page, in days.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdaptiveInterval(f64);

impl AdaptiveInterval {
    /// Nutch's defaults: the first interval and its bounds, in days, and the factors.
    const FIRST: f64 = 30.0;
    const BOUNDS: [f64; 2] = [60.0 / 86_400.0, 365.0];
    const CHANGED: f64 = 0.8;
    const UNCHANGED: f64 = 1.4;

    /// It was fetched.
    pub fn fetched(&mut self, change: Change) {
        let factor = match change {
            Change::First => 1.0,
            Change::Changed => Self::CHANGED,
            Change::Unchanged => Self::UNCHANGED,
        };
        let [least, most] = Self::BOUNDS;
        self.0 = (self.0 * factor).clamp(least, most);
    }

    /// Days.
    #[must_use]
    pub fn days(&self) -> f64 {
        self.0
    }
}

impl Default for AdaptiveInterval {
    fn default() -> Self {
        Self(Self::FIRST)
    }
}
