//! Kinds up the pattern tree: sums, and means that lean on the node above.
//!
//! Each lane of the models is a node, and has a further one below it for the URLs that reach it and that no branch covers.
//! A rate that is asked of every node has a Gamma posterior with shape 20 and the mean of the node above beforehand, so that
//! the node above counts like twenty visits:
//!
//! ```text
//! mean(n) = (visits(n) + 20) / (exposure(n) + 20/mean(above n))        sums over all that is below n
//! ```
//! A kind of which little is known is what its branch is, and one of which much is known is what it is.

use crate::standing::Outlook;

/// Visits that the node above counts like: so few tell kinds apart too little to go by. A fourth of it orders a large log as well.
pub(super) const ABOVE: f64 = 20.0;

/// What is believed of a site of which nothing is known: so many visits in so much exposure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) visits: f64,
    pub(super) exposure: f64,
}

/// Which node is above which.
#[derive(Debug)]
pub(super) struct KindTree {
    /// By node; its own for a root.
    above: Vec<u32>,
}

impl KindTree {
    /// The node of a lane, which is also the kind of the URLs that its pattern covers.
    fn node(lane: u32) -> u32 {
        2 * lane + 1
    }

    /// Of these lanes, each of which stands after the one above it.
    pub(super) fn new(outlooks: &[Outlook]) -> Self {
        let nodes = (0..).zip(outlooks).flat_map(|(lane, outlook)| [Self::node(lane), Self::node(outlook.above)]);
        Self { above: nodes.collect() }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
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

    /// The mean of each node by what was summed up.
    pub(super) fn means(&self, visits: &[f64], exposure: &[f64], root: Root) -> Vec<f64> {
        let mut means = vec![0.0; self.len()];
        for node in self.downward() {
            let (prior_visits, prior_exposure) = match self.above(node) {
                None => (root.visits, root.exposure),
                Some(above) => (ABOVE, ABOVE / means[above]),
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
        let lane = |above| Outlook { above, ..Outlook::default() };
        KindTree::new(&[lane(0), lane(1), lane(1), lane(1), lane(3)])
    }

    #[test]
    fn ours_what_is_below_a_node_adds_up_there() {
        let tree = tree();
        let mut sums = vec![0.0; tree.len()];
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
            let (mut seen, mut asked) = (vec![0.0; tree.len()], vec![0.0; tree.len()]);
            // The root is what it is however the branch is read.
            (seen[3], asked[3]) = (above * 1e9, 1e9);
            (seen[5], asked[5]) = (visits, exposure);
            let means = tree.means(&seen, &asked, Root { visits: 1.0, exposure: 1.0 });
            let own = visits / exposure;
            prop_assert!(means[5] >= own.min(means[3]) * 0.999_999 && means[5] <= own.max(means[3]) * 1.000_001);
            prop_assert!((means[9] / means[7] - 1.0).abs() < 1e-9, "nothing is known of either");
        }
    }
}
