//! What the learner keeps of each URL: sixteen bytes.

use serde::{Deserialize, Serialize};

/// What is known of a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    /// Sums over its users, in parts of a nat.
    pub(super) users: i32,
    pub(super) signatures: i32,
    /// The lane it was placed in, from 1.
    pub(super) lane: u32,
    pub(super) flags: u8,
}

impl Note {
    /// It was fetched, or its time is over for another reason.
    pub(super) const DONE: u8 = 1;
    /// It was fetched, and counts.
    pub(super) const COUNTED: u8 = 2;
    pub(super) const SATISFIES: u8 = 4;
    pub(super) const NEAR: u8 = 8;
    /// It was placed.
    pub(super) const PLACED: u8 = 16;
    /// Its number belonged to a URL of the trace that was removed: the trace is not about it.
    pub(super) const OTHER: u8 = 32;
    /// The trace is about it, and counts.
    pub(super) const READ: u8 = 64;

    pub(super) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}
