//! From logs to visits, all phases in a row.
//!
//! 1. **Open** ([`open_logs`]): what is each file?
//! 2. **Read** (`read`): every line becomes a record or an entry of the ledger.
//! 3. **Name sites** (`sites`): which hosts are one, and whose are paths without a host?
//! 4. **Find clients** ([`find_clients`]): who asked, and which addresses are no persons?
//! 5. **Observe** ([`observe_users`]) and **judge** ([`judge_records`]): what is left is a visit.
//! 6. **Write** ([`write_visits`]) and **report** (`report`).
//!
//! A pipe is read once; records, which are a fraction of their lines, are read twice more.

mod progress;
mod read;
mod report;
mod sites;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use trodden_urls::{Aliases, Rules, SiteGrouping};

use crate::clean::{BadReason, Cleaning, Groups};
use crate::clients::{busy_addresses, clients, rules_by_clock};
use crate::error::Error;
use crate::files::{FileNote, file_note, unreadable_files};
use crate::format::Hints;
use crate::hosts::{NamedSite, Sites};
use crate::input::{Input, InputCaps, Prepared, prepare};
use crate::judge::{Judged, Observed, Rules as JudgeRules, judge, observe};
use crate::privacy::UserKey;
use crate::room::{SHARDS, own_bytes};
use crate::scan::ScanTotals;
use crate::spool::{ScratchDir, Spool};
use crate::visits::{TakenLogs, Taking, VisitsDir, Written, write_days};
pub use progress::{IngestProgress, Stage};
use read::{ReadLines, read_lines, shared};
pub use report::{IngestNote, Report, SiteVisits};
use report::{by_site, ledger};
use sites::{AddressLines, name_sites, refuse_other_site};

/// More threads than any machine this was thought for has cores.
const MAX_THREADS: usize = 512;

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
    pub caps: InputCaps,
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

/// Takes in logs.
///
/// # Errors
/// If an input cannot be opened, no format is known at all, or writing fails. Bad lines are no errors.
pub fn ingest(job: &Ingest, progress: &IngestProgress) -> Result<Report, Error> {
    let setup = Setup::of(job)?;
    let (files, opened) = open_logs(job, progress)?;
    let taken = job.output.as_ref().map(|dir| TakenLogs::of(dir.path()));

    progress.enter(Stage::Reading)?;
    let shared = shared(job, &setup, &files, taken.as_ref());
    let ReadLines { mut totals, mut records } = read_lines(job, &setup, files, &opened.unreadable, &shared, progress)?;

    progress.enter(Stage::Observing)?;
    let (sites, addresses) = name_sites(job, shared, &totals)?;
    let mut notes = Vec::new();
    let cleaning = rules_by_clock(&job.cleaning, &totals, &mut notes);
    let groups = find_clients(&setup, addresses, &totals, &mut records, &cleaning, &mut notes)?;
    records.seal();
    refuse_other_site(job, &sites, &records, &setup)?;
    let observed = observe_users(&setup, &sites, &cleaning, &records)?;

    progress.enter(Stage::Judging)?;
    let rules = JudgeRules {
        sites: &sites,
        settings: &cleaning,
        observed: &observed,
        groups: groups.as_ref(),
        keep: job.output.is_some(),
    };
    let mut judged = judge_records(&setup, &rules, &records)?;
    let spilled = records.spilled_runs() + judged.visits.spilled_runs();
    notes.extend((spilled > 0).then_some(IngestNote::Spilled(spilled)));
    drop((records, observed));

    progress.enter(Stage::Writing)?;
    totals.read.settle();
    let written = write_visits(job, &setup, &sites, taken.as_ref(), &totals, &mut judged)?;
    Ok(Report {
        ledger: ledger(&opened, totals, &judged),
        files: opened.notes,
        sites: by_site(job, &sites, &judged),
        own_site: sites.own,
        notes,
        days: written.days,
        replaced: written.replaced,
    })
}

/// What the phases of a run share.
struct Setup {
    threads: usize,
    /// The key of user hashes: that of the visits which are added to, else one of this run.
    key: UserKey,
    scratch: ScratchDir,
    /// Bytes of memory for the log: without those that the program itself takes.
    budget: usize,
}

