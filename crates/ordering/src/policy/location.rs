//! How plain a URL is (UO's location metric).
//!
//! The formula is in [`crate::location`]; only the text of the URL is looked at.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Key, KeyTable, Placement, Priority, Time};

use super::OrderingPolicy;
use super::save::saves;
use crate::location::Location as Formula;
use crate::outcome::Known;

/// Plain URLs first; equals as found.
#[derive(Debug)]
pub struct Location<K: Key> {
    formula: Formula,
    state: State<K>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct State<K: Key> {
    locations: K::Table<f64>,
}

impl<K: Key> Default for Location<K> {
    fn default() -> Self {
        Self { formula: Formula::default(), state: State { locations: K::Table::default() } }
    }
}

impl<K: Key> OrderingPolicy<K> for Location<K> {
    fn place(&mut self, url: &Known<'_, K>, now: Time) -> Placement {
        *self.state.locations.slot(url.key) = self.formula.score(url.url);
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_, K>, _: Time) -> Placement {
        Placement::Exact(Priority::of(self.estimate(url.key)))
    }

    fn estimate(&self, key: K) -> f64 {
        self.state.locations.get(key)
    }

    saves!(state);
}
