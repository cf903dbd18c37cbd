//! How many pages does it link to? IF: a page with many links may be a good directory.

use crate::graph::LinkGraph;

/// By page.
pub(super) fn of(graph: &LinkGraph) -> Vec<f64> {
    graph.forward().offsets().windows(2).map(|ends| f64::from(ends[1] - ends[0])).collect()
}
