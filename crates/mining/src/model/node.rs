//! A node of a model: how it is reached, what holds there, and what people did.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::expected::Expect;
use crate::key::Key;
use crate::settings::TreeKind;

/// What leads from a node to its child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// The root has no way in.
    Root,
    /// The key that splits the parent has this value.
    Kept(String),
    /// That key is not there.
    Absent,
    /// It has any other value.
    Other,
    /// One URL (`host/path?query`) that is a leaf of its own.
    Page(String),
}

/// What a key may be where it varies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Like {
    /// The classes of values that were met; `None` where anything goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<String>>,
    /// Whether some URLs do not have the key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its parent; the root is its own.
    pub parent: u32,
    /// How it is reached.
    pub way: Way,
    /// The key that splits it; a leaf has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Key>,
    /// Constants that do not hold at its parent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub is: BTreeMap<Key, String>,
    /// What varies; only where a tree may be cut.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub like: BTreeMap<Key, Like>,
    /// Whether some of its URLs have parameters that too few users had for a name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rare_parameters: bool,
    /// |n|: its URLs.
    pub urls: u64,
    /// Those of them that somebody visited.
    pub visited: u64,
    /// F_in.
    pub visits: u64,
    /// F_out.
    pub referrals: u64,
    /// The trees of which it is a leaf.
    #[serde(default, rename = "leaf_of", skip_serializing_if = "Vec::is_empty")]
    pub leaf_of: Vec<TreeKind>,
    /// The pattern as people read it, where it is a leaf of some tree.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pattern: String,
    /// The scores, where it is a leaf of the model's tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
    /// What is expected of its URLs.
    #[serde(default)]
    pub expect: Expect,
}

/// The scores of a pattern on the behavior graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// As a page that people are led to.
    pub auth: f64,
    /// As a page that leads people on.
    pub hub: f64,
}

impl Node {
    /// Whether a tree ends here.
    #[must_use]
    pub fn is_leaf_of(&self, tree: TreeKind) -> bool {
        self.leaf_of.contains(&tree)
    }
}
