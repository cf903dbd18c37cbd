//! From logs to visits, all stages in a row.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use trodden_urls::{Aliases, Canonicalizer, Rules, SiteGrouping, SiteKeys};

use crate::clean::{BadReason, Bots, Cleaning, DropReason};
use crate::clients::{busy_addresses, clients, rules_by_clock};
use crate::error::Error;
use crate::files::{FileNote, file_note, unreadable_files};
use crate::format::{Context, Hints};
use crate::host_book::{HostBook, hosts_within};
use crate::hosts::{NamedSite, OwnSite, Sites};
use crate::input::{BlockSource, Caps, Codec, Input, Prepared, prepare};
use crate::judge::{Rules as JudgeRules, judge, observe};
use crate::ledger::{Ledger, Position};
use crate::named_site::share_in_log;
use crate::privacy::{UserHasher, UserKey};
use crate::room::{SHARDS, failed, own_bytes, shard_room};
use crate::scan::{ScanShared, ScanTotals, Scanner, TextKey};
use crate::spool::{RunOrder, ScratchDir, Sorter, Spool};
use crate::visits::{TakenLogs, Taking, VisitsDir, Written, read_visits, write_days};

/// More threads than any machine this was thought for has cores.
const MAX_THREADS: usize = 512;

/// Room for scheme and host in front of a path that is as long as it may be.
const ORIGIN_BYTES: usize = 1 << 10;

/// What to take in, and how.
#[derive(Debug)]
pub struct Ingest {
    /// The logs.
    pub inputs: Vec<Input>,
    /// What the operator says about their format.
    pub hints: Hints,
    /// The site of paths without a host; where lines name hosts, the only site that counts.
    pub site: Option<NamedSite>,
    /// What a site is.
    pub grouping: SiteGrouping,
    /// Hosts that stand for others.
    pub aliases: Aliases,
    /// What makes URLs canonical.
    pub rules: Rules,
    /// What makes a visit.
    pub cleaning: Cleaning,
    /// Products in the agents of the operator's own crawlers: bots, whatever else they say.
    pub own_agents: Vec<String>,
    /// What is too long.
    pub caps: Caps,
    /// Threads that parse.
    pub threads: usize,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Where scratch files go; next to the visits, else the system's folder for temporary files.
    pub scratch: Option<PathBuf>,
    /// Where visits go; without, they are only counted.
    pub output: Option<VisitsDir>,
    /// Visits that are there of the same log make room for the new ones.
    pub replace: bool,
    /// A site that fewer users read is not named in the report; the one that the log is of always is.
    pub min_users: u64,
    /// The named site is taken at the operator's word, whatever the log's own referrers say.
    pub site_insisted: bool,
    /// Guessing the site of a log with paths only is an error where its referrers name several.
    pub site_must_be_clear: bool,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading logs; measured in bytes.
    Reading,
    /// Observing users and URLs.
    Observing,
    /// Judging lines.
    Judging,
    /// Writing visits.
    Writing,
}

/// How far a run is, for whoever watches; and a way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    stage: AtomicU8,
    bytes: Arc<AtomicU64>,
    total: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// What is being done.
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Reading,
            1 => Stage::Observing,
            2 => Stage::Judging,
            _ => Stage::Writing,
        }
    }

    /// Bytes read so far, and in all (0 if not known).
    pub fn bytes(&self) -> (u64, u64) {
        (self.bytes.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Asks the run to stop; nothing is written then.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn enter(&self, stage: Stage) -> Result<(), Error> {
        self.stage.store(stage as u8, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
    }
}

/// Something the operator should know.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// One address has most lines: the log was written behind a proxy.
    BehindProxy {
        /// Its share of all lines.
        share: f64,
        /// Whether lines name the clients behind it, so that those count.
        clients_known: bool,
    },
    /// Most lines have no time of day, or not even a date: the rules that need one are left out.
    NoClock {
        /// Whether there are dates.
        dates: bool,
    },
    /// More than fits in memory: this many runs went to disk.
    Spilled(usize),
}

/// How much a site was read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SiteVisits {
    /// The site.
    pub site: String,
    /// Visits, before de-duplication.
    pub visits: u64,
    /// By how many users.
    pub users: u64,
}

