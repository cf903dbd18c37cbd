//! What an engine answers when it is asked what comes next.

use trodden_frontier::{LaneId, LeaseId, QueueId, Time, UrlId};

/// A URL to be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// To settle it by.
    pub lease: LeaseId,
    /// The URL.
    pub key: UrlId,
    /// Its queue.
    pub queue: QueueId,
    /// The lane it was taken from to learn; none if it was the best.
    pub explored: Option<LaneId>,
}

/// When a list of URLs is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListTurn {
    /// Before all pages.
    First,
    /// In turn with them.
    WithPages,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Fetch this.
    Fetch(Task),
    /// Nothing before this time, unless a task is settled.
    Wait(Time),
    /// Nothing is left.
    Drained,
    /// The budget is spent.
    Spent,
}
