//! In which order are the URLs of a lane taken?

use serde::{Deserialize, Serialize};

use crate::priority::Priority;
use crate::time::Span;

/// A lane: URLs that share a priority. Queues that have a lane of the same number share its [settings](LaneSettings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LaneId(pub u32);

impl LaneId {
    /// Where policies may number lanes; those above belong to whoever runs the crawl, whatever the policy.
    pub const FIRST_RESERVED: Self = Self(u32::MAX - 15);
    /// What a queue has deferred, by time.
    pub(crate) const DEFERRED: Self = Self(u32::MAX);
}

/// The order inside a lane. It is said before the first URL goes in; later only a period may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaneOrder {
    /// First come, first served.
    #[default]
    Arrival,
    /// By the date from which a URL may be taken, then by its text: the contract of the wire.
    Date,
    /// By the last time a URL was put here; it may be taken again after this span. A new rate of revisits touches the lane,
    /// not its URLs.
    Period(Span),
}

/// What a lane is worth, and how it is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneSettings {
    /// Among the lanes and single URLs of its queue.
    pub priority: Priority,
    /// Inside it.
    pub order: LaneOrder,
}

impl LaneSettings {
    /// First come, first served, at this priority.
    pub const fn arrival(priority: Priority) -> Self {
        Self { priority, order: LaneOrder::Arrival }
    }
}
