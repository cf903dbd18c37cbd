//! What do others ask of a session? The calls of a service, which hears of URLs by their text.
//!
//! Several crawls are several sessions, each in a folder of its own: a URL is one URL within a crawl, a model is of a crawl, and
//! deleting a crawl is deleting a folder. A prefix of queue names would have to be one of URLs, too, and every text would carry it.

use trodden_frontier::{Frontier, QueueId, Span, Time, UrlId, UrlState};
use trodden_ordering::{Change, Known, Task, Updated};

use crate::answer::Answer;
use crate::error::Error;
use crate::journal::{Step, StepOutcome};
use crate::notes::{self, ACTIVE, RECORD, SOURCE, STATE, TRIES};
use crate::session::Session;

/// URLs that are looked at together.
const PORTION: usize = 4_096;

/// Who wants how many URLs, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct LeaseRequest {
    /// Only of this queue; none: of those that are due, in the order of their turns.
    pub queue: Option<QueueId>,
    /// Of so many queues at most.
    pub queues: usize,
    /// A queue that has so many out is passed over, and none gets more.
    pub urls_per_queue: u32,
    /// How long they may be out.
    pub span: Span,
}

/// When a URL is fetched next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recall {
    /// It is done.
    Never,
    /// From this time on.
    From(Time),
}

/// A URL of a queue, and what it is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedUrl {
    /// Its number: the next page of a list begins behind the last.
    pub key: UrlId,
    /// Its text.
    pub url: String,
    /// What it is doing.
    pub state: UrlState,
    /// When it was first seen.
    pub created: Time,
}

impl Session {
    /// The number of a URL that is known; nothing is made.
    #[must_use]
    pub fn find(&self, url: &str) -> Option<UrlId> {
        self.frontier().find(url).filter(|key| self.frontier().knows(*key))
    }

    /// Hands out several URLs at once. Whether a queue is blocked, at its limit, within its delay or has too many out is decided
    /// once, together with the hand-out, and its delay counts from now; a queue that has nothing to give keeps its turn and its clock.
    ///
    /// # Errors
    /// If the store fails.
    pub fn lease(&mut self, request: &LeaseRequest, now: Time) -> Result<Vec<Task>, Error> {
        let now = self.at(now);
        let (most, frontier) = (request.urls_per_queue, self.engine.frontier_mut());
        let wanted = if request.queue.is_none() && self.is_active { request.queues } else { 0 };
        let mut queues = frontier.due_queues(wanted, most, now);
        for lease in self.engine.frontier_mut().take_ended() {
            self.undo_lease(lease)?;
        }
        if let Some(queue) = request.queue.filter(|_| self.is_active) {
            queues.extend(self.engine.frontier_mut().is_due(queue, most, now).then_some(queue));
        }
        let mut tasks = Vec::new();
        for queue in queues {
            let before = tasks.len();
            while self.frontier().counts(queue).out < u64::from(most) {
                let task = self.engine.lease(queue, request.span, now)?;
                self.write_swap_work()?;
                let Some(task) = task else { break };
                self.handed_out(&task)?;
                tasks.push(task);
            }
            if tasks.len() > before {
                self.engine.frontier_mut().pause(queue, now);
            }
        }
        Ok(tasks)
    }

