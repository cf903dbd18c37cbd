//! Which way does a URL take down the tree, and what is checked on it?

use trodden_urls::Components;

use super::explanation::{SharedValue, VaryingKey, WalkStep};
use crate::key::Key;
use crate::locate::{Place, Why};
use crate::model::{Like, Node, SiteModel, Way};

/// The nodes from the root to a node.
pub(super) fn way_to(model: &SiteModel, node: u32) -> Vec<u32> {
    let mut way = vec![node];
    let mut at = node;
    // Parents come before their children: the model was checked when it was read.
    while at > 0 && model.nodes[at as usize].parent < at {
        at = model.nodes[at as usize].parent;
        way.push(at);
    }
    way.reverse();
    way
}

/// The way of a URL down the tree.
pub(super) struct Trail<'m> {
    pub(super) model: &'m SiteModel,
    pub(super) nodes: Vec<u32>,
    pub(super) components: &'m Components,
}

impl<'m> Trail<'m> {
    pub(super) fn node(&self, number: u32) -> &'m Node {
        &self.model.nodes[number as usize]
    }

    /// Where the walk ended.
    pub(super) fn end(&self) -> &'m Node {
        self.node(self.nodes.last().copied().unwrap_or(0))
    }

    /// What the URL has.
    pub(super) fn value(&self, key: &Key) -> Option<String> {
        self.components.get(key.borrowed()).map(str::to_owned)
    }

    /// From the root to where the walk ended.
    pub(super) fn steps(&self) -> Vec<WalkStep> {
        let step = |number: &u32| {
            let node = self.node(*number);
            WalkStep { node: *number, condition: self.condition(node), urls: node.urls, visits: node.visits }
        };
        self.nodes.iter().map(step).collect()
    }

    fn condition(&self, node: &Node) -> String {
        let key = self.node(node.parent).split.as_ref();
        let name = key.map_or_else(String::new, ToString::to_string);
        match &node.way {
            Way::Root => String::new(),
            Way::Kept(value) => format!("{name} is {value}"),
            Way::Absent => format!("{name} is not there"),
            Way::Other => match key.and_then(|key| self.value(key)) {
                Some(value) => format!("{name} is {value}, one of the many others"),
                None => format!("{name} is one of the many others"),
            },
            Way::Page(_) => "it is a page with a pattern of its own".to_owned(),
        }
    }

    /// The constants that were checked, without what branches, hosts or other constants say already.
    pub(super) fn constants(&self, place: Place) -> Vec<SharedValue> {
        let failed = matches!(place, Place::Uncovered(_, Why::Constant(_)));
        let checked = &self.nodes[..self.nodes.len() - usize::from(failed)];
        let mut constants = Vec::new();
        for node in checked.iter().map(|number| self.node(*number)) {
            let branch = match node.way {
                Way::Kept(_) => self.node(node.parent).split.as_ref(),
                _ => None,
            };
            for (key, value) in &node.is {
                let said = branch == Some(key)
                    || match key {
                        Key::HostLabel(_) => true,
                        Key::Shape(at) => self.constant(&Key::Value(*at)).is_some(),
                        _ => false,
                    };
                if !said {
                    constants.push(SharedValue { key: key.to_string(), value: value.clone() });
                }
            }
        }
        constants
    }

    /// The value that all URLs have where the walk ended.
    pub(super) fn constant(&self, key: &Key) -> Option<&'m str> {
        self.nodes.iter().find_map(|number| self.node(*number).is.get(key)).map(String::as_str)
    }

    /// What varies in the pattern.
    pub(super) fn varies(&self, place: Place) -> Vec<VaryingKey> {
        if place.pattern().is_none() {
            return Vec::new();
        }
        let varying = |(key, like): (&Key, &Like)| {
            // A shape stands for its segment.
            let shown = if let Key::Shape(at) = key { Key::Value(*at) } else { key.clone() };
            VaryingKey {
                value: self.value(&shown),
                key: shown.to_string(),
                classes: like.classes.clone(),
                optional: like.optional,
            }
        };
        self.end().like.iter().map(varying).collect()
    }
}
