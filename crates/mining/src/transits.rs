//! How often did people go from one group of URLs to another?
//!
//! F_trans of URLs, added up by leaf. The table has them by the URL they start from, and a tree has its URLs by leaf, so
//! one leaf after another is added up in an array as long as the tree has nodes: no hashing of ten million pairs.

use crate::SiteTable;
use crate::tree::PatternTree;

/// F_trans between the leaves of a tree.
#[derive(Debug, Default)]
pub(crate) struct LeafTransits {
    /// (from, to, how often), ascending; transits of a URL to itself included.
    pub(crate) all: Vec<(u32, u32, u64)>,
    /// By leaf: transits of its URLs to themselves.
    pub(crate) to_itself: Vec<(u32, u64)>,
}

impl LeafTransits {
    /// Adds up the transits of a table.
    pub(crate) fn of(table: &SiteTable, tree: &PatternTree) -> Self {
        let starts = starts(table);
        let mut sums = Self::default();
        let mut to: Vec<u64> = vec![0; tree.nodes.len()];
        let mut touched: Vec<u32> = Vec::new();
        for (leaf, node) in (0..).zip(&tree.nodes).filter(|(leaf, _)| tree.outline.is_leaf(*leaf)) {
            let mut to_itself = 0;
            for url in &tree.order[node.start..node.end] {
                let url = *url as usize;
                for (from, target, n) in &table.transits()[starts[url]..starts[url + 1]] {
                    let sum = &mut to[tree.leaf_of[*target as usize] as usize];
                    if *sum == 0 {
                        touched.push(tree.leaf_of[*target as usize]);
                    }
                    *sum += n;
                    to_itself += if from == target { *n } else { 0 };
                }
            }
            touched.sort_unstable();
            sums.all.extend(touched.iter().map(|target| (leaf, *target, to[*target as usize])));
            touched.drain(..).for_each(|target| to[target as usize] = 0);
            if to_itself > 0 {
                sums.to_itself.push((leaf, to_itself));
            }
        }
        sums
    }

    /// The same between patterns, without those that are left out, by leaf: [`to_itself`](Self::to_itself), or none. The leaves of a
    /// pattern follow each other, so one pattern after another is added up likewise.
    pub(crate) fn between_patterns(
        &self,
        nodes: usize,
        left_out: &[(u32, u64)],
        pattern_of: impl Fn(u32) -> u32,
    ) -> Vec<(u32, u32, u64)> {
        let mut sums = Vec::new();
        let mut to: Vec<u64> = vec![0; nodes];
        let mut touched: Vec<u32> = Vec::new();
        let mut left_out = left_out.iter().peekable();
        for transits in self.all.chunk_by(|one, other| pattern_of(one.0) == pattern_of(other.0)) {
            let from = pattern_of(transits[0].0);
            for (_, target, n) in transits {
                let target = pattern_of(*target);
                if to[target as usize] == 0 {
                    touched.push(target);
                }
                to[target as usize] += n;
            }
            while let Some((_, n)) = left_out.next_if(|(leaf, _)| pattern_of(*leaf) == from) {
                to[from as usize] -= n;
            }
            touched.sort_unstable();
            for target in touched.drain(..) {
                let n = std::mem::take(&mut to[target as usize]);
                if n > 0 {
                    sums.push((from, target, n));
                }
            }
        }
        sums
    }
}

/// By URL: where its transits start; they are ordered by the URL they come from.
fn starts(table: &SiteTable) -> Vec<usize> {
    let mut starts = vec![0; table.len() + 1];
    for (from, _, _) in table.transits() {
        starts[*from as usize + 1] += 1;
    }
    for url in 0..table.len() {
        starts[url + 1] += starts[url];
    }
    starts
}
