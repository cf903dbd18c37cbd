//! By links from pages fetched so far (UO's backlink count).
//!
//! Each page counts once for each URL it links to. Cost: one change of place for every link of a page.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Key, KeyTable, Placement, Priority, Time};

use super::save::saves;
use super::{Moves, OrderingPolicy};
use crate::outcome::{Found, Known, Outcome};

/// What is linked most, first; equals as found.
#[derive(Debug, Default)]
pub struct Backlink<K: Key> {
    state: State<K>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct State<K: Key> {
    links: K::Table<u32>,
}

impl<K: Key> Default for State<K> {
    fn default() -> Self {
        Self { links: K::Table::default() }
    }
}

impl<K: Key> Backlink<K> {
    fn placement(&self, key: K) -> Placement {
        Placement::Exact(Priority::of(self.estimate(key)))
    }
}

impl<K: Key> OrderingPolicy<K> for Backlink<K> {
    fn place(&mut self, url: &Known<'_, K>, now: Time) -> Placement {
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_, K>, _: Time) -> Placement {
        self.placement(url.key)
    }

    fn settled(&mut self, _: &Known<'_, K>, _: &Outcome<'_>, found: &[Found<'_, K>], moves: &mut Moves<K>, _: Time) {
        for link in found {
            *self.state.links.slot(link.key) += 1;
            if !link.is_new {
                moves.place(link.key, self.placement(link.key));
            }
        }
    }

    fn estimate(&self, key: K) -> f64 {
        f64::from(self.state.links.get(key))
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
