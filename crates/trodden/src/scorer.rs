//! From a URL as it is written to its score.
//!
//! The model of a site is read and compiled when the first URL of that site comes. URLs come in runs of one site, so
//! the last host is remembered.

use std::collections::HashMap;

use trodden_mining::model::Ranked;
use trodden_mining::{Goal, Locator, ModelSet, Place, Scratch, SiteModel, Strategy};
use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKeys};

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// In this pattern.
    Pattern(u32),
    /// In none; its walk ended at this node.
    Uncovered(u32),
    /// Its site has no model.
    NoModel,
    /// It is no URL.
    BadUrl,
}

/// A URL's score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored<'s> {
    pub(crate) score: f64,
    pub(crate) standing: Standing,
    /// Score and pattern as they are printed, a tab behind each.
    pub(crate) text: &'s str,
}

/// Hosts that are remembered; input names as many as it likes.
const MAX_HOSTS: usize = 1 << 20;

/// What is printed of a URL without a model.
const NO_MODEL: &str = "0\t-\t";

/// A site that was asked for.
struct Site {
    locator: Locator,
    /// By node: the score of a pattern, and what is printed of its URLs.
    patterns: Vec<(f64, String)>,
    /// By node: what is printed of URLs whose walk ended there.
    uncovered: Vec<String>,
}

/// Scores URLs by the models of many sites.
pub(crate) struct Scorer<'s> {
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
    strategy: Strategy,
    domains: SiteKeys,
    /// By host: its site, if it has a model.
    by_name: HashMap<Box<str>, Option<usize>>,
    sites: Vec<Site>,
    names: HashMap<String, usize>,
    faults: Vec<String>,
}

impl<'s> Scorer<'s> {
    pub(crate) fn new(sets: &'s [(String, ModelSet)], goal: Goal, strategy: Strategy) -> Self {
        let hosts = Hosts {
            sets,
            goal,
            strategy,
            domains: SiteKeys::new(SiteGrouping::RegistrableDomain, Aliases::none()),
            by_name: HashMap::new(),
            sites: Vec::new(),
            names: HashMap::new(),
            faults: Vec::new(),
        };
        Self { canonicalizer: Canonicalizer::new(Rules::default()), scratch: Scratch::default(), hosts, last: None }
    }

    /// Models that could not be read.
    pub(crate) fn faults(&self) -> &[String] {
        &self.hosts.faults
    }

    /// Scores a URL.
    pub(crate) fn score(&mut self, url: &[u8]) -> Scored<'_> {
        let unknown = |standing| Scored { score: 0.0, standing, text: NO_MODEL };
        let Ok(url) = self.canonicalizer.absolute(url) else {
            return unknown(Standing::BadUrl);
        };
        let host = HostKey::text_of(url.host(), url.port());
        let known = match &self.last {
            Some((last, site)) if **last == *host => *site,
            _ => self.hosts.site_of(&host, &mut self.last),
        };
        let Some(site) = known else {
            return unknown(Standing::NoModel);
        };
        let site = &self.hosts.sites[site];
        match site.locator.locate(&mut self.scratch, &host, url.path_and_query()) {
            Place::Pattern(id) => {
                let (score, text) = &site.patterns[id as usize];
                Scored { score: *score, standing: Standing::Pattern(id), text }
            }
            Place::Uncovered(node, _) => {
                Scored { score: 0.0, standing: Standing::Uncovered(node), text: &site.uncovered[node as usize] }
            }
        }
    }
}

impl Hosts<'_> {
    fn site_of(&mut self, host: &str, last: &mut Option<(Box<str>, Option<usize>)>) -> Option<usize> {
        let site = match self.by_name.get(host) {
            Some(site) => *site,
            None => {
                let site = self.open(host).or_else(|| {
                    // A model may be of a whole domain.
                    let key = HostKey::parse(host).ok()?;
                    let domain = self.domains.site_of(&key).as_str().to_owned();
                    if domain == host { None } else { self.open(&domain) }
                });
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
                self.sites.push(Site::new(&model, self.goal, self.strategy));
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

impl Site {
    fn new(model: &SiteModel, goal: Goal, strategy: Strategy) -> Self {
        let nodes = 0..model.nodes.len();
        let mut patterns = vec![(0.0, String::new()); model.nodes.len()];
        for Ranked { id, score } in model.ranking(goal, strategy) {
            patterns[id as usize] = (score, format!("{score:.6}\t{id}\t"));
        }
        let uncovered = nodes.map(|node| format!("0\t~{node}\t")).collect();
        Self { locator: model.locator(), patterns, uncovered }
    }
}
