//! How plain a URL is (UO's location metric).
//!
//! The formula is in [`crate::location`]; only the text of the URL is looked at.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Placement, Priority, Time, UrlId, UrlTable};

use super::OrderingPolicy;
use super::save::saves;
use crate::location::Location as Formula;
use crate::outcome::Known;

/// Plain URLs first; equals as found.
#[derive(Debug)]
pub struct ByLocation {
    formula: Formula,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
struct State {
    locations: UrlTable<f64>,
}

impl Default for ByLocation {
    fn default() -> Self {
        Self { formula: Formula::default(), state: State { locations: UrlTable::default() } }
    }
}

impl OrderingPolicy for ByLocation {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        *self.state.locations.slot(url.key) = self.formula.score(url.url);
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Exact(Priority::of(self.estimate(url.key)))
    }

    fn forget(&mut self, url: UrlId) {
        self.state.locations.forget(url);
    }

    fn estimate(&self, key: UrlId) -> f64 {
        self.state.locations.get(key)
    }

    saves!(state);
}
