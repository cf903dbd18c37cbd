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

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use rustc_hash::FxHashMap;
use trodden_mining::DedupWindow;

use super::parts::{Part, Span, Turns};
use super::seen::SeenTexts;
use super::share::Share;
use super::spelling::{KnownUrl, Namer};
use super::steps::Worker;
use super::{FilledTable, TableBudget, TableSettings, TooLarge};
use crate::error::Error;

/// What is the same for all batches.
pub(super) struct Plan<'a> {
    pub(super) parts: &'a [Part],
    pub(super) span: Span,
    pub(super) window: DedupWindow,
    pub(super) namer: &'a Namer,
    pub(super) settings: &'a TableSettings,
    pub(super) budget: TableBudget,
}

/// What came of a batch.
pub(super) enum Batched {
    /// Every table was handed on.
    Done {
        /// Visits to URLs that are excluded.
        excluded: u64,
    },
    /// The only site does not fit.
    TooLarge(TooLarge),
    /// Several sites do not fit together; nothing was handed on.
    TooMuch,
}

/// What the threads of a batch tell each other.
#[derive(Default)]
pub(super) struct Signals {
    /// All of them stop: something went wrong, or there is too much.
    pub(super) stop: AtomicBool,
    first: Mutex<Option<Error>>,
    too_much: AtomicBool,
    /// Bytes that all shares take.
    bytes: AtomicU64,
    /// Visits to URLs that are excluded.
    pub(super) excluded: AtomicU64,
    too_large: Mutex<Option<TooLarge>>,
}

/// Tells when all shares have read all. Until then there may be too much, and no table is handed on. A share that ends
/// early, for whatever reason, keeps nobody waiting.
#[derive(Clone)]
pub(super) struct AllRead {
    reading: Sender<()>,
    others: Receiver<()>,
}

impl AllRead {
    fn new() -> Self {
        let (reading, others) = bounded(0);
        Self { reading, others }
    }

    pub(super) fn wait(self) {
        let Self { reading, others } = self;
        drop(reading);
        // Nothing is ever sent: this ends when the last share has dropped its end.
        let _ = others.recv();
    }
}

impl Signals {
    pub(super) fn fail(&self, error: Error) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.store(true, Ordering::Release);
    }

    /// A share takes more than before; what all of them take.
    pub(super) fn grow(&self, by: u64) -> u64 {
        self.bytes.fetch_add(by, Ordering::Relaxed) + by
    }

    /// Several sites are too much together.
    pub(super) fn too_much(&self) {
        self.too_much.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Release);
    }

    /// The only site is too much alone.
    pub(super) fn too_large(&self, site: TooLarge) {
        *self.too_large.lock().unwrap_or_else(PoisonError::into_inner) = Some(site);
    }

    fn into_result(self) -> Result<Batched, Error> {
        // That threads were stopped in the middle is no error then.
        if self.too_much.into_inner() {
            return Ok(Batched::TooMuch);
        }
        if let Some(error) = self.first.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let too_large = self.too_large.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(too_large.map_or(Batched::Done { excluded: self.excluded.into_inner() }, Batched::TooLarge))
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
) -> Result<Batched, E> {
    let threads = plan.settings.threads.max(1);
    let shares = threads.min(sites.len());
    let seen: Vec<SeenTexts> = (0..shares).map(|n| SeenTexts::new((sites.len() - n).div_ceil(shares))).collect();
    let numbers: FxHashMap<&str, u32> = (0..).zip(sites).map(|(n, (site, _))| (site.as_str(), n)).collect();
    let (first, last) = (sites.first().map_or("", |s| &s.0), sites.last().map_or("", |s| &s.0));
    let turns = Turns::new(plan.parts.iter().filter(|part| part.may_have(first, last)));
    let largest = sites.iter().map(|(_, visits)| *visits).max().unwrap_or(1).max(1);
    let waiting_tables = usize::try_from(WAITING_VISITS / largest).unwrap_or(1).max(1);
    let signals = Signals::default();
    let handed_on: Result<(), E> = std::thread::scope(|scope| {
        let (seen, numbers, turns, signals) = (&seen, &numbers, &turns, &signals);
        let (used_out, used) = unbounded();
        let mut step_senders = Vec::new();
        let all_read = AllRead::new();
        let mut tables = Vec::new();
        for (number, seen) in seen.iter().enumerate() {
            let (steps_out, steps) = bounded(threads + 1);
            let (tables_out, share_tables) = bounded(waiting_tables);
            step_senders.push(steps_out);
            tables.push(share_tables);
            let own: Vec<_> = sites.iter().skip(number).step_by(shares).collect();
            // Many sites keep all threads busy; one alone may use them.
            let sort_threads = threads / shares;
            let (used, all_read) = (used_out.clone(), all_read.clone());
            scope.spawn(move || {
                // Which share weighs the known URLs makes no difference.
                let weighed = if number == 0 { known } else { &[] };
                let share = Share::new(plan, own, seen, weighed, sites.len() == 1, signals);
                share.run(steps, known, sort_threads, &used, &tables_out, all_read);
            });
        }
        for _ in 0..threads {
            let (outs, used) = (step_senders.clone(), used.clone());
            scope.spawn(move || Worker::new(plan, sites, numbers, seen, used).run(turns, &outs, signals));
        }
        drop((step_senders, used, used_out, all_read));
        for site in 0..sites.len() {
            match tables[site % shares].recv() {
                Ok(Some(table)) => each(table)?,
                Ok(None) => {}
                // It has failed, or is too large, and says so below.
                Err(_) => break,
            }
        }
        Ok(())
    });
    // If the caller failed, that others then could not hand on their tables is no news.
    handed_on?;
    Ok(signals.into_result()?)
}
