//! How does a session stand where it stood? It takes up the last checkpoint and is told the steps since, in their order.
//!
//! Telling touches no frontier, which has what was placed and moved already; only what lanes are worth is said to it again. Steps are
//! read a portion at a time.

use trodden_frontier::{DiskFrontier, LaneId, LeaseId, QueueId, Time, UrlId};
use trodden_ordering::{Event, Found, Known, Outcome};

use crate::checkpoint::{self, CheckpointStore};
use crate::error::Error;
use crate::journal::{OpenLease, Step, StepLink, StepOutcome, TimedStep, lease_key, steps_of};
use crate::notes::{self, CHECKPOINT, JOURNAL, LATEST, LEASE, STATE, VERSION, VERSION_KEY};
use crate::session::{Loss, Session};

/// Blocks of steps that are read at a time.
const PORTION: usize = 64;

impl Session {
    /// Checks the version of the records, or writes it.
    pub(crate) fn check_version(&mut self) -> Result<(), Error> {
        match notes::get::<u32>(self.frontier(), STATE, VERSION_KEY)? {
            Some(VERSION) => Ok(()),
            Some(found) => Err(Error::Version { found, known: VERSION }),
            None => notes::put(self.engine.frontier_mut(), STATE, VERSION_KEY, &VERSION),
        }
    }

    /// Reads everything that a session needs to be resumed, without a policy; how many steps there were.
    ///
    /// # Errors
    /// If something is missing, damaged or of another version.
    pub fn check(frontier: &DiskFrontier, checkpoints: &dyn CheckpointStore) -> Result<u64, Error> {
        if let Some(found) = notes::get::<u32>(frontier, STATE, VERSION_KEY)?.filter(|found| *found != VERSION) {
            return Err(Error::Version { found, known: VERSION });
        }
        let mut steps = 0;
        if let Some(step) = notes::get(frontier, STATE, CHECKPOINT)? {
            checkpoint::read(checkpoints, step)?;
            steps = step;
        }
        notes::each(frontier, JOURNAL, &u64::to_be_bytes(steps), |key, value| {
            if key != steps.to_be_bytes() {
                return Err(Error::Damaged("steps of the journal are missing"));
            }
            for step in steps_of(value) {
                step?;
                steps += 1;
            }
            Ok(())
        })?;
        let marked = checkpoint::read_mark(checkpoints);
        if steps < marked { Err(Error::Lost { found: steps, marked }) } else { Ok(steps) }
    }

    /// Takes up what is there.
    pub(crate) fn resume(&mut self) -> Result<(), Error> {
        let checkpoint: Option<u64> = notes::get(self.frontier(), STATE, CHECKPOINT)?;
        if let Some(step) = checkpoint {
            let engine = self.read_checkpoint(step)?;
            self.engine.restore(&engine)?;
            (self.steps, self.checkpoint_bytes) = (step, engine.len() as u64);
        }
        let mut from = self.steps.to_be_bytes().to_vec();
        loop {
            let portion = self.frontier().notes(JOURNAL, &from, PORTION)?;
            let Some(last) = portion.last() else { break };
            from = notes::after(last.key.clone());
            for note in portion {
                if note.key != self.steps.to_be_bytes() {
                    return Err(Error::Damaged("steps of the journal are missing"));
                }
                let first = self.steps;
                self.journal_bytes += note.value.len() as u64;
                for step in steps_of(&note.value) {
                    let step = step?;
                    self.steps += 1;
                    self.latest = self.latest.max(step.at);
                    self.tell(step)?;
                }
                self.journal.has_block(first);
            }
        }
        let marked = checkpoint::read_mark(&*self.checkpoints);
        if self.steps < marked && self.loss == Loss::Refused {
            return Err(Error::Lost { found: self.steps, marked });
        }
        self.has_lost = self.steps < marked;
        self.steps = self.steps.max(marked);
        self.journal.go_on_from(self.steps);
        self.latest = self.latest.max(notes::get(self.frontier(), STATE, LATEST)?.unwrap_or(Time(0)));
        self.read_leases()?;
        Ok(())
    }

