//! Which policies does a reader look for first?
//!
//! The best that a crawler can run; breadth-first, which everybody has; PageRank, which everybody names; the behavior
//! graph, where the idea comes from; a URL's own count, the plainest use of a log; the ideal above and chance below.

use crate::result::{Comparison, PolicyResult};

/// The policy that all others are measured against.
pub(super) const BREADTH_FIRST: &str = "breadth-first";

/// What the formulas of crawl models are called among policies.
pub(super) const IDEAL_FORMULA: &str = "ideal (formula)";
/// See [`IDEAL_FORMULA`].
pub(super) const RANDOM_FORMULA: &str = "random (formula)";

/// Where a policy stands among those that a reader looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Best,
    BreadthFirst,
    PageRank,
    Behavior,
    UrlVisit,
    Ideal,
    Random,
    /// One of the others, numbered by its place among them.
    Other(usize),
}

impl Standing {
    /// Whether readers look for it first.
    pub(super) fn is_important(self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

/// A number that is one.
pub(super) fn number(x: Option<f64>) -> Option<f64> {
    x.filter(|x| x.is_finite())
}

/// The policy of that name.
pub(super) fn named<'c>(of: &'c Comparison, name: &str) -> Option<&'c PolicyResult> {
    of.policies.iter().find(|policy| policy.name == name)
}

/// The policy with the largest area among those that a crawler can run; the first of equals, breadth-first before all.
pub(super) fn best(of: &Comparison) -> Option<&PolicyResult> {
    let can_run = of.policies.iter().filter(|policy| !policy.oracle);
    let mut best: Option<(&PolicyResult, f64)> = None;
    for (policy, area) in can_run.filter_map(|policy| Some((policy, number(policy.auc)?))) {
        let wins = best.is_none_or(|(_, most)| area > most || (area == most && policy.name == BREADTH_FIRST));
        if wins {
            best = Some((policy, area));
        }
    }
    best.map(|(policy, _)| policy)
}

/// The ideal: greedy along links if it ran, else the one that ignores links.
pub(super) fn ideal(of: &Comparison) -> Option<&PolicyResult> {
    named(of, "ideal").or_else(|| named(of, "ideal-unlinked"))
}

/// Where every policy of a comparison stands, the same in every chart.
pub(super) struct Standings(Vec<(String, Standing)>);

impl Standings {
    /// Where a policy stands by traffic.
    pub(super) fn by_traffic(&self, name: &str) -> Standing {
        self.0.iter().find(|(known, _)| known == name).map_or(Standing::Other(self.0.len()), |(_, standing)| *standing)
    }

    /// Where a policy stands by importance: there the formulas are the ideal and chance, and the policies of these
    /// names are two among others.
    pub(super) fn by_importance(&self, name: &str) -> Standing {
        match self.by_traffic(name) {
            Standing::Ideal if name != IDEAL_FORMULA => Standing::Other(self.0.len()),
            Standing::Random if name != RANDOM_FORMULA => Standing::Other(self.0.len() + 1),
            standing => standing,
        }
    }
}

/// Where every policy of a comparison stands.
pub(super) fn standings(of: &Comparison) -> Standings {
    let best = best(of).map(|policy| policy.name.as_str());
    let ideal = ideal(of).map(|policy| policy.name.as_str());
    let by_importance = of.importance.iter().flat_map(|metric| &metric.policies).map(|policy| &policy.name);
    let mut standings: Vec<(String, Standing)> = Vec::new();
    let mut others = 0;
    for name in of.policies.iter().map(|policy| &policy.name).chain(by_importance) {
        if standings.iter().any(|(known, _)| known == name) {
            continue;
        }
        let standing = match name.as_str() {
            _ if Some(name.as_str()) == best => Standing::Best,
            BREADTH_FIRST => Standing::BreadthFirst,
            "pagerank" => Standing::PageRank,
            "behavior" => Standing::Behavior,
            "url-visit" => Standing::UrlVisit,
            _ if Some(name.as_str()) == ideal => Standing::Ideal,
            IDEAL_FORMULA => Standing::Ideal,
            "random" | RANDOM_FORMULA => Standing::Random,
            _ => {
                others += 1;
                Standing::Other(others - 1)
            }
        };
        standings.push((name.clone(), standing));
    }
    Standings(standings)
}
