//! A crawl without its network: what it is made of, how it is opened, and how it is made durable. The calls by which it goes on are in
//! [`calls`](crate::calls).

use rustc_hash::FxHashMap;
use trodden_frontier::{DiskFrontier, Due, Frontier, LeaseId, Pace, QueueId, Span, Time, UrlId};
use trodden_ordering::policy::build::AnyPolicy;
use trodden_ordering::{Budget, Engine, Event, Limits};

use crate::checkpoint::{self, CheckpointStore};
use crate::error::Error;
use crate::journal::{OpenLease, Step, StepJournal, TimedStep, lease_key};
use crate::meters::Meters;
use crate::notes::{self, ACTIVE, CHECKPOINT, DriverNotes, JOURNAL, LATEST, LEASE, ORDER, STATE};
use crate::record::Records;

/// Bytes of journal that make a checkpoint worth its while; twice the last checkpoint, if that is more.
const JOURNAL_BYTES: u64 = 32 << 20;

/// What becomes of URLs that were out when the process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leases {
    /// They wait again, as if they had never been handed out: nobody else fetches for this session.
    Undone,
    /// They are out until they are settled, or their time has run out: others fetch, and live on.
    Kept,
}

/// What to do if the store is older than the crawl was: a part of it was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing is opened.
    Refused,
    /// What is left is gone on with.
    Accepted,
}

/// What a session is made of.
pub struct SessionParts {
    /// What waits, and the records.
    pub frontier: DiskFrontier,
    /// Who decides.
    pub policy: AnyPolicy,
    /// Where checkpoints are kept.
    pub checkpoints: Box<dyn CheckpointStore>,
    /// How long a URL may be out.
    pub lease: Span,
    /// What becomes of those that were.
    pub leases: Leases,
    /// What to do if something was lost.
    pub loss: Loss,
    /// The first step whose events were not heard: they are told again ([`Session::take_events`]).
    pub events_from: u64,
}

/// A crawl without its network.
pub struct Session {
    pub(crate) engine: Engine<DiskFrontier, Vec<Event>>,
    pub(crate) checkpoints: Box<dyn CheckpointStore>,
    /// Steps so far.
    pub(crate) steps: u64,
    pub(crate) journal: StepJournal,
    /// Bytes of the journal since the last checkpoint.
    pub(crate) journal_bytes: u64,
    /// Bytes of the last checkpoint.
    pub(crate) checkpoint_bytes: u64,
    /// The latest time that was told.
    pub(crate) latest: Time,
    /// Leases and what their ends must know.
    pub(crate) open: FxHashMap<LeaseId, OpenLease>,
    /// The order of the next record.
    pub(crate) order: u64,
    pub(crate) loss: Loss,
    pub(crate) has_lost: bool,
    pub(crate) events_from: u64,
    /// Whether URLs are handed out to those who ask for several.
    pub(crate) is_active: bool,
    meters: Meters,
}

impl Session {
    /// Begins a session, or resumes the one that is in the frontier.
    ///
    /// # Errors
    /// If what is there cannot be read, or is of another version.
    pub fn open(parts: SessionParts) -> Result<Self, Error> {
        let SessionParts { frontier, policy, checkpoints, lease, leases, loss, events_from } = parts;
        let limits = Limits { budget: Budget::Unlimited, buffer: None, lease };
        let mut session = Self {
            engine: Engine::new(frontier, policy, limits, Vec::new()),
            checkpoints,
            steps: 0,
            journal: StepJournal::default(),
            journal_bytes: 0,
            checkpoint_bytes: 0,
            latest: Time(0),
            open: FxHashMap::default(),
            order: 0,
            loss,
            has_lost: false,
            events_from,
            is_active: true,
            meters: Meters::new(),
        };
        session.check_version()?;
        session.resume()?;
        session.order = notes::get(session.frontier(), STATE, ORDER)?.unwrap_or(0);
        session.is_active = notes::get(session.frontier(), STATE, ACTIVE)?.unwrap_or(true);
        if leases == Leases::Undone {
            session.undo_leases()?;
        }
        // The numbers of lost steps are not used again: the journal begins anew.
        if session.has_lost { session.checkpoint() } else { session.commit() }?;
        Ok(session)
    }

