//! The calls by which a crawl goes on: each does something to the engine, and writes down that it did.

use trodden_frontier::{Frontier, Offered, QueueId, Time, UrlId};
use trodden_ordering::{Change, Found, ListTurn, Next, Outcome, OutcomeKind, Task};

use crate::answer::{Answer, FoundLink, Settled};
use crate::error::Error;
use crate::journal::{OpenLease, Step, StepLink, StepOutcome, lease_key};
use crate::notes::{self, LEASE, RECORD, SOURCE, TRIES};
use crate::record::{MAX_MEDIA_TYPE, UrlRecord, UrlSource};
use crate::session::Session;

impl Session {
    /// Offers a URL to start from; its number if it is new.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn seed(&mut self, url: &str, queue: &str, now: Time) -> Result<Option<UrlId>, Error> {
        let now = self.at(now);
        let (key, queue) = (self.number(url)?, self.queue(queue)?);
        if self.engine.seed(queue, key, url, now)? == Offered::Known {
            return Ok(None);
        }
        self.write_step(Step::Seeded { key })?;
        Ok(Some(key))
    }

    /// Offers a URL that is no page but leads to some; its number if it is new. The engine learns nothing by it.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn offer_list(&mut self, url: &str, queue: &str, turn: ListTurn, now: Time) -> Result<Option<UrlId>, Error> {
        let now = self.at(now);
        let (key, queue) = (self.number(url)?, self.queue(queue)?);
        let offered = self.engine.offer_list(queue, key, turn, now)?;
        Ok((offered == Offered::New).then_some(key))
    }

    /// Lets a URL that is done be fetched again from a time on, in its queue; false if it is not done.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn revive(&mut self, key: UrlId, from: Time, now: Time) -> Result<bool, Error> {
        let now = self.at(now);
        let Some(queue) = self.frontier().queue_of(key) else { return Ok(false) };
        let url = self.url(key)?;
        let is_revived = self.engine.revive(queue, key, &url, from, now)?;
        if is_revived {
            self.write_step(Step::Revived { key })?;
        }
        Ok(is_revived)
    }

    /// Says where a URL comes from.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn set_source(&mut self, key: UrlId, source: &UrlSource) -> Result<(), Error> {
        notes::put(self.engine.frontier_mut(), SOURCE, &key.to_be_bytes(), source)
    }

    /// What to do next.
    ///
    /// # Errors
    /// If the store fails.
    pub fn next(&mut self, now: Time) -> Result<Next, Error> {
        let now = self.at(now);
        let next = self.engine.next(now)?;
        for lease in self.engine.frontier_mut().take_ended() {
            self.undo_lease(lease)?;
        }
        self.write_swap_work()?;
        if let Next::Fetch(task) = &next {
            self.handed_out(task)?;
        }
        Ok(next)
    }

    /// Writes that a URL is out.
    pub(crate) fn handed_out(&mut self, task: &Task) -> Result<(), Error> {
        let lease = OpenLease { queue: task.queue, explored: task.explored, has_record: None };
        // Of others the frontier knows all that there is to know.
        if let Some(lane) = task.explored {
            notes::put(self.engine.frontier_mut(), LEASE, &lease_key(task.lease), &lane)?;
        }
        self.open.insert(task.lease, lease);
        self.write_step(Step::HandedOut { key: task.key, queue: task.queue, explored: task.explored })
    }

    /// What came of the URL of a task when it was last settled. Settling the task asks the store only if there was something.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn record_before(&mut self, task: &Task) -> Result<Option<UrlRecord>, Error> {
        let before = self.records().record(task.key)?;
        if let Some(lease) = self.open.get_mut(&task.lease) {
            lease.has_record = Some(before.is_some());
        }
        Ok(before)
    }

    /// Says that a task cannot be done before a time.
    ///
    /// # Errors
    /// If its lease has run out, or it cannot be stored.
    pub fn defer(&mut self, task: &Task, until: Time, now: Time) -> Result<(), Error> {
        let now = self.at(now);
        let is_old = self.engine.defer(task, until, now)?;
        self.lease_ended(task.lease)?;
        self.write_step(Step::Deferred { key: task.key, is_old })
    }

    /// Says that a task will never be done, and that there is nothing to learn from it.
    ///
    /// # Errors
    /// If its lease has run out, or it cannot be stored.
    pub fn refuse(&mut self, task: &Task, now: Time) -> Result<(), Error> {
        let now = self.at(now);
        self.engine.refuse(task, now)?;
        self.lease_ended(task.lease)?;
        self.write_step(Step::Refused { key: task.key })
    }

    /// Says what came of a task: its record is written, the policy learns from it, its links are offered with this source.
    ///
    /// # Errors
    /// If its lease has run out, or it cannot be stored.
    pub fn settle(
        &mut self,
        task: &Task,
        url: &str,
        answer: &Answer<'_>,
        links: &[FoundLink<'_>],
        source: &UrlSource,
        now: Time,
    ) -> Result<Settled, Error> {
        let now = self.at(now);
        let before = match self.open.get(&task.lease).and_then(|lease| lease.has_record) {
            Some(false) => None,
            Some(true) | None => self.records().record(task.key)?,
        };
        let change = before.as_ref().map_or(Change::First, |before| before.change(answer.kind, answer.digest));
        let outcome = self.outcome(answer, change);
        let mut found = self.found(task.key, links)?;
        self.engine.settle(task, url, &outcome, &mut found, now)?;
        self.lease_ended(task.lease)?;
        let reads_anchors = self.engine.reads_text() || self.engine.reads_anchors();
        let anchor = |link: &Found<'_>| if reads_anchors { link.anchor.to_owned() } else { String::new() };
        let steps = found.iter().map(|link| StepLink {
            key: link.key,
            queue: link.queue,
            is_new: link.is_new,
            anchor: anchor(link),
        });
        let steps: Vec<StepLink> = steps.collect();
        let new_links = steps.iter().filter(|link| link.is_new).count() as u64;
        for link in steps.iter().filter(|link| link.is_new) {
            self.set_source(link.key, source)?;
        }
        let outcome = StepOutcome::of(&outcome);
        self.write_step(Step::Settled { key: task.key, outcome, links: steps })?;
        let record = self.write_record(task.key, task.queue, answer, before.as_ref(), change, now)?;
        Ok(Settled { record, before, change, new_links })
    }

    /// Writes what came of a URL that nobody is asked for by this: it was refused, or is a list of URLs. One that has just got its number has
    /// no record, and none is looked for.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn record(
        &mut self,
        key: UrlId,
        queue: QueueId,
        is_new: bool,
        answer: &Answer<'_>,
        now: Time,
    ) -> Result<Settled, Error> {
        let now = self.at(now);
        let before = if is_new { None } else { self.records().record(key)? };
        let change = before.as_ref().map_or(Change::First, |before| before.change(answer.kind, answer.digest));
        let record = self.write_record(key, queue, answer, before.as_ref(), change, now)?;
        Ok(Settled { record, before, change, new_links: 0 })
    }

    /// Counts a try in vain; how many there were.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn count_try(&mut self, key: UrlId) -> Result<u8, Error> {
        let tries = notes::get::<u8>(self.frontier(), TRIES, &key.to_be_bytes())?.unwrap_or(0).saturating_add(1);
        notes::put(self.engine.frontier_mut(), TRIES, &key.to_be_bytes(), &tries)?;
        Ok(tries)
    }

    /// An answer as the policy sees it.
    pub(crate) fn outcome<'a>(&self, answer: &Answer<'a>, change: Change) -> Outcome<'a> {
        Outcome {
            kind: answer.kind,
            change,
            bytes: answer.bytes,
            has_validators: answer.etag.is_some() || answer.last_modified.is_some(),
            text: answer.text.filter(|_| self.engine.reads_text()),
        }
    }

    /// Links as the engine knows them.
    fn found<'a>(&mut self, page: UrlId, links: &[FoundLink<'a>]) -> Result<Vec<Found<'a>>, Error> {
        let mut found = Vec::with_capacity(links.len());
        // Most links of a page stay at its host.
        let mut last: Option<(&str, QueueId)> = None;
        for link in links {
            let key = self.number(link.url)?;
            let queue = match last {
                Some((name, queue)) if name == link.queue => queue,
                _ => self.queue(link.queue)?,
            };
            last = Some((link.queue, queue));
            if key != page {
                found.push(Found { key, queue, url: link.url, anchor: link.anchor, is_new: false });
            }
        }
        Ok(found)
    }

    pub(crate) fn write_record(
        &mut self,
        key: UrlId,
        queue: QueueId,
        answer: &Answer<'_>,
        before: Option<&UrlRecord>,
        change: Change,
        now: Time,
    ) -> Result<UrlRecord, Error> {
        let order = before.map_or(self.order, |before| before.order);
        self.order += u64::from(before.is_none());
        let is_same = answer.kind == OutcomeKind::NotModified;
        let kept = |new: &Option<String>, old: fn(&UrlRecord) -> &Option<String>| match before {
            Some(before) if is_same && new.is_none() => old(before).clone(),
            _ => new.clone(),
        };
        let record = UrlRecord {
            order,
            time_ms: now.0,
            kind: answer.kind,
            status: answer.status,
            bytes: answer.bytes,
            media_type: kept(&answer.media_type, |before| &before.media_type).map(shortened),
            took_ms: answer.took_ms,
            queue: queue.0,
            expected: self.engine.policy().estimate(key) as f32,
            etag: kept(&answer.etag, |before| &before.etag),
            last_modified: kept(&answer.last_modified, |before| &before.last_modified),
            is_noindex: answer.is_noindex,
            digest: answer.digest.or(before.filter(|_| is_same).and_then(|before| before.digest)),
            archived: answer.archived.clone(),
            fetches: before.map_or(0, |before| before.fetches) + 1,
            changes: before.map_or(0, |before| before.changes) + u32::from(change == Change::Changed),
        };
        notes::put(self.engine.frontier_mut(), RECORD, &key.to_be_bytes(), &record)?;
        Ok(record)
    }
}

/// As much of a media type as is kept.
fn shortened(mut media_type: String) -> String {
    let mut end = media_type.len().min(MAX_MEDIA_TYPE);
    while !media_type.is_char_boundary(end) {
        end -= 1;
    }
    media_type.truncate(end);
    media_type
}
