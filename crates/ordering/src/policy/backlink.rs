//! By links from pages fetched so far (UO's backlink count).
//!
//! Each page counts once for each URL it links to. Cost: one change of place for every link of a page.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Placement, Priority, Time, UrlId, UrlTable};

use super::save::saves;
use super::{Moves, OrderingPolicy};
use crate::outcome::{Found, Known, Outcome};

/// What is linked most, first; equals as found.
#[derive(Debug, Default)]
pub struct Backlink {
    state: State,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    links: UrlTable<u32>,
}

impl Backlink {
    fn placement(&self, key: UrlId) -> Placement {
        Placement::Exact(Priority::of(self.estimate(key)))
    }
}

impl OrderingPolicy for Backlink {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        self.placement(url.key)
    }

    fn settled(&mut self, _: &Known<'_>, _: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, _: Time) {
        for link in found {
            *self.state.links.slot(link.key) += 1;
            if !link.is_new {
                moves.place(link.key, self.placement(link.key));
            }
        }
    }

    fn estimate(&self, key: UrlId) -> f64 {
        f64::from(self.state.links.get(key))
    }

    fn forget(&mut self, url: UrlId) {
        self.state.links.forget(url);
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