    /// Everything that waits, to be read.
    #[must_use]
    pub fn frontier(&self) -> &DiskFrontier {
        self.engine.frontier()
    }

    /// The records of all URLs.
    #[must_use]
    pub fn records(&self) -> Records<'_> {
        Records(self.engine.frontier())
    }

    /// The text of a URL.
    ///
    /// # Errors
    /// If it cannot be read, or there is no such number.
    pub fn url(&self, key: UrlId) -> Result<String, Error> {
        self.records().url(key)
    }

    /// Visits a day that the policy expects of a URL.
    #[must_use]
    pub fn estimate(&self, key: UrlId) -> f64 {
        self.engine.policy().estimate(key)
    }

    /// Whether the policy reads the words of pages.
    #[must_use]
    pub fn reads_text(&self) -> bool {
        self.engine.reads_text()
    }

    /// Whether the policy reads the words of links.
    #[must_use]
    pub fn reads_anchors(&self) -> bool {
        self.engine.reads_anchors()
    }

    /// The latest time that was told: an earlier one counts as this.
    #[must_use]
    pub fn latest(&self) -> Time {
        self.latest
    }

    /// What happened since this was last asked, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(self.engine.log_mut())
    }

    /// All that the engine knows: equal sessions have equal bytes.
    #[must_use]
    pub fn engine_state(&self) -> Vec<u8> {
        self.engine.save()
    }

    /// Notes of whoever drives the session, in the same batch as all else.
    pub fn driver_notes(&mut self) -> DriverNotes<'_> {
        DriverNotes(self.engine.frontier_mut())
    }

    /// The number of a URL, which is new if the URL is; it is not offered by that.
    ///
    /// # Errors
    /// If it is too long.
    pub fn number(&mut self, url: &str) -> Result<UrlId, Error> {
        Ok(self.engine.frontier_mut().number(url)?)
    }

    /// The queue of this name, which is new if the name is.
    ///
    /// # Errors
    /// If it is too long.
    pub fn queue(&mut self, name: &str) -> Result<QueueId, Error> {
        Ok(self.engine.frontier_mut().queue(name)?)
    }

    /// Says how fast a queue may be asked.
    pub fn set_pace(&mut self, queue: QueueId, pace: Pace) {
        self.engine.frontier_mut().set_pace(queue, pace);
    }

    /// Hands out no URL of a queue before this time.
    pub fn hold(&mut self, queue: QueueId, until: Time) {
        self.engine.frontier_mut().hold(queue, until);
    }

    /// Passes a queue over until a time, or until it is [brought back](Self::bring_back): whoever asks has no use for it just now. Unlike
    /// [holding](Self::hold) it, that is not written down.
    pub fn set_aside(&mut self, queue: QueueId, until: Time) {
        self.engine.frontier_mut().set_aside(queue, until);
    }

    /// A queue that was [set aside](Self::set_aside) may be asked again.
    pub fn bring_back(&mut self, queue: QueueId) {
        self.engine.frontier_mut().bring_back(queue);
    }

    /// The queue whose turn it is, if one is due: the next hand-out is from it.
    pub fn due_queue(&mut self, now: Time) -> Option<QueueId> {
        let now = self.at(now);
        match self.engine.frontier_mut().due_queue(now) {
            Due::Queue(queue) => Some(queue),
            Due::At(_) | Due::Empty => None,
        }
    }

    /// Lets go what is held, or deferred, for ever: for a larger budget.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn release_for_ever(&mut self) -> Result<(), Error> {
        Ok(self.engine.frontier_mut().release_for_ever()?)
    }

    /// Makes all calls so far survive the end of this process, together.
    ///
    /// # Errors
    /// If the store fails. Nothing more can be written then; open the session again.
    pub fn commit(&mut self) -> Result<(), Error> {
        self.write_facts()?;
        Ok(self.engine.frontier_mut().commit()?)
    }

    /// Makes all calls so far survive a loss of power, together.
    ///
    /// # Errors
    /// If the store fails. Nothing more can be written then; open the session again.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.write_facts()?;
        self.engine.frontier_mut().sync()?;
        self.write_mark()
    }

    /// Whether steps were lost, and what is left was gone on with.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.has_lost
    }

    /// The number of the next step.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Says outside the store how far it must go, so that a store that lost its end is known.
    fn write_mark(&mut self) -> Result<(), Error> {
        let mark = checkpoint::mark(self.steps);
        let written = self.checkpoints.write(checkpoint::MARK, &[&mark]);
        written.map_err(|why| Error::File { path: self.checkpoints.path(checkpoint::MARK), doing: "written", why })
    }

    /// Writes a checkpoint if replaying the journal would take longer than reading one; whether it did.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn checkpoint_if_due(&mut self) -> Result<bool, Error> {
        let is_due = self.journal_bytes > JOURNAL_BYTES.max(2 * self.checkpoint_bytes);
        if is_due {
            self.checkpoint()?;
        }
        Ok(is_due)
    }

    /// Writes the state of the engine as a whole, and begins the journal anew. Everything so far survives a loss of power.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn checkpoint(&mut self) -> Result<(), Error> {
        let engine = self.engine.save();
        checkpoint::write(&mut *self.checkpoints, self.steps, &engine)?;
        let steps = self.steps;
        let frontier = self.engine.frontier_mut();
        for block in self.journal.begin_anew(steps) {
            frontier.forget_note(JOURNAL, &block.to_be_bytes())?;
        }
        notes::put(frontier, STATE, CHECKPOINT, &steps)?;
        self.sync()?;
        (self.journal_bytes, self.checkpoint_bytes) = (0, engine.len() as u64);
        // No step that could be told again names one of them.
        self.engine.frontier_mut().free_removed()?;
        self.meters.checkpointed(engine.len());
        // One too many is no harm, and goes with the next.
        drop(self.checkpoints.keep_only(&checkpoint::name(steps)));
        Ok(())
    }

    /// The state of the engine at a step.
    pub(crate) fn read_checkpoint(&self, step: u64) -> Result<Vec<u8>, Error> {
        checkpoint::read(&*self.checkpoints, step)
    }

    /// Time never goes back.
    pub(crate) fn at(&mut self, now: Time) -> Time {
        self.latest = self.latest.max(now);
        let latest = self.latest;
        self.engine.frontier_mut().tell_time(latest);
        latest
    }

    /// The one place where steps are written.
    pub(crate) fn write_step(&mut self, step: Step) -> Result<(), Error> {
        let step = TimedStep { at: self.latest, step };
        let bytes = self.journal.write(&step)?;
        self.steps += 1;
        self.journal_bytes += bytes as u64;
        self.meters.wrote(&step.step, bytes);
        if self.journal.is_long() { self.write_block() } else { Ok(()) }
    }

    /// Puts the steps since the last block into the batch.
    fn write_block(&mut self) -> Result<(), Error> {
        let Some((from, block)) = self.journal.take_block(self.steps) else { return Ok(()) };
        Ok(self.engine.frontier_mut().note(JOURNAL, &from.to_be_bytes(), &block)?)
    }

    /// Writes what a swap did on the way.
    pub(crate) fn write_swap_work(&mut self) -> Result<(), Error> {
        match self.engine.take_swap_work() {
            work if work.is_empty() => Ok(()),
            work => self.write_step(Step::Swapped { work }),
        }
    }

    pub(crate) fn lease_ended(&mut self, lease: LeaseId) -> Result<(), Error> {
        if self.open.remove(&lease).is_some_and(|lease| lease.explored.is_some()) {
            self.engine.frontier_mut().forget_note(LEASE, &lease_key(lease))?;
        }
        Ok(())
    }

    fn write_facts(&mut self) -> Result<(), Error> {
        self.write_block()?;
        let (latest, order) = (self.latest, self.order);
        notes::put(self.engine.frontier_mut(), STATE, LATEST, &latest)?;
        notes::put(self.engine.frontier_mut(), STATE, ORDER, &order)
    }
}
