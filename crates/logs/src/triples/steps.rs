//! What workers make of files: rows whose texts are fingerprints, with what is known of them so far.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam::channel::{Receiver, Sender};
use rustc_hash::FxHashMap;

use super::batch::{Plan, Signals};
use super::parts::Turns;
use super::rows::Who;
use super::seen::{Seen, SeenTexts};
use super::spelling::{Spelled, Speller};
use crate::error::Error;
use crate::visits::{Columns, VisitBatch};

/// A row.
pub(super) struct Step {
    pub(super) time_ms: i64,
    pub(super) who: Who,
    pub(super) target: Spelled,
    pub(super) from: Option<Spelled>,
    pub(super) target_seen: Option<Seen>,
    pub(super) from_seen: Option<Seen>,
    /// Where it is in its batch of rows.
    pub(super) row: u32,
    /// Its site, by number within its share.
    pub(super) site: u32,
    pub(super) minute: u32,
}

/// The steps of one share, and the rows that they were made of.
pub(super) type Steps = (Arc<VisitBatch>, Vec<Step>);

/// Makes steps of rows, for every share of the sites.
pub(super) struct Worker<'a> {
    plan: &'a Plan<'a>,
    sites: &'a [(String, u64)],
    numbers: &'a FxHashMap<&'a str, u32>,
    shares: &'a [SeenTexts],
    /// Memory of steps that were taken: the system would clear it each time.
    used: Receiver<Vec<Step>>,
    last_site: u32,
    targets: Speller,
    referrers: Speller,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        plan: &'a Plan<'a>,
        sites: &'a [(String, u64)],
        numbers: &'a FxHashMap<&'a str, u32>,
        shares: &'a [SeenTexts],
        used: Receiver<Vec<Step>>,
    ) -> Self {
        let (targets, referrers) = (Speller::default(), Speller::default());
        Self { plan, sites, numbers, shares, used, last_site: 0, targets, referrers }
    }

    /// Reads parts as long as there are any.
    pub(super) fn run(&mut self, turns: &Turns<'_>, outs: &[Sender<Steps>], signals: &Signals) {
        while let Some(part) = turns.next() {
            let read = part.read(Columns::All, |batch| {
                if signals.stop.load(Ordering::Relaxed) {
                    return Err(Error::Stopped);
                }
                let shares = self.steps(&batch);
                for (steps, out) in shares.into_iter().zip(outs).filter(|(steps, _)| !steps.is_empty()) {
                    out.send((batch.clone(), steps)).map_err(|_| Error::Stopped)?;
                }
                Ok(())
            });
            if let Err(error) = read {
                signals.fail(error);
                return;
            }
        }
    }

    fn steps(&mut self, batch: &VisitBatch) -> Vec<Vec<Step>> {
        let count = self.shares.len();
        let mut shares: Vec<Vec<Step>> = (0..count).map(|_| self.used.try_recv().unwrap_or_default()).collect();
        for row in 0..batch.len() {
            let Some(visit) = batch.get(row) else { continue };
            if !self.plan.span.has(visit.time_ms) {
                continue;
            }
            let Some(site) = self.plan.namer.site(&visit).and_then(|name| self.site(&name)) else { continue };
            let (share, site) = (site as usize % count, site / count as u32);
            shares[share].push(Step {
                time_ms: visit.time_ms,
                who: Who::of(visit.user),
                target: self.targets.spell(visit.target),
                from: visit.referrer.map(|referrer| self.referrers.spell(referrer)),
                target_seen: None,
                from_seen: None,
                row: u32::try_from(row).unwrap_or(u32::MAX),
                site,
                minute: self.plan.window.minute(visit.time_ms),
            });
        }
        for (steps, seen) in shares.iter_mut().zip(self.shares) {
            // Nothing but look-ups in a row: a processor waits for several of them at a time if nothing comes between.
            let seen = seen.read();
            for step in steps {
                let seen = &seen[step.site as usize];
                step.target_seen = seen.get(step.target.key);
                step.from_seen = step.from.and_then(|from| seen.get(from.key));
            }
        }
        shares
    }

    /// The number of a site in this batch. Files are in the order of sites, so it is mostly the last or the next.
    fn site(&mut self, name: &str) -> Option<u32> {
        let near = (self.last_site..).take(2).find(|n| self.sites.get(*n as usize).is_some_and(|s| s.0 == name));
        self.last_site = near.or_else(|| self.numbers.get(name).copied())?;
        Some(self.last_site)
    }
}
