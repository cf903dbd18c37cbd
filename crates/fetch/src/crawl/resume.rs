//! How does a crawl begin, and how does one go on?
//!
//! ```text
//! frontier/        what waits, what came of what, the journal
//! engine.state     what the engine knew at step n, and n
//! archive/         what was kept
//! events.jsonl.zst what happened, for whoever wants to know
//! ```
//! To go on: leases of the run that ended are given back, the archive is cut to what is committed, the engine takes up
//! what was saved and is told the steps since.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use trodden_frontier::{DiskFrontier, Frontier, Note};
use trodden_ordering::policy::build::AnyPolicy;
use trodden_ordering::{Budget, Engine, Found, Limits, Outcome, PageText, Scope};
use trodden_urls::PolitenessUnit;

use super::batch::Batch;
use super::budget::SectionBudget;
use super::discover::Discovery;
use super::events::EventFile;
use super::hosts::Hosts;
use super::journal::{Linked, Step};
use super::keep::{KeepSettings, Keeper};
use super::look::Looked;
use super::notes::{self, ELAPSED, Fetched, JOURNAL, LISTING, OUTCOME, PUT_OFF, SAVED, STATE};
use super::{Crawl, CrawlSettings, Error, KnownTraffic, Progress, Tally};
use crate::client::Client;

/// The file of what the engine knew.
const ENGINE: &str = "engine.state";
/// Bytes of journal that make it worth to save the engine; twice what was saved last time, if that is more.
const JOURNAL_BYTES: u64 = 32 << 20;

/// What a crawl is made of.
pub struct Parts {
    /// The crawl directory.
    pub folder: PathBuf,
    /// How it is run.
    pub settings: CrawlSettings,
    /// What waits.
    pub frontier: DiskFrontier,
    /// Who decides.
    pub policy: AnyPolicy<u32>,
    /// Who asks.
    pub client: Client,
    /// How answers are kept.
    pub keep: KeepSettings,
    /// What belongs to it.
    pub scope: Scope,
    /// What logs know.
    pub traffic: KnownTraffic,
    /// Pages by section, if they have a budget.
    pub sections: Option<SectionBudget>,
}

