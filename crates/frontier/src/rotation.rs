//! Which site next? Weighted rotation, by counting instead of chance.
//!
//! Every queue has a *pass*; of those that may be asked, the one with the lowest pass is (ties: the lower number). Each
//! URL taken moves the queue's pass on by its stride, so over time a queue gets a share of the URLs in inverse
//! proportion to its stride:
//!
//! ```text
//! stride(q) = STEP · w̄ / max(w(q), floor · w̄)      w(q): weight, w̄: mean weight of the queues that wait
//! ```
//! A queue that has waited for nothing joins at the pass of the last one taken: it has neither credit nor debt.

use crate::priority::Priority;

/// How the queues share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rotation {
    /// Evenly.
    #[default]
    Even,
    /// By the value of the best that each has to offer.
    ByPriority {
        /// No queue gets less than this share of what an even rotation would give it. Above 0.
        floor: f64,
    },
}

/// What an average queue's pass moves on with each URL.
const STEP: f64 = (1_u64 << 20) as f64;
/// No queue waits longer than this many rounds of an average one.
const MAX_STRIDES: f64 = 1e6;

impl Rotation {
    /// The weight of a queue by the best it has.
    pub(crate) fn weight(self, best: Priority) -> f64 {
        match self {
            Self::Even => 1.0,
            Self::ByPriority { .. } if best.value.is_finite() => best.value.max(0.0),
            Self::ByPriority { .. } => 0.0,
        }
    }

    /// How far the pass of a queue moves on.
    pub(crate) fn stride(self, weight: f64, mean: f64) -> u64 {
        let rounds = match self {
            Self::ByPriority { floor } if mean > 0.0 => mean / weight.max(floor * mean),
            Self::Even | Self::ByPriority { .. } => 1.0,
        };
        (STEP * rounds.min(MAX_STRIDES)) as u64
    }
}
