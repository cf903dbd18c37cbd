//! Was the order of a real crawl any good? Judged by what people read, in the order in which pages were really fetched.
//!
//! **Pages** are those that at least one of the crawls fetched, T of them: so two crawls of one site are measured against the same whole.
//! **Traffic** is the visits of a log to these pages, counted as experiments count them by default ([`TrafficKind::Unique`]): a reader who comes
//! from the same referrer to the same URL counts once in thirty days. Curve, area and pages needed are those of
//! [`metric::coverage`](crate::metric::coverage); a page that a crawl did not fetch adds nothing to it.
//!
//! Beside them stand two orders of the same T pages that no crawl has to fetch: the *ideal*, the most visited first, and *chance*, whose area is
//! `(T + 1) / 2T` in the mean. Intervals are over readers, paired ([`metric::bootstrap`](crate::metric::bootstrap)).
//!
//! What the log has to say of pages that nobody fetched is one number, [`Judgment::elsewhere`]: an order cannot be blamed for a budget.

mod page;
mod words;

pub use page::section;
pub use words::{conclusion, table};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use trodden_logs::visits::StoredVisits;
use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules};

use crate::error::Error;
use crate::experiment::{TestVisit, TrafficKind, read_visits};
use crate::graph::PageId;
use crate::metric::bootstrap::{Bootstrap, RESAMPLES, Resampling};
use crate::metric::coverage::Coverage;
use crate::metric::traffic;
use crate::result::{Curve, PagesFor};

/// The pages of a crawl, in the order in which they were fetched.
#[derive(Clone, Debug)]
pub struct CrawlOrder {
    /// What it is called.
    pub name: String,
    /// By what visits call them ([`Identities`]); a page that is there twice counts once.
    pub pages: Vec<String>,
}

/// Names URLs of a crawl as visits name them: without scheme and `www.`, and under the name that the log has for the host.
pub struct Identities {
    canonicalizer: Canonicalizer,
    aliases: Aliases,
}

impl Identities {
    /// Hosts of the crawl may stand for hosts of the log.
    #[must_use]
    pub fn new(aliases: Aliases) -> Self {
        Self { canonicalizer: Canonicalizer::new(Rules::default()), aliases }
    }

    /// The name of a URL; none if it is no URL.
    #[must_use]
    pub fn of(&self, url: &str) -> Option<String> {
        let canonical = self.canonicalizer.absolute(url.as_bytes()).ok()?;
        let own = HostKey::of(&canonical);
        Some(format!("{}{}", self.aliases.resolve(&own), canonical.path_and_query()))
    }
}

/// What came of judging.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgment {
    /// Pages that at least one of the crawls fetched.
    pub pages: u64,
    /// Visits to them.
    pub traffic: u64,
    /// Visits of the log to other URLs.
    pub elsewhere: u64,
    /// Readers of the pages.
    pub readers: u64,
    /// The crawl that is judged, then the one beside it.
    pub crawls: Vec<JudgedCrawl>,
    /// The same pages, the most visited first; none without traffic.
    pub ideal: Option<JudgedCrawl>,
    /// How far the first crawl is ahead of the second in area (95 % interval over readers, paired).
    pub ahead: Option<[f64; 2]>,
}

/// One order of the pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedCrawl {
    /// What it is called.
    pub name: String,
    /// Pages that it fetched.
    pub fetched: u64,
    /// The share of the traffic that is to them.
    pub share: Option<f64>,
    /// Area under its curve.
    pub auc: Option<f64>,
    /// Its 95 % interval over readers.
    pub auc_interval: Option<[f64; 2]>,
    /// How far the ideal is ahead of it.
    pub behind_ideal: Option<[f64; 2]>,
    /// Pages needed for shares of the traffic.
    pub pages_for: PagesFor,
    /// Share of the pages, share of the traffic.
    pub curve: Curve,
}

