//! Where does somebody end up who follows links at random? IR, with the paper's d = 0.9; the mean is 1.

use trodden_ordering::links::{PageRankDamping, Rows, Tolerance, pagerank};

use crate::graph::LinkGraph;

/// By page.
pub fn of(graph: &LinkGraph) -> Vec<f64> {
    let (forward, backward) = (graph.forward(), graph.backward());
    let forward = Rows::new(forward.offsets(), forward.targets());
    let backward = Rows::new(backward.offsets(), backward.targets());
    pagerank(&forward, &backward, PageRankDamping::DEFAULT, Tolerance::WHOLE).scores
}
