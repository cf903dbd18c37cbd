//! By personalized PageRank mass known so far (RankMass: Cho and Schonfeld, 2007).
//!
//! Trust is spread over the seeds: t = 1/n on each of n. Mass not yet passed on is `open`:
//!
//! ```text
//! at first   open(p) = (1−d)·t(p)
//! take the p with the most open mass; if it was not downloaded, download it; then
//!            covered += open(p)      (what p itself keeps)
//!            open(q) += d·open(p)/n  for each of its n links p → q
//!            open(p)  = 0
//! ```
//! A page that was downloaded may be taken again without a fetch: that happens here, at once, as long as some downloaded
//! page has more open mass than anything that waits. [`RankMass::covered`] is a lower bound of the PageRank that has been
//! downloaded. Passing on ends at [`SMALLEST`]: less than that changes no order that anyone could measure.
//!
//! Cost: the links of every page taken, and a place in a heap for each; the links of downloaded pages stay in memory, until the number of one
//! that was removed is given to another URL.

use serde::{Deserialize, Serialize};
use trodden_frontier::{IndexedHeap, Placement, Priority, Time, UrlId, UrlTable};

use super::removed::Removed;
use super::save::saves;
use super::{Moves, OrderingPolicy};
use crate::outcome::{Found, Known, Outcome};

/// The share of a page's mass that its links pass on.
pub const DAMPING: f64 = 0.9;
/// Open mass of a downloaded page that is not worth passing on.
pub const SMALLEST: f64 = 1e-12;

/// What most mass leads to, first.
#[derive(Debug)]
pub struct RankMass {
    seeds: u32,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
struct State {
    covered: f64,
    /// By URL: all mass that ever came here.
    received: UrlTable<f64>,
    /// By URL: place of its links in `rows`, plus one; 0 before it is downloaded.
    rows_of: UrlTable<u32>,
    rows: Vec<u32>,
    links: Vec<UrlId>,
    removed: Removed,
    waiting: IndexedHeap<Priority>,
    downloaded: IndexedHeap<Priority>,
}

impl RankMass {
    /// For a crawl that trusts so many seeds.
    pub fn new(seeds: u32) -> Self {
        let state = State {
            covered: 0.0,
            received: UrlTable::default(),
            rows_of: UrlTable::default(),
            rows: vec![0],
            links: Vec::new(),
            removed: Removed::default(),
            waiting: IndexedHeap::default(),
            downloaded: IndexedHeap::default(),
        };
        Self { seeds: seeds.max(1), state }
    }

    /// A lower bound of the PageRank of what has been downloaded.
    pub fn covered(&self) -> f64 {
        self.state.covered
    }
}

impl State {
    fn open(&self, key: UrlId) -> f64 {
        let heap = if self.rows_of.get(key) > 0 { &self.downloaded } else { &self.waiting };
        heap.value(key).map_or(0.0, |priority| priority.value)
    }

    /// If one of these has the number of a removed URL: takes out links of and to removed URLs, and links that a page had before it was
    /// downloaded again.
    fn make_way(&mut self, keys: impl IntoIterator<Item = UrlId>) {
        if !self.removed.has_any(keys) {
            return;
        }
        let removed = std::mem::take(&mut self.removed);
        let (rows, links) = (std::mem::replace(&mut self.rows, vec![0]), std::mem::take(&mut self.links));
        let pages: Vec<(UrlId, u32)> = self.rows_of.from(UrlId(0)).filter(|(_, row)| *row > 0).collect();
        for (page, row) in pages {
            let of = rows[row as usize - 1] as usize..rows[row as usize] as usize;
            self.links.extend(links[of].iter().filter(|link| !removed.has(**link)));
            *self.rows_of.slot(page) = self.rows.len() as u32;
            self.rows.push(self.links.len() as u32);
        }
    }

    /// Gives mass to a URL; says what it has then if it waits.
    fn give(&mut self, key: UrlId, mass: f64) -> Option<f64> {
        *self.received.slot(key) += mass;
        let open = self.open(key) + mass;
        if self.rows_of.get(key) > 0 {
            self.downloaded.set(key, Priority::of(open));
            None
        } else {
            self.waiting.set(key, Priority::of(open));
            Some(open)
        }
    }

    /// Covers the open mass of a downloaded page and passes it on; what waits and got some is reported.
    fn pass_on(&mut self, key: UrlId, open: f64, touched: &mut Vec<UrlId>) {
        self.covered += open;
        let Some(row) = (self.rows_of.get(key) as usize).checked_sub(1) else { return };
        let links = self.rows[row] as usize..self.rows[row + 1] as usize;
        let part = DAMPING * open / links.len().max(1) as f64;
        for at in links {
            let target = self.links[at];
            // What would go to one that was removed is lost.
            if !self.removed.has(target) && self.give(target, part).is_some() {
                touched.push(target);
            }
        }
    }
}

impl OrderingPolicy for RankMass {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.state.make_way([url.key]);
        if url.from.is_none() {
            self.state.give(url.key, (1.0 - DAMPING) / f64::from(self.seeds));
        }
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Exact(Priority::of(self.state.open(url.key)))
    }

    fn settled(&mut self, url: &Known<'_>, _: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, _: Time) {
        let state = &mut self.state;
        state.make_way(found.iter().map(|link| link.key));
        let open = state.open(url.key);
        state.waiting.remove(url.key);
        state.links.extend(found.iter().map(|link| link.key));
        *state.rows_of.slot(url.key) = state.rows.len() as u32;
        state.rows.push(state.links.len() as u32);
        let mut touched = Vec::new();
        state.pass_on(url.key, open, &mut touched);
        while let Some((key, open)) = state.downloaded.first() {
            let most = state.waiting.first().map_or(0.0, |(_, priority)| priority.value);
            if open.value <= most.max(SMALLEST) {
                break;
            }
            state.downloaded.pop();
            state.pass_on(key, open.value, &mut touched);
        }
        touched.sort_unstable();
        touched.dedup();
        for key in touched {
            moves.place(key, Placement::Exact(Priority::of(state.open(key))));
        }
    }

    fn estimate(&self, key: UrlId) -> f64 {
        self.state.received.get(key)
    }

    fn forget(&mut self, url: UrlId) {
        // What it passed on stays where it went; links to it stay for a while in the rows of pages that have them.
        self.state.removed.insert(url);
        self.state.received.forget(url);
        self.state.rows_of.forget(url);
        self.state.waiting.remove(url);
        self.state.downloaded.remove(url);
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