/// Judges one crawl, or two beside each other, by visits.
///
/// # Errors
/// If the visits cannot be read.
pub fn judge(crawls: &[CrawlOrder], visits: &StoredVisits, seed: u64) -> Result<Judgment, Error> {
    let (urls, read) = read_visits(visits)?;
    let names: Vec<&str> = (0..urls.len() as u32).map(|url| urls.text(url)).collect();
    Ok(judged(crawls, &names, &read, seed))
}

fn judged(crawls: &[CrawlOrder], names: &[&str], visits: &[TestVisit], seed: u64) -> Judgment {
    let mut pages: FxHashMap<&str, PageId> = FxHashMap::default();
    let orders: Vec<Vec<PageId>> = crawls.iter().map(|crawl| order(crawl, &mut pages)).collect();
    let number = pages.len();
    let by_url: Vec<Option<PageId>> = names.iter().map(|name| pages.get(name).copied()).collect();
    let (mut weights, mut counted, mut elsewhere) = (vec![0.0_f64; number], Vec::new(), 0);
    for visit in visits.iter().filter(|visit| TrafficKind::Unique.counts(visit)) {
        match by_url[visit.url as usize] {
            Some(page) => {
                weights[page as usize] += 1.0;
                counted.push((visit.reader, page));
            }
            None => elsewhere += 1,
        }
    }
    let mut ideal: Vec<PageId> = (0..number as PageId).collect();
    // Of equals, the one that was fetched first: what a crawl got right by chance is not held against it.
    ideal.sort_by(|a, b| weights[*b as usize].total_cmp(&weights[*a as usize]));
    let mut readers: Vec<u32> = counted.iter().map(|visit: &(u32, PageId)| visit.0).collect();
    readers.sort_unstable();
    readers.dedup();
    let mut judgment = Judgment {
        pages: number as u64,
        traffic: counted.len() as u64,
        elsewhere,
        readers: readers.len() as u64,
        crawls: crawls.iter().zip(&orders).map(|(crawl, order)| one(&crawl.name, order, &weights)).collect(),
        ideal: (!counted.is_empty()).then(|| one("ideal", &ideal, &weights)),
        ahead: None,
    };
    let positions: Vec<Vec<u32>> =
        orders.iter().chain([&ideal]).map(|order| traffic::positions(order, number as u32)).collect();
    let positions: Vec<&[u32]> = positions.iter().map(Vec::as_slice).collect();
    let resampling = Resampling { resamples: RESAMPLES, seed };
    if let Some(bootstrap) = Bootstrap::over_users(&counted, &positions, number as u32, resampling) {
        let best = orders.len();
        for (at, crawl) in judgment.crawls.iter_mut().enumerate() {
            crawl.auc_interval = Some(bootstrap.interval(at));
            crawl.behind_ideal = Some(bootstrap.ahead(best, at));
        }
        if let Some(ideal) = &mut judgment.ideal {
            ideal.auc_interval = Some(bootstrap.interval(best));
        }
        judgment.ahead = (orders.len() == 2).then(|| bootstrap.ahead(0, 1));
    }
    judgment
}

/// The pages of a crawl by number, each once; new ones get the next number.
fn order<'c>(crawl: &'c CrawlOrder, pages: &mut FxHashMap<&'c str, PageId>) -> Vec<PageId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut order = Vec::with_capacity(crawl.pages.len());
    for page in &crawl.pages {
        let next = pages.len() as PageId;
        let page = *pages.entry(page).or_insert(next);
        if seen.insert(page) {
            order.push(page);
        }
    }
    order
}

fn one(name: &str, order: &[PageId], weights: &[f64]) -> JudgedCrawl {
    let coverage = traffic::fetched(order, weights, &vec![true; weights.len()]);
    let nothing = PagesFor { half: None, four_fifths: None, nine_tenths: None };
    JudgedCrawl {
        name: name.to_owned(),
        fetched: order.len() as u64,
        share: coverage.as_ref().map(|coverage| coverage.after(order.len() as u32)),
        auc: coverage.as_ref().map(Coverage::area),
        auc_interval: None,
        behind_ideal: None,
        pages_for: coverage.as_ref().map_or(nothing, Coverage::pages_for),
        curve: coverage.as_ref().map(Coverage::curve).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
