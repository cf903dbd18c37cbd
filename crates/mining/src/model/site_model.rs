//! What mining hands on: everything needed to locate, score and explain the URLs of one site.
//!
//! A model is one line of JSON, drawn in docs/formats/model.md. Its first two fields are the version and the site, so
//! that a file of a hundred thousand sites can be indexed without reading the rest.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::node::Node;
use crate::expected::Forecast;
use crate::settings::TreeKind;

/// The version that this program writes, and the newest that it reads.
pub const MODEL_VERSION: u32 = 2;

/// The model of one site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteModel {
    /// The version of the format.
    #[serde(rename = "trodden_model")]
    pub version: u32,
    /// The site.
    pub site: String,
    /// How the hosts of the site are written: `example.org` → `https://www.example.org`.
    pub origins: BTreeMap<String, String>,
    /// What it was learnt from.
    pub learnt: LearntFrom,
    /// How: the settings of mining, for people to read. Nothing else of the model depends on them.
    pub settings: serde_json::Value,
    /// Users that something must have had before it was named.
    pub min_users: u32,
    /// Globs of URLs that it was made without: `/basket/*`. What fits one is in no pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// The sizes of the three trees.
    pub trees: TreeSizes,
    /// The tree whose leaves are the patterns.
    pub tree: TreeKind,
    /// How the scores were found.
    pub graph: Convergence,
    /// How its visits foretell its visits.
    #[serde(default)]
    pub forecast: Forecast,
    /// All nodes, each before its children.
    pub nodes: Vec<Node>,
    /// Transits between patterns: from, to, how often.
    pub transits: Vec<(u32, u32, u64)>,
    /// URLs that enough users visited, most visited first.
    pub urls: Vec<NamedUrl>,
}

/// What a model was learnt from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearntFrom {
    /// Time of the first visit, in ms since 1970, UTC.
    pub first_ms: i64,
    /// Time of the last visit.
    pub last_ms: i64,
    /// Days in which the same step of the same user counts once.
    pub dedup_days: u32,
    /// Visits before that.
    pub visits: u64,
    /// Different users.
    pub users: u64,
}

/// The sizes of the three trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSizes {
    /// T_SYN.
    pub syn: TreeSize,
    /// T_VISIT.
    pub visit: TreeSize,
    /// T_TRAN.
    pub tran: TreeSize,
}

impl TreeSizes {
    /// The size of one.
    #[must_use]
    pub fn of(&self, tree: TreeKind) -> TreeSize {
        match tree {
            TreeKind::Syn => self.syn,
            TreeKind::Visit => self.visit,
            TreeKind::Tran => self.tran,
        }
    }
}

/// The size of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSize {
    /// How many leaves it has.
    pub leaves: u32,
    /// The depth of the deepest.
    pub height: u32,
}

/// How the scores of the behavior graph were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Convergence {
    /// Rounds until nothing moved.
    pub rounds: u32,
    /// What still moved in the last.
    pub residual: f64,
}

/// A URL that may be named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedUrl {
    /// `host/path?query`.
    pub url: String,
    /// F_in.
    pub visits: u64,
    /// F_out.
    pub referrals: u64,
    /// Different users.
    pub users: u64,
    /// Its pattern.
    pub pattern: u32,
    /// Visits to be expected in as long a time as the model was learnt from.
    #[serde(default)]
    pub expected: f64,
}

impl SiteModel {
    /// The patterns: the leaves of the model's tree, by number.
    pub fn patterns(&self) -> impl Iterator<Item = (u32, &Node)> {
        (0..).zip(&self.nodes).filter(|(_, node)| node.is_leaf_of(self.tree))
    }

    /// A node by its number.
    #[must_use]
    pub fn node(&self, id: u32) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// A URL of the site as it is fetched, from `host/path?query`.
    #[must_use]
    pub fn fetchable(&self, url: &str) -> String {
        let (host, path) = url.split_at(url.find(['/', '?']).unwrap_or(url.len()));
        match self.origins.get(host) {
            Some(origin) => format!("{origin}{path}"),
            None => format!("http://{url}"),
        }
    }
}
