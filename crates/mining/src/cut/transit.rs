//! Which siblings do people reach, and leave, alike? The transit-based cut, T_TRAN (CIKM 2011, §3, algorithm 1).
//!
//! For leaves P_i, P_k of the tree as it is cut so far:
//! - `pin_{i→k} = F_trans(P_i,P_k)/F_in(P_k)`, the share of the visits to k that come from i
//! - `pout_{k→i} = F_trans(P_k,P_i)/F_out(P_k)`, the share of the referrals of k that go to i
//!
//! Both are passed on to ancestors (p̂ = p × M, see `propagation`), and siblings are compared by them (see `likeness`).
//! Symbols: F_trans → [`Flows::transits`], F_in → [`Flows::visits`], F_out → [`Flows::referrals`], ξ → `threshold`.
//!
//! Method: a queue of the nodes all of whose children are leaves, deepest first, of equal depth the lowest number
//! first. Taken from it, a node becomes a leaf if the *minimum* similarity over all pairs of its children exceeds ξ.
//! Then p and M are updated, and the parent joins the queue if all its children are leaves now. A node is asked once.
//! The queue runs empty after at most one step for each inner node.
//!
//! **\[ours\]** What the source leaves open:
//! - An only child has no pair that could differ, so it merges with its parent.
//! - "p and M are updated": M is a function of the tree as it is cut now. So H_tree is the depth of the deepest leaf
//!   that is left, and shrinks as deep leaves merge.
//! - A cosine does not notice that F_in(P_k) or F_out(P_k) divides a whole vector. They are divided by all the same, so
//!   that what is compared is the paper's p. (0 counts as 1, lest a transit without a visit break it.)
//!
//! How p is kept up to date, and at what cost: see `merging`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merging::Merging;
use crate::{Cut, Outline};

/// What people did on a site, by the nodes of its tree.
#[derive(Clone, Copy, Debug)]
pub struct Flows<'a> {
    /// F_in of every node: visits to its subtree.
    pub visits: &'a [u64],
    /// F_out of every node: referrals from its subtree.
    pub referrals: &'a [u64],
    /// F_trans: (from, to, how often) between leaves of the outline, ascending; within a leaf too, where its URLs refer
    /// to each other.
    pub transits: &'a [(u32, u32, u64)],
}

/// A cut, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitCut {
    /// The cut.
    pub cut: Cut,
    /// The nodes that became leaves, in this order. Some merged further later on.
    pub merged: Vec<u32>,
    /// How many pairs of siblings had to be compared.
    pub comparisons: u64,
    /// How many entries of vectors were read on the way: a measure of work that does not depend on the machine.
    pub entries: u64,
}

impl TransitCut {
    /// The published ξ.
    pub const DEFAULT_THRESHOLD: f64 = 0.9;
}

