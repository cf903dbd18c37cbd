//! How does a crawl begin, and how does one go on?
//!
//! ```text
//! frontier/        what waits, what came of what, the journal
//! engine-N.checkpoint  what the engine knew at step N
//! archive/         what was kept
//! events.jsonl.zst what happened, for whoever wants to know
//! ```
//! The session resumes itself; here the archive is cut to what is committed, and the tally is counted from the records.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use trodden_frontier::{DiskFrontier, QueueId, UrlId};
use trodden_ordering::Scope;
use trodden_ordering::policy::build::AnyPolicy;
use trodden_session::{CheckpointFolder, Leases, Loss, Records, Session, SessionParts};
use trodden_urls::PolitenessUnit;

use super::archive::{ArchiveSettings, CrawlArchive};
use super::batch::Batch;
use super::budget::SectionBudget;
use super::discover::Discovery;
use super::events::{EventFile, EventMark};
use super::hosts::Hosts;
use super::look::Looked;
use super::meters::Meters;
use super::notes::{DEFERRED, ELAPSED, EVENTS, INDEX, LISTING, STATE};
use super::prepare::Preparer;
use super::reading::PageReader;
use super::{Clock, Crawl, CrawlProgress, CrawlSettings, Error, KnownTraffic, ListingKind, Tally};
use super::{index, integrity};
use crate::client::Client;

/// What a crawl is made of.
pub struct Parts {
    /// The crawl directory.
    pub folder: PathBuf,
    /// How it is run.
    pub settings: CrawlSettings,
    /// What waits.
    pub frontier: DiskFrontier,
    /// Who decides.
    pub policy: AnyPolicy,
    /// Who asks.
    pub client: Client,
    /// How answers are archived.
    pub archive: ArchiveSettings,
    /// What belongs to it.
    pub scope: Scope,
    /// What logs know.
    pub traffic: KnownTraffic,
    /// Pages by section, if they have a budget.
    pub sections: Option<SectionBudget>,
    /// Threads that read pages beside the one that crawls; none: that one does it.
    pub workers: usize,
    /// Whether what is lost may be fetched again; if not, a crawl that lost something is refused.
    pub may_mend: bool,
}

impl Crawl {
    /// Begins a crawl, or takes up one that was begun.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn open(parts: Parts) -> Result<Self, Error> {
        let Parts { folder, settings, frontier, policy, client, archive, scope, traffic, sections, workers, may_mend } =
            parts;
        let checkpoints = Box::new(CheckpointFolder::new(&folder));
        let (lease, leases) = (settings.lease(), Leases::Undone);
        let loss = if may_mend { Loss::Accepted } else { Loss::Refused };
        let mark: EventMark = Records::of(&frontier).driver_note(STATE, EVENTS)?.unwrap_or_default();
        let parts = SessionParts { frontier, policy, checkpoints, lease, leases, loss, events_from: mark.step };
        let mut session = Session::open(parts)?;
        // There may be a larger budget than when it was left.
        session.release_for_ever()?;
        let archive_folder = folder.join("archive");
        let mut mended = integrity::settle(&archive_folder, &mut session, may_mend)?;
        let is_mended = !mended.files.is_empty() || mended.unknown_files > 0;
        mended.index = index::mend(&archive_folder, session.records().driver_note(STATE, INDEX)?, is_mended)?;
        let warc = settings.archive.then(|| archive.warc());
        let archive = match &warc {
            Some(warc) => {
                let records = session.records();
                let mut archive = CrawlArchive::open(&archive_folder, warc.clone(), archive.ids, records)?;
                let mark = archive.sync()?;
                session.driver_notes().put(STATE, INDEX, &mark)?;
                Some(archive)
            }
            None => None,
        };
        let (events, is_short) = EventFile::open(&folder.join("events.jsonl.zst"), mark)?;
        mended.events = is_short;
        let (clock, behind) = Clock::not_before(session.latest());
        mended.clock_behind_ms = behind.0;
        let discovery = Discovery { canonicalizer: super::canonicalizer(), scope, unit: PolitenessUnit::Host };
        let discovery = Arc::new(discovery);
        let reader = PageReader { settings: settings.clone(), discovery: Arc::clone(&discovery) };
        let preparer = Preparer::new(reader, warc.as_ref(), workers).map_err(Error::Threads)?;
        let mut crawl = Self {
            events,
            session,
            discovery,
            preparer: Arc::new(preparer),
            settings,
            client,
            archive,
            traffic,
            asking: FxHashSet::default(),
            hosts: Hosts::default(),
            by_site: FxHashMap::default(),
            listings: FxHashMap::default(),
            listed: FxHashMap::default(),
            seeds: FxHashSet::default(),
            sections,
            pages_under_way: 0,
            batch: Batch::default(),
            tally: Tally::default(),
            progress: Arc::new(CrawlProgress::default()),
            started: Instant::now(),
            elapsed_before: 0,
            looked: Looked::default(),
            mended,
            meters: Meters::new(),
            clock,
        };
        crawl.go_on()?;
        Ok(crawl)
    }

    /// Whether anything was ever offered.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.tally.waiting == 0 && self.tally.settled() == 0
    }

    /// Counts what was done before.
    fn go_on(&mut self) -> Result<(), Error> {
        let records = self.session.records();
        self.elapsed_before = records.driver_note(STATE, ELAPSED)?.unwrap_or(0);
        self.tally.put_off = records.driver_note(STATE, DEFERRED)?.unwrap_or_default();
        let mut listings: Vec<(Vec<u8>, ListingKind)> = Vec::new();
        records.each_driver_note(LISTING, |key, kind| {
            listings.push((key.to_vec(), kind));
            Ok(())
        })?;
        for (key, kind) in listings {
            let key = key.try_into().map_err(|_| Error::OddUrl)?;
            self.listings.insert(UrlId(u32::from_be_bytes(key)), kind);
        }
        self.tally.known = u64::from(self.session.frontier().numbered());
        let Self { session, tally, by_site, traffic, settings, sections, .. } = self;
        let records = session.records();
        records.each(|key, record| {
            tally.bytes += record.bytes;
            tally.add(key, record, traffic);
            if record.kind.is_page() && settings.budget.pages_per_site.is_some() {
                *by_site.entry(QueueId(record.queue)).or_default() += 1;
            }
            if record.kind.is_page()
                && let Some(sections) = sections
            {
                sections.count_page(&records.url(key)?);
            }
            Ok::<_, Error>(())
        })?;
        self.pace_new_queues();
        self.session.commit()?;
        self.show();
        Ok(())
    }
}