/// What came of an ingest.
#[derive(Debug)]
pub struct Report {
    /// What became of every line.
    pub ledger: Ledger,
    /// How each file was read.
    pub files: Vec<FileNote>,
    /// Whose the paths without a host are.
    pub own_site: OwnSite,
    /// Visits by site, most first. Sites that fewer than [`Ingest::min_users`] people read are not named.
    pub sites: Vec<SiteVisits>,
    /// What else to know.
    pub notes: Vec<Note>,
    /// Days written.
    pub days: usize,
    /// Files of the same log that made room.
    pub replaced: usize,
}

/// Takes in logs.
///
/// # Errors
/// If an input cannot be opened, no format is known at all, or writing fails. Bad lines are no errors.
pub fn ingest(job: &Ingest, progress: &Progress) -> Result<Report, Error> {
    let threads = job.threads.clamp(1, MAX_THREADS);
    let key = job.output.as_ref().map_or_else(UserKey::random, |dir| Ok(dir.key().clone()))?;
    let scratch = ScratchDir::below(
        job.scratch
            .clone()
            .or_else(|| job.output.as_ref().map(|d| d.path().to_owned()))
            .unwrap_or_else(std::env::temp_dir),
    );
    let budget = usize::try_from(job.memory).unwrap_or(usize::MAX);
    let budget = budget.saturating_sub(own_bytes(threads)).max(budget / 2);

    // First reading.
    refuse_own_output(job)?;
    let files = prepare(&job.inputs, &job.hints, &job.caps, &progress.stop)?;
    let unreadable = unreadable_files(&files)?;
    let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    let notes_on_files = files.iter().map(file_note).collect();
    progress.total.store(files.iter().map(|f| f.bytes).sum(), Ordering::Relaxed);
    let taken = job.output.as_ref().map(|dir| TakenLogs::of(dir.path()));
    let shared = ScanShared {
        stored_samples: taken.as_ref().map(TakenLogs::samples),
        canonicalizer: Canonicalizer::new(job.rules.clone()).with_max_bytes(job.caps.url_bytes),
        stored: Canonicalizer::new(job.rules.clone()).with_max_bytes(job.caps.url_bytes + ORIGIN_BYTES),
        hasher: UserHasher::new(key.clone()),
        seed: key.seed(),
        hosts: HostBook::new(hosts_within(budget / 5 * 2, threads), threads),
        threads,
        bots: Bots::new(&job.cleaning.bots, &job.own_agents),
        cleaning: job.cleaning.clone(),
        line_cap: job.caps.line_bytes,
        shards: SHARDS,
        shard_room: shard_room(&files, threads, budget),
        run_bytes: budget / 20 * 11 / threads,
        peers: Mutex::new(Sorter::new(budget / 20, scratch.clone())),
        forwarded: Mutex::new(Sorter::new(budget / 20, scratch.clone())),
    };
    progress.enter(Stage::Reading)?;
    let (mut totals, mut spool) = scan(files, &shared, &job.caps, threads, progress, &scratch)?;
    progress.enter(Stage::Observing)?;
    for (file, reason) in unreadable {
        totals.lines += 1;
        totals.bad[reason as usize] += 1;
        totals.places.note(reason, Position { file, block: 0, line: 0 });
    }

    // Whose is what?
    let ScanShared { hosts, peers, forwarded, seed, .. } = shared;
    let keys = SiteKeys::new(job.grouping, job.aliases.clone());
    let sites = Sites::resolve(hosts, &totals.hosts, totals.own_lines, job.site.as_ref(), &keys, &job.aliases, seed);
    if let (true, OwnSite::FromReferrers { site, lines, rivals }) = (job.site_must_be_clear, &sites.own)
        && !rivals.is_empty()
    {
        let all = std::iter::once(&(site.clone(), *lines))
            .chain(rivals)
            .map(|(s, n)| format!("{s}: {n}"))
            .collect::<Vec<_>>();
        return Err(Error::AmbiguousSite { candidates: all.join(", ") });
    }
    let mut notes = Vec::new();
    let [peers, mut forwarded] = [peers, forwarded].map(|m| m.into_inner().unwrap_or_else(PoisonError::into_inner));
    let cleaning = rules_by_clock(&job.cleaning, &totals, &mut notes);
    let groups = std::thread::scope(|scope| {
        // Two large sorts that have nothing to do with each other.
        let sealing = (threads > 1).then(|| scope.spawn(|| spool.seal()));
        let groups = busy_addresses(peers, &mut forwarded, &totals, &cleaning);
        if let Some(sealing) = sealing {
            sealing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        groups
    });
    let groups = groups.map_err(|e| scratch.failed(e))?;
    let groups = clients(groups, forwarded, &totals, &mut spool, SHARDS, &cleaning, &mut notes)
        .map_err(|e| scratch.failed(e))?;

    // Second and third reading.
    spool.seal();
    let shards = spool.shard_keys();
    refuse_other_site(job, &sites, &spool, &shards, seed, &scratch)?;
    let observed = observe(&spool, &shards, &sites, &cleaning, threads, budget / 8, scratch.clone())
        .map_err(|e| scratch.failed(e))?;
    progress.enter(Stage::Judging)?;
    let rules = JudgeRules {
        sites: &sites,
        settings: &cleaning,
        observed: &observed,
        groups: groups.as_ref(),
        keep: job.output.is_some(),
    };
    // Runs on disk leave their memory to what is kept; runs in memory do not.
    let mut judged = judge(&spool, &shards, &rules, threads, budget / 4, &scratch).map_err(|e| scratch.failed(e))?;
    if spool.spilled_runs() + judged.visits.spilled_runs() > 0 {
        notes.push(Note::Spilled(spool.spilled_runs() + judged.visits.spilled_runs()));
    }
    drop((spool, observed));

    progress.enter(Stage::Writing)?;
    judged.visits.seal();
    totals.read.settle();
    let written = match (&job.output, &taken) {
        (Some(dir), Some(taken)) => {
            let taking = Taking { read: &totals.read, taken, replace: job.replace };
            write_days(&judged.visits, &sites, dir.path(), &taking, threads)?
        }
        _ => Written::default(),
    };
    let mut ledger = Ledger {
        lines: totals.lines,
        visits: judged.visit_lines,
        users: judged.users,
        sites: judged.sites.len() as u64,
        urls: judged.urls,
        ..Ledger::default()
    };
    DropReason::ALL.iter().zip(totals.dropped).for_each(|(reason, n)| ledger.add_dropped(*reason, n));
    DropReason::ALL.iter().zip(judged.dropped).for_each(|(reason, n)| ledger.add_dropped(*reason, n));
    BadReason::ALL.iter().zip(totals.bad).for_each(|(reason, n)| ledger.add_bad(*reason, n));
    ledger.places = totals.places.resolve(&totals.block_lines, &names);
    debug_assert_eq!(ledger.lines, ledger.accounted());
    let named = sites.own_site();
    let mut by_site: Vec<SiteVisits> = judged
        .sites
        .into_iter()
        .filter(|(site, counts)| counts.users() >= job.min_users || Some(*site) == named)
        .map(|(site, counts)| SiteVisits {
            site: sites.names[site as usize].clone(),
            visits: counts.visits,
            users: counts.users(),
        })
        .collect();
    by_site.sort_unstable_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.site.cmp(&b.site)));
    Ok(Report {
        ledger,
        files: notes_on_files,
        own_site: sites.own,
        sites: by_site,
        notes,
        days: written.days,
        replaced: written.replaced,
    })
}

