//! The second reading: some sites, from files to tables.
//!
//! ```text
//! files ─▶ worker ─┬─▶ share 0: sites 0, n, 2n, … ─▶ tables ─┬─▶ the caller, site by site
//!          worker ─┴─▶ share 1: sites 1, n+1, …   ─▶ tables ─┘
//! ```
//!
//! A share numbers the URLs of its sites, and nobody else writes to its table of fingerprints; workers look into it.
//! Where there is one site there is one share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crossbeam::channel::{bounded, unbounded};
use rustc_hash::FxHashMap;
use trodden_mining::DedupWindow;

use super::parts::{Part, Span, Turns};
use super::share::Share;
use super::spelling::{KnownUrl, Namer};
use super::steps::Worker;
use super::urls::SeenTexts;
use super::{FilledTable, TableSettings};
use crate::error::Error;

/// What is the same for all batches.
pub(super) struct Plan<'a> {
    pub(super) parts: &'a [Part],
    pub(super) span: Span,
    pub(super) window: DedupWindow,
    pub(super) namer: &'a Namer,
    pub(super) settings: &'a TableSettings,
    /// Visits to URLs that are excluded, over all batches.
    pub(super) excluded: &'a AtomicU64,
}

/// The first thing that went wrong on any thread: then all of them stop.
#[derive(Default)]
pub(super) struct Failure {
    pub(super) any: AtomicBool,
    first: Mutex<Option<Error>>,
}

impl Failure {
    pub(super) fn note(&self, error: Error) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.any.store(true, Ordering::Release);
    }

    fn into_result(self) -> Result<(), Error> {
        self.first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Tables of so many visits in all may wait for the caller in each share; one always may.
const WAITING_VISITS: u64 = 1 << 16;

/// Reads some sites and hands on their tables, in order.
pub(super) fn fill_batch<E: From<Error>>(
    plan: &Plan<'_>,
    sites: &[(String, u64)],
    known: &[KnownUrl],
    mut each: impl FnMut(FilledTable) -> Result<(), E>,
) -> Result<(), E> {
    let threads = plan.settings.threads.max(1);
    let shares = threads.min(sites.len());
    let seen: Vec<SeenTexts> = (0..shares).map(|n| SeenTexts::new((sites.len() - n).div_ceil(shares))).collect();
    let numbers: FxHashMap<&str, u32> = (0..).zip(sites).map(|(n, (site, _))| (site.as_str(), n)).collect();
    let (first, last) = (sites.first().map_or("", |s| &s.0), sites.last().map_or("", |s| &s.0));
    let turns = Turns::new(plan.parts.iter().filter(|part| part.may_have(first, last)));
    let largest = sites.iter().map(|(_, visits)| *visits).max().unwrap_or(1).max(1);
    let waiting_tables = usize::try_from(WAITING_VISITS / largest).unwrap_or(1).max(1);
    let failure = Failure::default();
    let handed_on: Result<(), E> = std::thread::scope(|scope| {
        let (seen, numbers, turns, failure) = (&seen, &numbers, &turns, &failure);
        let (used_out, used) = unbounded();
        let mut step_senders = Vec::new();
        let mut tables = Vec::new();
        for (number, seen) in seen.iter().enumerate() {
            let (steps_out, steps) = bounded(threads + 1);
            let (tables_out, share_tables) = bounded(waiting_tables);
            step_senders.push(steps_out);
            tables.push(share_tables);
            let own: Vec<_> = sites.iter().skip(number).step_by(shares).collect();
            // Many sites keep all threads busy; one alone may use them.
            let sort_threads = threads / shares;
            let used = used_out.clone();
            scope.spawn(move || {
                Share::new(plan, own, seen).run(steps, known, sort_threads, &used, &tables_out, failure);
            });
        }
        for _ in 0..threads {
            let (outs, used) = (step_senders.clone(), used.clone());
            scope.spawn(move || Worker::new(plan, sites, numbers, seen, used).run(turns, &outs, failure));
        }
        drop((step_senders, used, used_out));
        for site in 0..sites.len() {
            match tables[site % shares].recv() {
                Ok(Some(table)) => each(table)?,
                Ok(None) => {}
                // It has failed, and says so below.
                Err(_) => break,
            }
        }
        Ok(())
    });
    // If the caller failed, that others then could not hand on their tables is no news.
    handed_on?;
    Ok(failure.into_result()?)
}
