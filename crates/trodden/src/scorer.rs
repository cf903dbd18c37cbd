//! From a URL as it is written to its score.
//!
//! The model of a site is read and compiled when the first URL of that site comes. URLs come in runs of one site, so
//! the last host is remembered.

use std::collections::HashMap;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use trodden_mining::{Goal, Locator, ModelSet, Order, Place, Scratch, SiteModel, UrlScores, Why};
use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKeys};

use crate::output::number;

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
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
pub(crate) struct Scored<'s> {
    pub(crate) score: f64,
    pub(crate) standing: Standing,
    /// Score and pattern as they are printed, a tab behind each.
    pub(crate) text: &'s str,
}

/// Hosts that are remembered; input names as many as it likes.
const MAX_HOSTS: usize = 1 << 20;

/// What is printed of a URL that the model was made without.
const EXCLUDED: &str = "0\tx\t";

/// Digits of a score that count: sorted by what is printed, URLs come as by their scores, but for ties.
const DIGITS: i32 = 7;

/// What is printed of a URL without a model.
const NO_MODEL: &str = "0\t-\t";

/// A site that was asked for.
struct Site {
    locator: Locator,
    /// URLs that the model names.
    named: HashTable<Named>,
    /// By node: the score of a pattern's other URLs, and what is printed of them.
    patterns: Vec<(f64, String)>,
    /// By node: the same of URLs whose walk ended there.
    uncovered: Vec<(f64, String)>,
}

/// A URL that a model names.
struct Named {
    /// `host/path?query`.
    url: Box<str>,
    score: f64,
    pattern: u32,
    text: Box<str>,
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
    order: Order,
    domains: SiteKeys,
    /// By host: its site, if it has a model.
    by_name: HashMap<Box<str>, Option<usize>>,
    sites: Vec<Site>,
    names: HashMap<String, usize>,
    faults: Vec<String>,
}

impl<'s> Scorer<'s> {
    pub(crate) fn new(sets: &'s [(String, ModelSet)], goal: Goal, order: Order) -> Self {
        let hosts = Hosts {
            sets,
            goal,
            order,
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
        let path = url.path_and_query();
        if let Some(named) = site.named(&host, path) {
            return Scored { score: named.score, standing: Standing::Pattern(named.pattern), text: &named.text };
        }
        let (standing, (score, text)) = match site.locator.locate(&mut self.scratch, &host, path) {
            Place::Uncovered(_, Why::Excluded) => {
                return Scored { score: 0.0, standing: Standing::Excluded, text: EXCLUDED };
            }
            Place::Pattern(id) => (Standing::Pattern(id), &site.patterns[id as usize]),
            Place::Uncovered(node, _) => (Standing::Uncovered(node), &site.uncovered[node as usize]),
        };
        Scored { score: *score, standing, text }
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
                self.sites.push(Site::new(&model, self.goal, self.order));
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
    fn new(model: &SiteModel, goal: Goal, order: Order) -> Self {
        let scores = UrlScores::of(model, goal, order);
        let printed = |place: Place, sign: &str| {
            let score = scores.unnamed(place);
            (score, format!("{}\t{sign}{}\t", number(score, DIGITS), place.node()))
        };
        let nodes = 0..model.nodes.len() as u32;
        let mut named = HashTable::with_capacity(model.urls.len());
        for (place, url) in model.urls.iter().enumerate() {
            let (score, pattern) = (scores.named(place), url.pattern);
            let text = format!("{}\t{pattern}\t", number(score, DIGITS)).into();
            let entry = Named { url: url.url.as_str().into(), score, pattern, text };
            named.insert_unique(hash(entry.path()), entry, |named| hash(named.path()));
        }
        Self {
            locator: model.locator(),
            named,
            patterns: nodes.clone().map(|node| printed(Place::Pattern(node), "")).collect(),
            uncovered: nodes.map(|node| printed(Place::Uncovered(node, Why::NoBranch), "~")).collect(),
        }
    }

    fn named(&self, host: &str, path: &str) -> Option<&Named> {
        self.named.find(hash(path), |named| named.url.strip_prefix(host) == Some(path))
    }
}

impl Named {
    fn path(&self) -> &str {
        &self.url[self.url.find(['/', '?']).unwrap_or(self.url.len())..]
    }
}

fn hash(path: &str) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn ours_a_url_with_a_name_has_its_own_score_and_others_their_kinds() {
        let line = sample::by_hand().to_line().unwrap();
        let sets = [("site.model".to_owned(), ModelSet::new(line.into_bytes()))];
        let mut scorer = Scorer::new(&sets, Goal::Fetch, Order::Expected);
        let mut score = |url: &str| {
            let scored = scorer.score(url.as_bytes());
            (scored.score, scored.standing)
        };
        let (own, standing) = score("https://www.a.com/item/7");
        assert_eq!(standing, Standing::Pattern(sample::ITEM));
        let days = sample::by_hand().days();
        assert_eq!(own, 0.9 * 20.0 * sample::by_hand().forecast.kept / days);
        let (other, standing) = score("https://www.a.com/item/8");
        assert_eq!(standing, Standing::Pattern(sample::ITEM));
        assert!(other > own, "its 29 other URLs had 20 visits each: {other} {own}");
        let (uncovered, standing) = score("https://www.a.com/item/8?x=1");
        assert!(matches!(standing, Standing::Uncovered(_)), "{standing:?}");
        assert!(0.0 < uncovered && uncovered < other, "{uncovered}");
        assert_eq!(score("https://b.com/").0, 0.0);
    }
}