/// The cut that is left when siblings more alike than the threshold have merged, from a given cut on.
///
/// # Panics
/// If there is not one number of visits and of referrals for every node.
pub fn transit_cut(outline: &Outline, start: &Cut, flows: &Flows<'_>, threshold: f64) -> TransitCut {
    assert_eq!(flows.visits.len(), outline.len(), "one number of visits for every node");
    assert_eq!(flows.referrals.len(), outline.len(), "one number of referrals for every node");
    let mut merging = Merging::new(outline, start, flows);
    let mut unmerged = merging.inner_children();
    let mut queue: BinaryHeap<(u32, Reverse<u32>)> = BinaryHeap::new();
    for (node, open) in outline.nodes().zip(&unmerged) {
        if *open == Some(0) {
            queue.push((outline.depth(node), Reverse(node)));
        }
    }
    let mut merged = Vec::new();
    while let Some((_, Reverse(node))) = queue.pop() {
        if !merging.children_are_alike(node, threshold) {
            continue;
        }
        merging.merge(node);
        merged.push(node);
        if let Some(parent) = outline.parent(node)
            && let Some(open) = &mut unmerged[parent as usize]
        {
            *open -= 1;
            if *open == 0 {
                queue.push((outline.depth(parent), Reverse(parent)));
            }
        }
    }
    let cut = Cut::topmost(outline, |node| merging.is_leaf(node));
    TransitCut { cut, merged, comparisons: merging.work.comparisons, entries: merging.work.entries }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits and referrals of every node, added up from the transits: all traffic is internal.
    fn totals(outline: &Outline, transits: &[(u32, u32, u64)]) -> (Vec<u64>, Vec<u64>) {
        let (mut visits, mut referrals) = (vec![0; outline.len()], vec![0; outline.len()]);
        for &(from, to, count) in transits {
            referrals[from as usize] += count;
            visits[to as usize] += count;
        }
        for node in outline.nodes().rev() {
            if let Some(parent) = outline.parent(node) {
                visits[parent as usize] += visits[node as usize];
                referrals[parent as usize] += referrals[node as usize];
            }
        }
        (visits, referrals)
    }

    fn cut_from(outline: &Outline, start: &Cut, transits: &[(u32, u32, u64)], threshold: f64) -> TransitCut {
        let (visits, referrals) = totals(outline, transits);
        transit_cut(outline, start, &Flows { visits: &visits, referrals: &referrals, transits }, threshold)
    }

    fn cut(parents: &[u32], transits: &[(u32, u32, u64)], threshold: f64) -> TransitCut {
        let outline = Outline::new(parents);
        cut_from(&outline, &outline.leaves(), transits, threshold)
    }

    #[test]
    fn cikm11_similarity_of_siblings_by_hand() {
        //        0
        //      1   2        H_tree = 2, so half of what a leaf has goes to its parent.
        //     3 4  5 6
        // Leaf 3 sends 3/4 to 5 and 1/4 to 6; leaf 4 the other way round. In p̂ both have ½·(3/4 + 1/4) = ½ at 2.
        //   cos(out) = (3/16 + 3/16 + 1/4) / (9/16 + 1/16 + 1/4) = (10/16)/(14/16) = 5/7; without p̂ 6/10
        //   cos(in) = 1, both zero: similarity (1 + 5/7)/2 = 6/7 = 0.857142…
        // Leaves 5 and 6: the same, of in-vectors. Then 1 and 2 are compared: in 0, out 0.
        let (parents, transits) = ([0, 0, 0, 1, 1, 2, 2], [(3, 5, 3), (3, 6, 1), (4, 5, 1), (4, 6, 3)]);
        assert_eq!(cut(&parents, &transits, 0.8571).cut.members(), [1, 2]);
        assert_eq!(cut(&parents, &transits, 0.8572).cut.members(), [3, 4, 5, 6]);
        assert_eq!(cut(&parents, &transits, 0.9).merged, [0; 0]);
    }

    #[test]
    fn cikm11_at_nine_tenths_what_behaves_alike_merges_and_what_does_not_stays() {
        // Under 1 three lists (4, 5, 6) that all lead to the articles 7 and 8 under 2, in nearly the same shares; under
        // 3 a help page (9) that leads nowhere and a login (10) that leads to the lists.
        let parents = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3];
        let transits = [
            (4, 7, 50),
            (4, 8, 50),
            (5, 7, 5),
            (5, 8, 6),
            (6, 7, 20),
            (6, 8, 17),
            (7, 9, 3),
            (8, 9, 3),
            (10, 4, 9),
            (10, 5, 9),
            (10, 6, 9),
        ];
        let result = cut(&parents, &transits, TransitCut::DEFAULT_THRESHOLD);
        assert_eq!(result.cut.members(), [1, 2, 9, 10]);
        assert_eq!(result.merged, [1, 2]);
    }

    #[test]
    fn cikm11_the_least_alike_pair_decides() {
        // 2, 3 and 4 under 1 all lead to 5; then 4 leads to 6 as often.
        let parents = [0, 0, 1, 1, 1, 0, 0];
        let mut transits = vec![(2, 5, 10), (3, 5, 10), (4, 5, 10)];
        assert_eq!(cut(&parents, &transits, 0.9).cut.members(), [1, 5, 6]);
        transits.push((4, 6, 10));
        // cos(out) of 4 and the others is √½ = 0.707, in 1: 0.854 of two pairs, 1 of the third; their mean is above
        // 0.9.
        assert_eq!(cut(&parents, &transits, 0.9).cut.members(), [2, 3, 4, 5, 6]);
        assert_eq!(cut(&parents, &transits, 0.85).cut.members(), [1, 5, 6]);
    }

    #[test]
    fn cikm11_deepest_first_and_what_merged_below_is_seen_above() {
        //         0
        //     1   2   8      3 leads to 6 and 4 to 7, which 8 visits a hundred times as often.
        //    3 4  5          Node 5 is the deepest: 6 and 7 merge first, both known by 8.
        //        6 7         Then 3 and 4 both lead to 5, and merge; before, they were 0.665 alike:
        //   p̂ of 3 = {6: 1, 5: 2/3, 2: 2/9} and of 4 = {7: 1, 5: 2/3, 2: 2/9}; cos = (40/81)/(121/81) = 0.331.
        // 2 has the only child 5, and merges after 1, the lower number. At the root 1 and 2 have nothing in common.
        let parents = [0, 0, 0, 1, 1, 2, 5, 5, 0];
        let transits = [(3, 6, 1), (4, 7, 1), (8, 6, 100), (8, 7, 100)];
        let result = cut(&parents, &transits, 0.9);
        assert_eq!(result.merged, [5, 1, 2]);
        assert_eq!(result.cut.members(), [1, 2, 8]);
    }

    #[test]
    fn ours_of_equal_depth_the_lowest_number_goes_first_and_is_not_asked_again() {
        // As above but without node 5: `pages` lead to `targets`, which merge. If the pages are asked first, they do
        // not yet lead to the same leaf: p̂ = {5: 1, 2: ½} and {6: 1, 2: ½}, cos 0.2.
        let parents = [0, 0, 0, 1, 1, 2, 2, 0];
        let pages_first = cut(&parents, &[(3, 5, 1), (4, 6, 1), (7, 5, 100), (7, 6, 100)], 0.9);
        assert_eq!(
            (pages_first.merged.as_slice(), pages_first.cut.members()),
            ([2].as_slice(), [2, 3, 4, 7].as_slice())
        );
        let targets_first = cut(&parents, &[(5, 3, 1), (6, 4, 1), (7, 3, 100), (7, 4, 100)], 0.9);
        assert_eq!(
            (targets_first.merged.as_slice(), targets_first.cut.members()),
            ([1, 2].as_slice(), [1, 2, 7].as_slice())
        );
    }

    #[test]
    fn ours_the_deepest_leaf_left_sets_the_decay() {
        //        0
        //   1    2     3        4 leads to 6, 5 leads to 7: alike only in node 2, at depth 1.
        //  4 5  6 7    8        8–9–10 is a chain, which has merged by then: with H_tree = 2, not 4, half goes to 2:
        //              9        cos(out) = (1/4)/(5/4) = 0.2, similarity 0.6. With 4: (1/16)/(17/16) = 0.0588 → 0.529.
        //              10
        let parents = [0, 0, 0, 0, 1, 1, 2, 2, 3, 8, 9];
        let transits = [(4, 6, 1), (5, 7, 1)];
        assert_eq!(cut(&parents, &transits, 0.55).cut.members(), [1, 2, 3]);
        assert_eq!(cut(&parents, &transits, 0.61).cut.members(), [3, 4, 5, 6, 7]);
    }

    #[test]
    fn ours_an_only_child_merges_with_its_parent() {
        assert_eq!(cut(&[0, 0, 1], &[(2, 2, 5)], 0.9).merged, [1, 0]);
        assert_eq!(cut(&[0, 0, 1], &[], f64::INFINITY).cut.members(), [0], "whatever the threshold");
    }

    #[test]
    fn ours_a_site_without_transits_is_one_pattern() {
        assert_eq!(cut(&[0, 0, 0, 1, 1, 2, 2], &[], 0.9).cut.members(), [0]);
    }

    #[test]
    fn cikm11_it_starts_from_a_cut_and_keeps_it_where_nothing_is_alike() {
        // 3 and 4 behave differently but are below the start; 1 leads to 5, 2 leads to 1.
        let outline = Outline::new(&[0, 0, 0, 1, 1, 0]);
        let start = Cut::checked(&outline, vec![1, 2, 5]).unwrap();
        let transits = [(2, 3, 2), (2, 4, 1), (3, 5, 7), (4, 4, 9)];
        let result = cut_from(&outline, &start, &transits, 0.5);
        assert_eq!((result.cut, result.merged), (start, vec![]));
        let root = Cut::checked(&outline, vec![0]).unwrap();
        assert_eq!(cut_from(&outline, &root, &transits, 0.5).cut, root);
    }

    #[test]
    fn ours_a_transit_without_a_visit_breaks_nothing() {
        let outline = Outline::new(&[0, 0, 0]);
        let flows = Flows { visits: &[0; 3], referrals: &[0; 3], transits: &[(1, 2, 5)] };
        assert_eq!(transit_cut(&outline, &outline.leaves(), &flows, 0.9).cut.members(), [1, 2]);
    }
}
