//! What happened since the last checkpoint?
//!
//! The frontier on disk keeps what waits; what the policy has learnt is a [`checkpoint`](crate::checkpoint). In between, every
//! call of a session that changes the engine is a [`Step`], with its time, under the next number.
//!
//! Steps that are committed together are one block, under the number of its first: a batch of the store costs by its records, not by
//! its bytes, and a page has two steps.

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, LeaseId, QueueId, Time, UrlId};
use trodden_ordering::{Change, Outcome, OutcomeKind, PageText, SwapWork};

use crate::error::Error;

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

/// Steps that are not in a batch yet, and which blocks there are.
#[derive(Debug, Default)]
pub(crate) struct StepJournal {
    /// The first step of the block that is being written.
    from: u64,
    block: Vec<u8>,
    /// The first step of each block since the last checkpoint.
    blocks: Vec<u64>,
}

/// Bytes after which a block ends, whether or not it is committed: texts of pages may be long.
const BLOCK_BYTES: usize = 1 << 16;

impl StepJournal {
    /// Adds a step to the block; its bytes.
    pub(crate) fn write(&mut self, step: &TimedStep) -> Result<usize, Error> {
        let bytes = postcard::to_stdvec(step).map_err(|_| Error::Damaged("a step cannot be written"))?;
        self.block.extend_from_slice(&bytes);
        Ok(bytes.len())
    }

    pub(crate) fn is_long(&self) -> bool {
        self.block.len() >= BLOCK_BYTES
    }

    /// The block, if there is anything in it, and its first step; the next begins with this one.
    pub(crate) fn take_block(&mut self, next: u64) -> Option<(u64, Vec<u8>)> {
        if self.block.is_empty() {
            return None;
        }
        let from = std::mem::replace(&mut self.from, next);
        self.blocks.push(from);
        Some((from, std::mem::take(&mut self.block)))
    }

    /// There is a block that begins with this step.
    pub(crate) fn has_block(&mut self, from: u64) {
        self.blocks.push(from);
    }

    /// The next step is this one.
    pub(crate) fn go_on_from(&mut self, next: u64) {
        self.from = next;
    }

    /// A checkpoint has all steps before this one; the blocks that are no longer needed.
    pub(crate) fn begin_anew(&mut self, next: u64) -> Vec<u64> {
        self.from = next;
        self.block.clear();
        std::mem::take(&mut self.blocks)
    }
}

/// The steps of a block.
pub(crate) fn steps_of(mut block: &[u8]) -> impl Iterator<Item = Result<TimedStep, Error>> {
    std::iter::from_fn(move || {
        if block.is_empty() {
            return None;
        }
        let read = postcard::take_from_bytes(block).map_err(|_| Error::Damaged("a step cannot be read"));
        block = read.as_ref().map_or(&[], |(_, rest)| *rest);
        Some(read.map(|(step, _)| step))
    })
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
    /// Whether its URL has a record, if somebody asked: nobody writes one while it is out.
    pub(crate) has_record: Option<bool>,
}

/// The key of a lease.
pub(crate) fn lease_key(lease: LeaseId) -> [u8; 8] {
    lease.0.to_be_bytes()
}