impl Setup {
    fn of(job: &Ingest) -> Result<Self, Error> {
        let threads = job.threads.clamp(1, MAX_THREADS);
        let key = job.output.as_ref().map_or_else(UserKey::random, |dir| Ok(dir.key().clone()))?;
        let beside_visits = || job.output.as_ref().map(|dir| dir.path().to_owned());
        let scratch = job.scratch.clone().or_else(beside_visits).unwrap_or_else(std::env::temp_dir);
        let memory = usize::try_from(job.memory).unwrap_or(usize::MAX);
        let budget = memory.saturating_sub(own_bytes(threads)).max(memory / 2);
        Ok(Self { threads, key, scratch: ScratchDir::below(scratch), budget })
    }
}

/// What is known of the files before a line is read.
struct OpenedLogs {
    names: Vec<String>,
    notes: Vec<FileNote>,
    /// Files of which nothing can be read.
    unreadable: Vec<(u32, BadReason)>,
}

/// Looks into every file: how is it packed, and in which format?
fn open_logs(job: &Ingest, progress: &IngestProgress) -> Result<(Vec<Prepared>, OpenedLogs), Error> {
    refuse_own_output(job)?;
    let files = prepare(&job.inputs, &job.hints, &job.caps, &progress.stop)?;
    let opened = OpenedLogs {
        unreadable: unreadable_files(&files)?,
        names: files.iter().map(|file| file.name.clone()).collect(),
        notes: files.iter().map(file_note).collect(),
    };
    progress.total.store(files.iter().map(|file| file.bytes).sum(), Ordering::Relaxed);
    Ok((files, opened))
}

/// Decides who the clients are, and which of their addresses are no persons. None if that cannot be told.
fn find_clients(
    setup: &Setup,
    addresses: AddressLines,
    totals: &ScanTotals,
    records: &mut Spool,
    cleaning: &Cleaning,
    notes: &mut Vec<IngestNote>,
) -> Result<Option<Groups>, Error> {
    let AddressLines { peers, mut forwarded } = addresses;
    let groups = std::thread::scope(|scope| {
        // Two large sorts that have nothing to do with each other.
        let sealing = (setup.threads > 1).then(|| scope.spawn(|| records.seal()));
        let groups = busy_addresses(peers, &mut forwarded, totals, cleaning);
        if let Some(sealing) = sealing {
            sealing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        groups
    });
    groups
        .and_then(|groups| clients(groups, forwarded, totals, records, SHARDS, cleaning, notes))
        .map_err(|e| setup.scratch.failed(e))
}

/// The second reading: what do users and URLs do?
fn observe_users(setup: &Setup, sites: &Sites, cleaning: &Cleaning, records: &Spool) -> Result<Observed, Error> {
    let Setup { threads, scratch, budget, .. } = setup;
    observe(records, &records.shard_keys(), sites, cleaning, *threads, budget / 8, scratch.clone())
        .map_err(|e| scratch.failed(e))
}

/// The third reading: what is left is a visit.
fn judge_records(setup: &Setup, rules: &JudgeRules<'_>, records: &Spool) -> Result<Judged, Error> {
    let Setup { threads, scratch, budget, .. } = setup;
    // Runs on disk leave their memory to what is kept; runs in memory do not.
    judge(records, &records.shard_keys(), rules, *threads, budget / 4, scratch).map_err(|e| scratch.failed(e))
}

/// Writes the visits, if somebody wants them.
fn write_visits(
    job: &Ingest,
    setup: &Setup,
    sites: &Sites,
    taken: Option<&TakenLogs>,
    totals: &ScanTotals,
    judged: &mut Judged,
) -> Result<Written, Error> {
    judged.visits.seal();
    let (Some(dir), Some(taken)) = (&job.output, taken) else { return Ok(Written::default()) };
    let taking = Taking { read: &totals.read, taken, replace: job.replace };
    write_days(&judged.visits, sites, dir.path(), &taking, setup.threads)
}

/// Visits taken in from the directory that they go to would be there twice.
fn refuse_own_output(job: &Ingest) -> Result<(), Error> {
    let Some(output) = job.output.as_ref().and_then(|dir| dir.path().canonicalize().ok()) else { return Ok(()) };
    let inside =
        |input: &&Input| input.path().and_then(|p| p.canonicalize().ok()).is_some_and(|p| p.starts_with(&output));
    job.inputs.iter().find(inside).map_or(Ok(()), |input| Err(Error::OwnOutput { name: input.name() }))
}
