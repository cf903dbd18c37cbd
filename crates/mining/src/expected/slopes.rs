//! How much do links and readers tell, β?
//!
//! Newton's method on the likelihood of all visits, with the means of kinds following: when β changes, so does θ, by
//! `d ln θ(n) / dβ = −x̄(n)`, where x̄ is the mean of x that leans on the node above exactly as θ does. So links also explain
//! why one kind is read more than another, as far as the kinds do not explain it themselves.
//!
//! ```text
//! Σ (y − 8·m)·v·(x − x̄) = 100·(β − ½)         v: what a visit counts, see `fit`
//! ```
//! The belief beforehand, ½ each, counts like a hundred visits. More links are never taken to be worse: β ≥ 0.

use super::model::{LinkEvidence, Taste, WHOLE};
use super::sample::FitSample;
use super::tree::{KindTree, Root};

/// What the belief beforehand counts, in visits: fewer lines of a log are no reason to leave an order by links.
const PRECISION: f64 = 100.0;
/// Beyond this, a link more would count more than all else.
const STEEPEST: f64 = 3.0;
/// The longest step.
const STEP: f64 = 0.5;

/// What the samples have at the slopes so far, in their order.
pub(super) struct At<'a> {
    /// e^(β·x).
    pub(super) weights: &'a [f64],
    /// v.
    pub(super) counts: &'a [f64],
    /// θ, by node.
    pub(super) means: &'a [f64],
    /// What the node above counts, in visits.
    pub(super) likeness: f64,
}

/// One step towards the slopes that explain the visits best.
pub(super) fn improve(slopes: &mut LinkEvidence, samples: &[FitSample], tree: &KindTree, at: &At<'_>, root: Root) {
    let middles = middles(samples, tree, at, root);
    let mut gradient = [0, 1].map(|i| PRECISION * (Taste::BELIEVED.slopes[i] - slopes[i]));
    let mut curve = [[PRECISION, 0.0], [0.0, PRECISION]];
    for ((sample, weight), count) in samples.iter().zip(at.weights).zip(at.counts) {
        let mean = WHOLE * at.means[sample.node()] * weight;
        let beside = [0, 1].map(|i| sample.links[i] - middles[sample.node()][i]);
        for i in 0..2 {
            gradient[i] += (sample.visits - mean) * count * beside[i];
            for j in 0..2 {
                curve[i][j] += mean * count * beside[i] * beside[j];
            }
        }
    }
    // At a bound, what pushes beyond it counts for nothing.
    for i in 0..2 {
        if slopes[i] <= 0.0 && gradient[i] < 0.0 {
            gradient[i] = 0.0;
            (curve[0][1], curve[1][0]) = (0.0, 0.0);
        }
    }
    let det = curve[0][0] * curve[1][1] - curve[0][1] * curve[1][0];
    let step = [
        (curve[1][1] * gradient[0] - curve[0][1] * gradient[1]) / det,
        (curve[0][0] * gradient[1] - curve[1][0] * gradient[0]) / det,
    ];
    for (slope, step) in slopes.iter_mut().zip(step) {
        *slope = (*slope + step.clamp(-STEP, STEP)).clamp(0.0, STEEPEST);
    }
}

/// x̄, by node.
fn middles(samples: &[FitSample], tree: &KindTree, at: &At<'_>, root: Root) -> Vec<LinkEvidence> {
    let mut exposure = vec![0.0; tree.nodes()];
    let mut sums = [vec![0.0; tree.nodes()], vec![0.0; tree.nodes()]];
    for ((sample, weight), count) in samples.iter().zip(at.weights).zip(at.counts) {
        let weight = WHOLE * weight * count;
        exposure[sample.node()] += weight;
        (0..2).for_each(|i| sums[i][sample.node()] += weight * sample.links[i]);
    }
    tree.sum_up(&mut exposure);
    sums.iter_mut().for_each(|sums| tree.sum_up(sums));
    let mut middles = vec![[0.0; 2]; tree.nodes()];
    for node in tree.downward() {
        let (prior, above) = match tree.above(node) {
            None => (root.exposure, [0.0; 2]),
            Some(above) => (at.likeness / at.means[above], middles[above]),
        };
        middles[node] = [0, 1].map(|i| (sums[i][node] + prior * above[i]) / (exposure[node] + prior));
    }
    middles
}
