//! A share of the sites of a batch: numbers while all is read, then tables.

use std::sync::atomic::Ordering;

use crossbeam::channel::{Receiver, Sender};
use trodden_mining::{Entrance, SiteTableBuilder};

use super::batch::{AllRead, Plan, Signals};
use super::counted::CountedUrls;
use super::rows::{Clock, ENTRANCES_FROM, Row, Waiting};
use super::seen::{Seen, SeenTexts};
use super::slices::Minutes;
use super::spelling::KnownUrl;
use super::steps::{Step, Steps};
use super::urls::Urls;
use super::{FilledTable, TooLarge};
use crate::error::Error;
use crate::visits::VisitBatch;

/// What is known of a site besides its URLs.
#[derive(Clone)]
struct Times {
    rows: usize,
    /// Rows, each as often as it counts.
    visits: u64,
    first_ms: i64,
    last_ms: i64,
    minutes: Minutes,
}

/// Sites that one thread counts.
pub(super) struct Share<'a> {
    plan: &'a Plan<'a>,
    sites: Vec<&'a (String, u64)>,
    seen: &'a SeenTexts,
    urls: Urls<'a>,
    waiting: Waiting,
    times: Vec<Times>,
    later: Vec<usize>,
    signals: &'a Signals,
    /// Known URLs that this share weighs.
    known: &'a [KnownUrl],
    /// Whether its only site is the only one of the batch.
    is_alone: bool,
    /// Visits of all its sites, as they were tallied, and how many were read.
    visits: u64,
    taken: u64,
    /// Bytes that the others know of.
    bytes: u64,
    /// If the only site is too large: its URLs are counted, and no more.
    too_large: Option<CountedUrls>,
}

impl<'a> Share<'a> {
    pub(super) fn new(
        plan: &'a Plan<'_>,
        sites: Vec<&'a (String, u64)>,
        seen: &'a SeenTexts,
        known: &'a [KnownUrl],
        is_alone: bool,
        signals: &'a Signals,
    ) -> Self {
        let visits: Vec<u64> = sites.iter().map(|(_, visits)| *visits).collect();
        let names = sites.iter().map(|(site, _)| site.as_str()).collect();
        let mut urls = Urls::new(names, plan.namer, &plan.settings.exclude);
        known.iter().for_each(|url| urls.weight.add(&url.text()));
        Self {
            urls,
            waiting: Waiting::new(&visits, plan.budget.rows(), &plan.settings.scratch),
            times: vec![
                Times { rows: 0, visits: 0, first_ms: i64::MAX, last_ms: i64::MIN, minutes: Minutes::default() };
                sites.len()
            ],
            later: Vec::new(),
            is_alone,
            visits: visits.iter().sum(),
            taken: 0,
            bytes: 0,
            too_large: None,
            plan,
            sites,
            seen,
            signals,
            known,
        }
    }

    /// Takes all steps, and gives their memory back to those who make them; then hands on a table for each site, in order,
    /// or nothing for a site without URLs.
    pub(super) fn run(
        mut self,
        steps: Receiver<Steps>,
        known: &[KnownUrl],
        threads: usize,
        used: &Sender<Vec<Step>>,
        tables: &Sender<Option<FilledTable>>,
        all_read: AllRead,
    ) {
        let signals = self.signals;
        let taken = steps.iter().try_for_each(|(batch, mut steps)| {
            match &mut self.too_large {
                Some(counted) => counted.take(self.plan.namer, &self.sites[0].0, &batch, &steps),
                None => {
                    self.take(&batch, &steps)?;
                    self.taken += steps.len() as u64;
                    self.weigh()?;
                }
            }
            steps.clear();
            let _ = used.send(steps);
            Ok(())
        });
        // Those who read must not wait for one who takes no more.
        drop(steps);
        // One that failed must be known to have, before others hand on their tables.
        let taken = taken.map_err(|error| signals.fail(error));
        all_read.wait();
        if taken.is_err() || signals.stop.load(Ordering::Acquire) {
            return;
        }
        if let Some(counted) = &self.too_large {
            let (urls, bytes) = counted.whole();
            let memory = self.plan.budget.memory_for(bytes);
            return signals.too_large(TooLarge { site: self.sites[0].0.clone(), urls, visits: self.visits, memory });
        }
        if let Err(error) = self.tables(known, threads, tables) {
            signals.fail(error);
        }
    }

