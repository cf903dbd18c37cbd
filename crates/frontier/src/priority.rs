//! How urgent is a URL, and where does it wait?

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::lane::LaneId;

/// A place in the order of a queue: higher tiers first, in a tier higher values first.
///
/// Values are compared by IEEE's total order, so that even a value that is not a number has a place; it is the policy's
/// business not to make any.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Priority {
    /// What goes before everything of a lower tier.
    pub tier: u8,
    /// What it is worth.
    pub value: f64,
}

impl Priority {
    /// Less than anything.
    pub const LAST: Self = Self { tier: 0, value: f64::NEG_INFINITY };

    /// Of the lowest tier.
    pub const fn of(value: f64) -> Self {
        Self { tier: 0, value }
    }
}

impl Ord for Priority {
    fn cmp(&self, other: &Self) -> Ordering {
        self.tier.cmp(&other.tier).then_with(|| self.value.total_cmp(&other.value))
    }
}

impl PartialOrd for Priority {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Priority {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Priority {}

/// Where a URL goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Into a lane of its queue.
    Lane(LaneId),
    /// At a place of its own.
    Exact(Priority),
    /// Nowhere: it is known, and never taken.
    Reject,
}
