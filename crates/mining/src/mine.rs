//! From the table of a site to its model: all of mining in a row.
//!
//! [`Columns`] → [`PatternTree`] (T_SYN) → [`visit_cut`] (T_VISIT) → [`transit_cut`] (T_TRAN) → [`BehaviorGraph`] →
//! [`SiteModel`]. Pure: the same table and settings give the same model, byte for byte, on any number of threads.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::columns::{Columns, tells_no_secret};
use crate::cut::{Flows, Weighting, transit_cut, visit_cut};
use crate::expected::{Expect, OfLog};
use crate::key::{Key, KeyId};
use crate::model::{
    Convergence, LearntFrom, Like, MODEL_VERSION, NamedUrl, Node, Scores, SiteModel, TreeSize, TreeSizes, Way,
};
use crate::pattern::{Known, Traits};
use crate::rank::{BehaviorGraph, Damping, PatternFlows};
use crate::settings::{MiningSettings, TreeKind};
use crate::transits::LeafTransits;
use crate::tree::{Branch, PatternTree};
use crate::{Cut, SLICES, SiteTable};

/// What a table does not know of itself.
#[derive(Clone, Debug, Default)]
pub struct TableOrigin {
    /// How hosts are written.
    pub origins: BTreeMap<String, String>,
    /// What the table was filled from.
    pub learnt: LearntFrom,
}

/// Why a site has no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoModel {
    /// Nobody visited it.
    #[error("nobody visited it")]
    NoVisits,
    /// Too few users for its name to be told.
    #[error("fewer than {0} users visited it; visits that name no user count as one user's")]
    FewUsers(u32),
}

/// Mines one site.
///
/// # Errors
/// If the site has no visits, or fewer users than may be named.
pub fn mine_site(
    table: &SiteTable,
    origin: &TableOrigin,
    min_users: u32,
    settings: &MiningSettings,
) -> Result<SiteModel, NoModel> {
    if table.visits() == 0 {
        return Err(NoModel::NoVisits);
    }
    if table.users() < u64::from(min_users) && !table.is_public() {
        return Err(NoModel::FewUsers(min_users));
    }
    let columns = Columns::of(table, min_users);
    let tree = PatternTree::grow(table, &columns, settings, min_users);
    let weighting = settings.wagner.map_or(Weighting::Plain, Weighting::Wagner);
    let syn = tree.outline.leaves();
    let visit = visit_cut(&tree.outline, &tree.urls, &tree.visits, weighting);
    let transits = LeafTransits::of(table, &tree);
    let flows = Flows { visits: &tree.visits, referrals: &tree.referrals, transits: &transits.all };
    // **[ours]** A log without referrers says nothing about transits; all its vectors would be zero, and so alike.
    let tran = if transits.all.is_empty() {
        visit.clone()
    } else {
        transit_cut(&tree.outline, &visit, &flows, settings.transit_threshold).cut
    };
    let cuts = Cuts { syn, visit, tran };
    let is_pattern = |node| TreeKind::ALL.into_iter().any(|kind| cuts.of(kind).contains(node));
    let traits = Traits::of(&columns, &tree, is_pattern);
    let maker = Maker { table, columns: &columns, tree: &tree, cuts: &cuts, traits, transits };
    Ok(maker.model(origin, min_users, settings))
}

/// The most frequent transits, in their order.
fn most_frequent(mut transits: Vec<(u32, u32, u64)>, most: usize) -> Vec<(u32, u32, u64)> {
    if transits.len() > most {
        transits.sort_unstable_by_key(|(from, to, n)| (std::cmp::Reverse(*n), *from, *to));
        transits.truncate(most);
        transits.sort_unstable();
    }
    transits
}

/// The three cuts.
struct Cuts {
    syn: Cut,
    visit: Cut,
    tran: Cut,
}

impl Cuts {
    fn of(&self, tree: TreeKind) -> &Cut {
        match tree {
            TreeKind::Syn => &self.syn,
            TreeKind::Visit => &self.visit,
            TreeKind::Tran => &self.tran,
        }
    }
}

struct Maker<'m> {
    table: &'m SiteTable,
    columns: &'m Columns,
    tree: &'m PatternTree,
    cuts: &'m Cuts,
    traits: Traits,
    transits: LeafTransits,
}

