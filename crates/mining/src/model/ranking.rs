//! Which pattern of a model is first?

use super::SiteModel;
use crate::rank::{Damping, Goal, PatternFlows, Strategy};

/// A pattern and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The pattern.
    pub id: u32,
    /// Its score; only comparable within a site and a strategy.
    pub score: f64,
}

impl SiteModel {
    /// The patterns by score, highest first; among equals the more visited, then the lower number.
    #[must_use]
    pub fn ranking(&self, goal: Goal, strategy: Strategy) -> Vec<Ranked> {
        self.ranked(self.scores(goal, strategy))
    }

    /// The patterns by these scores, which come in the order of the patterns.
    pub(super) fn ranked(&self, scores: Vec<f64>) -> Vec<Ranked> {
        let mut ranked: Vec<(Ranked, u64)> =
            self.patterns().zip(scores).map(|((id, node), score)| (Ranked { id, score }, node.visits)).collect();
        ranked.sort_by(|(a, a_visits), (b, b_visits)| {
            b.score.total_cmp(&a.score).then(b_visits.cmp(a_visits)).then(a.id.cmp(&b.id))
        });
        ranked.into_iter().map(|(ranked, _)| ranked).collect()
    }

    /// The scores of the patterns, in their order.
    #[must_use]
    pub fn scores(&self, goal: Goal, strategy: Strategy) -> Vec<f64> {
        if strategy == Strategy::Behavior {
            // They were found when the model was made.
            let of = |scores: super::Scores| match goal {
                Goal::Fetch => f64::midpoint(scores.auth, scores.hub),
                Goal::Discovery => scores.hub,
            };
            return self.patterns().map(|(_, node)| node.scores.map_or(0.0, of)).collect();
        }
        let [mut urls, mut visits, mut referrals] = [(); 3].map(|()| Vec::new());
        for (_, node) in self.patterns() {
            urls.push(node.urls);
            visits.push(node.visits);
            referrals.push(node.referrals);
        }
        let flows = PatternFlows { urls: &urls, visits: &visits, referrals: &referrals, transits: &[] };
        strategy.scores(goal, &flows, Damping::DEFAULT)
    }
}
