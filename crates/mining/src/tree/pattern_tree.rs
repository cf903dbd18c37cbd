//! The syntax tree of a site, with the counts of its nodes.
//!
//! Nodes are numbered each before its children. `urls`, `visits` and `referrals` of a node are the sums over its URLs:
//! |n|, F_in(n) and F_out(n).

use super::branch::Branch;
use super::grow::{Grower, Grown};
use super::outline::Outline;
use crate::SiteTable;
use crate::columns::Columns;
use crate::key::KeyId;
use crate::settings::MiningSettings;

/// A grown tree.
#[derive(Debug)]
pub(crate) struct PatternTree {
    pub(crate) outline: Outline,
    pub(crate) nodes: Vec<TreeNode>,
    /// The leaf of each URL.
    pub(crate) leaf_of: Vec<u32>,
    /// URLs in the order of the leaves.
    pub(crate) order: Vec<u32>,
    pub(crate) urls: Vec<u64>,
    pub(crate) visits: Vec<u64>,
    pub(crate) referrals: Vec<u64>,
    /// How many rows were read on the way: a measure of work that does not depend on the machine.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests hold the work done to a bound"))]
    pub(crate) rows_read: u64,
}

/// What a node is, beside its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    pub(crate) branch: Branch,
    pub(crate) split: Option<KeyId>,
    /// A leaf's stretch of `PatternTree::order`.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl PatternTree {
    /// Grows the tree of a table.
    pub(crate) fn grow(table: &SiteTable, columns: &Columns, settings: &MiningSettings, min_users: u32) -> Self {
        let pages = own_leaves(table, columns, settings, min_users);
        let mut is_page = vec![false; table.len()];
        pages.iter().for_each(|page| is_page[*page as usize] = true);
        let all = 0..u32::try_from(table.len()).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = all.filter(|url| !is_page[*url as usize]).collect();
        let grower = Grower::new(columns, settings);
        let root = grower.grow(&mut order);
        let mut hung = HungPages { columns, by_node: Vec::new() };
        let root = hung.hang(root, &pages, &mut order);
        Self { rows_read: grower.rows_read(), ..Self::numbered(&root, order, table) }
    }

    fn numbered(root: &Grown, order: Vec<u32>, table: &SiteTable) -> Self {
        let mut parents = Vec::new();
        let mut nodes = Vec::new();
        let mut open = vec![(root, 0)];
        while let Some((grown, parent)) = open.pop() {
            let number = u32::try_from(nodes.len()).expect("fewer nodes than URLs");
            parents.push(parent);
            let (start, end) = (grown.urls.start, grown.urls.end);
            nodes.push(TreeNode { branch: grown.branch, split: grown.split, start, end });
            open.extend(grown.children.iter().rev().map(|child| (child, number)));
        }
        let outline = Outline::new(&parents);
        let mut leaf_of = vec![0; table.len()];
        let [mut urls, mut visits, mut referrals] = [(); 3].map(|()| vec![0_u64; nodes.len()]);
        for (number, node) in (0..).zip(&nodes).filter(|(number, _)| outline.is_leaf(*number)) {
            for url in &order[node.start..node.end] {
                leaf_of[*url as usize] = number;
                let counts = table.counts(*url);
                urls[number as usize] += 1;
                visits[number as usize] += counts.visits;
                referrals[number as usize] += counts.referrals;
            }
        }
        for child in (1..nodes.len()).rev() {
            let parent = parents[child] as usize;
            for sums in [&mut urls, &mut visits, &mut referrals] {
                sums[parent] += sums[child];
            }
        }
        Self { outline, nodes, leaf_of, order, urls, visits, referrals, rows_read: 0 }
    }
}

/// The URLs that are leaves of their own, most visited first.
fn own_leaves(table: &SiteTable, columns: &Columns, settings: &MiningSettings, min_users: u32) -> Vec<u32> {
    let visits = table.visits();
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let least = (settings.own_leaf_share * visits as f64).ceil().max(1.0) as u64;
    let all = 0..u32::try_from(table.len()).unwrap_or(u32::MAX);
    let mut pages: Vec<u32> = all
        .filter(|url| {
            let counts = table.counts(*url);
            let is_home = home_of(table.url(*url));
            (is_home || counts.visits >= least)
                && (counts.users >= u64::from(min_users) || table.is_known(*url) || is_home)
                && columns.may_name(*url, table.url(*url))
        })
        .collect();
    pages.sort_unstable_by_key(|url| (std::cmp::Reverse(table.counts(*url).visits), *url));
    pages
}

/// Whether a URL `host/path` is the front door of its host.
fn home_of(url: &str) -> bool {
    url.find('/').is_none_or(|at| at + 1 == url.len())
}

/// Finds the place of each page of its own.
struct HungPages<'c> {
    columns: &'c Columns,
    by_node: Vec<(Vec<usize>, u32)>,
}

impl HungPages<'_> {
    fn hang(&mut self, mut root: Grown, pages: &[u32], order: &mut Vec<u32>) -> Grown {
        for page in pages {
            let path = self.path_to(&root, *page);
            self.by_node.push((path, *page));
        }
        if root.children.is_empty() && !pages.is_empty() && !root.urls.is_empty() {
            // The others of a tree without a split become a sibling of the pages.
            let rest = Grown { branch: Branch::Wildcard, urls: root.urls.clone(), split: None, children: Vec::new() };
            root.children.push(rest);
        }
        for (path, page) in &self.by_node {
            let at = order.len();
            order.push(*page);
            let mut node = &mut root;
            for child in path {
                node = &mut node.children[*child];
            }
            node.children.push(Grown {
                branch: Branch::Page(*page),
                urls: at..at + 1,
                split: None,
                children: Vec::new(),
            });
        }
        root
    }

    /// The way, by numbers of children, to the deepest node with a split on the way of a URL.
    fn path_to(&self, root: &Grown, page: u32) -> Vec<usize> {
        let mut path = Vec::new();
        let mut node = root;
        while let Some(key) = node.split {
            let id = self.columns.get(page, key);
            let general = id.and_then(|id| self.columns.general(id));
            let position = |wanted| node.children.iter().position(|child| child.branch == wanted);
            let next = position(id.map_or(Branch::Absent, Branch::Kept))
                .or_else(|| position(Branch::Kept(general?)))
                .or_else(|| position(Branch::Wildcard));
            let Some(next) = next else {
                break;
            };
            if node.children[next].split.is_none() {
                break;
            }
            path.push(next);
            node = &node.children[next];
        }
        path
    }
}
