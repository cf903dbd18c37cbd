//! What came of an experiment: the numbers that tables, files and reports are made of.
//!
//! All shares are fractions from 0 to 1: of the pages reachable from the start, and of the test traffic to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trodden_ordering::policy::CannotRun;

use crate::metric::calibration::Calibration;
use crate::metric::harvest::Harvest;

/// Mirrors with fewer pages than this prove little: one section of a site decides who wins.
pub const FEW_PAGES: u64 = 500;

/// A curve: share of pages fetched, share of what was to be had.
pub type Curve = Vec<[f64; 2]>;

/// Every policy on one mirror.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The mirror, as named.
    pub mirror: String,
    /// Pages reachable from the start.
    pub pages: u64,
    /// Links between them.
    pub links: u64,
    /// Test traffic to them.
    pub traffic: f64,
    /// The part of it to URLs without a visit in training.
    pub cold_traffic: f64,
    /// By policy, best area first; the ideals before them.
    pub policies: Vec<PolicyResult>,
    /// Pages that satisfy the topic, if there is one and it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub satisfying: Option<u64>,
    /// Policies that could not run, and why.
    pub left_out: Vec<LeftOut>,
    /// By metric of importance (UO).
    pub importance: Vec<ImportanceResult>,
    /// Visits foretold beside visits seen, by policies that foretell: in the test, then, if it was wanted, inside training.
    #[serde(default)]
    pub calibration: Vec<Calibration>,
    /// What was assumed about time and about what happens to pages; nothing where nothing takes time.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// What the reader must know before believing the numbers.
    pub warnings: Vec<String>,
    /// What was run.
    pub record: Record,
}

/// A policy that could not run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
    /// The same for programs; none if it was read from a file.
    #[serde(skip)]
    pub cause: Option<CannotRun>,
}

impl LeftOut {
    /// Why a policy could not run.
    #[must_use]
    pub fn new(name: String, cause: CannotRun) -> Self {
        Self { name, why: cause.to_string(), cause: Some(cause) }
    }
}

/// Pages needed for half, four fifths and nine tenths; none if that much is never reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PagesFor {
    /// Half.
    #[serde(rename = "50")]
    pub half: Option<f64>,
    /// Four fifths.
    #[serde(rename = "80")]
    pub four_fifths: Option<f64>,
    /// Nine tenths.
    #[serde(rename = "90")]
    pub nine_tenths: Option<f64>,
}

/// One crawl, measured by traffic.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PolicyResult {
    /// Its name.
    pub name: String,
    /// Whether it knows what no crawler can know.
    pub oracle: bool,
    /// URLs whose page it fetched, each once.
    pub fetched: u64,
    /// Area under the curve of traffic fetched; none without traffic.
    pub auc: Option<f64>,
    /// Its 95 % interval over users.
    pub auc_interval: Option<[f64; 2]>,
    /// How far it is ahead of breadth-first in area (95 % interval over users, paired): ahead if both are above 0.
    pub ahead_of_breadth_first: Option<[f64; 2]>,
    /// How far the best order that a crawler can run is ahead of it in area; none for that order itself and for oracles. The interval
    /// allows for having picked the best of many. Where the lower end is not above 0, the two are level.
    #[serde(default)]
    pub behind_best: Option<[f64; 2]>,
    /// How far `blend` is ahead of it in area, where both ran.
    pub blend_ahead: Option<[f64; 2]>,
    /// The same for cold traffic.
    pub cold_blend_ahead: Option<[f64; 2]>,
    /// Requests that it made: pages fetched again, moved and gone are among them.
    #[serde(default)]
    pub requests: u64,
    /// Requests that found another page than the one before them.
    #[serde(default)]
    pub changed: u64,
    /// Virtual time until its last request ended, in seconds.
    #[serde(default)]
    pub seconds: f64,
    /// Where crawls start at an artificial entry page: how far draws of its order differ. The numbers beside it are their means.
    #[serde(default)]
    pub draws: Option<Draws>,
    /// Pages that were fetched to learn, not because they were the best.
    pub explored: u64,
    /// Pages needed for shares of the traffic.
    pub pages_for: PagesFor,
    /// The same for cold traffic.
    pub cold_auc: Option<f64>,
    /// Its 95 % interval over users.
    pub cold_auc_interval: Option<[f64; 2]>,
    /// Pages needed for shares of the cold traffic.
    pub cold_pages_for: PagesFor,
    /// Area under the curve of traffic discovered.
    pub discovered_auc: Option<f64>,
    /// Pages needed to discover shares of the traffic.
    pub discovered_for: PagesFor,
    /// How soon it found the pages of the topic, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harvest: Option<Harvest>,
    /// Traffic fetched by pages fetched.
    pub curve: Curve,
    /// Cold traffic fetched.
    pub cold_curve: Curve,
    /// Traffic discovered.
    pub discovered_curve: Curve,
}

/// Crawls of one policy that differ by the order in which the artificial entry page lists URLs: the least and the most of each number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draws {
    /// How many there were.
    pub draws: u32,
    /// Area.
    pub auc: Option<[f64; 2]>,
    /// Area by cold traffic.
    pub cold_auc: Option<[f64; 2]>,
    /// Pages for four fifths of the traffic.
    pub four_fifths: Option<[f64; 2]>,
}

/// Every policy by one metric of importance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportanceResult {
    /// `backlinks`, `pagerank`, …
    pub metric: String,
    /// Pages are hot if they are at least this important …
    pub threshold: f64,
    /// … which so many are.
    pub hot: u64,
    /// Pages in the buffer of the crawl with limited memory.
    pub buffer: Option<u64>,
    /// By policy, in the order of [`Comparison::policies`]; the formulas for ideal and random come first.
    pub policies: Vec<ImportanceCurves>,
}

/// One policy by one metric.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportanceCurves {
    /// Its name; `ideal (formula)` and `random (formula)` for what the formulas say.
    pub name: String,
    /// Crawl and stop: of K pages visited, the share at least as important as the K-th most important page.
    pub crawl_and_stop: Curve,
    /// Crawl and stop with a threshold: the share of the hot pages visited.
    pub threshold: Curve,
    /// Area under the latter.
    pub threshold_auc: f64,
    /// Limited buffer: the hot share of what is kept, by pages visited, if it was run.
    pub buffer: Option<Curve>,
}

/// What was run, so that it can be run again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Version of the program.
    pub version: String,
    /// The seed of all chance.
    pub seed: u64,
    /// Files by name: a hash of their bytes.
    pub inputs: BTreeMap<String, String>,
    /// Settings by name, as given or by default.
    pub settings: BTreeMap<String, String>,
}
