//! How does the syntax tree grow?
//!
//! Top down from all URLs of a site (CIKM 2011, §3): a node is a stretch of one permutation of the URLs, split in place
//! and stably, as learners of decision trees do. So a level costs one pass over the rows, nothing is allocated for a URL,
//! and URLs stay in the order of their texts within a node.
//!
//! A leaf is a node that no key may split, that has fewer URLs than the least, or that is as deep as trees may be.
//! **\[ours\]** The home page, and any URL with at least 1 % of the site's visits that may be named, is a leaf of its own
//! beside its siblings: it is taken out before the tree grows and hung beside the leaf that it would have been in.
//!
//! Subtrees are independent; large ones grow in parallel. The result does not depend on it: nodes are numbered
//! afterwards, each before its children, children as their branches are sorted.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::branch::Branch;
use super::census::{Census, Settled};
use super::split::{Split, best_split};
use crate::columns::Columns;
use crate::key::KeyId;
use crate::settings::MiningSettings;

/// Subtrees with fewer URLs are not worth another thread.
const PARALLEL_FROM: usize = 1 << 14;

/// A node while the tree grows.
#[derive(Debug)]
pub(crate) struct Grown {
    pub(crate) branch: Branch,
    /// Its URLs, as a stretch of the permutation.
    pub(crate) urls: Range<usize>,
    /// The key that splits it; none for a leaf.
    pub(crate) split: Option<KeyId>,
    pub(crate) children: Vec<Grown>,
}

/// Grows trees; keeps its arrays between nodes.
pub(crate) struct Grower<'a> {
    columns: &'a Columns,
    settings: &'a MiningSettings,
    /// Arrays that no thread is using.
    idle: Mutex<Vec<Scratch>>,
    /// How many rows were counted: a measure of work that does not depend on the machine.
    rows_read: AtomicU64,
}

#[derive(Default)]
struct Scratch {
    census: Census,
    /// The branch of each URL of the node.
    groups: Vec<u32>,
    moved: Vec<u32>,
    /// By component: its branch at this node, plus one.
    branch_of: Vec<u32>,
}

/// What a node inherits.
struct Way<'w> {
    used: &'w [KeyId],
    settled: Settled,
}

impl<'a> Grower<'a> {
    pub(crate) fn new(columns: &'a Columns, settings: &'a MiningSettings) -> Self {
        Self { columns, settings, idle: Mutex::new(Vec::new()), rows_read: AtomicU64::new(0) }
    }

    /// The tree over `urls`, which are brought into the order of its leaves.
    pub(crate) fn grow(&self, urls: &mut [u32]) -> Grown {
        self.node(Branch::Root, urls, 0, &Way { used: &[], settled: Settled::default() })
    }

    /// How many rows were counted so far: at most one pass over all of them for each level.
    pub(crate) fn rows_read(&self) -> u64 {
        self.rows_read.load(Ordering::Relaxed)
    }

    fn node(&self, branch: Branch, urls: &mut [u32], start: usize, way: &Way<'_>) -> Grown {
        let range = start..start + urls.len();
        let leaf = Grown { branch, urls: range.clone(), split: None, children: Vec::new() };
        if urls.len() < self.settings.min_leaf.max(2) as usize || way.used.len() >= self.settings.max_depth as usize {
            return leaf;
        }
        let mut scratch = self.idle.lock().map(|mut idle| idle.pop()).ok().flatten().unwrap_or_default();
        let split = self.split(&mut scratch, urls, way);
        let sizes = split.as_ref().map(|(split, _)| self.part(&mut scratch, urls, split));
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(scratch);
        }
        let (Some((split, settled)), Some(sizes)) = (split, sizes) else {
            return leaf;
        };
        let mut used = way.used.to_vec();
        used.push(split.key);
        let children = self.children(&split, &sizes, urls, start, &Way { used: &used, settled });
        Grown { branch, urls: range, split: Some(split.key), children }
    }

    fn split(&self, scratch: &mut Scratch, urls: &[u32], way: &Way<'_>) -> Option<(Split, Settled)> {
        scratch.census.take(self.columns, urls, way.settled);
        self.rows_read.fetch_add(urls.len() as u64, Ordering::Relaxed);
        let split = best_split(&scratch.census, self.columns, urls.len(), way.used, self.settings)?;
        let mut settled = way.settled;
        settled.insert(split.key);
        for key in scratch.census.keys() {
            if scratch.census.is_constant(*key) || scratch.census.is_hopeless(*key, self.settings.min_support) {
                settled.insert(*key);
            }
        }
        Some((split, settled))
    }

    /// Sorts the URLs by their branches, keeping their order within each; how many took each.
    fn part(&self, scratch: &mut Scratch, urls: &mut [u32], split: &Split) -> Vec<usize> {
        let Scratch { groups, moved, branch_of, .. } = scratch;
        if branch_of.len() < self.columns.components().len() {
            *branch_of = vec![0; self.columns.components().len()];
        }
        let position = |wanted| split.branches.iter().position(|branch| *branch == wanted);
        let others = position(Branch::Wildcard).unwrap_or(usize::MAX);
        let absent = position(Branch::Absent).unwrap_or(others);
        for (at, branch) in (1..).zip(&split.branches) {
            if let Branch::Kept(id) = branch {
                branch_of[id.index()] = at;
            }
        }
        let mut sizes = vec![0_usize; split.branches.len()];
        groups.clear();
        for url in urls.iter() {
            let group = match self.columns.get(*url, split.key) {
                None => absent,
                Some(id) => {
                    let own = branch_of[id.index()].checked_sub(1);
                    let general = || branch_of[self.columns.general(id)?.index()].checked_sub(1);
                    own.or_else(general).map_or(others, |at| at as usize)
                }
            };
            sizes[group] += 1;
            groups.push(u32::try_from(group).unwrap_or(u32::MAX));
        }
        for branch in &split.branches {
            if let Branch::Kept(id) = branch {
                branch_of[id.index()] = 0;
            }
        }
        let mut next: Vec<usize> = Vec::with_capacity(sizes.len());
        let mut sum = 0;
        for size in &sizes {
            next.push(sum);
            sum += size;
        }
        moved.clear();
        moved.extend_from_slice(urls);
        for (url, group) in moved.iter().zip(groups.iter()) {
            let place = &mut next[*group as usize];
            urls[*place] = *url;
            *place += 1;
        }
        sizes
    }

    fn children(&self, split: &Split, sizes: &[usize], urls: &mut [u32], start: usize, way: &Way<'_>) -> Vec<Grown> {
        let mut parts = Vec::with_capacity(sizes.len());
        let (mut rest, mut at) = (urls, start);
        for (branch, size) in split.branches.iter().zip(sizes) {
            let (part, after) = rest.split_at_mut(*size);
            parts.push((*branch, part, at));
            at += size;
            rest = after;
        }
        self.grow_parts(parts, way)
    }

    /// Halves the parts until they are small, each half possibly on another thread.
    fn grow_parts(&self, mut parts: Vec<(Branch, &mut [u32], usize)>, way: &Way<'_>) -> Vec<Grown> {
        let large = parts.iter().map(|(_, part, _)| part.len()).sum::<usize>() >= PARALLEL_FROM;
        if !large || parts.len() < 2 {
            return parts.into_iter().map(|(branch, part, at)| self.node(branch, part, at, way)).collect();
        }
        let others = parts.split_off(parts.len() / 2);
        let (mut grown, rest) = rayon::join(|| self.grow_parts(parts, way), || self.grow_parts(others, way));
        grown.extend(rest);
        grown
    }
}