impl Maker<'_> {
    fn model(&self, origin: &TableOrigin, min_users: u32, settings: &MiningSettings) -> SiteModel {
        let cut = self.cuts.of(settings.tree);
        let member_of = cut.member_of(&self.tree.outline);
        let of_leaf = |leaf: u32| member_of[leaf as usize].expect("a cut covers every leaf");
        let pattern_of: Vec<u32> = self.tree.leaf_of.iter().map(|leaf| of_leaf(*leaf)).collect();
        let mut nodes = self.nodes();
        let (graph, transits) = self.rank(cut, of_leaf, settings, &mut nodes);
        let of_log = OfLog::new(self.table, &self.tree.outline, &pattern_of);
        let named = self.named(min_users, settings.max_urls);
        let mut is_named = vec![false; self.table.len()];
        named.iter().for_each(|url| is_named[*url as usize] = true);
        let expect = of_log.nodes(|url| is_named[url as usize]);
        nodes.iter_mut().zip(expect).for_each(|(node, expect)| node.expect = expect);
        let size = |cut: &Cut| TreeSize {
            leaves: u32::try_from(cut.len()).unwrap_or(u32::MAX),
            height: cut.height(&self.tree.outline),
        };
        let urls = named.into_iter().map(|url| self.named_url(url, &pattern_of, &of_log, &nodes)).collect();
        SiteModel {
            version: MODEL_VERSION,
            site: self.table.site().to_owned(),
            origins: self.origins(origin, min_users),
            learnt: origin.learnt.clone(),
            settings: serde_json::to_value(settings).unwrap_or_default(),
            min_users,
            exclude: Vec::new(),
            trees: TreeSizes { syn: size(&self.cuts.syn), visit: size(&self.cuts.visit), tran: size(&self.cuts.tran) },
            tree: settings.tree,
            graph,
            forecast: of_log.forecast,
            nodes,
            transits: most_frequent(transits, settings.max_transits),
            urls,
        }
    }

    /// Ranks the patterns. **\[ours\]** A transit of a URL to itself leads nobody anywhere: it counts neither as a
    /// visit nor as a referral here, so that internal traffic stays a fixed point without it. The paper leaves none out
    /// ([`MiningSettings::self_transits`]).
    fn rank(
        &self,
        cut: &Cut,
        member_of: impl Fn(u32) -> u32,
        settings: &MiningSettings,
        nodes: &mut [Node],
    ) -> (Convergence, Vec<(u32, u32, u64)>) {
        let members = cut.members();
        let index_of = |node: u32| members.binary_search(&node).expect("every URL is in a pattern");
        let mut visits: Vec<u64> = members.iter().map(|m| self.tree.visits[*m as usize]).collect();
        let mut referrals: Vec<u64> = members.iter().map(|m| self.tree.referrals[*m as usize]).collect();
        let to_itself = if settings.self_transits { &[] } else { self.transits.to_itself.as_slice() };
        for (leaf, n) in to_itself {
            let at = index_of(member_of(*leaf));
            visits[at] -= n;
            referrals[at] -= n;
        }
        let transits = self.transits.between_patterns(nodes.len(), to_itself, member_of);
        let edges: Vec<(u32, u32, u64)> = transits
            .iter()
            .map(|(from, to, n)| {
                let number = |node| u32::try_from(index_of(node)).unwrap_or(u32::MAX);
                (number(*from), number(*to), *n)
            })
            .collect();
        let urls: Vec<u64> = members.iter().map(|m| self.tree.urls[*m as usize]).collect();
        let flows = PatternFlows { urls: &urls, visits: &visits, referrals: &referrals, transits: &edges };
        let ranks = BehaviorGraph::new(&flows).rank(Damping::new(settings.damping).unwrap_or(Damping::DEFAULT));
        for (at, member) in members.iter().enumerate() {
            nodes[*member as usize].scores = Some(Scores { auth: ranks.auth[at], hub: ranks.hub[at] });
        }
        (Convergence { rounds: ranks.rounds, residual: ranks.residual }, transits)
    }

    fn nodes(&self) -> Vec<Node> {
        let visited = self.visited();
        let root = self.traits.node(0);
        let mut labels = root.iter().filter(|t| t.key < KeyId::DEPTH);
        let many_hosts = labels.any(|t| t.value.is_none() || t.present < self.tree.urls[0]);
        let mut constants: Vec<BTreeMap<Key, String>> = Vec::with_capacity(self.tree.nodes.len());
        let mut nodes = Vec::with_capacity(self.tree.nodes.len());
        for (number, node) in (0..).zip(&self.tree.nodes) {
            let leaf_of: Vec<TreeKind> =
                TreeKind::ALL.into_iter().filter(|kind| self.cuts.of(*kind).contains(number)).collect();
            let urls = self.tree.urls[number as usize];
            let mut all = BTreeMap::new();
            let mut like = BTreeMap::new();
            let mut rare_parameters = false;
            for of_key in self.traits.node(number) {
                if !self.columns.is_public_key(of_key.key) {
                    rare_parameters = true;
                    continue;
                }
                let key = self.columns.key(of_key.key);
                match of_key.value {
                    Some(value) if of_key.present == urls && self.columns.is_public(value) => {
                        all.insert(key, self.columns.components().value(value).to_owned());
                    }
                    _ if leaf_of.is_empty() || of_key.key.is_value() => {}
                    _ => {
                        let classes = self.traits.classes(of_key);
                        like.insert(key, Like { classes, optional: of_key.present < urls });
                    }
                }
            }
            let parent = self.tree.outline.parent(number);
            let above = parent.map(|parent| &constants[parent as usize]);
            let is = all.iter().filter(|(key, _)| above.is_none_or(|above| !above.contains_key(*key)));
            let is = is.map(|(key, value)| (key.clone(), value.clone())).collect();
            let pattern = if leaf_of.is_empty() {
                String::new()
            } else {
                Known { is: &all, like: &like, rare_parameters, many_hosts }.text()
            };
            nodes.push(Node {
                parent: parent.unwrap_or(0),
                way: self.way(node.branch),
                split: node.split.map(|key| self.columns.key(key)),
                is,
                like,
                rare_parameters,
                urls,
                visited: visited[number as usize],
                visits: self.tree.visits[number as usize],
                referrals: self.tree.referrals[number as usize],
                leaf_of,
                pattern,
                scores: None,
                expect: Expect::default(),
            });
            constants.push(all);
        }
        nodes
    }

    fn way(&self, branch: Branch) -> Way {
        match branch {
            Branch::Root => Way::Root,
            Branch::Kept(id) => Way::Kept(self.columns.components().value(id).to_owned()),
            Branch::Absent => Way::Absent,
            Branch::Wildcard => Way::Other,
            Branch::Page(url) => Way::Page(self.table.url(url).to_owned()),
        }
    }

    /// By node: how many of its URLs somebody visited.
    fn visited(&self) -> Vec<u64> {
        let mut visited = vec![0; self.tree.nodes.len()];
        for (url, leaf) in (0..).zip(&self.tree.leaf_of) {
            visited[*leaf as usize] += u64::from(self.table.counts(url).visits > 0);
        }
        for node in self.tree.outline.nodes().rev() {
            if let Some(parent) = self.tree.outline.parent(node) {
                visited[parent as usize] += visited[node as usize];
            }
        }
        visited
    }

    /// How those hosts are written that may be named: enough users visited any of their URLs.
    fn origins(&self, origin: &TableOrigin, min_users: u32) -> BTreeMap<String, String> {
        let mut users: FxHashMap<&str, Option<Vec<u32>>> =
            origin.origins.keys().map(|host| (host.as_str(), Some(Vec::new()))).collect();
        for url in 0..u32::try_from(self.table.len()).unwrap_or(u32::MAX) {
            let text = self.table.url(url);
            let host = &text[..text.find(['/', '?']).unwrap_or(text.len())];
            let Some(Some(seen)) = users.get_mut(host) else {
                continue;
            };
            seen.extend(self.table.readers(url));
            seen.sort_unstable();
            seen.dedup();
            let enough = self.table.is_known(url) || self.table.counts(url).users >= u64::from(min_users);
            if enough || seen.len() >= min_users as usize {
                users.insert(host, None);
            }
        }
        let may_be_named = |host: &str| users.get(host) == Some(&None) && tells_no_secret(host);
        let origins = origin.origins.iter().filter(|(host, _)| may_be_named(host));
        origins.map(|(host, origin)| (host.clone(), origin.clone())).collect()
    }

    /// The URLs that may be named, most visited first.
    fn named(&self, min_users: u32, most: usize) -> Vec<u32> {
        let all = 0..u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        let mut urls: Vec<u32> = all
            .filter(|url| {
                let counts = self.table.counts(*url);
                counts.visits > 0
                    && counts.users >= u64::from(min_users)
                    && self.columns.may_name(*url, self.table.url(*url))
            })
            .collect();
        urls.sort_unstable_by_key(|url| (std::cmp::Reverse(self.table.counts(*url).visits), *url));
        urls.truncate(most);
        urls
    }

    fn named_url(&self, url: u32, pattern_of: &[u32], of_log: &OfLog<'_>, nodes: &[Node]) -> NamedUrl {
        let (counts, pattern) = (self.table.counts(url), pattern_of[url as usize]);
        let rate = match nodes[pattern as usize].way {
            Way::Page(_) => of_log.of_own_page(url),
            _ => of_log.of_url(url),
        };
        NamedUrl {
            url: self.table.url(url).to_owned(),
            visits: counts.visits,
            referrals: counts.referrals,
            users: counts.users,
            pattern,
            expected: rate * SLICES as f64,
        }
    }
}