    /// Tells the engine a step again.
    fn tell(&mut self, TimedStep { at, step }: TimedStep) -> Result<(), Error> {
        match step {
            Step::Seeded { key } => {
                let url = self.url(key)?;
                self.engine.seeded_before(key, &url, at);
                self.happened_before(Event::Seeded { key, at });
            }
            Step::Swapped { work } => self.engine.swapped_before(work, at)?,
            Step::HandedOut { key, queue, explored } => {
                self.engine.handed_out_before(queue, explored);
                if explored.is_some() {
                    self.happened_before(Event::Explored { key, at });
                }
            }
            Step::Undone { queue, explored } => self.engine.undo_hand_out(queue, explored),
            Step::Refused { key } => {
                self.engine.refused_before();
                self.happened_before(Event::Refused { key, at });
            }
            Step::Deferred { key, is_old } => self.engine.deferred_before(key, is_old),
            Step::Revived { key } => {
                let url = self.url(key)?;
                self.engine.revived_before(key, &url, at);
            }
            Step::Updated { key, outcome, is_new } => {
                let url = self.url(key)?;
                let outcome = outcome.as_ref().map(StepOutcome::outcome);
                self.engine.updated_before(&Known::seed(key, &url), outcome.as_ref(), is_new, at);
                if is_new {
                    self.happened_before(Event::Seeded { key, at });
                }
                if let Some(Outcome { kind, change, bytes, .. }) = outcome {
                    self.happened_before(Event::Fetched { key, at, kind, change, bytes });
                }
            }
            Step::Removed { key } => self.engine.removed_before(key),
            Step::Settled { key, outcome, links } => self.tell_settled(key, &outcome, &links, at)?,
        }
        Ok(())
    }

    fn tell_settled(&mut self, key: UrlId, outcome: &StepOutcome, links: &[StepLink], at: Time) -> Result<(), Error> {
        let url = self.url(key)?;
        let urls: Vec<String> = links.iter().map(|link| self.url(link.key)).collect::<Result<_, _>>()?;
        let found: Vec<Found<'_>> = links
            .iter()
            .zip(&urls)
            .map(|(link, url)| Found {
                key: link.key,
                queue: link.queue,
                url,
                anchor: &link.anchor,
                is_new: link.is_new,
            })
            .collect();
        let outcome = outcome.outcome();
        self.engine.settled_before(key, &url, &outcome, &found, at);
        let (kind, change, bytes) = (outcome.kind, outcome.change, outcome.bytes);
        self.happened_before(Event::Fetched { key, at, kind, change, bytes });
        for link in links.iter().filter(|link| link.is_new) {
            self.happened_before(Event::Discovered { key: link.key, from: key, at });
        }
        Ok(())
    }

    /// Tells what happened again to whoever did not hear it.
    fn happened_before(&mut self, event: Event) {
        // The step is counted already.
        if self.steps > self.events_from {
            self.engine.log_mut().push(event);
        }
    }

    fn read_leases(&mut self) -> Result<(), Error> {
        let leases: Vec<(LeaseId, QueueId)> = self.frontier().leases().collect();
        for (lease, queue) in leases {
            let explored = notes::get::<LaneId>(self.frontier(), LEASE, &lease_key(lease))?;
            self.open.insert(lease, OpenLease { queue, explored, has_record: None });
        }
        Ok(())
    }

    /// What was out when the process ended waits again, and was never handed out.
    pub(crate) fn undo_leases(&mut self) -> Result<(), Error> {
        let mut open: Vec<LeaseId> = self.open.keys().copied().collect();
        open.sort_unstable();
        for lease in open {
            self.undo_lease(lease)?;
        }
        self.engine.frontier_mut().release_leases();
        Ok(())
    }

    /// A URL was handed out and never came back.
    pub(crate) fn undo_lease(&mut self, lease: LeaseId) -> Result<(), Error> {
        let Some(OpenLease { queue, explored, .. }) = self.open.get(&lease).copied() else { return Ok(()) };
        self.engine.undo_hand_out(queue, explored);
        self.lease_ended(lease)?;
        self.write_step(Step::Undone { queue, explored })
    }
}
