//! How does a model become a walk?

use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use trodden_urls::UrlGlobs;
use trodden_urls::component::MAX_LABELS;
use xxhash_rust::xxh3::xxh3_64;

use super::test::Test;
use super::walk::page_hash;
use super::{Branches, Compiled, Locator};
use crate::key::Key;
use crate::model::{Node, SiteModel, Way};
use crate::settings::TreeKind;

/// Up to so many branches are compared one by one.
const FEW: usize = 8;

impl SiteModel {
    /// The walk down the model's own tree.
    #[must_use]
    pub fn locator(&self) -> Locator {
        self.locator_of(self.tree)
    }

    /// The walk down one of its trees.
    #[must_use]
    pub fn locator_of(&self, tree: TreeKind) -> Locator {
        Compiler { model: self, tree, keys: Vec::new(), numbers: FxHashMap::default() }.compile()
    }
}

struct Compiler<'m> {
    model: &'m SiteModel,
    tree: TreeKind,
    keys: Vec<Key>,
    numbers: FxHashMap<&'m Key, u32>,
}

impl<'m> Compiler<'m> {
    fn compile(mut self) -> Locator {
        let host = self.only_host();
        let mut nodes: Vec<Compiled> = Vec::with_capacity(self.model.nodes.len());
        let mut pages = HashTable::new();
        // By node: where the tree ends above it or at it.
        let mut ends: Vec<Option<u32>> = Vec::with_capacity(self.model.nodes.len());
        for (number, node) in (0..).zip(&self.model.nodes) {
            let mut compiled = Compiled::default();
            if node.is_leaf_of(self.tree) {
                self.end(number, node, &mut compiled);
            } else {
                let (key, few, many) = (node.split.clone(), Vec::new(), HashTable::new());
                compiled.split = Some(Branches { key, few, many, absent: None, other: None });
            }
            for (key, value) in &node.is {
                let by_host = host.is_some() && matches!(key, Key::HostLabel(_));
                if !by_host && !self.is_implied(node, key) {
                    compiled.checks.push((self.number(key), Test::constant(key, value)));
                }
            }
            let above = if number == 0 { None } else { ends[node.parent as usize] };
            ends.push(above.or(compiled.ends.then_some(number)));
            nodes.push(compiled);
            if number > 0 {
                hang(&mut nodes, number, node, above, &mut pages);
            }
        }
        for branches in nodes.iter_mut().filter_map(|node| node.split.as_mut()) {
            if branches.few.len() > FEW {
                for (value, child) in branches.few.drain(..) {
                    branches.many.insert_unique(xxh3_64(value.as_bytes()), (value, child), |(value, _)| {
                        xxh3_64(value.as_bytes())
                    });
                }
            }
        }
        // Whoever reads a model checks its globs.
        let exclude = UrlGlobs::new(&self.model.exclude).unwrap_or_default();
        Locator { nodes, host, pages, keys: self.keys, exclude }
    }

    fn number(&mut self, key: &'m Key) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(key.clone());
            u32::try_from(self.keys.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// What the branch says already, and the shape of a text that is known.
    fn is_implied(&self, node: &Node, key: &Key) -> bool {
        let parent = self.model.node(node.parent);
        let by_branch = matches!(node.way, Way::Kept(_)) && parent.is_some_and(|p| p.split.as_ref() == Some(key));
        let by_value = match key {
            Key::Shape(at) => node.is.contains_key(&Key::Value(*at)),
            _ => false,
        };
        by_branch || by_value
    }

    fn end(&mut self, number: u32, node: &'m Node, compiled: &mut Compiled) {
        compiled.ends = true;
        for (key, like) in &node.like {
            match key {
                Key::Parameter(name) => {
                    let test = Test::like(key, like);
                    compiled.parameters.push((self.number(key), name.clone(), test, like.optional));
                }
                _ => match Test::like(key, like) {
                    Test::Anything => {}
                    test => compiled.likes.push((self.number(key), test)),
                },
            }
        }
        compiled.labels = node.like.keys().filter(|key| matches!(key, Key::HostLabel(_))).count();
        // Constants of the whole way: their parameters may be there, and must.
        let mut at = number;
        while let Some(above) = self.model.node(at) {
            for (key, value) in &above.is {
                match key {
                    Key::Parameter(name) => {
                        let test = Test::constant(key, value);
                        compiled.parameters.push((self.number(key), name.clone(), test, false));
                    }
                    Key::HostLabel(_) => compiled.labels += 1,
                    _ => {}
                }
            }
            if at == 0 || above.parent >= at {
                break;
            }
            at = above.parent;
        }
        compiled.parameters.sort_by(|a, b| a.1.cmp(&b.1));
    }

    /// The one host of a site that has one: all its labels are constants of the root. A host with more labels than
    /// components is not known as a whole.
    fn only_host(&self) -> Option<Box<str>> {
        let root = self.model.nodes.first()?;
        let varies = self.model.nodes.iter().any(|node| {
            node.like.keys().any(|key| matches!(key, Key::HostLabel(_)))
                || (node.parent != 0 || node.way != Way::Root)
                    && node.is.keys().any(|key| matches!(key, Key::HostLabel(_)))
        });
        let labels: Vec<&str> =
            root.is.iter().filter(|(key, _)| matches!(key, Key::HostLabel(_))).map(|(_, v)| v.as_str()).collect();
        let host: Vec<&str> = labels.into_iter().rev().collect();
        (!varies && (1..MAX_LABELS).contains(&host.len())).then(|| host.join(".").into())
    }
}

/// Makes a node known to its parent, or to the table of pages. `end` is where the tree ends above it.
fn hang(nodes: &mut [Compiled], number: u32, node: &Node, end: Option<u32>, pages: &mut HashTable<(Box<str>, u32)>) {
    if let Way::Page(url) = &node.way {
        let entry = (url.as_str().into(), end.unwrap_or(number));
        pages.insert_unique(page_hash(path_of(url)), entry, |(url, _)| page_hash(path_of(url)));
        return;
    }
    let Some(branches) = nodes.get_mut(node.parent as usize).and_then(|parent| parent.split.as_mut()) else {
        return;
    };
    match &node.way {
        Way::Kept(value) => branches.few.push((value.as_str().into(), number)),
        Way::Absent => branches.absent = Some(number),
        Way::Other => branches.other = Some(number),
        Way::Page(_) | Way::Root => {}
    }
}

fn path_of(url: &str) -> &str {
    &url[url.find(['/', '?']).unwrap_or(url.len())..]
}
