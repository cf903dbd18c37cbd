//! What happens in a crawl, in order.

use serde::{Deserialize, Serialize};
use trodden_frontier::Time;

use crate::{Change, OutcomeKind};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<K> {
    /// A URL was given to start from.
    Seeded {
        /// The URL.
        key: K,
        /// When.
        at: Time,
    },
    /// A URL was fetched, or could not be.
    Fetched {
        /// The URL.
        key: K,
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
        key: K,
        /// When.
        at: Time,
    },
    /// A URL was seen for the first time.
    Discovered {
        /// The URL.
        key: K,
        /// The page it is on.
        from: K,
        /// When.
        at: Time,
    },
    /// A page was given up to make room for another.
    Evicted {
        /// Its URL.
        key: K,
        /// When.
        at: Time,
    },
}

/// Whoever listens.
pub trait EventLog<K> {
    /// Takes note of something that happened.
    fn record(&mut self, event: Event<K>);
}

/// Nobody does.
impl<K> EventLog<K> for () {
    fn record(&mut self, _: Event<K>) {}
}

impl<K> EventLog<K> for Vec<Event<K>> {
    fn record(&mut self, event: Event<K>) {
        self.push(event);
    }
}
