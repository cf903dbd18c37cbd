//! What do people do between the leaves of a tree while leaves merge?
//!
//! A leaf has two rows of counts, F_trans from and to every other leaf, of which p is made. Life of a row: it is filled
//! from the transits between the leaves of the start cut; read when the turn of its parent comes; and, if that becomes
//! a leaf, added to the rows of its siblings.
//!
//! A leaf is compared at one time only, when its parent's turn comes. So its row of p̂ is computed then, with M as it
//! then is, instead of being kept up to date after every merge: nothing drifts, and nothing is computed that nobody
//! reads. What is kept up to date are the counts, and lazily: an entry for a leaf that has merged is read as one for
//! the leaf that it has become part of. Each transit is read once for every level at which its ends are compared.

use super::Flows;
use super::likeness::{Profile, all_alike};
use super::propagation::Propagation;
use crate::{Cut, Outline};

/// What a cut has cost so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) comparisons: u64,
    pub(super) entries: u64,
}

/// (leaf, how often). Until it is read, a leaf may be there twice, or be one that has merged since.
type Row = Vec<(u32, u64)>;

/// The tree while it is cut.
pub(super) struct Merging<'a> {
    outline: &'a Outline,
    flows: &'a Flows<'a>,
    /// The node that a leaf has become part of, itself while it is a leaf; none above the leaves.
    part_of: Vec<Option<u32>>,
    incoming: Vec<Row>,
    outgoing: Vec<Row>,
    /// How many leaves there are at each depth, to the deepest.
    leaves_at: Vec<u32>,
    propagation: Propagation<'a>,
    /// Room for [`all_alike`].
    sums: Vec<f64>,
    pub(super) work: Work,
}

impl<'a> Merging<'a> {
    pub(super) fn new(outline: &'a Outline, start: &Cut, flows: &'a Flows<'a>) -> Self {
        let part_of = start.member_of(outline);
        let mut incoming: Vec<Row> = vec![Vec::new(); outline.len()];
        let mut outgoing = incoming.clone();
        for &(from, to, count) in flows.transits {
            if let (Some(from), Some(to)) = (part_of[from as usize], part_of[to as usize]) {
                outgoing[from as usize].push((to, count));
                incoming[to as usize].push((from, count));
            }
        }
        let mut leaves_at = vec![0; start.height(outline) as usize + 1];
        for &leaf in start.members() {
            leaves_at[outline.depth(leaf) as usize] += 1;
        }
        let work = Work { comparisons: 0, entries: 2 * flows.transits.len() as u64 };
        let sums = vec![0.0; 2 * outline.len()];
        Self {
            outline,
            flows,
            part_of,
            incoming,
            outgoing,
            leaves_at,
            propagation: Propagation::new(outline),
            sums,
            work,
        }
    }

    pub(super) fn is_leaf(&self, node: u32) -> bool {
        self.part_of[node as usize] == Some(node)
    }

    /// For every node above the leaves, how many of its children are above the leaves too.
    pub(super) fn inner_children(&self) -> Vec<Option<u32>> {
        let is_inner = |node: u32| self.part_of[node as usize].is_none();
        let mut inner: Vec<_> = self.outline.nodes().map(|node| is_inner(node).then_some(0)).collect();
        for node in self.outline.nodes().filter(|&node| is_inner(node)) {
            if let Some(parent) = self.outline.parent(node)
                && let Some(count) = &mut inner[parent as usize]
            {
                *count += 1;
            }
        }
        inner
    }

    /// Whether the minimum similarity over the pairs of children, all leaves, exceeds the threshold.
    pub(super) fn children_are_alike(&mut self, node: u32, threshold: f64) -> bool {
        let children = self.outline.children(node);
        if children.len() < 2 {
            return true;
        }
        let profiles: Vec<_> = children.iter().map(|&child| self.profile(child)).collect();
        all_alike(&profiles, threshold, &mut self.sums, &mut self.work)
    }

