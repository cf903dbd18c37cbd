//! What happened since the engine was last saved?
//!
//! The frontier on disk keeps what waits; what the policy has learnt is saved as a file now and then. Between two such
//! files every step of the engine is noted in the frontier's own batch, so that a crawl that is cut off anywhere tells its
//! engine the same steps again, in their order, and stands where it stood.

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, QueueId};

/// A step of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Step {
    /// A URL was seeded.
    Seeded { key: u32 },
    /// URLs were placed anew, by another model.
    PlacedAnew { keys: Vec<u32> },
    /// A URL of a queue was handed out; from this lane, if to learn.
    HandedOut { queue: QueueId, explored: Option<LaneId> },
    /// A task was deferred or refused.
    GivenBack,
    /// A task was settled.
    Settled { key: u32, page: Option<Words>, links: Vec<Linked> },
}

/// The words of a page, where the policy reads them; else empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Words {
    pub(super) title: String,
    pub(super) body: String,
}

/// A link of a settled page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Linked {
    pub(super) key: u32,
    pub(super) queue: QueueId,
    pub(super) is_new: bool,
    /// Where the policy reads it; else empty.
    pub(super) anchor: String,
}
