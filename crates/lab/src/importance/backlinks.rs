//! How many pages link to it? IB.

use crate::graph::LinkGraph;

/// By page.
pub(super) fn of(graph: &LinkGraph) -> Vec<f64> {
    graph.backward().offsets().windows(2).map(|ends| f64::from(ends[1] - ends[0])).collect()
}