/// Where the log shows that it is of another site than the operator says, nothing that is made of it would be right.
fn refuse_other_site(
    job: &Ingest,
    sites: &Sites,
    spool: &Spool,
    shards: &[u32],
    seed: u64,
    scratch: &ScratchDir,
) -> Result<(), Error> {
    let (Some(doubt), Some(named), false) = (&sites.doubt, &job.site, job.site_insisted) else { return Ok(()) };
    let home = TextKey::of(b"/", seed).parts().0;
    let Some(share) = share_in_log(doubt, sites, spool, shards, home).map_err(|e| scratch.failed(e))? else {
        return Ok(());
    };
    Err(Error::OtherSite {
        named: named.host().as_str().to_owned(),
        site: sites.names[doubt.site as usize].clone(),
        origin: doubt.origin.clone(),
        lines: doubt.lines,
        named_lines: doubt.named_lines,
        percent: (100.0 * share) as u32,
    })
}

/// Visits taken in from the directory that they go to would be there twice.
fn refuse_own_output(job: &Ingest) -> Result<(), Error> {
    let Some(output) = job.output.as_ref().and_then(|dir| dir.path().canonicalize().ok()) else { return Ok(()) };
    let inside =
        |input: &&Input| input.path().and_then(|p| p.canonicalize().ok()).is_some_and(|p| p.starts_with(&output));
    job.inputs.iter().find(inside).map_or(Ok(()), |input| Err(Error::OwnOutput { name: input.name() }))
}

