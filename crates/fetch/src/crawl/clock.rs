//! What time is it in a crawl? That of this machine, but never before what the crawl was told last: where a clock was ahead in an earlier
//! run, time goes on from there. Only this part reads the clock.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use trodden_frontier::{Span, Time};

/// What the clock of this machine says: milliseconds since 1970.
pub(super) fn wall_clock() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The time of a crawl.
pub(super) struct Clock {
    base: Time,
    started: Instant,
}

impl Clock {
    /// Not before this time; and by how much this machine's clock is behind it.
    pub(super) fn not_before(latest: Time) -> (Self, Span) {
        let wall = wall_clock();
        let behind = Span(latest.0.saturating_sub(wall.0));
        (Self { base: wall.max(latest), started: Instant::now() }, behind)
    }

    pub(super) fn now(&self) -> Time {
        self.base + Span(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}
