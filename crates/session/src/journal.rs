//! What happened since the last checkpoint?
//!
//! The frontier on disk keeps what waits; what the policy has learnt is a [`checkpoint`](crate::checkpoint). In between, every
//! call of a session that changes the engine is a [`Step`], with its time, under the next number.

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, LeaseId, QueueId, Time, UrlId};
use trodden_ordering::{Change, Outcome, OutcomeKind, PageText, SwapWork};

/// A step, and when it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TimedStep {
    pub(crate) at: Time,
    pub(crate) step: Step,
}

/// Something that changed the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Step {
    /// A URL was seeded.
    Seeded { key: UrlId },
    /// URLs of an old model were placed by the new one.
    Swapped { work: SwapWork },
    /// A URL of a queue was handed out; from this lane, if to learn.
    HandedOut { key: UrlId, queue: QueueId, explored: Option<LaneId> },
    /// A task was deferred; whether its URL waits in a lane of a policy that went.
    Deferred { key: UrlId, is_old: bool },
    /// A task was refused.
    Refused { key: UrlId },
    /// A URL that was out when the process ended was never fetched: its hand-out did not happen.
    Undone { queue: QueueId, explored: Option<LaneId> },
    /// A URL that was done waits again.
    Revived { key: UrlId },
    /// A URL was updated by its name, with an outcome or without.
    Updated { key: UrlId, outcome: Option<StepOutcome>, is_new: bool },
    /// A URL was removed.
    Removed { key: UrlId },
    /// A task was settled.
    Settled { key: UrlId, outcome: StepOutcome, links: Vec<StepLink> },
}

/// What the policy was told of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StepOutcome {
    pub(crate) kind: OutcomeKind,
    pub(crate) change: Change,
    pub(crate) bytes: u64,
    pub(crate) has_validators: bool,
    /// Title and body, where the policy reads them.
    pub(crate) text: Option<(String, String)>,
}

impl StepOutcome {
    pub(crate) fn of(outcome: &Outcome<'_>) -> Self {
        Self {
            kind: outcome.kind,
            change: outcome.change,
            bytes: outcome.bytes,
            has_validators: outcome.has_validators,
            text: outcome.text.map(|text| (text.title.to_owned(), text.body.to_owned())),
        }
    }

    pub(crate) fn outcome(&self) -> Outcome<'_> {
        Outcome {
            kind: self.kind,
            change: self.change,
            bytes: self.bytes,
            has_validators: self.has_validators,
            text: self.text.as_ref().map(|(title, body)| PageText { title, body }),
        }
    }
}

/// A link of a settled page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StepLink {
    pub(crate) key: UrlId,
    pub(crate) queue: QueueId,
    pub(crate) is_new: bool,
    /// Where the policy reads it; else empty.
    pub(crate) anchor: String,
}

/// A lease, and what its end must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenLease {
    pub(crate) queue: QueueId,
    pub(crate) explored: Option<LaneId>,
}

/// The key of a lease.
pub(crate) fn lease_key(lease: LeaseId) -> [u8; 8] {
    lease.0.to_be_bytes()
}
