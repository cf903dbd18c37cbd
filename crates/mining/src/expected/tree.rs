//! Kinds up the pattern tree: sums, and means that lean on the node above.
//!
//! Each lane of the models is a node, and has a further one below it for the URLs that reach it and that no branch covers.
//! A rate that is asked of every node has a Gamma posterior with shape a and the mean of the node above beforehand, so that
//! the node above counts like a visits:
//!
//! ```text
//! mean(n) = (visits(n) + a) / (exposure(n) + a/mean(above n))          sums over all that is below n
//! ```
//! A kind of which little is known is what its branch is, and one of which much is known is what it is.
//!
//! a says how alike the branches of one node are. It is that under which the visits of each node are the most likely, if its mean beforehand
//! is that of the branches beside it:
//!
//! ```text
//! Σ_n ln NegBin(visits(n) | mean exposure(n)·beside(n), size a) − ½(ln(a/20)/0.3)²
//! ```
//! Beforehand it is 20, give or take a third: ten lines of a log change little, thousands decide.

use super::gamma::ln_gamma;

/// a, before anything is known, and how far its logarithm may be off.
pub(super) const ABOVE: f64 = 20.0;
const ABOVE_SPREAD: f64 = 0.3;
/// Where it may lie.
const ABOVES: (f64, f64) = (0.25, 200.0);
/// Steps towards it, until none of them helps.
const FACTORS: [f64; 4] = [2.0, 0.5, 1.2, 1.0 / 1.2];
const MOST_STEPS: usize = 40;

/// What is believed of a site of which nothing is known: so many visits in so much exposure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) visits: f64,
    pub(super) exposure: f64,
}

/// Which node is above which.
#[derive(Debug)]
pub struct KindTree {
    /// By node; its own for a root.
    above: Vec<u32>,
}

impl KindTree {
    /// The kind of the URLs that a lane's pattern covers; it is the node of the lane, too.
    #[must_use]
    pub fn covered(lane: u32) -> u32 {
        2 * lane + 1
    }

    /// The kind of the URLs that reach a lane's node and that no branch covers.
    #[must_use]
    pub fn uncovered(lane: u32) -> u32 {
        2 * lane
    }

    /// Whether a node is a branch, and not what no branch covers.
    pub(super) fn is_of_branch(node: usize) -> bool {
        node % 2 == 1
    }

    /// The kind of what no branch of this node covers.
    pub(super) fn beside_branches(node: usize) -> usize {
        node - 1
    }

    /// Of these lanes, each of which stands after the one above it.
    pub fn new(aboves: impl IntoIterator<Item = u32>) -> Self {
        let nodes = (0..).zip(aboves).flat_map(|(lane, above)| [Self::covered(lane), Self::covered(above)]);
        Self { above: nodes.collect() }
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.above.len()
    }

    /// The node above; none for a root.
    pub(super) fn above(&self, node: usize) -> Option<usize> {
        let above = self.above[node] as usize;
        (above != node).then_some(above)
    }

    /// All nodes, each after the one above it.
    pub(super) fn downward(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        (0..self.above.len() / 2).flat_map(|lane| [2 * lane + 1, 2 * lane])
    }

    /// Adds to each node what is below it.
    pub(super) fn sum_up(&self, sums: &mut [f64]) {
        for node in self.downward().rev() {
            if let Some(above) = self.above(node) {
                sums[above] += sums[node];
            }
        }
    }

    /// a, by what was summed up.
    pub(super) fn likeness(&self, visits: &[f64], exposure: &[f64], root: Root) -> f64 {
        let nodes = self.beside(visits, exposure, root);
        let likelihood = |a: f64| {
            let belief = ((a / ABOVE).ln() / ABOVE_SPREAD).powi(2) / 2.0;
            let of = nodes.iter().map(|(visits, mean)| {
                ln_gamma(a + visits) - ln_gamma(a) + a * (a / (a + mean)).ln() + visits * (mean / (a + mean)).ln()
            });
            of.sum::<f64>() - belief
        };
        let (mut a, mut best) = (ABOVE, likelihood(ABOVE));
        for _ in 0..MOST_STEPS {
            let from = a;
            for factor in FACTORS {
                let to = (a * factor).clamp(ABOVES.0, ABOVES.1);
                let found = likelihood(to);
                if found > best {
                    (a, best) = (to, found);
                }
            }
            if a == from {
                break;
            }
        }
        a
    }

    /// The visits of each node, and those that it should have by the branches beside it; without those that have none beside them.
    fn beside(&self, visits: &[f64], exposure: &[f64], root: Root) -> Vec<(f64, f64)> {
        let of = |node: usize| {
            let above = self.above(node).filter(|_| exposure[node] > 0.0)?;
            let rest = exposure[above] - exposure[node];
            // What is left of a difference is rounding.
            if rest <= exposure[above] * 1e-9 {
                return None;
            }
            let mean = ((visits[above] - visits[node]).max(0.0) + root.visits) / (rest + root.exposure);
            Some((visits[node], exposure[node] * mean))
        };
        self.downward().filter_map(of).collect()
    }

    /// The mean of each node by what was summed up.
    pub(super) fn means(&self, visits: &[f64], exposure: &[f64], likeness: f64, root: Root) -> Vec<f64> {
        let mut means = vec![0.0; self.nodes()];
        for node in self.downward() {
            let (prior_visits, prior_exposure) = match self.above(node) {
                None => (root.visits, root.exposure),
                Some(above) => (likeness, likeness / means[above]),
            };
            means[node] = (visits[node] + prior_visits) / (exposure[node] + prior_exposure);
        }
        means
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A root with two branches, the second of which has one more.
    fn tree() -> KindTree {
        KindTree::new([0, 1, 1, 1, 3])
    }

    #[test]
    fn ours_what_is_below_a_node_adds_up_there() {
        let tree = tree();
        let mut sums = vec![0.0; tree.nodes()];
        for (place, kind) in [2, 4, 5, 8, 9].into_iter().enumerate() {
            sums[kind] = f64::from(10_u32.pow(place as u32));
        }
        tree.sum_up(&mut sums);
        assert_eq!([sums[3], sums[5], sums[7], sums[9]], [11_111.0, 110.0, 11_000.0, 11_000.0]);
        assert_eq!((tree.above(3), tree.above(9), tree.above(8), tree.above(2)), (None, Some(7), Some(9), Some(3)));
    }

    proptest! {
        #[test]
        fn ours_a_mean_lies_between_what_was_seen_and_the_node_above(
            visits in 0.0..1e4_f64, exposure in 0.1..1e4_f64, above in 0.01..1e2_f64,
        ) {
            let tree = tree();
            let (mut seen, mut asked) = (vec![0.0; tree.nodes()], vec![0.0; tree.nodes()]);
            // The root is what it is however the branch is read.
            (seen[3], asked[3]) = (above * 1e9, 1e9);
            (seen[5], asked[5]) = (visits, exposure);
            let means = tree.means(&seen, &asked, ABOVE, Root { visits: 1.0, exposure: 1.0 });
            let own = visits / exposure;
            prop_assert!(means[5] >= own.min(means[3]) * 0.999_999 && means[5] <= own.max(means[3]) * 1.000_001);
            prop_assert!((means[9] / means[7] - 1.0).abs() < 1e-9, "nothing is known of either");
        }
    }
}
