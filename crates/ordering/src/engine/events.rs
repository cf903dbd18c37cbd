//! What happens in a crawl, in order.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Time, UrlId};

use crate::{Change, OutcomeKind};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A URL was given to start from.
    Seeded {
        /// The URL.
        key: UrlId,
        /// When.
        at: Time,
    },
    /// A URL was fetched, or could not be.
    Fetched {
        /// The URL.
        key: UrlId,
        /// When.
        at: Time,
        /// What it came to.
        kind: OutcomeKind,
        /// Whether it is what it was.
        change: Change,
        /// Bytes of the body, as sent.
        bytes: u64,
    },
    /// A URL was handed out to learn, not because it was the best.
    Explored {
        /// The URL.
        key: UrlId,
        /// When.
        at: Time,
    },
    /// A URL was seen for the first time.
    Discovered {
        /// The URL.
        key: UrlId,
        /// The page it is on.
        from: UrlId,
        /// When.
        at: Time,
    },
    /// A URL that was handed out may never be asked for, or was no page: nothing is learnt from it.
    Refused {
        /// The URL.
        key: UrlId,
        /// When.
        at: Time,
    },
    /// A page was given up to make room for another.
    Evicted {
        /// Its URL.
        key: UrlId,
        /// When.
        at: Time,
    },
}

/// Whoever listens.
pub trait EventLog {
    /// Takes note of something that happened.
    fn record(&mut self, event: Event);
}

/// Nobody does.
impl EventLog for () {
    fn record(&mut self, _: Event) {}
}

impl EventLog for Vec<Event> {
    fn record(&mut self, event: Event) {
        self.push(event);
    }
}
