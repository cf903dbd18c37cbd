//! The second reading: some sites, from files to tables.

use crossbeam::channel::{Sender, bounded};
use rustc_hash::FxHashMap;
use trodden_mining::{DedupWindow, Entrance, SiteTableBuilder};

use super::parts::{Part, Span, Turns};
use super::rows::{ENTRANCES_FROM, NOBODY, Row, Waiting};
use super::spelling::{KnownUrl, Namer, Spelled, Speller};
use super::urls::{Seen, Urls};
use super::{FilledTable, TableSettings};
use crate::error::Error;
use crate::visits::{Columns, StoredUser, VisitBatch};

/// What is the same for all batches.
pub(super) struct Plan<'a> {
    pub(super) parts: &'a [Part],
    pub(super) span: Span,
    pub(super) window: DedupWindow,
    pub(super) namer: &'a Namer,
    pub(super) settings: &'a TableSettings,
}

/// A row whose texts are fingerprints.
struct Step {
    time_ms: i64,
    user: u64,
    target: Spelled,
    from: Option<Spelled>,
    /// Where it is in its batch of rows.
    row: u32,
    site: u32,
    window: u32,
    is_nobody: bool,
}

/// Rows, and what a worker made of them.
type Steps = (VisitBatch, Vec<Step>);

/// Makes steps of rows.
struct Worker<'a> {
    plan: &'a Plan<'a>,
    sites: &'a [(String, u64)],
    numbers: &'a FxHashMap<&'a str, u32>,
    last_site: u32,
    targets: Speller,
    referrers: Speller,
}

impl Worker<'_> {
    fn run(&mut self, turns: &Turns<'_>, out: &Sender<Result<Steps, Error>>) {
        while let Some(part) = turns.next() {
            let read = part.open().and_then(|(file, group)| {
                file.read(vec![group], Columns::All, |batch| {
                    let steps = self.steps(&batch);
                    // Nobody takes it any more: the run has failed elsewhere.
                    out.send(Ok((batch, steps))).map_err(|_| Error::Stopped)
                })
            });
            if let Err(error) = read {
                let _ = out.send(Err(error));
                return;
            }
        }
    }

    fn steps(&mut self, batch: &VisitBatch) -> Vec<Step> {
        let mut steps = Vec::with_capacity(batch.len());
        for row in 0..batch.len() {
            let Some(visit) = batch.get(row) else { continue };
            if !self.plan.span.has(visit.time_ms) {
                continue;
            }
            let Some(site) = self.plan.namer.site(&visit).and_then(|name| self.site(&name)) else { continue };
            let (user, is_nobody) = match visit.user {
                StoredUser::Hash(hash) => (hash.cast_unsigned(), false),
                // Only told apart from each other here, never stored.
                StoredUser::Raw(id) => (xxhash_rust::xxh3::xxh3_64(id.as_bytes()), false),
                StoredUser::Nobody => (0, true),
            };
            steps.push(Step {
                time_ms: visit.time_ms,
                user,
                target: self.targets.spell(site, visit.target),
                from: visit.referrer.map(|referrer| self.referrers.spell(site, referrer)),
                row: u32::try_from(row).unwrap_or(u32::MAX),
                site,
                window: self.plan.window.of(visit.time_ms),
                is_nobody,
            });
        }
        steps
    }

    /// The number of a site in this batch. Files are in the order of sites, so it is mostly the last or the next.
    fn site(&mut self, name: &str) -> Option<u32> {
        let near = (self.last_site..).take(2).find(|n| self.sites.get(*n as usize).is_some_and(|s| s.0 == name));
        self.last_site = near.or_else(|| self.numbers.get(name).copied())?;
        Some(self.last_site)
    }
}

/// What is known of a site besides its URLs.
#[derive(Clone, Copy)]
struct Times {
    visits: usize,
    first_ms: i64,
    last_ms: i64,
}

struct Batch<'a> {
    urls: Urls<'a>,
    waiting: Waiting,
    times: Vec<Times>,
    found: Vec<(Option<Seen>, Option<Seen>)>,
}

impl<'a> Batch<'a> {
    fn new(plan: &'a Plan<'_>, sites: &'a [(String, u64)]) -> Self {
        Self {
            urls: Urls::new(sites, plan.namer),
            waiting: Waiting::new(sites, plan.settings.memory, &plan.settings.scratch),
            times: vec![Times { visits: 0, first_ms: i64::MAX, last_ms: i64::MIN }; sites.len()],
            found: Vec::new(),
        }
    }

