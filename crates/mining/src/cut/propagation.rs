//! What does a leaf have to do with the folders above the pages that people come from and go to?
//!
//! Two articles may refer to two different galleries and yet both to "the galleries". So what the leaves send each
//! other is passed on to the ancestors, less the higher they are (CIKM 2011, §3): `p̂ = p × M`, with
//!
//! `M[k,n] = Π_{h=H_n}^{H_k−1} h/H_tree` if n is an ancestor of leaf k, 1 if n = k, else 0.
//!
//! Symbols: H → [`Outline::depth`], H_tree → `deepest`, a row of p → `row`, the same row of p̂ → what `smooth` returns.
//! **\[ours\]** The root has depth 0 and therefore no weight: that two leaves both refer to some page says nothing.
//!
//! Method: by its definition `M[k, parent] = M[k, n] · H_parent/H_tree`, so p̂ at a node is what its children have
//! together, times that factor. Taking nodes by descending number, children first, visits every ancestor once, however
//! many leaves below it have a share, and needs no matrix. It stops where nothing is left to pass on.

use std::collections::BinaryHeap;

use crate::Outline;

/// A row of p̂, with room to compute it in.
pub(super) struct Propagation<'a> {
    outline: &'a Outline,
    /// The value so far of every node; all zero between calls.
    values: Vec<f64>,
    /// The nodes with a value that has not been passed on.
    waiting: BinaryHeap<u32>,
}

impl<'a> Propagation<'a> {
    pub(super) fn new(outline: &'a Outline) -> Self {
        Self { outline, values: vec![0.0; outline.len()], waiting: BinaryHeap::new() }
    }

    /// A row of p × M: (node, value), ascending, without zeros. Costs one step a node that gets a value.
    pub(super) fn smooth(&mut self, row: impl Iterator<Item = (u32, f64)>, deepest: u32) -> Vec<(u32, f64)> {
        for (leaf, share) in row {
            self.add(leaf, share);
        }
        let mut smoothed = Vec::with_capacity(2 * self.waiting.len());
        while let Some(node) = self.waiting.pop() {
            let value = std::mem::take(&mut self.values[node as usize]);
            smoothed.push((node, value));
            if let Some(parent) = self.outline.parent(node) {
                self.add(parent, value * f64::from(self.outline.depth(parent)) / f64::from(deepest));
            }
        }
        smoothed.reverse();
        smoothed
    }

    fn add(&mut self, node: u32, value: f64) {
        if value > 0.0 {
            let so_far = &mut self.values[node as usize];
            if *so_far == 0.0 {
                self.waiting.push(node);
            }
            *so_far += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smooth(outline: &Outline, row: &[(u32, f64)], deepest: u32) -> Vec<(u32, f64)> {
        Propagation::new(outline).smooth(row.iter().copied(), deepest)
    }

    fn assert_close(got: &[(u32, f64)], expected: &[(u32, f64)]) {
        let near = |(g, e): (&(u32, f64), &(u32, f64))| g.0 == e.0 && (g.1 - e.1).abs() < 1e-15;
        assert!(got.len() == expected.len() && got.iter().zip(expected).all(near), "{got:?} is not {expected:?}");
    }

    #[test]
    fn cikm11_the_decay_to_ancestors_by_hand() {
        // A chain 0–1–2–3–4 and H_tree = 4: from depth 4,
        //   M[4,3] = 3/4;  M[4,2] = 2/4·3/4 = 3/8;  M[4,1] = 1/4·3/8 = 3/32;  M[4,0] = 0/4·… = 0
        let chain = Outline::new(&[0, 0, 1, 2, 3]);
        let expected = [(1, 3.0 / 32.0), (2, 3.0 / 8.0), (3, 3.0 / 4.0), (4, 1.0)];
        assert_close(&smooth(&chain, &[(4, 1.0)], 4), &expected);
        // The same node where another leaf is at depth 6.
        let expected = [(1, 1.0 / 6.0 * 2.0 / 6.0 * 0.5), (2, 2.0 / 6.0 * 0.5), (3, 3.0 / 6.0), (4, 1.0)];
        assert_close(&smooth(&chain, &[(4, 1.0)], 6), &expected);
    }

    #[test]
    fn cikm11_p_times_m_by_hand() {
        //        0
        //      1   2        H_tree = 2: a leaf at depth 2 gives half to its parent
        //     3 4  5 6
        let outline = Outline::new(&[0, 0, 0, 1, 1, 2, 2]);
        let row = [(4, 0.25), (5, 0.5), (6, 0.125)];
        assert_close(&smooth(&outline, &row, 2), &[(1, 0.125), (2, 0.3125), (4, 0.25), (5, 0.5), (6, 0.125)]);
    }

    #[test]
    fn ours_the_root_carries_no_evidence() {
        let star = Outline::new(&[0, 0, 0]);
        assert_close(&smooth(&star, &[(1, 0.5), (2, 0.5)], 1), &[(1, 0.5), (2, 0.5)]);
    }

    #[test]
    fn a_call_leaves_nothing_behind() {
        let outline = Outline::new(&[0, 0, 1, 1]);
        let mut propagation = Propagation::new(&outline);
        let first = propagation.smooth([(2, 1.0)].into_iter(), 2);
        propagation.smooth([(2, 1.0), (3, 7.0)].into_iter(), 2);
        assert_eq!(propagation.smooth([(2, 1.0)].into_iter(), 2), first);
        assert!(propagation.smooth(std::iter::empty(), 2).is_empty());
    }
}
