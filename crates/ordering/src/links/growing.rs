//! Which pages matter, going by the links that a crawl has seen so far? PageRank that keeps up with a growing graph.
//!
//! Pages are numbered from 0 as they are first seen. The links of a page are known once it was fetched. As in
//! [`pagerank`](super::pagerank()), what pages without known links give is left out, since it only scales the result:
//! `x(p) = (1−d) + d·Σ x(t_i)/c_i`.
//!
//! The graph holds for every page a part of its score that is *settled* and one that is *pending*, such that
//! `pending = (1−d) + d·Σ settled(t_i)/c_i − settled`:
//! - a page that is seen starts with settled 0, pending (1−d);
//! - a page that is fetched adds `d·settled/c` to what is pending at each page it links to;
//! - *settling* a page moves what is pending there to what is settled, and adds d/c of it to what is pending at each
//!   page it links to.
//!
//! Each step keeps the equation. A page's [score](GrowingGraph::score) is settled + pending.
//!
//! **Scores never fall.** (1) Nothing is negative: pending starts at (1−d) > 0, all additions are d/c times settled
//! or pending, and only settling takes from pending, all that is there, to give it to settled. (2) Seeing adds a page,
//! fetching adds to pending, settling keeps the sum at the page itself and adds to pending elsewhere. So no step lowers a
//! settled + pending. (Rounding keeps both: sums and products of positive numbers are rounded, but in order.)
//!
//! **Scores are bounds from below.** What x is above settled is `Σ_k (d·Pᵀ)^k pending ≥ pending`, and all together at
//! most `Σ pending/(1−d)`.
//!
//! Stopping rule of [`rerank`](GrowingGraph::rerank): sweeps over all pages, settling those where more is pending than
//! the tolerance τ, until there is none: then `Σ pending ≤ τ·n`, and scores are too low by at most `τ·d/(1−d)` on average.
//! The work is where the graph changed.
//!
//! **Pages may be left out** ([`only`](GrowingGraph::only)): what is left begins anew with settled 0, as if only its links
//! had ever been seen, so all of the above holds for the graph that is left.
//!
//! Memory: 24 bytes a page, 4 a link.

use serde::{Deserialize, Serialize};

use super::{PageRankDamping, Tolerance};

/// By default what is pending is at most this, a thousandth of what any page has (1−d, with d = 0.9).
pub const RERANK_TOLERANCE: f64 = 1e-4;

/// The pages and links of a crawl so far, with their PageRank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct GrowingGraph {
    damping: PageRankDamping,
    settled: Vec<f64>,
    pending: Vec<f64>,
    /// By page: its links in `targets`.
    rows: Vec<Row>,
    targets: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Row {
    start: u32,
    count: u32,
}

impl GrowingGraph {
    /// No pages yet.
    pub fn new(damping: PageRankDamping) -> Self {
        Self { damping, ..Self::default() }
    }

    /// How many pages were seen.
    pub fn pages(&self) -> u32 {
        self.rows.len() as u32
    }

    /// How many links are known.
    pub fn links(&self) -> usize {
        self.targets.len()
    }

    /// What a page is known to link to.
    pub fn targets(&self, page: u32) -> &[u32] {
        let row = self.rows.get(page as usize).copied().unwrap_or_default();
        &self.targets[row.start as usize..(row.start + row.count) as usize]
    }

    /// A page was seen, and with it all with smaller numbers.
    pub fn see(&mut self, page: u32) {
        let pages = (page as usize + 1).max(self.rows.len());
        self.settled.resize(pages, 0.0);
        self.pending.resize(pages, 1.0 - self.damping.share());
        self.rows.resize(pages, Row::default());
    }

