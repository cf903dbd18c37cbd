//! Any URL that waits, all with the same chance.
//!
//! Every URL draws a lifetime from the exponential distribution when it is seen, and is fetched when it is over:
//!
//! ```text
//! deadline = t + E,   E = −ln U,   U uniform in (0, 1),   t = deadline of the last URL fetched
//! ```
//! The exponential distribution has no memory: at every moment, whatever waits has the same chance to be the next,
//! however long it has waited. A fixed random number for each URL would not do: what has waited for long would be what
//! drew badly.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Placement, Priority, Time, UrlId, UrlTable};

use super::save::saves;
use super::{Moves, OrderingPolicy};
use crate::chance;
use crate::outcome::{Found, Known, Outcome};

/// A crawl by chance.
#[derive(Debug)]
pub struct Random {
    seed: u64,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
struct State {
    drawn: u64,
    now: f64,
    deadlines: UrlTable<f64>,
}

impl Random {
    /// By a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, state: State { drawn: 0, now: 0.0, deadlines: UrlTable::default() } }
    }
}

impl OrderingPolicy for Random {
    fn place(&mut self, url: &Known<'_>, _: Time) -> Placement {
        let lifetime = -chance::unit(self.seed, self.state.drawn).ln();
        self.state.drawn += 1;
        let deadline = self.state.now + lifetime;
        *self.state.deadlines.slot(url.key) = deadline;
        Placement::Exact(Priority::of(-deadline))
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Exact(Priority::of(-self.state.deadlines.get(url.key)))
    }

    fn settled(&mut self, url: &Known<'_>, _: &Outcome<'_>, _: &[Found<'_>], _: &mut Moves, _: Time) {
        self.state.now = self.state.now.max(self.state.deadlines.get(url.key));
    }

    /// Chance decides what is kept, too. Not by the deadline: that would keep the first pages.
    fn estimate(&self, key: UrlId) -> f64 {
        let deadline = self.state.deadlines.get(key);
        chance::unit(self.seed ^ deadline.to_bits(), 0)
    }

    fn forget(&mut self, url: UrlId) {
        self.state.deadlines.forget(url);
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
