//! Where on an axis does a share stand, and which shares get a number?
//!
//! Linear: `at(x) = x / until`. Logarithmic: `at(x) = ln(x/from) / ln(until/from)` with `from = until/1000`, and what
//! is less than `from` stands at 0.

use crate::number::percent;

/// Logarithmic axes start at this part of their end.
const LEAST: f64 = 1e-3;

/// How shares are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Evenly.
    Linear,
    /// By their logarithm, over three powers of ten.
    Logarithmic,
}

impl Axis {
    /// The place of a share on an axis up to `until`, from 0 to 1.
    #[must_use]
    pub fn at(self, share: f64, until: f64) -> f64 {
        let place = match self {
            Self::Linear => share / until,
            Self::Logarithmic => 1.0 - (share.max(until * LEAST) / until).ln() / LEAST.ln(),
        };
        place.clamp(0.0, 1.0)
    }

    /// Shares with a number: about five, at round steps, the last at the end or before it.
    #[must_use]
    pub fn ticks(self, until: f64) -> Vec<f64> {
        match self {
            Self::Linear => {
                let step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
                    .into_iter()
                    .find(|step| until / step < 5.5)
                    .unwrap_or(0.2);
                (0..=5).map(|i| f64::from(i) * step).filter(|tick| *tick <= until * 1.001).collect()
            }
            Self::Logarithmic => (0..=3).rev().map(|power| until * 0.1_f64.powi(power)).collect(),
        }
    }
}

/// What is written at a tick.
pub(super) fn tick_text(share: f64) -> String {
    let decimals = [0, 1, 2].into_iter().find(|decimals| {
        let scaled = share * 100.0 * 10_f64.powi(*decimals);
        (scaled - scaled.round()).abs() < 1e-6
    });
    format!("{} %", percent(share, usize::try_from(decimals.unwrap_or(3)).unwrap_or(0)))
}