    fn take(&mut self, (batch, steps): &Steps) -> Result<(), Error> {
        // Nothing but look-ups first: a processor waits for several of them at a time if nothing comes between.
        self.found.clear();
        let urls = &self.urls;
        let look_up = |step: &Step| (urls.look_up(step.target.key), step.from.and_then(|from| urls.look_up(from.key)));
        self.found.extend(steps.iter().map(look_up));
        for (at, step) in steps.iter().enumerate() {
            let (site, row) = (step.site, step.row as usize);
            let (target_seen, from_seen) = self.found[at];
            let written = batch.target(row).unwrap_or_default();
            let Some(target) = self.urls.target(site, step.target, target_seen, written) else { continue };
            let from = match step.from {
                None => ENTRANCES_FROM + Entrance::Direct as u32,
                Some(from) => self.urls.from(site, from, from_seen, batch.referrer(row).unwrap_or_default()),
            };
            let row = Row::new(target, if step.is_nobody { NOBODY } else { 0 }, from, step.window);
            let times = &mut self.times[site as usize];
            self.waiting.push(site, times.visits, (row, step.user))?;
            times.visits += 1;
            (times.first_ms, times.last_ms) = (times.first_ms.min(step.time_ms), times.last_ms.max(step.time_ms));
        }
        Ok(())
    }
}

/// Reads some sites and hands on their tables, in order.
pub(super) fn fill_batch<E: From<Error>>(
    plan: &Plan<'_>,
    sites: &[(String, u64)],
    mut known: &[KnownUrl],
    mut each: impl FnMut(FilledTable) -> Result<(), E>,
) -> Result<(), E> {
    let Batch { urls, mut waiting, times, .. } = read_batch(plan, sites)?;
    let mut urls = urls.finish();
    for (site, (name, _)) in sites.iter().enumerate() {
        let (own_known, others) = known.split_at(known.partition_point(|k| *k.site <= **name));
        known = others;
        let mut builder = SiteTableBuilder::new(plan.settings.kept_readers);
        urls.of(site).for_each(|url| _ = builder.new_url(url));
        let Times { visits, first_ms, last_ms } = times[site];
        waiting.count(site, visits, plan.settings.threads, &mut builder).map_err(Error::Scratch)?;
        let mut text = String::new();
        for url in own_known {
            text.clear();
            text.push_str(&url.host);
            text.push_str(&url.path);
            builder.known(&text);
        }
        let origins = urls.origins(site, own_known);
        if site + 1 == sites.len() {
            // The last site of a batch may be the only one, and finishing a large table takes as much again.
            waiting.forget();
            urls.forget();
        }
        let table = builder.finish(name.clone());
        if table.is_empty() {
            continue;
        }
        let (first_ms, last_ms) = if visits == 0 { (0, 0) } else { (first_ms, last_ms) };
        each(FilledTable { table, visits: visits as u64, first_ms, last_ms, origins })?;
    }
    Ok(())
}

fn read_batch<'a>(plan: &'a Plan<'_>, sites: &'a [(String, u64)]) -> Result<Batch<'a>, Error> {
    let mut batch = Batch::new(plan, sites);
    let numbers: FxHashMap<&str, u32> = (0..).zip(sites).map(|(n, (site, _))| (site.as_str(), n)).collect();
    let (first, last) = (sites.first().map_or("", |s| &s.0), sites.last().map_or("", |s| &s.0));
    let turns = Turns::new(plan.parts.iter().filter(|part| part.may_have(first, last)));
    std::thread::scope(|scope| {
        let threads = plan.settings.threads.max(1);
        let (out, steps) = bounded(threads * 2);
        for _ in 0..threads {
            let (out, turns, numbers) = (out.clone(), &turns, &numbers);
            scope.spawn(move || {
                let (targets, referrers) = (Speller::default(), Speller::default());
                Worker { plan, sites, numbers, last_site: 0, targets, referrers }.run(turns, &out);
            });
        }
        drop(out);
        steps.into_iter().try_for_each(|steps| batch.take(&steps?))
    })?;
    Ok(batch)
}