    /// A page was fetched, and links to these pages, which are thereby seen. Each may be named once, and not the page
    /// itself. The first links of a page stand: later ones are ignored, as are those beyond four thousand million in all.
    pub fn fetched(&mut self, page: u32, targets: &[u32]) {
        let most = targets.iter().fold(page, |most, &to| most.max(to));
        self.see(most);
        let end = u32::try_from(self.targets.len() + targets.len());
        if self.rows[page as usize].count > 0 || targets.is_empty() || end.is_err() {
            return;
        }
        self.rows[page as usize] = Row { start: self.targets.len() as u32, count: targets.len() as u32 };
        self.targets.extend_from_slice(targets);
        let part = self.damping.share() * self.settled[page as usize] / targets.len() as f64;
        for &to in targets {
            self.pending[to as usize] += part;
        }
    }

    /// The graph of some pages, numbered in the same order, and of the links between them; no score is up to date.
    #[must_use]
    pub fn only(&self, is_left: impl Fn(u32) -> bool) -> Self {
        let mut next = 0;
        let number = |page| {
            let number = is_left(page).then_some(next);
            next += u32::from(number.is_some());
            number
        };
        let numbers: Vec<Option<u32>> = (0..self.pages()).map(number).collect();
        let mut left = Self::new(self.damping);
        for (page, number) in (0..).zip(&numbers) {
            let Some(number) = *number else { continue };
            left.see(number);
            let targets: Vec<u32> = self.targets(page).iter().filter_map(|to| numbers[*to as usize]).collect();
            left.fetched(number, &targets);
        }
        left
    }

    /// Brings the scores up to date: what is pending is at most the tolerance at every page. Returns how many pages were
    /// settled, counting each as often as it was.
    pub fn rerank(&mut self, tolerance: Tolerance) -> u64 {
        let tolerance = tolerance.get();
        let d = self.damping.share();
        let mut settled = 0;
        loop {
            let before = settled;
            for page in 0..self.rows.len() {
                let amount = self.pending[page];
                if amount <= tolerance {
                    continue;
                }
                settled += 1;
                self.pending[page] = 0.0;
                self.settled[page] += amount;
                let Row { start, count } = self.rows[page];
                let part = d * amount / f64::from(count.max(1));
                for &to in &self.targets[start as usize..(start + count) as usize] {
                    self.pending[to as usize] += part;
                }
            }
            if settled == before {
                return settled;
            }
        }
    }

    /// The score of a page: at least (1−d), never falling as the graph grows; 0 if it was never seen. Scores differ from
    /// IR by a factor that is the same for all pages, `pages / total`.
    pub fn score(&self, page: u32) -> f64 {
        let page = page as usize;
        self.settled.get(page).zip(self.pending.get(page)).map_or(0.0, |(settled, pending)| settled + pending)
    }

    /// All scores together. A step a page.
    pub fn total(&self) -> f64 {
        self.settled.iter().zip(&self.pending).map(|(settled, pending)| settled + pending).sum()
    }
}

/// The graph as it is saved; checked when read.
#[derive(Serialize, Deserialize)]
struct Saved {
    damping: PageRankDamping,
    settled: Vec<f64>,
    pending: Vec<f64>,
    rows: Vec<Row>,
    targets: Vec<u32>,
}

impl From<GrowingGraph> for Saved {
    fn from(GrowingGraph { damping, settled, pending, rows, targets }: GrowingGraph) -> Self {
        Self { damping, settled, pending, rows, targets }
    }
}

impl TryFrom<Saved> for GrowingGraph {
    type Error = &'static str;

    fn try_from(Saved { damping, settled, pending, rows, targets }: Saved) -> Result<Self, Self::Error> {
        let pages = rows.len();
        if settled.len() != pages || pending.len() != pages {
            return Err("a saved link graph has not one score a page");
        }
        if !settled.iter().chain(&pending).all(|score| score.is_finite() && *score >= 0.0) {
            return Err("a saved link graph has a score that is none");
        }
        if targets.iter().any(|&to| to as usize >= pages) {
            return Err("a saved link graph links to a page it does not have");
        }
        let ends = |row: &Row| u64::from(row.start) + u64::from(row.count);
        if u32::try_from(targets.len()).is_err() || rows.iter().any(|row| ends(row) > targets.len() as u64) {
            return Err("a saved link graph has links it does not list");
        }
        Ok(Self { damping, settled, pending, rows, targets })
    }
}
