//! How much is a URL worth, by a model alone? **\[ours\]**
//!
//! By [`Order::Expected`], a URL is worth the visits a day that it can expect:
//!
//! ```text
//! named        e(u) / days                      e(u): NamedUrl::expected, visits in as long a time as the log
//! unnamed      8·unnamed(P) / days              P: its pattern
//! uncovered    8·uncovered(n) / days            n: the deepest node it reaches
//! ```
//! - e(u), unnamed(P), uncovered(n): what the [model of what will be read](crate::expected) foretells, fitted to the log when it was mined.
//! - 8: slices of the log ([`SLICES`]).
//! - `days`: from the first visit to the last, at least an hour ([`MIN_DAYS`]).
//!
//! For discovery, steps on from a URL count: so many for each of its visits as it had in the log, which leans on those of its pattern like one
//! visit more.
//!
//! By the other orders a URL has its own visits, or the score of its pattern; uncovered URLs have none.

use super::{Node, Order, Ranked, SiteModel};
use crate::expected::Expect;
use crate::locate::{Place, Why};
use crate::rank::Goal;
use crate::site_table::SLICES;

/// The shortest time that a log is taken to tell of, in days: a log of some minutes is no whole day's.
pub const MIN_DAYS: f64 = 1.0 / 24.0;

/// The scores of a model's URLs.
#[derive(Clone, Debug)]
pub struct UrlScores {
    /// By place in the model's list.
    named: Vec<f64>,
    /// By node: a URL of this pattern that has no name.
    unnamed: Vec<f64>,
    /// By node: a URL that got there and is in no pattern.
    uncovered: Vec<f64>,
    /// By node: URLs that have no name.
    nameless: Vec<Count>,
}

/// URLs without a name: how many, and what they had together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// How many.
    pub urls: u64,
    /// Visits; for discovery, steps on from them.
    pub visits: u64,
}

impl SiteModel {
    /// The days that it was learnt from, at least [`MIN_DAYS`].
    #[must_use]
    pub fn days(&self) -> f64 {
        let ms = self.learnt.last_ms.saturating_sub(self.learnt.first_ms);
        (ms as f64 / 86_400_000.0).max(MIN_DAYS)
    }

    /// Patterns by what one of their URLs scores on average, highest first; among equals the more visited, then the lower
    /// number. By an order of patterns, by that.
    #[must_use]
    pub fn ranking_by(&self, goal: Goal, order: Order) -> Vec<Ranked> {
        if let Order::Pattern(strategy) = order {
            return self.ranking(goal, strategy);
        }
        let means = UrlScores::of(self, goal, order).pattern_means(self);
        self.ranked(self.patterns().map(|(id, _)| means[id as usize]).collect())
    }
}

impl UrlScores {
    /// Of all URLs of a model.
    #[must_use]
    pub fn of(model: &SiteModel, goal: Goal, order: Order) -> Self {
        let nameless = nameless(model, goal);
        match order {
            Order::Expected => expected(model, goal, nameless),
            Order::UrlVisit => {
                let nothing = vec![0.0; model.nodes.len()];
                let named = model.urls.iter().map(|url| url.visits as f64).collect();
                Self { named, unnamed: nothing.clone(), uncovered: nothing, nameless }
            }
            Order::Pattern(strategy) => {
                let mut unnamed = vec![0.0; model.nodes.len()];
                for ((id, _), score) in model.patterns().zip(model.scores(goal, strategy)) {
                    unnamed[id as usize] = score;
                }
                let named = model.urls.iter().map(|url| unnamed[url.pattern as usize]).collect();
                Self { named, unnamed, uncovered: vec![0.0; model.nodes.len()], nameless }
            }
        }
    }

    /// Of a URL that the model names, by its place in the model's list.
    #[must_use]
    pub fn named(&self, place: usize) -> f64 {
        self.named[place]
    }

    /// Of a URL that it does not name.
    #[must_use]
    pub fn unnamed(&self, place: Place) -> f64 {
        match place {
            Place::Pattern(id) => self.unnamed[id as usize],
            // The model was made without it, and says nothing of it.
            Place::Uncovered(_, Why::Excluded) => 0.0,
            Place::Uncovered(node, _) => self.uncovered[node as usize],
        }
    }

    /// The URLs below a node that have no name.
    #[must_use]
    pub fn nameless(&self, node: u32) -> Count {
        self.nameless[node as usize]
    }

    /// By node: what a URL of a pattern scores on average; 0 elsewhere.
    fn pattern_means(&self, model: &SiteModel) -> Vec<f64> {
        let mut sums = vec![0.0; model.nodes.len()];
        for (url, score) in model.urls.iter().zip(&self.named) {
            sums[url.pattern as usize] += score;
        }
        for (id, node) in model.patterns() {
            let id = id as usize;
            sums[id] = (sums[id] + self.nameless[id].urls as f64 * self.unnamed[id]) / node.urls.max(1) as f64;
        }
        sums
    }

    /// How many of the model's URLs score higher than this.
    #[must_use]
    pub fn above(&self, model: &SiteModel, score: f64) -> u64 {
        let named = self.named.iter().filter(|other| **other > score).count() as u64;
        let unnamed = model.patterns().filter(|(id, _)| self.unnamed[*id as usize] > score);
        named + unnamed.map(|(id, _)| self.nameless[id as usize].urls).sum::<u64>()
    }
}

/// What counts of a node or a URL for a goal.
fn counted(goal: Goal, visits: u64, referrals: u64) -> u64 {
    match goal {
        Goal::Fetch => visits,
        Goal::Discovery => referrals,
    }
}

/// By node: its URLs without a name.
fn nameless(model: &SiteModel, goal: Goal) -> Vec<Count> {
    let count = |node: &Node| Count { urls: node.urls, visits: counted(goal, node.visits, node.referrals) };
    let mut counts: Vec<Count> = model.nodes.iter().map(count).collect();
    for url in &model.urls {
        let mut at = url.pattern as usize;
        loop {
            let count = &mut counts[at];
            count.urls = count.urls.saturating_sub(1);
            count.visits = count.visits.saturating_sub(counted(goal, url.visits, url.referrals));
            let parent = model.nodes[at].parent as usize;
            // Parents come before their children: a model is checked when it is read.
            if parent >= at {
                break;
            }
            at = parent;
        }
    }
    counts
}

fn expected(model: &SiteModel, goal: Goal, nameless: Vec<Count>) -> UrlScores {
    let days = model.days();
    let steps = |node: &Node| node.referrals as f64 / node.visits.max(1) as f64;
    let each = |node: &Node| if goal == Goal::Discovery { steps(node) } else { 1.0 };
    let of_node = |rate: fn(&Expect) -> f64| {
        let score = |node: &Node| rate(&node.expect) * SLICES as f64 * each(node) / days;
        model.nodes.iter().map(score).collect()
    };
    let named = model.urls.iter().map(|url| {
        let own = match goal {
            Goal::Fetch => 1.0,
            Goal::Discovery => {
                (url.referrals as f64 + steps(&model.nodes[url.pattern as usize])) / (url.visits as f64 + 1.0)
            }
        };
        url.expected * own / days
    });
    UrlScores {
        named: named.collect(),
        unnamed: of_node(|expect| expect.unnamed),
        uncovered: of_node(|expect| expect.uncovered),
        nameless,
    }
}
