//! By cash that flowed to a URL (OPIC: Abiteboul, Preda, Cobéna, 2003).
//!
//! Every page holds cash; the seeds share 1, all others start with none. Fetching page p
//!
//! ```text
//! history(p) += cash(p),   G += cash(p)
//! cash(q)    += cash(p) / n     for each of the n links p → q;  a page without links gives it to a virtual page
//! cash(p)     = 0
//! ```
//! and the URL with the most cash is the next. All cash together, the virtual page's included, stays 1. `history/G` tends
//! to the page's importance. Cost: one addition and one change of place for every link of a page.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Placement, Priority, Time, UrlId, UrlTable};

use super::save::saves;
use super::{Moves, OrderingPolicy};
use crate::outcome::{Found, Known, Outcome};

/// What is owed most, first; equals as found.
#[derive(Debug)]
pub struct Opic {
    seeds: u32,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
struct State {
    cash: UrlTable<f64>,
    history: UrlTable<f64>,
    /// The sum of all histories.
    spent: f64,
    /// What pages without links gave away.
    lost: f64,
}

impl Opic {
    /// For a crawl from so many seeds.
    pub fn new(seeds: u32) -> Self {
        let state = State { cash: UrlTable::default(), history: UrlTable::default(), spent: 0.0, lost: 0.0 };
        Self { seeds: seeds.max(1), state }
    }

    /// What the virtual page holds.
    pub fn lost(&self) -> f64 {
        self.state.lost
    }

    /// What a URL holds.
    pub fn cash(&self, key: UrlId) -> f64 {
        self.state.cash.get(key)
    }

    /// A page's share of all that was ever spent; 0 before anything was.
    pub fn importance(&self, key: UrlId) -> f64 {
        if self.state.spent > 0.0 { self.state.history.get(key) / self.state.spent } else { 0.0 }
    }
}

impl OrderingPolicy for Opic {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        if url.from.is_none() {
            *self.state.cash.slot(url.key) += 1.0 / f64::from(self.seeds);
        }
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Exact(Priority::of(self.cash(url.key)))
    }

    fn settled(&mut self, url: &Known<'_>, _: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, _: Time) {
        let cash = std::mem::take(self.state.cash.slot(url.key));
        *self.state.history.slot(url.key) += cash;
        self.state.spent += cash;
        if found.is_empty() {
            self.state.lost += cash;
            return;
        }
        let part = cash / found.len() as f64;
        for link in found {
            let held = self.state.cash.slot(link.key);
            *held += part;
            if !link.is_new {
                moves.place(link.key, Placement::Exact(Priority::of(*held)));
            }
        }
    }

    /// All cash that ever came here.
    fn estimate(&self, key: UrlId) -> f64 {
        self.state.history.get(key) + self.cash(key)
    }

    fn forget(&mut self, url: UrlId) {
        // What it holds stays in the sum.
        self.state.lost += std::mem::take(self.state.cash.slot(url));
        self.state.history.forget(url);
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