    /// Says when a URL is fetched next, whether it is new, waits, is out or is done; a lease on it ends. With an answer, its record
    /// is written and the policy learns from it.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn update(
        &mut self,
        url: &str,
        queue: &str,
        recall: Recall,
        answer: Option<&Answer<'_>>,
        now: Time,
    ) -> Result<Updated, Error> {
        let now = self.at(now);
        let (key, queue) = (self.number(url)?, self.queue(queue)?);
        let lease = self.frontier().lease_of(key);
        let before = if answer.is_some() { self.records().record(key)? } else { None };
        let change = |answer: &Answer<'_>| {
            before.as_ref().map_or(Change::First, |before| before.change(answer.kind, answer.digest))
        };
        let outcome = answer.map(|answer| self.outcome(answer, change(answer)));
        let from = match recall {
            Recall::Never => None,
            Recall::From(time) => Some(time),
        };
        let updated = self.engine.update(queue, &Known::seed(key, url), outcome.as_ref(), from, now)?;
        if let Some(lease) = lease {
            self.lease_ended(lease)?;
        }
        let outcome = outcome.as_ref().map(StepOutcome::of);
        self.write_step(Step::Updated { key, outcome, is_new: updated.is_new })?;
        if let Some(answer) = answer {
            self.write_record(key, queue, answer, before.as_ref(), change(answer), now)?;
        }
        Ok(updated)
    }

    /// Forgets a URL, with its record; false if it is not known. It is new when it is next met, and its number is another's after
    /// the next checkpoint.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn remove(&mut self, key: UrlId, now: Time) -> Result<bool, Error> {
        self.at(now);
        let lease = self.frontier().lease_of(key);
        if !self.engine.remove(key)? {
            return Ok(false);
        }
        if let Some(lease) = lease {
            self.lease_ended(lease)?;
        }
        for kind in [RECORD, SOURCE, TRIES] {
            self.engine.frontier_mut().forget_note(kind, &key.to_be_bytes())?;
        }
        self.write_step(Step::Removed { key })?;
        Ok(true)
    }

    /// Forgets all URLs of a queue; how many. Its pace and limits stay.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn remove_queue(&mut self, queue: QueueId, now: Time) -> Result<u64, Error> {
        self.remove_of(queue, now, |_, _| Ok(true))
    }

    /// Forgets the URLs of a queue that were made before a date; how many.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn purge(&mut self, queue: QueueId, made_before: Time, now: Time) -> Result<u64, Error> {
        let is_old = |session: &Self, key| {
            let created = session.frontier().created(key)?;
            Ok(created.is_some_and(|created| created < made_before))
        };
        self.remove_of(queue, now, is_old)
    }

    fn remove_of(
        &mut self,
        queue: QueueId,
        now: Time,
        goes: impl Fn(&Self, UrlId) -> Result<bool, Error>,
    ) -> Result<u64, Error> {
        let (mut removed, mut from) = (0, UrlId(0));
        loop {
            let keys = self.frontier().list(queue, from, PORTION);
            let Some(last) = keys.last() else { return Ok(removed) };
            from = UrlId(last.0 + 1);
            for key in keys {
                if goes(self, key)? {
                    removed += u64::from(self.remove(key, now)?);
                }
            }
        }
    }

    /// URLs of a queue from a number on, by number, at most so many.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list(&self, queue: QueueId, from: UrlId, most: usize) -> Result<Vec<ListedUrl>, Error> {
        let frontier = self.frontier();
        let mut listed = Vec::new();
        for key in frontier.list(queue, from, most) {
            if let (Some(state), Some(created)) = (frontier.state(key)?, frontier.created(key)?) {
                listed.push(ListedUrl { key, url: self.url(key)?, state, created });
            }
        }
        Ok(listed)
    }

    /// Hands out no URL of a queue before this time, whatever was said before; a time that is past ends the pause.
    pub fn block(&mut self, queue: QueueId, until: Time) {
        self.engine.frontier_mut().block(queue, until);
    }

    /// Hands out no URL of a queue of which so many are done; none: whatever their number.
    pub fn set_done_limit(&mut self, queue: QueueId, limit: Option<u64>) {
        self.engine.frontier_mut().set_done_limit(queue, limit);
    }

    /// Whether [`lease`](Self::lease) hands out anything.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.is_active
    }

    /// Says whether [`lease`](Self::lease) hands out anything. URLs are taken in whatever it says.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn set_active(&mut self, is_active: bool) -> Result<(), Error> {
        self.is_active = is_active;
        notes::put(self.engine.frontier_mut(), STATE, ACTIVE, &is_active)
    }
}