fn scan(
    files: Vec<Prepared>,
    shared: &ScanShared,
    caps: &Caps,
    threads: usize,
    progress: &Progress,
    scratch: &ScratchDir,
) -> Result<(ScanTotals, Spool), Error> {
    let parquet: Vec<(u32, PathBuf)> = (0_u32..)
        .zip(&files)
        .filter(|(_, f)| f.codec == Codec::Parquet)
        .filter_map(|(i, f)| Some((i, f.path()?.to_owned())))
        .collect();
    let names = files.len();
    let mut source = BlockSource::new(files, caps.clone(), threads, progress.bytes.clone(), progress.stop.clone());
    let senders: Vec<_> = (0..source.decoders(threads)).map(|_| source.sender()).collect();
    source.close();
    let source = &source;
    let all = Mutex::new((ScanTotals::default(), Spool::new(RunOrder::ByUser, scratch.clone())));
    std::thread::scope(|scope| {
        for sender in senders {
            scope.spawn(move || source.decode(&sender));
        }
        crate::threads::run(threads, || {
            let mut scanner = Scanner::new(shared, Spool::new(RunOrder::ByUser, scratch.clone()));
            let reader = source.reader();
            let mut context = Context::new();
            let mut used = Vec::new();
            while let Some(block) = reader.next(std::mem::take(&mut used)) {
                // A full disk must stop those who decode, too.
                scanner.block(&block, &context).inspect_err(|_| source.abort())?;
                context.reset();
                used = block.bytes;
            }
            let (totals, spool) = scanner.finish()?;
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.0.add(totals);
            all.1.absorb(spool);
            Ok(())
        })
    })
    .map_err(|e| failed(e, scratch, threads))?;
    let (mut totals, mut spool) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let alone = parquet.len() == names;
    let mut scanner = Scanner::new(shared, Spool::new(RunOrder::ByUser, scratch.clone()));
    for (file, path) in parquet {
        let mut row = 0;
        let read = read_visits(&path, |visit| {
            row += 1;
            scanner.visit(visit.as_ref(), file, row - 1).map_err(|e| failed(e, scratch, threads))
        });
        match read {
            Ok(()) => {}
            // A bad file costs an entry, not the run; but if there is nothing else, the operator should hear why.
            Err(Error::NotVisits { .. } | Error::Parquet { .. }) if !alone => scanner.damaged(file, row),
            Err(e) => return Err(e),
        }
        progress.bytes.fetch_add(path.metadata().map_or(0, |m| m.len()), Ordering::Relaxed);
    }
    let (more, runs) = scanner.finish().map_err(|e| failed(e, scratch, threads))?;
    totals.add(more);
    spool.absorb(runs);
    Ok((totals, spool))
}
