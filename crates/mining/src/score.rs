//! From a URL as it is written to its score, by the models of many sites.
//!
//! The model of a site is read and compiled when the first URL of that site comes. URLs come in runs of one site, so
//! the last host is remembered.

use std::collections::HashMap;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use trodden_urls::{Canonicalizer, HostKey, Rules};

use crate::locate::{Locator, Place, Scratch, Why};
use crate::model::{ModelSet, Order, SiteModel, UrlScores, find_by_host};
use crate::rank::Goal;

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlStanding {
    /// In this pattern.
    Pattern(u32),
    /// In none; its walk ended at this node.
    Uncovered(u32),
    /// In none: the model was made without URLs like it.
    Excluded,
    /// Its site has no model.
    NoModel,
    /// It is no URL.
    BadUrl,
}

/// A URL's score.
#[derive(Clone, Copy, Debug)]
pub struct Scored<'s> {
    /// What it is worth, in the unit of the order.
    pub score: f64,
    /// Where it stands.
    pub standing: UrlStanding,
    /// Score and pattern as the lines of `score` have them, a tab behind each: written once a pattern or named URL, as
    /// writing a number takes longer than locating a URL.
    pub text: &'s str,
}

/// How a score is written.
pub type WriteScore = fn(f64) -> String;

/// Hosts that are remembered; input names as many as it likes.
const MAX_HOSTS: usize = 1 << 20;

/// What is printed of a URL that the model was made without.
const EXCLUDED: &str = "0\tx\t";

/// What is printed of a URL without a model.
const NO_MODEL: &str = "0\t-\t";

/// A site that was asked for.
struct ScoredSite {
    locator: Locator,
    /// URLs that the model names.
    named: HashTable<NamedScore>,
    /// By node: the score of a pattern's other URLs, and what is printed of them.
    patterns: Vec<(f64, String)>,
    /// By node: the same of URLs whose walk ended there.
    uncovered: Vec<(f64, String)>,
}

/// A URL that a model names.
struct NamedScore {
    /// `host/path?query`.
    url: Box<str>,
    score: f64,
    pattern: u32,
    text: Box<str>,
}

/// Scores URLs by the models of many sites.
pub struct Scorer<'s> {
    canonicalizer: Canonicalizer,
    scratch: Scratch,
    hosts: Hosts<'s>,
    /// The last host and its site, if it has a model.
    last: Option<(Box<str>, Option<usize>)>,
}

/// The sites of hosts.
struct Hosts<'s> {
    /// Files of models by name.
    sets: &'s [(String, ModelSet)],
    goal: Goal,
    order: Order,
    write: WriteScore,
    /// By host: its site, if it has a model.
    by_name: HashMap<Box<str>, Option<usize>>,
    sites: Vec<ScoredSite>,
    names: HashMap<String, usize>,
    faults: Vec<String>,
}

impl<'s> Scorer<'s> {
    /// By these models; each has the name of its file. Opening them is left to the first URL of each site.
    #[must_use]
    pub fn new(sets: &'s [(String, ModelSet)], goal: Goal, order: Order, write: WriteScore) -> Self {
        let hosts = Hosts {
            sets,
            goal,
            order,
            write,
            by_name: HashMap::new(),
            sites: Vec::new(),
            names: HashMap::new(),
            faults: Vec::new(),
        };
        Self { canonicalizer: Canonicalizer::new(Rules::default()), scratch: Scratch::default(), hosts, last: None }
    }

    /// Models that could not be read.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.hosts.faults
    }

    /// Scores a URL.
    pub fn score(&mut self, url: &[u8]) -> Scored<'_> {
        let unknown = |standing| Scored { score: 0.0, standing, text: NO_MODEL };
        let Ok(url) = self.canonicalizer.absolute(url) else {
            return unknown(UrlStanding::BadUrl);
        };
        let host = HostKey::text_of(url.host(), url.port());
        let known = match &self.last {
            Some((last, site)) if **last == *host => *site,
            _ => self.hosts.site_of(&host, &mut self.last),
        };
        let Some(site) = known else {
            return unknown(UrlStanding::NoModel);
        };
        let site = &self.hosts.sites[site];
        let path = url.path_and_query();
        if let Some(named) = site.named(&host, path) {
            return Scored { score: named.score, standing: UrlStanding::Pattern(named.pattern), text: &named.text };
        }
        let (standing, (score, text)) = match site.locator.locate(&mut self.scratch, &host, path) {
            Place::Uncovered(_, Why::Excluded) => {
                return Scored { score: 0.0, standing: UrlStanding::Excluded, text: EXCLUDED };
            }
            Place::Pattern(id) => (UrlStanding::Pattern(id), &site.patterns[id as usize]),
            Place::Uncovered(node, _) => (UrlStanding::Uncovered(node), &site.uncovered[node as usize]),
        };
        Scored { score: *score, standing, text }
    }
}

impl Hosts<'_> {
    fn site_of(&mut self, host: &str, last: &mut Option<(Box<str>, Option<usize>)>) -> Option<usize> {
        let site = match self.by_name.get(host) {
            Some(site) => *site,
            None => {
                let site = HostKey::parse(host).ok().and_then(|host| find_by_host(&host, |name| self.open(name)));
                if self.by_name.len() >= MAX_HOSTS {
                    self.by_name.clear();
                }
                self.by_name.insert(host.into(), site);
                site
            }
        };
        *last = Some((host.into(), site));
        site
    }

    /// Reads and compiles the model of a site.
    fn open(&mut self, name: &str) -> Option<usize> {
        if let Some(site) = self.names.get(name) {
            return Some(*site);
        }
        let (file, set, at) = self.sets.iter().find_map(|(file, set)| Some((file, set, set.find(name)?)))?;
        match set.model(at) {
            Ok(model) => {
                self.sites.push(ScoredSite::new(&model, self.goal, self.order, self.write));
                self.names.insert(name.to_owned(), self.sites.len() - 1);
                Some(self.sites.len() - 1)
            }
            Err(fault) => {
                self.faults.push(format!("{file}: {fault}"));
                None
            }
        }
    }
}

impl ScoredSite {
    fn new(model: &SiteModel, goal: Goal, order: Order, write: WriteScore) -> Self {
        let scores = UrlScores::of(model, goal, order);
        let printed = |place: Place, sign: &str| {
            let score = scores.unnamed(place);
            (score, format!("{}\t{sign}{}\t", write(score), place.node()))
        };
        let nodes = 0..model.nodes.len() as u32;
        let mut named = HashTable::with_capacity(model.urls.len());
        for (place, url) in model.urls.iter().enumerate() {
            let (score, pattern) = (scores.named(place), url.pattern);
            let text = format!("{}\t{pattern}\t", write(score)).into();
            let entry = NamedScore { url: url.url.as_str().into(), score, pattern, text };
            named.insert_unique(hash(entry.path()), entry, |named| hash(named.path()));
        }
        Self {
            locator: model.locator(),
            named,
            patterns: nodes.clone().map(|node| printed(Place::Pattern(node), "")).collect(),
            uncovered: nodes.map(|node| printed(Place::Uncovered(node, Why::NoBranch), "~")).collect(),
        }
    }

    fn named(&self, host: &str, path: &str) -> Option<&NamedScore> {
        self.named.find(hash(path), |named| named.url.strip_prefix(host) == Some(path))
    }
}

impl NamedScore {
    fn path(&self) -> &str {
        &self.url[self.url.find(['/', '?']).unwrap_or(self.url.len())..]
    }
}

fn hash(path: &str) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(path)
}
