//! The first reading: every line becomes a record, or an entry of the ledger.
//!
//! Plain and packed logs are read by workers, block by block; files of visits, which were judged before, afterwards and by
//! one: they are small beside logs.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use trodden_urls::Canonicalizer;

use super::{Ingest, IngestProgress, Setup};
use crate::clean::{BadReason, Bots};
use crate::error::Error;
use crate::format::Context;
use crate::host_book::{HostBook, hosts_within};
use crate::input::{BlockSource, Codec, Prepared};
use crate::ledger::Position;
use crate::privacy::UserHasher;
use crate::room::{SHARDS, failed, shard_room};
use crate::scan::{ScanShared, ScanTotals, Scanner};
use crate::spool::{RunOrder, Sorter, Spool};
use crate::visits::{TakenLogs, read_visits};

/// Room for scheme and host in front of a path that is as long as it may be.
const ORIGIN_BYTES: usize = 1 << 10;

/// What reading has come to.
pub(super) struct ReadLines {
    pub(super) totals: ScanTotals,
    /// The records, by user.
    pub(super) records: Spool,
}

/// What all workers share while they read.
pub(super) fn shared(job: &Ingest, setup: &Setup, files: &[Prepared], taken: Option<&TakenLogs>) -> ScanShared {
    let Setup { threads, budget, .. } = *setup;
    ScanShared {
        stored_samples: taken.map(TakenLogs::samples),
        canonicalizer: Canonicalizer::new(job.rules.clone()).with_max_bytes(job.caps.url_bytes),
        stored: Canonicalizer::new(job.rules.clone()).with_max_bytes(job.caps.url_bytes + ORIGIN_BYTES),
        hasher: UserHasher::new(setup.key.clone()),
        seed: setup.key.seed(),
        hosts: HostBook::new(hosts_within(budget / 5 * 2, threads), threads),
        threads,
        bots: Bots::new(&job.cleaning.bots, &job.own_agents),
        cleaning: job.cleaning.clone(),
        line_cap: job.caps.line_bytes,
        shards: SHARDS,
        shard_room: shard_room(files, threads, budget),
        run_bytes: budget / 20 * 11 / threads,
        peers: Mutex::new(Sorter::new(budget / 20, setup.scratch.clone())),
        forwarded: Mutex::new(Sorter::new(budget / 20, setup.scratch.clone())),
    }
}

/// Reads all files.
///
/// # Errors
/// If there is no room on disk, or the only files are damaged files of visits.
pub(super) fn read_lines(
    job: &Ingest,
    setup: &Setup,
    files: Vec<Prepared>,
    unreadable: &[(u32, BadReason)],
    shared: &ScanShared,
    progress: &IngestProgress,
) -> Result<ReadLines, Error> {
    let visits = visit_files(&files);
    let are_all_visits = visits.len() == files.len();
    let mut lines =
        read_logs(job, setup, files, shared, progress).map_err(|e| failed(e, &setup.scratch, setup.threads))?;
    read_visit_files(setup, visits, are_all_visits, shared, progress, &mut lines)?;
    for &(file, reason) in unreadable {
        lines.totals.lines += 1;
        lines.totals.bad[reason as usize] += 1;
        lines.totals.places.note(reason, Position { file, block: 0, line: 0 });
    }
    Ok(lines)
}

/// Files of visits, by their places among all files.
fn visit_files(files: &[Prepared]) -> Vec<(u32, PathBuf)> {
    let visits = (0_u32..).zip(files).filter(|(_, file)| file.codec == Codec::Parquet);
    visits.filter_map(|(place, file)| Some((place, file.path()?.to_owned()))).collect()
}

/// Reads the logs, block by block, in all threads.
fn read_logs(
    job: &Ingest,
    setup: &Setup,
    files: Vec<Prepared>,
    shared: &ScanShared,
    progress: &IngestProgress,
) -> io::Result<ReadLines> {
    let threads = setup.threads;
    let mut source = BlockSource::new(files, job.caps.clone(), threads, progress.bytes.clone(), progress.stop.clone());
    let senders: Vec<_> = (0..source.decoders(threads)).map(|_| source.sender()).collect();
    source.close();
    let source = &source;
    let new_spool = || Spool::new(RunOrder::ByUser, setup.scratch.clone());
    let all = Mutex::new(ReadLines { totals: ScanTotals::default(), records: new_spool() });
    std::thread::scope(|scope| {
        for sender in senders {
            scope.spawn(move || source.decode(&sender));
        }
        crate::threads::run(threads, || {
            let mut scanner = Scanner::new(shared, new_spool());
            let reader = source.reader();
            let mut context = Context::new();
            let mut used = Vec::new();
            while let Some(block) = reader.next(std::mem::take(&mut used)) {
                // A full disk must stop those who decode, too.
                scanner.block(&block, &context).inspect_err(|_| source.abort())?;
                context.reset();
                used = block.bytes;
            }
            all.lock().unwrap_or_else(PoisonError::into_inner).add(scanner.finish()?);
            Ok::<(), io::Error>(())
        })
    })?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Takes over visits that were judged before.
fn read_visit_files(
    setup: &Setup,
    visits: Vec<(u32, PathBuf)>,
    are_all: bool,
    shared: &ScanShared,
    progress: &IngestProgress,
    lines: &mut ReadLines,
) -> Result<(), Error> {
    let failed = |e| failed(e, &setup.scratch, setup.threads);
    let mut scanner = Scanner::new(shared, Spool::new(RunOrder::ByUser, setup.scratch.clone()));
    for (file, path) in visits {
        let mut row = 0;
        let read = read_visits(&path, |visit| {
            row += 1;
            scanner.visit(visit.as_ref(), file, row - 1).map_err(failed)
        });
        match read {
            Ok(()) => {}
            // A bad file costs an entry, not the run; but if there is nothing else, the operator should hear why.
            Err(Error::NotVisits { .. } | Error::Parquet { .. }) if !are_all => scanner.damaged(file, row),
            Err(e) => return Err(e),
        }
        progress.bytes.fetch_add(path.metadata().map_or(0, |m| m.len()), Ordering::Relaxed);
    }
    lines.add(scanner.finish().map_err(failed)?);
    Ok(())
}

impl ReadLines {
    fn add(&mut self, (totals, records): (ScanTotals, Spool)) {
        self.totals.add(totals);
        self.records.absorb(records);
    }
}
