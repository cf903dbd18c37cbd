//! By what are patterns ranked?
//!
//! For a pattern P with |P| URLs (CIKM 2011, §4):
//!
//! | strategy | score | goal |
//! |---|---|---|
//! | `volume` | &#124;P&#124; | fetch |
//! | `overall-visit` | F_in(P) | fetch |
//! | `average-visit` | F_in(P)/&#124;P&#124; | fetch |
//! | `overall-referral` | F_out(P) | discovery |
//! | `average-referral` | F_out(P)/&#124;P&#124; | discovery |
//! | `behavior` | ½(auth + hub), or hub: see [`BehaviorGraph`] | fetch, or discovery |
//!
//! Symbols: |P| → [`PatternFlows::urls`], F_in → [`PatternFlows::visits`], F_out → [`PatternFlows::referrals`].

use super::{BehaviorGraph, Damping, Goal, PatternFlows};

/// By what patterns are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Votes in the behavior graph: the paper's own.
    Behavior,
    /// How many URLs.
    Volume,
    /// How many visits.
    OverallVisit,
    /// How many visits a URL.
    AverageVisit,
    /// How many referrals.
    OverallReferral,
    /// How many referrals a URL.
    AverageReferral,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Behavior,
        Self::Volume,
        Self::OverallVisit,
        Self::AverageVisit,
        Self::OverallReferral,
        Self::AverageReferral,
    ];

    /// Its name, as people type it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Behavior => "behavior",
            Self::Volume => "volume",
            Self::OverallVisit => "overall-visit",
            Self::AverageVisit => "average-visit",
            Self::OverallReferral => "overall-referral",
            Self::AverageReferral => "average-referral",
        }
    }

    /// The strategy of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }

    /// Whether the paper means it for this goal.
    pub fn serves(self, goal: Goal) -> bool {
        match self {
            Self::Behavior => true,
            Self::Volume | Self::OverallVisit | Self::AverageVisit => goal == Goal::Fetch,
            Self::OverallReferral | Self::AverageReferral => goal == Goal::Discovery,
        }
    }

    /// The score of every pattern; the higher, the sooner. Only [`Strategy::Behavior`] asks for the goal and the
    /// damping, and takes more than one pass. A pattern without URLs counts as having one.
    pub fn scores(self, goal: Goal, flows: &PatternFlows<'_>, damping: Damping) -> Vec<f64> {
        let overall = |counts: &[u64]| counts.iter().map(|&count| count as f64).collect();
        let average =
            |counts: &[u64]| counts.iter().zip(flows.urls).map(|(&c, &urls)| c as f64 / urls.max(1) as f64).collect();
        match self {
            Self::Behavior => BehaviorGraph::new(flows).rank(damping).of(goal),
            Self::Volume => overall(flows.urls),
            Self::OverallVisit => overall(flows.visits),
            Self::AverageVisit => average(flows.visits),
            Self::OverallReferral => overall(flows.referrals),
            Self::AverageReferral => average(flows.referrals),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_found_by_its_name() {
        assert!(Strategy::ALL.into_iter().all(|s| Strategy::parse(s.name()) == Some(s)));
        assert_eq!(Strategy::parse("average-referral"), Some(Strategy::AverageReferral));
        assert_eq!(Strategy::parse("averagereferral"), None);
    }

    #[test]
    fn cikm11_each_strategy_serves_its_goals() {
        let serving =
            |goal| Strategy::ALL.into_iter().filter(|s| s.serves(goal)).map(Strategy::name).collect::<Vec<_>>();
        assert_eq!(serving(Goal::Fetch), ["behavior", "volume", "overall-visit", "average-visit"]);
        assert_eq!(serving(Goal::Discovery), ["behavior", "overall-referral", "average-referral"]);
    }

    #[test]
    fn cikm11_simple_scores_by_hand() {
        let flows =
            PatternFlows { urls: &[4, 1, 0], visits: &[6, 5, 0], referrals: &[2, 9, 0], transits: &[(0, 1, 2)] };
        let scores = |s: Strategy| s.scores(Goal::Fetch, &flows, Damping::DEFAULT);
        assert_eq!(scores(Strategy::Volume), [4.0, 1.0, 0.0]);
        assert_eq!(scores(Strategy::OverallVisit), [6.0, 5.0, 0.0]);
        assert_eq!(scores(Strategy::AverageVisit), [1.5, 5.0, 0.0]);
        assert_eq!(scores(Strategy::OverallReferral), [2.0, 9.0, 0.0]);
        assert_eq!(scores(Strategy::AverageReferral), [0.5, 9.0, 0.0]);
    }

    #[test]
    fn cikm11_behavior_asks_for_the_goal() {
        // People enter at 0 and go on to 1 and 2.
        let transits = [(0, 1, 50), (0, 2, 50)];
        let flows = PatternFlows { urls: &[1; 3], visits: &[10, 50, 50], referrals: &[100, 0, 0], transits: &transits };
        let ranks = BehaviorGraph::new(&flows).rank(Damping::DEFAULT);
        for goal in Goal::ALL {
            assert_eq!(Strategy::Behavior.scores(goal, &flows, Damping::DEFAULT), ranks.of(goal));
        }
        assert_eq!(Strategy::Behavior.scores(Goal::Discovery, &flows, Damping::DEFAULT)[1], 0.0);
        assert!(Strategy::Behavior.scores(Goal::Fetch, &flows, Damping::DEFAULT)[1] > 0.3);
    }
}
