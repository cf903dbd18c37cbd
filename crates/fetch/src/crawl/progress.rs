//! How far is a crawl? Numbers that others may look at while it runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::outcome::OutcomeKind;

/// What a crawl has done so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Outcomes by kind, of all runs.
    pub outcomes: BTreeMap<OutcomeKind, u64>,
    /// URLs whose asking was put off, to be tried again.
    pub deferred: u64,
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
    /// Hosts that answer slower than they used to, or asked us to slow down.
    pub slowed: u64,
    /// Visits of the URLs fetched, of all that the logs know.
    pub traffic: f64,
    /// Milliseconds that the crawl has run, in all runs.
    pub elapsed_ms: u64,
    /// Payloads that were kept before.
    pub repeated: u64,
    /// Requests for robots.txt.
    pub robots: u64,
}

impl Tally {
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

    /// Pages and documents that were got.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.of(OutcomeKind::Page) + self.of(OutcomeKind::Document) + self.of(OutcomeKind::NotModified)
    }

    /// Outcomes that are no success, the most frequent first.
    #[must_use]
    pub fn errors(&self) -> Vec<(OutcomeKind, u64)> {
        let mut errors: Vec<(OutcomeKind, u64)> =
            self.outcomes.iter().filter(|(kind, _)| !kind.is_success()).map(|(kind, n)| (*kind, *n)).collect();
        errors.sort_by_key(|(kind, n)| (std::cmp::Reverse(*n), *kind));
        errors
    }
}

/// A tally that others may look at.
#[derive(Debug, Default)]
pub struct Progress(Mutex<Tally>);

impl Progress {
    /// As it is now.
    pub fn look(&self) -> Tally {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn show(&self, tally: &Tally) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone_from(tally);
    }
}