impl Crawl {
    /// Begins a crawl, or takes up one that was begun.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn open(parts: Parts) -> Result<Self, Error> {
        let Parts { folder, settings, mut frontier, policy, client, keep, scope, traffic, sections } = parts;
        frontier.release_leases();
        frontier.release_for_ever();
        let keeper =
            if settings.archive { Some(Keeper::open(&folder.join("archive"), keep, &frontier)?) } else { None };
        // The engine counts what it hands out; a budget here counts pages.
        let limits = Limits { budget: Budget::Unlimited, buffer: None, lease: settings.lease() };
        let mut crawl = Self {
            events: EventFile::open(&folder.join("events.jsonl.zst"))?,
            engine: Engine::new(frontier, policy, limits, Vec::new()),
            discovery: Discovery { canonicalizer: super::canonicalizer(), scope, unit: PolitenessUnit::Host },
            folder,
            settings,
            client,
            keeper,
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
            steps: 0,
            journal_bytes: 0,
            tally: Tally::default(),
            progress: Arc::new(Progress::default()),
            started: Instant::now(),
            elapsed_before: 0,
            order: 0,
            looked: Looked::default(),
        };
        crawl.go_on()?;
        Ok(crawl)
    }

    /// Whether anything was ever offered.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.tally.waiting == 0 && self.tally.settled() == 0
    }

    fn go_on(&mut self) -> Result<(), Error> {
        let frontier = self.engine.frontier();
        self.elapsed_before = notes::get(frontier, STATE, ELAPSED)?.unwrap_or(0);
        self.tally.put_off = notes::get(frontier, STATE, PUT_OFF)?.unwrap_or_default();
        let saved: u64 = notes::get(frontier, STATE, SAVED)?.unwrap_or(0);
        for note in frontier.notes(LISTING, &[], usize::MAX)? {
            self.listings.insert(number_of(&note.key)?, notes::read(&note.value)?);
        }
        self.tally.known = u64::from(frontier.numbered());
        for Note { key, value } in self.engine.frontier().notes(OUTCOME, &[], usize::MAX)? {
            let fetched: Fetched = notes::read(&value)?;
            self.order = self.order.max(fetched.order + 1);
            self.tally.bytes += fetched.bytes;
            let key = number_of(&key)?;
            self.count(key, &fetched);
            if self.sections.is_some() && fetched.kind.is_page() {
                let url = self.url(key)?;
                self.sections.iter_mut().for_each(|sections| sections.count_page(&url));
            }
        }
        if let Some(engine) = read_engine(&self.folder.join(ENGINE), saved)? {
            self.engine.restore(&engine)?;
        }
        self.steps = saved;
        let journal = self.engine.frontier().notes(JOURNAL, &saved.to_be_bytes(), usize::MAX)?;
        let mut steps: Vec<(Note, Step)> = Vec::with_capacity(journal.len());
        for note in journal {
            let step = notes::read(&note.value)?;
            steps.push((note, step));
        }
        let mut under_way = under_way(steps.iter().map(|(_, step)| step));
        while let Some(at) = steps.iter().rposition(|(_, step)| under_way > 0 && is_handed_out(step)) {
            // Whoever went for it never came back: it waits again, and it never happened.
            let (note, _) = steps.remove(at);
            self.engine.frontier_mut().forget_note(JOURNAL, &note.key)?;
            under_way -= 1;
        }
        for (Note { key, value }, step) in steps {
            self.journal_bytes += value.len() as u64;
            self.steps = key.try_into().map(u64::from_be_bytes).map_err(|_| Error::OddNote)? + 1;
            self.again(step)?;
        }
        self.pace_new_queues();
        self.engine.frontier_mut().commit()?;
        self.engine.resume();
        self.show();
        Ok(())
    }

    /// Tells the engine a step again.
    fn again(&mut self, step: Step) -> Result<(), Error> {
        match step {
            Step::Seeded { key } => {
                let url = self.url(key)?;
                self.engine.seeded_before(key, &url);
            }
            Step::PlacedAnew { keys } => {
                for key in keys {
                    let url = self.url(key)?;
                    self.engine.placed_anew_before(key, &url);
                }
            }
            Step::HandedOut { queue, explored } => self.engine.handed_out_before(queue, explored),
            Step::GivenBack => self.engine.given_back_before(),
            Step::Settled { key, page, links } => {
                let url = self.url(key)?;
                let urls: Vec<String> = links.iter().map(|link| self.url(link.key)).collect::<Result<_, _>>()?;
                let found = |(link, url): (&'_ Linked, &'_ String)| (link.clone(), url.clone());
                let texts: Vec<(Linked, String)> = links.iter().zip(&urls).map(found).collect();
                let found: Vec<Found<'_, u32>> = texts
                    .iter()
                    .map(|(link, url)| Found {
                        key: link.key,
                        queue: link.queue,
                        url,
                        anchor: &link.anchor,
                        is_new: link.is_new,
                    })
                    .collect();
                let outcome = match &page {
                    Some(words) => Outcome::Page(Some(PageText { title: &words.title, body: &words.body })),
                    None => Outcome::NoPage,
                };
                self.engine.settled_before(key, &url, &outcome, &found);
            }
        }
        Ok(())
    }

    pub(super) fn url(&self, key: u32) -> Result<String, Error> {
        self.engine.frontier().url(key)?.ok_or(Error::OddNote)
    }

    /// Notes a step in the journal.
    pub(super) fn note_step(&mut self, step: &Step) -> Result<(), Error> {
        let key = self.steps.to_be_bytes();
        self.steps += 1;
        let bytes = postcard::to_stdvec(step).expect("steps are plain values in memory");
        self.journal_bytes += bytes.len() as u64;
        self.engine.frontier_mut().note(JOURNAL, &key, &bytes)?;
        Ok(())
    }

    /// Saves the engine if telling it the journal would take longer.
    pub(super) fn save_if_due(&mut self) -> Result<(), Error> {
        let last = fs::metadata(self.folder.join(ENGINE)).map_or(0, |file| file.len());
        if self.journal_bytes > JOURNAL_BYTES.max(2 * last) { self.save_engine() } else { Ok(()) }
    }

    /// Saves what the engine knows, and begins the journal anew.
    pub(super) fn save_engine(&mut self) -> Result<(), Error> {
        let path = self.folder.join(ENGINE);
        let engine = self.engine.save();
        let steps = self.steps;
        let frontier = self.engine.frontier_mut();
        let before: u64 = notes::get(frontier, STATE, SAVED)?.unwrap_or(0);
        write_engine(&path, steps, before, &engine).map_err(|why| Error::File { path, why })?;
        for step in before..steps {
            frontier.forget_note(JOURNAL, &step.to_be_bytes())?;
        }
        notes::put(frontier, STATE, SAVED, &steps)?;
        frontier.sync()?;
        self.journal_bytes = 0;
        Ok(())
    }
}

