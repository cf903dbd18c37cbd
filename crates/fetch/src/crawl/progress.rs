//! How far is a crawl? Numbers that others may look at while it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use trodden_frontier::UrlId;
use trodden_session::UrlRecord;

use super::KnownTraffic;
use super::budget::BudgetKind;
use super::look::Delays;
use super::trouble::Trouble;
use crate::outcome::OutcomeKind;

/// What a crawl has done so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Outcomes by kind, of all runs.
    pub outcomes: BTreeMap<OutcomeKind, u64>,
    /// Tries that failed and were put off, to be made again, by what they came to; of all runs.
    pub put_off: BTreeMap<OutcomeKind, u64>,
    /// How often URLs were settled, of all runs: more than there are, if some were fetched again.
    pub requests: u64,
    /// How often one that was fetched again was another.
    pub changes: u64,
    /// Bytes of bodies, as sent.
    pub bytes: u64,
    /// URLs that wait.
    pub waiting: u64,
    /// URLs known.
    pub known: u64,
    /// Hosts.
    pub hosts: u64,
    /// Links that led out of scope.
    pub beyond: u64,
    /// Requests under way.
    pub under_way: usize,
    /// The URL that was asked for last.
    pub at: Option<String>,
    /// When the next request may be made, in milliseconds since 1970; none if one is under way.
    pub next_ms: Option<u64>,
    /// How long hosts are left alone.
    pub delays: Delays,
    /// Visits of the URLs fetched, of all that the logs know.
    pub traffic: f64,
    /// Milliseconds that the crawl has run, in all runs.
    pub elapsed_ms: u64,
    /// Payloads that were kept before.
    pub repeated: u64,
    /// Requests for robots.txt.
    pub robots: u64,
    /// Budgets of sites and patterns over which something waits, in this run.
    pub over: BTreeSet<BudgetKind>,
    /// Answers of servers, of whatever kind, in this run.
    pub answers: u64,
    /// What went wrong first, by what it came to, in this run.
    pub troubles: BTreeMap<OutcomeKind, Trouble>,
}

impl Tally {
    /// Adds what came of a URL.
    pub(super) fn add(&mut self, key: UrlId, record: &UrlRecord, traffic: &KnownTraffic) {
        *self.outcomes.entry(record.kind).or_default() += 1;
        self.requests += u64::from(record.fetches);
        self.changes += u64::from(record.changes);
        self.traffic += visits(key, record, traffic);
    }

    /// Takes out what came of a URL before.
    pub(super) fn remove(&mut self, key: UrlId, record: &UrlRecord, traffic: &KnownTraffic) {
        if let Some(count) = self.outcomes.get_mut(&record.kind) {
            *count = count.saturating_sub(1);
        }
        self.requests = self.requests.saturating_sub(u64::from(record.fetches));
        self.changes = self.changes.saturating_sub(u64::from(record.changes));
        self.traffic -= visits(key, record, traffic);
    }

    /// Outcomes of a kind.
    #[must_use]
    pub fn of(&self, kind: OutcomeKind) -> u64 {
        self.outcomes.get(&kind).copied().unwrap_or(0)
    }

    /// URLs that are done with, whatever came of them.
    #[must_use]
    pub fn settled(&self) -> u64 {
        self.outcomes.values().sum()
    }

    /// URLs that were asked for: not what robots.txt kept us from, nor lists of URLs.
    #[must_use]
    pub fn asked(&self) -> u64 {
        let is_free = |kind: &OutcomeKind| kind.is_by_robots() || *kind == OutcomeKind::Listing;
        self.outcomes.iter().filter(|(kind, _)| !is_free(kind)).map(|(_, n)| n).sum()
    }

    /// Tries that were put off, whatever they came to.
    #[must_use]
    pub fn deferred(&self) -> u64 {
        self.put_off.values().sum()
    }

    /// Pages and documents that were got: what budgets of pages count.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.outcomes.iter().filter(|(kind, _)| kind.is_page()).map(|(_, n)| n).sum()
    }

    /// Whether everybody that was tried could not be reached, in this run, and nothing was ever fetched.
    #[must_use]
    pub fn has_reached_nobody(&self) -> bool {
        let is_out_of_reach = |kind| self.troubles.contains_key(&kind);
        self.pages() == 0
            && self.answers == 0
            && (is_out_of_reach(OutcomeKind::Connect) || is_out_of_reach(OutcomeKind::Dns))
    }

    /// Outcomes that are no success, the most frequent first.
    #[must_use]
    pub fn errors(&self) -> Vec<(OutcomeKind, u64)> {
        most_first(self.outcomes.iter().filter(|(kind, _)| !kind.is_success()))
    }

    /// What was put off, the most frequent first.
    #[must_use]
    pub fn put_off_most_first(&self) -> Vec<(OutcomeKind, u64)> {
        most_first(self.put_off.iter())
    }
}

/// Visits that the logs know of a URL that was fetched.
fn visits(key: UrlId, record: &UrlRecord, traffic: &KnownTraffic) -> f64 {
    let visits = traffic.visits.get(&key).filter(|_| record.kind.is_success());
    visits.map_or(0.0, |visits| f64::from(*visits))
}

fn most_first<'t>(counts: impl Iterator<Item = (&'t OutcomeKind, &'t u64)>) -> Vec<(OutcomeKind, u64)> {
    let mut counts: Vec<(OutcomeKind, u64)> = counts.map(|(kind, n)| (*kind, *n)).collect();
    counts.sort_by_key(|(kind, n)| (std::cmp::Reverse(*n), *kind));
    counts
}

/// A tally that others may look at.
#[derive(Debug, Default)]
pub struct CrawlProgress(Mutex<Tally>);

impl CrawlProgress {
    /// As it is now.
    pub fn look(&self) -> Tally {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn show(&self, tally: &Tally) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone_from(tally);
    }
}