    /// Looks whether what was read so far, and what will be made of it, still fits.
    fn weigh(&mut self) -> Result<(), Error> {
        let budget = &self.plan.budget;
        let bytes = budget.bytes(&self.urls.weight, self.sites.len(), self.taken);
        let all = self.signals.grow(bytes.saturating_sub(self.bytes));
        self.bytes = self.bytes.max(bytes);
        if !self.is_alone {
            if all <= budget.together() {
                return Ok(());
            }
            self.signals.too_much();
            return Err(Error::Stopped);
        }
        if bytes <= budget.alone() {
            return Ok(());
        }
        if !self.urls.weight.is_refined() {
            let known: Vec<String> = self.known.iter().map(KnownUrl::text).collect();
            self.urls.refine_weight(&known);
            return self.weigh();
        }
        let mut counted = CountedUrls::new(self.urls.weight.urls(), bytes);
        self.urls.texts().for_each(|url| counted.add(url));
        self.known.iter().for_each(|url| counted.add(&url.text()));
        self.too_large = Some(counted);
        // All that is known of them goes, before the rest is counted.
        self.seen.forget();
        self.waiting.forget();
        self.urls.forget();
        Ok(())
    }

    fn take(&mut self, batch: &VisitBatch, steps: &[Step]) -> Result<(), Error> {
        self.later.clear();
        for (place, step) in steps.iter().enumerate() {
            match (step.target_seen.filter(|seen| seen.is_page()), step.from.is_some(), step.from_seen) {
                (Some(target), false, _) => self.row(step, target, None)?,
                (Some(target), true, Some(from)) => self.row(step, target, Some(from))?,
                _ => self.later.push(place),
            }
        }
        if self.later.is_empty() {
            return Ok(());
        }
        let mut seen = self.seen.write();
        for place in std::mem::take(&mut self.later) {
            let (step, row) = (&steps[place], steps[place].row as usize);
            let seen = &mut seen[step.site as usize];
            let written = batch.target(row).unwrap_or_default();
            let Some(target) = self.urls.page(seen, step.site, step.target, written) else {
                let is_excluded = seen.get(step.target.key).is_some_and(Seen::is_excluded);
                self.signals.excluded.fetch_add(u64::from(is_excluded), Ordering::Relaxed);
                continue;
            };
            let written = batch.referrer(row).unwrap_or_default();
            let from = step.from.map(|from| self.urls.referrer(seen, step.site, from, written));
            self.row(step, target, from)?;
        }
        Ok(())
    }

    fn row(&mut self, step: &Step, target: Seen, from: Option<Seen>) -> Result<(), Error> {
        let target = self.urls.vote(target, step.target.way);
        let from = match (from, step.from) {
            (Some(seen), Some(text)) => self.urls.vote_from(seen, text.way),
            _ => ENTRANCES_FROM + Entrance::Direct as u32,
        };
        let row = Row::new(target, step.who.mark(), from, step.minute);
        let times = &mut self.times[step.site as usize];
        self.waiting.push(step.site, times.rows, (row, step.who.number()))?;
        times.rows += 1;
        let visits = step.who.visits();
        times.visits = times.visits.saturating_add(visits);
        times.minutes.add(step.minute, visits);
        (times.first_ms, times.last_ms) = (times.first_ms.min(step.time_ms), times.last_ms.max(step.time_ms));
        Ok(())
    }

    fn tables(self, known: &[KnownUrl], threads: usize, tables: &Sender<Option<FilledTable>>) -> Result<(), Error> {
        let Self { plan, sites, seen, urls, mut waiting, times, signals, .. } = self;
        seen.forget();
        let mut urls = urls.finish();
        let last = sites.len() - 1;
        for (site, (name, _)) in sites.into_iter().enumerate() {
            // What was read before a failure is not all there is.
            if signals.stop.load(Ordering::Acquire) {
                return Ok(());
            }
            let known = &known[known.partition_point(|k| *k.site < **name)..];
            let known = &known[..known.partition_point(|k| *k.site <= **name)];
            let mut builder =
                SiteTableBuilder::new(plan.settings.kept_readers).with_waiting_bytes(plan.budget.rows() / 2);
            urls.of(site).for_each(|url| _ = builder.new_url(url));
            let Times { rows, visits, first_ms, last_ms, ref minutes } = times[site];
            let clock = Clock { window: plan.window, slices: minutes.slices() };
            let counted = waiting.count(site, rows, clock, threads, &mut builder);
            counted.map_err(|e| Error::scratch(&plan.settings.scratch, e))?;
            known.iter().for_each(|url| _ = builder.known(&url.text()));
            if plan.settings.are_public {
                builder.all_known();
            }
            let origins = urls.origins(site, known);
            if site == last {
                // The last site may be the only one, and finishing a large table takes as much again.
                waiting.forget();
                urls.forget();
            }
            let table = builder.finish_on(threads, name.clone());
            let (first_ms, last_ms) = if visits == 0 { (0, 0) } else { (first_ms, last_ms) };
            let filled = FilledTable { table, visits, first_ms, last_ms, origins };
            let sent = tables.send((!filled.table.is_empty()).then_some(filled));
            sent.map_err(|_| Error::Stopped)?;
        }
        Ok(())
    }
}
