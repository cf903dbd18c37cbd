//! What happens in a crawl, in order.

use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<K> {
    /// A URL was given to start from.
    Seeded {
        /// The URL.
        key: K,
    },
    /// A page was fetched.
    Fetched {
        /// Its URL.
        key: K,
    },
    /// A URL was handed out to learn, not because it was the best.
    Explored {
        /// The URL.
        key: K,
    },
    /// A URL was seen for the first time.
    Discovered {
        /// The URL.
        key: K,
        /// The page it is on.
        from: K,
    },
    /// A page was given up to make room for another.
    Evicted {
        /// Its URL.
        key: K,
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