    /// The smoothed in- and out-vector of a leaf, as things are now.
    fn profile(&mut self, leaf: u32) -> Profile {
        let deepest = u32::try_from(self.leaves_at.len() - 1).unwrap_or(u32::MAX);
        let n = leaf as usize;
        let mut smooth = |row: &mut Row, divisor: u64| {
            rename(row, &mut self.part_of);
            let share = |&(other, count): &(u32, u64)| (other, count as f64 / divisor.max(1) as f64);
            let smoothed = self.propagation.smooth(row.iter().map(share), deepest);
            self.work.entries += (row.len() + smoothed.len()) as u64;
            smoothed
        };
        let incoming = smooth(&mut self.incoming[n], self.flows.visits[n]);
        let outgoing = smooth(&mut self.outgoing[n], self.flows.referrals[n]);
        Profile::new(&incoming, &outgoing)
    }

    /// Turns a node whose children are leaves into a leaf.
    pub(super) fn merge(&mut self, node: u32) {
        let children = self.outline.children(node);
        self.part_of[node as usize] = Some(node);
        for &child in children {
            self.part_of[child as usize] = Some(node);
            self.leaves_at[self.outline.depth(child) as usize] -= 1;
        }
        self.leaves_at[self.outline.depth(node) as usize] += 1;
        while self.leaves_at.last() == Some(&0) {
            self.leaves_at.pop();
        }
        for rows in [&mut self.incoming, &mut self.outgoing] {
            let mut sum = Row::new();
            for &child in children {
                let row = std::mem::take(&mut rows[child as usize]);
                if sum.is_empty() {
                    sum = row;
                } else {
                    sum.extend(row);
                }
            }
            if children.len() > 1 {
                self.work.entries += sum.len() as u64;
                rename(&mut sum, &mut self.part_of);
            }
            rows[node as usize] = sum;
        }
    }
}

/// Makes the entries of a row name the leaves that there are now.
fn rename(row: &mut Row, part_of: &mut [Option<u32>]) {
    let mut changed = false;
    for (leaf, _) in row.iter_mut() {
        let now = leaf_of(*leaf, part_of);
        changed |= now != *leaf;
        *leaf = now;
    }
    if changed || !row.is_sorted_by(|a, b| a.0 < b.0) {
        add_up(row);
    }
}

/// The leaf that a former leaf is part of. Halves the way for whoever comes next.
fn leaf_of(mut node: u32, part_of: &mut [Option<u32>]) -> u32 {
    while let Some(whole) = part_of[node as usize].filter(|&whole| whole != node) {
        part_of[node as usize] = part_of[whole as usize];
        node = whole;
    }
    node
}

/// Sorts a row and adds up entries of the same leaf.
fn add_up(row: &mut Row) {
    row.sort_unstable();
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_names_the_leaves_that_there_are_now() {
        let outline = Outline::new(&[0, 0, 1, 1, 0, 0]);
        let transits = [(2, 4, 1), (3, 4, 2), (3, 5, 3), (4, 2, 4), (4, 3, 5), (2, 3, 6), (3, 3, 7)];
        let flows = Flows { visits: &[9; 6], referrals: &[9; 6], transits: &transits };
        let mut merging = Merging::new(&outline, &outline.leaves(), &flows);
        merging.merge(1);
        assert_eq!(merging.outgoing[1], [(1, 13), (4, 3), (5, 3)]);
        assert_eq!(merging.incoming[1], [(1, 13), (4, 9)]);
        assert_eq!(merging.outgoing[4], [(2, 4), (3, 5)], "not before it is needed");
        merging.profile(4);
        assert_eq!(merging.outgoing[4], [(1, 9)]);
        assert_eq!(merging.incoming[4], [(1, 3)]);
        assert_eq!(merging.leaves_at, [0, 3], "the two at depth 2 are gone");
    }
}
