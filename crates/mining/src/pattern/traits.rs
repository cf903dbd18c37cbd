//! What do all URLs of a node have in common, and in what do they differ?
//!
//! A key with one value at a node is a *constant* of its pattern; any other key that some URL has is a *wildcard* of it,
//! which knows the classes of the values met: for a segment its shapes, for a parameter or host label the general shape
//! of its value (see `columns`). Traits of a leaf come from its rows, those of an inner node from its children, so all
//! of them cost one pass over the rows and one over the nodes.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use trodden_urls::REMOVED_VALUE;

use crate::columns::{Columns, ComponentId, value_class};
use crate::key::KeyId;
use crate::tree::PatternTree;

/// The most classes that a wildcard tells apart; beyond, anything goes.
const MAX_CLASSES: usize = 32;

/// Sites with fewer URLs are not worth another thread.
const PARALLEL_FROM: usize = 1 << 14;

/// The class of a value that may be anything.
const ANY: u32 = u32::MAX;

/// What is known of one key at a node.
#[derive(Clone, Debug)]
pub(crate) struct Trait {
    pub(crate) key: KeyId,
    /// How many URLs have it.
    pub(crate) present: u64,
    /// Its value, if all that have it agree.
    pub(crate) value: Option<ComponentId>,
    classes: Vec<u32>,
}

impl Trait {
    fn add_class(&mut self, class: u32) {
        if self.classes == [ANY] {
            return;
        }
        if class == ANY {
            self.classes = vec![ANY];
        } else if let Err(at) = self.classes.binary_search(&class) {
            self.classes.insert(at, class);
            if self.classes.len() > MAX_CLASSES {
                self.classes = vec![ANY];
            }
        }
    }

    fn absorb(&mut self, other: &Self) {
        self.present += other.present;
        if self.value != other.value {
            self.value = None;
        }
        for class in &other.classes {
            self.add_class(*class);
        }
    }
}

/// The traits of every node, each list by key.
#[derive(Debug)]
pub(crate) struct Traits {
    by_node: Vec<Vec<Trait>>,
    names: Vec<String>,
}

impl Traits {
    /// The traits of all nodes of a tree. What varies is kept of patterns only: on a site made to grow a comb of
    /// parameters, every level would have all of them.
    pub(crate) fn of(columns: &Columns, tree: &PatternTree, is_pattern: impl Fn(u32) -> bool) -> Self {
        let (class_of, names) = classes(columns);
        let of_node = |node: u32| {
            let place = &tree.nodes[node as usize];
            let is_leaf = tree.outline.is_leaf(node);
            if is_leaf { of_urls(columns, &class_of, &tree.order[place.start..place.end]) } else { Vec::new() }
        };
        let nodes: Vec<u32> = tree.outline.nodes().collect();
        let mut by_node: Vec<Vec<Trait>> = if tree.order.len() < PARALLEL_FROM {
            nodes.into_iter().map(of_node).collect()
        } else {
            nodes.into_par_iter().map(of_node).collect()
        };
        for node in tree.outline.nodes().rev() {
            let children = tree.outline.children(node);
            if children.is_empty() {
                continue;
            }
            let mut all = Vec::new();
            for child in children.iter().map(|child| *child as usize) {
                let of_child = std::mem::take(&mut by_node[child]);
                if !is_pattern(child as u32) {
                    by_node[child] = essence(columns, &of_child, tree.urls[child]);
                    all.extend(of_child);
                } else {
                    all.extend_from_slice(&of_child);
                    by_node[child] = of_child;
                }
            }
            by_node[node as usize] = merged(all);
        }
        Self { by_node, names }
    }

    /// The traits of a node, by key.
    pub(crate) fn node(&self, node: u32) -> &[Trait] {
        &self.by_node[node as usize]
    }

    /// The names of the classes of a trait, sorted; `None` where anything goes.
    pub(crate) fn classes(&self, of: &Trait) -> Option<Vec<String>> {
        if of.classes == [ANY] {
            return None;
        }
        let mut names: Vec<String> = of.classes.iter().map(|class| self.names[*class as usize].clone()).collect();
        names.sort_unstable();
        Some(names)
    }
}

/// The class of each component, and the names of the classes. Path values have none: their shape is a key of its own.
fn classes(columns: &Columns) -> (Vec<u32>, Vec<String>) {
    let components = columns.components();
    let mut names = Vec::new();
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut class_of = vec![ANY; components.len()];
    for id in components.ids() {
        let (key, value) = (components.key(id), components.value(id));
        if key.is_value() || value.contains(REMOVED_VALUE) {
            continue;
        }
        let own = key.is_shape() || key == KeyId::DEPTH || key == KeyId::SLASH;
        let name = if own { value.to_owned() } else { value_class(value) };
        class_of[id.index()] = *numbers.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            u32::try_from(names.len() - 1).unwrap_or(ANY - 1)
        });
    }
    (class_of, names)
}

fn of_urls(columns: &Columns, class_of: &[u32], urls: &[u32]) -> Vec<Trait> {
    let mut traits: Vec<Trait> = Vec::new();
    let mut places: FxHashMap<KeyId, usize> = FxHashMap::default();
    for url in urls {
        for &id in columns.row(*url) {
            let key = columns.components().key(id);
            let class = class_of[id.index()];
            let at = *places.entry(key).or_insert_with(|| {
                traits.push(Trait { key, present: 0, value: Some(id), classes: Vec::new() });
                traits.len() - 1
            });
            let known = &mut traits[at];
            known.present += 1;
            if known.value != Some(id) {
                known.value = None;
            }
            known.add_class(class);
        }
    }
    traits.sort_unstable_by_key(|t| t.key);
    traits
}

/// The constants, and one parameter that may not be named if there is any.
fn essence(columns: &Columns, traits: &[Trait], urls: u64) -> Vec<Trait> {
    let mut has_rare = false;
    let is_essential = |t: &&Trait| {
        let is_rare = !columns.is_public_key(t.key);
        let is_first_rare = is_rare && !std::mem::replace(&mut has_rare, true);
        is_first_rare || (t.present == urls && t.value.is_some())
    };
    traits.iter().filter(is_essential).cloned().collect()
}

/// The traits of a node from those of all its children, one behind the other.
fn merged(mut all: Vec<Trait>) -> Vec<Trait> {
    // Stable, and fast on what is sorted in stretches.
    all.sort_by_key(|t| t.key);
    all.dedup_by(|next, one| {
        let is_same = next.key == one.key;
        if is_same {
            one.absorb(next);
        }
        is_same
    });
    all
}
