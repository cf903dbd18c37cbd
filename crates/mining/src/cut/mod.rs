//! Which nodes of a pattern tree are the patterns of a site?
//!
//! A tree built from syntax alone is too fine. Two cuts through it, one after the other, make it as coarse as people's
//! behavior allows (CIKM 2011, §3):
//!
//! 1. T_SYN → T_VISIT: [`visit_cut`] merges URLs that are visited equally often, by minimum description length.
//! 2. T_VISIT → T_TRAN: [`transit_cut`] merges siblings that people reach from, and leave for, the same places.
//!
//! Either result is a [`Cut`], which cannot be anything but an antichain that covers every leaf.

mod likeness;
mod merging;
mod propagation;
mod transit;
mod visit;

pub use transit::{Flows, TransitCut, transit_cut};
pub use visit::{Weighting, description_length, visit_cut};

use crate::Outline;

/// An antichain of nodes that covers every leaf, ascending: each leaf of the tree lies under exactly one member, or is
/// one itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut(Vec<u32>);

impl Cut {
    /// These nodes, in any order, if they are a cut of the outline.
    pub fn checked(outline: &Outline, mut members: Vec<u32>) -> Option<Self> {
        members.sort_unstable();
        let mut chosen = vec![false; outline.len()];
        for &member in &members {
            let seen = chosen.get_mut(member as usize)?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        let cut = Self::topmost(outline, |node| chosen[node as usize]);
        // Whoever is chosen below a member is missing from the topmost, and a leaf above the cut has no member.
        let covers = outline.nodes().zip(cut.member_of(outline)).all(|(n, m)| m.is_some() || !outline.is_leaf(n));
        (covers && cut.0 == members).then_some(cut)
    }

    /// The first chosen node on each way down from the root. It is a cut if every leaf has a chosen node above it or is
    /// chosen itself, which callers see to.
    pub(crate) fn topmost(outline: &Outline, chosen: impl Fn(u32) -> bool) -> Self {
        let mut covered = vec![false; outline.len()];
        let mut members = Vec::new();
        for node in outline.nodes() {
            let below = outline.parent(node).is_some_and(|parent| covered[parent as usize]);
            if !below && chosen(node) {
                members.push(node);
                covered[node as usize] = true;
            } else {
                covered[node as usize] = below;
            }
        }
        Self(members)
    }

    /// Its nodes, ascending.
    pub fn members(&self) -> &[u32] {
        &self.0
    }

    /// Whether a node is one of them. Costs a binary search.
    pub fn contains(&self, node: u32) -> bool {
        self.0.binary_search(&node).is_ok()
    }

    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none, which only an empty outline allows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The height of the tree that ends at this cut: the depth of its deepest member.
    pub fn height(&self, outline: &Outline) -> u32 {
        self.0.iter().map(|&member| outline.depth(member)).max().unwrap_or(0)
    }

    /// For every node of the outline the member that it lies under or is. Nodes above the cut have none.
    pub fn member_of(&self, outline: &Outline) -> Vec<Option<u32>> {
        let mut of: Vec<Option<u32>> = vec![None; outline.len()];
        for &member in &self.0 {
            of[member as usize] = Some(member);
        }
        for node in outline.nodes() {
            if let Some(above) = outline.parent(node).and_then(|parent| of[parent as usize]) {
                of[node as usize] = Some(above);
            }
        }
        of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ```text
    ///        0
    ///      1   2
    ///     3 5   4
    /// ```
    fn outline() -> Outline {
        Outline::new(&[0, 0, 0, 1, 2, 1])
    }

    #[test]
    fn a_cut_is_an_antichain_that_covers_every_leaf() {
        let outline = outline();
        let checked = |members: &[u32]| Cut::checked(&outline, members.to_vec());
        for good in [&[0][..], &[1, 2], &[1, 4], &[2, 3, 5], &[3, 4, 5]] {
            assert_eq!(checked(good).unwrap().members(), good);
        }
        assert_eq!(checked(&[4, 1]).unwrap().members(), [1, 4], "any order is taken");
        for (bad, why) in [
            (&[][..], "covers nothing"),
            (&[1], "4 is uncovered"),
            (&[2, 3], "5 is uncovered"),
            (&[1, 2, 3], "3 lies under 1"),
            (&[0, 4], "4 lies under 0"),
            (&[1, 1, 2], "1 is there twice"),
            (&[1, 2, 6], "there is no 6"),
        ] {
            assert_eq!(checked(bad), None, "{why}");
        }
    }

    #[test]
    fn members_are_found_from_the_cut_and_from_below() {
        let outline = outline();
        let cut = Cut::checked(&outline, vec![1, 4]).unwrap();
        assert_eq!(cut.len(), 2);
        assert_eq!(cut.height(&outline), 2);
        assert_eq!(Cut::checked(&outline, vec![0]).unwrap().height(&outline), 0);
        assert!(cut.contains(4) && !cut.contains(2) && !cut.contains(3));
        assert_eq!(cut.member_of(&outline), [None, Some(1), None, Some(1), Some(4), Some(1)]);
    }

    #[test]
    fn the_cut_of_no_tree_is_empty() {
        let none = Outline::new(&[]);
        assert!(Cut::checked(&none, Vec::new()).unwrap().is_empty());
        assert_eq!(none.leaves().height(&none), 0);
    }
}