fn is_handed_out(step: &Step) -> bool {
    matches!(step, Step::HandedOut { .. })
}

/// How many tasks were handed out and neither given back nor settled.
fn under_way<'s>(steps: impl Iterator<Item = &'s Step>) -> u64 {
    steps.fold(0, |open: u64, step| match step {
        Step::Seeded { .. } | Step::PlacedAnew { .. } => open,
        Step::HandedOut { .. } => open + 1,
        Step::GivenBack | Step::Settled { .. } => open.saturating_sub(1),
    })
}

pub(super) fn number_of(key: &[u8]) -> Result<u32, Error> {
    key.try_into().map(u32::from_be_bytes).map_err(|_| Error::OddNote)
}

/// What the engine knew at a step; none if it was never saved. A file that is one save ahead of the notes (a crash came
/// in between) has its predecessor beside it.
fn read_engine(path: &Path, saved: u64) -> Result<Option<Vec<u8>>, Error> {
    if saved == 0 {
        return Ok(None);
    }
    for path in [path.to_owned(), before(path)] {
        if let Ok(bytes) = fs::read(&path)
            && let Some((step, engine)) = bytes.split_first_chunk::<8>()
            && u64::from_be_bytes(*step) == saved
        {
            return Ok(Some(engine.to_vec()));
        }
    }
    Err(Error::OddNote)
}

/// The step that a state is of.
fn step_of(path: &Path) -> Option<u64> {
    let mut step = [0; 8];
    File::open(path).and_then(|mut file| file.read_exact(&mut step)).ok()?;
    Some(u64::from_be_bytes(step))
}

fn before(path: &Path) -> PathBuf {
    path.with_extension("state.before")
}

/// Puts a state in place. The one that the notes name is set aside, and stays until they name this one: what lies there and is named
/// by nobody is of a save that was cut off, and goes.
fn write_engine(path: &Path, step: u64, named: u64, engine: &[u8]) -> std::io::Result<()> {
    let part = path.with_extension("state.part");
    let mut file = File::create(&part)?;
    file.write_all(&step.to_be_bytes())?;
    file.write_all(engine)?;
    file.sync_all()?;
    if step_of(path) == Some(named) {
        fs::rename(path, before(path))?;
    }
    fs::rename(part, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_state_that_is_named_survives_any_number_of_saves_that_are_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ENGINE);
        assert_eq!(read_engine(&path, 0).unwrap(), None);
        write_engine(&path, 10, 0, b"ten").unwrap();
        // Cut off before the notes name it, again and again.
        for step in [20, 30, 40] {
            write_engine(&path, step, 10, b"later").unwrap();
            assert_eq!(read_engine(&path, 10).unwrap().as_deref(), Some(&b"ten"[..]), "{step}");
            assert_eq!(read_engine(&path, step).unwrap().as_deref(), Some(&b"later"[..]));
        }
        assert!(read_engine(&path, 20).is_err(), "named by nobody");
    }
}
