//! How does time pass in a crawl of a mirror?
//!
//! Virtual time starts at 0 with the first request and jumps from one thing that happens to the next: a request ends, or something that was
//! deferred may be asked for. Nobody reads a real clock. Every request takes equally long, so requests end in the order in which they began.

use trodden_frontier::{Span, Time};

/// How time passes in a crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// From asking for a page to having it.
    pub request: Span,
    /// From an answer of a host to the next request to it. If it is not zero, every host is a queue of its own and is asked for one page
    /// at a time; else the whole mirror is one queue.
    pub delay: Span,
    /// Requests under way at once; 0 counts as 1.
    pub at_once: u32,
    /// No request begins after this time; none: the crawl goes on as long as anything waits and its budget lasts.
    pub until: Option<Time>,
}

impl Clock {
    /// Nothing takes time.
    pub const STILL: Self = Self { request: Span::ZERO, delay: Span::ZERO, at_once: 1, until: None };

    /// Whether a request may begin at a time.
    pub(super) fn allows(&self, time: Time) -> bool {
        self.until.is_none_or(|until| time <= until)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::STILL
    }
}
