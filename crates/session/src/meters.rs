//! How much does a session write? Counted for whoever installs a recorder of the crate `metrics`; else a look at an empty handle.
//!
//! A count is neither a clock nor chance: a session with a recorder does what one without does. Times are measured by whoever drives it.

use metrics::{Counter, counter};

use crate::journal::Step;

const NAME: &str = "trodden_session_steps_total";

/// Steps of the journal by kind, and checkpoints.
pub(crate) struct Meters {
    seeded: Counter,
    swapped: Counter,
    handed_out: Counter,
    deferred: Counter,
    refused: Counter,
    undone: Counter,
    revived: Counter,
    updated: Counter,
    removed: Counter,
    settled: Counter,
    journal_bytes: Counter,
    checkpoint_bytes: Counter,
}

impl Meters {
    pub(crate) fn new() -> Self {
        metrics::describe_counter!(NAME, "Steps written to the journal of a session, by kind");
        metrics::describe_counter!("trodden_session_journal_bytes_total", "Bytes of these steps");
        metrics::describe_counter!("trodden_session_checkpoint_bytes_total", "Bytes of checkpoints");
        let step = |kind: &'static str| counter!(NAME, "step" => kind);
        Self {
            seeded: step("seeded"),
            swapped: step("swapped"),
            handed_out: step("handed-out"),
            deferred: step("deferred"),
            refused: step("refused"),
            undone: step("undone"),
            revived: step("revived"),
            updated: step("updated"),
            removed: step("removed"),
            settled: step("settled"),
            journal_bytes: counter!("trodden_session_journal_bytes_total"),
            checkpoint_bytes: counter!("trodden_session_checkpoint_bytes_total"),
        }
    }

    /// A step was written.
    pub(crate) fn wrote(&self, step: &Step, bytes: usize) {
        let counter = match step {
            Step::Seeded { .. } => &self.seeded,
            Step::Swapped { .. } => &self.swapped,
            Step::HandedOut { .. } => &self.handed_out,
            Step::Deferred { .. } => &self.deferred,
            Step::Refused { .. } => &self.refused,
            Step::Undone { .. } => &self.undone,
            Step::Revived { .. } => &self.revived,
            Step::Updated { .. } => &self.updated,
            Step::Removed { .. } => &self.removed,
            Step::Settled { .. } => &self.settled,
        };
        counter.increment(1);
        self.journal_bytes.increment(bytes as u64);
    }

    /// A checkpoint was written.
    pub(crate) fn checkpointed(&self, bytes: usize) {
        self.checkpoint_bytes.increment(bytes as u64);
    }
}
