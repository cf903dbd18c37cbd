//! Who is whose child in a pattern tree?
//!
//! Nodes are numbered from the root, 0, so that every parent comes before its children. A pass bottom up is therefore
//! a loop over descending numbers and a pass top down one over ascending numbers: no method here or in `cut` recurses,
//! and a tree of any depth is safe.
//!
//! Memory: five numbers a node. The children of all nodes lie in one array, those of node n from `starts[n]` to
//! `starts[n + 1]`.

use crate::Cut;

/// The shape of a pattern tree: who is whose child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    parents: Vec<u32>,
    depths: Vec<u32>,
    starts: Vec<u32>,
    children: Vec<u32>,
}

impl Outline {
    /// A tree by the parent of every node. `parents[0]` belongs to the root and is ignored. No parents, no tree.
    ///
    /// # Panics
    /// If a parent does not come before its child, or there are more than 2³¹ nodes.
    pub fn new(parents: &[u32]) -> Self {
        assert!(parents.len() <= 1 << 31, "an outline has at most 2^31 nodes, not {}", parents.len());
        let mut parents = parents.to_vec();
        if let Some(root) = parents.first_mut() {
            *root = 0;
        }
        let mut depths = vec![0; parents.len()];
        let mut starts = vec![0u32; parents.len() + 1];
        for (node, &parent) in parents.iter().enumerate().skip(1) {
            let parent = parent as usize;
            assert!(parent < node, "node {node} has parent {parent}: parents come before their children");
            depths[node] = depths[parent] + 1;
            starts[parent + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let mut children = vec![0; parents.len().saturating_sub(1)];
        for (node, &parent) in (0u32..).zip(&parents).skip(1) {
            let slot = &mut next[parent as usize];
            children[*slot as usize] = node;
            *slot += 1;
        }
        Self { parents, depths, starts, children }
    }

    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether it has none, not even a root.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// All nodes, parents first. Reversed, children first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = u32> + use<> {
        0..u32::try_from(self.len()).expect("`new` bounds the number of nodes")
    }

    /// The parent of a node; the root has none.
    pub fn parent(&self, node: u32) -> Option<u32> {
        (node != 0).then(|| self.parents[node as usize])
    }

    /// The children of a node, ascending.
    pub fn children(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.children[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// How many steps it is from the root, which has depth 0.
    pub fn depth(&self, node: u32) -> u32 {
        self.depths[node as usize]
    }

    /// Whether a node has no children.
    pub fn is_leaf(&self, node: u32) -> bool {
        self.children(node).is_empty()
    }

    /// The finest cut: every leaf on its own.
    pub fn leaves(&self) -> Cut {
        Cut::topmost(self, |node| self.is_leaf(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_is_read_back_by_parent_children_and_depth() {
        //        0
        //      1   2
        //     3 5   4
        let outline = Outline::new(&[9, 0, 0, 1, 2, 1]);
        assert_eq!(outline.len(), 6);
        assert!(!outline.is_empty());
        assert_eq!(outline.nodes().map(|n| outline.parent(n)).collect::<Vec<_>>(), {
            [None, Some(0), Some(0), Some(1), Some(2), Some(1)]
        });
        assert_eq!(outline.nodes().map(|n| outline.depth(n)).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 2]);
        assert_eq!(outline.children(0), [1, 2]);
        assert_eq!(outline.children(1), [3, 5], "ascending, though 4 lies between");
        assert_eq!(outline.children(2), [4]);
        assert!(outline.children(5).is_empty() && outline.is_leaf(5) && !outline.is_leaf(2));
        assert_eq!(outline.leaves().members(), [3, 4, 5]);
    }

    #[test]
    fn one_node_is_root_and_leaf_and_no_node_is_no_tree() {
        let one = Outline::new(&[0]);
        assert!(one.is_leaf(0));
        assert_eq!((one.parent(0), one.depth(0), one.leaves().members()), (None, 0, [0].as_slice()));
        let none = Outline::new(&[]);
        assert!(none.is_empty());
        assert!(none.leaves().is_empty());
    }

    #[test]
    #[should_panic(expected = "node 2 has parent 3: parents come before their children")]
    fn a_parent_after_its_child_is_refused() {
        Outline::new(&[0, 0, 3, 0]);
    }

    #[test]
    #[should_panic(expected = "node 1 has parent 1")]
    fn a_node_that_is_its_own_parent_is_refused() {
        Outline::new(&[0, 1]);
    }
}
