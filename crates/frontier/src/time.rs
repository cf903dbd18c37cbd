//! When? Points in time and lengths of it, in milliseconds; nobody here reads a clock.

use serde::{Deserialize, Serialize};

/// A point in time: milliseconds since whatever the crawl counts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub u64);

/// A length of time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span(pub u64);

impl Span {
    /// None at all.
    pub const ZERO: Self = Self(0);

    /// So many seconds.
    pub const fn seconds(seconds: u64) -> Self {
        Self(seconds * 1_000)
    }
}

impl std::ops::Add<Span> for Time {
    type Output = Self;

    /// Time never runs over: what is too far away stays at the end.
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}
