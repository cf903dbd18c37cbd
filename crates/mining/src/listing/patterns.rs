//! The patterns of a site, by rank. The fields are those of `patterns --format json`: scripts rely on the names, and new ones
//! come last.

use serde::Serialize;

use crate::model::{Ranked, SiteModel, TreeSizes};
use crate::rank::{Goal, Strategy};

/// A site.
#[derive(Clone, Debug, Serialize)]
pub struct PatternListing<'m> {
    /// Its name.
    pub site: &'m str,
    /// Its URLs.
    pub urls: u64,
    /// Their visits.
    pub visits: u64,
    /// Leaves.
    pub trees: ThreeTrees,
    /// By rank.
    pub patterns: Vec<RankedPattern<'m>>,
    /// Rounds that the scores of the behavior graph took.
    pub rounds: u32,
    /// What the last of them changed.
    pub residual: f64,
    /// The tree whose leaves are the patterns.
    pub tree: &'static str,
    /// Levels.
    pub heights: ThreeTrees,
}

/// One number for each tree.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ThreeTrees {
    /// T_SYN.
    pub syn: u32,
    /// T_VISIT.
    pub visit: u32,
    /// T_TRAN.
    pub tran: u32,
}

/// A pattern.
#[derive(Clone, Debug, Serialize)]
pub struct RankedPattern<'m> {
    /// Its number.
    pub id: u32,
    /// Its text.
    pub pattern: &'m str,
    /// Its URLs.
    pub urls: u64,
    /// Their visits.
    pub visits: u64,
    /// Steps from them to other pages.
    pub referrals: u64,
    /// Authority on the behavior graph.
    pub auth: f64,
    /// Hub on the behavior graph.
    pub hub: f64,
    /// The behavior graph's score for fetching.
    pub fetch: f64,
    /// Its score for discovery.
    pub discovery: f64,
    /// What it was ranked by.
    pub score: f64,
}

impl<'m> PatternListing<'m> {
    /// The patterns of a ranking, or of its first part.
    #[must_use]
    pub fn of(model: &'m SiteModel, ranking: &[Ranked]) -> Self {
        let root = &model.nodes[0];
        let TreeSizes { syn, visit, tran } = model.trees;
        let [fetch, discovery] = Goal::ALL.map(|goal| by_number(model, goal));
        let pattern = |ranked: &Ranked| {
            let node = &model.nodes[ranked.id as usize];
            let scores = node.scores.unwrap_or_default();
            RankedPattern {
                id: ranked.id,
                pattern: &node.pattern,
                urls: node.urls,
                visits: node.visits,
                referrals: node.referrals,
                auth: scores.auth,
                hub: scores.hub,
                fetch: fetch[ranked.id as usize],
                discovery: discovery[ranked.id as usize],
                score: ranked.score,
            }
        };
        Self {
            site: &model.site,
            urls: root.urls,
            visits: root.visits,
            trees: ThreeTrees { syn: syn.leaves, visit: visit.leaves, tran: tran.leaves },
            patterns: ranking.iter().map(pattern).collect(),
            rounds: model.graph.rounds,
            residual: model.graph.residual,
            tree: model.tree.name(),
            heights: ThreeTrees { syn: syn.height, visit: visit.height, tran: tran.height },
        }
    }
}

/// The scores on the behavior graph, by number of the node.
fn by_number(model: &SiteModel, goal: Goal) -> Vec<f64> {
    let mut scores = vec![0.0; model.nodes.len()];
    for ((id, _), score) in model.patterns().zip(model.scores(goal, Strategy::Behavior)) {
        scores[id as usize] = score;
    }
    scores
}
