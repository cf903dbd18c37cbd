//! By PageRank of the graph so far (UO).
//!
//! The graph is what fetched pages link to; a URL that waits has no links yet. Scores are brought up to date from where
//! they were, on a schedule: between two times, a new URL has what the pages that link to it were worth when it was seen,
//! and one that waits keeps its place. See [`links`](crate::links) for the mathematics.
//!
//! Cost: all links so far stay in memory; each time, what changed spreads through them, and whatever waits gets its place
//! anew. URLs that were removed and their links go when the number of one of them is given to another URL.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Placement, Priority, Time, UrlId, UrlTable};

use super::removed::Removed;
use super::save::saves;
use super::{Moves, OrderingPolicy};
use crate::links::{GrowingGraph, PageRankDamping, RERANK_TOLERANCE, Tolerance};
use crate::outcome::{Found, Known, Outcome};

/// When scores are brought up to date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rerank {
    /// After so many pages.
    Every(u32),
    /// When the pages fetched have become more by this share: the work for a crawl of n pages grows with log n.
    Growth(f64),
}

impl Rerank {
    /// How many pages must be fetched before the next time, if so many are by now.
    fn next(self, fetched: u32) -> u32 {
        match self {
            Self::Every(pages) => fetched.saturating_add(pages.max(1)),
            Self::Growth(share) => fetched.saturating_add(((f64::from(fetched) * share) as u32).max(1)),
        }
    }
}

impl Default for Rerank {
    /// By a tenth.
    fn default() -> Self {
        Self::Growth(0.1)
    }
}

/// What matters most in the graph so far, first; equals as found.
#[derive(Debug)]
pub struct PageRankSoFar {
    rerank: Rerank,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
struct State {
    /// By URL: its number in the graph, plus one.
    numbers: UrlTable<u32>,
    /// The other way round.
    keys: Vec<UrlId>,
    graph: GrowingGraph,
    /// By number: whether it was fetched.
    is_fetched: Vec<bool>,
    removed: Removed,
    fetched: u32,
    next: u32,
    #[serde(skip)]
    targets: Vec<u32>,
}

impl PageRankSoFar {
    /// On a schedule.
    pub fn new(rerank: Rerank) -> Self {
        let state = State {
            numbers: UrlTable::default(),
            keys: Vec::new(),
            graph: GrowingGraph::new(PageRankDamping::default()),
            is_fetched: Vec::new(),
            removed: Removed::default(),
            fetched: 0,
            next: rerank.next(0),
            targets: Vec::new(),
        };
        Self { rerank, state }
    }
}

impl State {
    fn number(&mut self, key: UrlId) -> u32 {
        let slot = self.numbers.slot(key);
        if *slot == 0 {
            self.keys.push(key);
            self.is_fetched.push(false);
            *slot = self.keys.len() as u32;
            self.graph.see(*slot - 1);
        }
        *slot - 1
    }

    /// Whether the URL of a node was not removed.
    fn is_known(&self, number: u32) -> bool {
        !self.removed.has(self.keys[number as usize])
    }

    /// If one of these has the number of a removed URL, the graph becomes that of the URLs that are known.
    fn make_way(&mut self, keys: impl IntoIterator<Item = UrlId>) {
        if !self.removed.has_any(keys) {
            return;
        }
        self.graph = self.graph.only(|number| self.is_known(number));
        self.graph.rerank(Tolerance::at_least(RERANK_TOLERANCE));
        let removed = std::mem::take(&mut self.removed);
        let is_left: Vec<bool> = self.keys.iter().map(|key| !removed.has(*key)).collect();
        let (mut keys, mut fetched) = (is_left.iter(), is_left.iter());
        self.keys.retain(|_| keys.next() == Some(&true));
        self.is_fetched.retain(|_| fetched.next() == Some(&true));
        (1..).zip(&self.keys).for_each(|(number, key)| *self.numbers.slot(*key) = number);
    }

    fn score(&self, key: UrlId) -> f64 {
        self.numbers.get(key).checked_sub(1).map_or(0.0, |number| self.graph.score(number))
    }
}

impl OrderingPolicy for PageRankSoFar {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.state.make_way([url.key]);
        self.state.number(url.key);
        self.place_again(url, now)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Exact(Priority::of(self.state.score(url.key)))
    }

    fn settled(&mut self, url: &Known<'_>, _: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, _: Time) {
        let state = &mut self.state;
        state.make_way(found.iter().map(|link| link.key));
        let number = state.number(url.key);
        let mut targets = std::mem::take(&mut state.targets);
        targets.clear();
        targets.extend(found.iter().map(|link| state.number(link.key)));
        state.graph.fetched(number, &targets);
        state.targets = targets;
        state.is_fetched[number as usize] = true;
        state.fetched += 1;
        if state.fetched >= state.next {
            state.next = self.rerank.next(state.fetched);
            state.graph.rerank(Tolerance::at_least(RERANK_TOLERANCE));
            let waits = |number: &u32| !state.is_fetched[*number as usize] && state.is_known(*number);
            for number in (0..state.keys.len() as u32).filter(waits) {
                let score = state.graph.score(number);
                moves.place(state.keys[number as usize], Placement::Exact(Priority::of(score)));
            }
        }
    }

    fn estimate(&self, key: UrlId) -> f64 {
        self.state.score(key)
    }

    fn forget(&mut self, url: UrlId) {
        // Its node stays in the graph for a while: pages link to it.
        if self.state.numbers.get(url) > 0 {
            self.state.numbers.forget(url);
            self.state.removed.insert(url);
        }
    }

    fn reads_urls(&self) -> bool {
        false
    }

    saves!(state);
}
