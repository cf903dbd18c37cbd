//! What came back, and what becomes of it?

use trodden_frontier::{QueueId, Span, Time, UrlId};
use trodden_ordering::PageText;
use trodden_session::{Answer as SessionAnswer, FoundLink, Settled, UrlRecord, UrlSource};

use super::archive::Provenance;
use super::fetch_task::{FetchTask, Fetched};
use super::notes::{DEFERRED, STATE};
use super::prepare::Prepared;
use super::trouble::TroubleCause;
use super::{Crawl, Error};
use crate::client::{Exchange, HttpAnswer};
use crate::outcome::{LONGEST, OutcomeKind, Stops, of_fault, retry};
use crate::robots_tag::{PageUse, RobotsTag};

impl Crawl {
    /// Makes something of what came back.
    pub(super) fn apply(&mut self, fetched: Fetched) -> Result<(), Error> {
        let Fetched { fetch, robots, exchange, prepared } = fetched;
        let (now, pages) = (self.now(), self.tally.pages());
        self.leaves_place(fetch.is_prompt);
        let mut asked = None;
        if let Some(robots) = robots {
            asked = robots.retry_after;
            self.apply_robots(&fetch, robots, now)?;
        }
        // The host may have been forgotten while it was asked, and the delay that it asks for with it.
        let delay = self.robots_of(&fetch.origin)?.and_then(|robots| robots.access.crawl_delay());
        let longest = self.settings.longest_crawl_delay();
        self.pacer(fetch.task.queue).asked(delay, longest);
        match exchange {
            Some(exchange) => self.apply_exchange(&fetch, &exchange, prepared, now)?,
            None => {
                // Its robots.txt was asked for, and nothing else.
                self.charge_delay(fetch.task.queue);
                self.apply_refusal(&fetch, asked, now)?;
            }
        }
        self.came_back(&fetch, self.tally.pages() > pages);
        self.settled_one()
    }

    fn apply_exchange(
        &mut self,
        fetch: &FetchTask,
        exchange: &Exchange,
        prepared: Option<Prepared>,
        now: Time,
    ) -> Result<(), Error> {
        let queue = fetch.task.queue;
        self.learn_address(queue, exchange, now);
        let answer = match &exchange.answer {
            Ok(answer) => answer,
            Err(fault) => {
                self.charge_delay(queue);
                return self.failed(fetch, of_fault(fault), None, Some(exchange), now);
            }
        };
        self.tally.bytes += answer.body.len() as u64;
        self.tally.answers += 1;
        let kind = OutcomeKind::of_status(answer.status);
        match kind {
            OutcomeKind::TooMany | OutcomeKind::Unavailable => self.pacer(queue).back_off(),
            _ => {
                let took = exchange.took.first_byte.unwrap_or(exchange.took.whole);
                self.answered(queue, Span(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)));
            }
        }
        self.charge_delay(queue);
        if retry(kind).tries > 1 {
            let asked = retry_after(answer, super::wall_clock());
            return self.failed(fetch, kind, asked, Some(exchange), now);
        }
        if let Some(listing) = self.listings.get(&fetch.task.key).copied() {
            return self.apply_listing(fetch, listing, exchange, answer, now);
        }
        let prepared = prepared.unwrap_or_else(|| self.preparer.prepare_here(fetch, answer));
        self.settle(fetch, exchange, answer, prepared, now)
    }

    /// It did not work: it is tried again later, or given up.
    pub(super) fn failed(
        &mut self,
        fetch: &FetchTask,
        kind: OutcomeKind,
        asked: Option<Span>,
        exchange: Option<&Exchange>,
        now: Time,
    ) -> Result<(), Error> {
        let (key, queue) = (fetch.task.key, fetch.task.queue);
        let tries = self.session.count_try(key)?;
        let table = retry(kind);
        self.note_trouble(fetch, kind, TroubleCause::of(exchange));
        if let Some(wait) = table.after(tries, asked) {
            self.session.defer(&fetch.task, now + wait, now)?;
            if table.stops == Stops::Site {
                self.session.hold(queue, now + wait);
            }
            *self.tally.put_off.entry(kind).or_default() += 1;
            self.meters.deferred(kind);
            tracing::debug!(name: "crawl.fetch.deferred", url = fetch.url, outcome = kind.name(), tries, wait_ms = wait.0);
            return Ok(self.session.driver_notes().put(STATE, DEFERRED, &self.tally.put_off)?);
        }
        if let (Stops::Site, Some(asked)) = (table.stops, asked) {
            // It was the last try of this one; others are not asked for sooner for that.
            self.session.hold(queue, now + asked.min(LONGEST));
        }
        let mut archived = None;
        if let Some(exchange) = exchange {
            archived = self.archive_answer(&fetch.url, exchange, &Provenance::default(), None)?.place;
        }
        if self.listings.contains_key(&key) {
            return self.refused(fetch, kind, now);
        }
        let answer = SessionAnswer { archived, ..session_answer(kind, exchange, &RobotsTag::default()) };
        let settled = self.session.settle(&fetch.task, &fetch.url, &answer, &[], &UrlSource::default(), now)?;
        self.settled(fetch, &settled, exchange);
        Ok(())
    }

    /// It is done with: found links are offered, the answer is kept.
    fn settle(
        &mut self,
        fetch: &FetchTask,
        exchange: &Exchange,
        answer: &HttpAnswer,
        prepared: Prepared,
        now: Time,
    ) -> Result<(), Error> {
        let (key, source) = (fetch.task.key, fetch.source);
        let Prepared { reading, digest, records, .. } = prepared;
        let tag = reading.tag.clone();
        match (reading.kind, &reading.led_away) {
            (kind, Some(to)) => self.note_trouble(fetch, kind, TroubleCause::LedTo(to.clone())),
            (OutcomeKind::NotWanted, _) => {
                self.note_trouble(fetch, OutcomeKind::NotWanted, TroubleCause::media_type(answer));
            }
            _ => {}
        }
        let mut archived = None;
        if !tag.refuses(PageUse::Archive) {
            let via = fetch.via.as_deref();
            let provenance = Provenance { via, hops: Some(source.depth.into()), before: None };
            archived = self.archive_answer(&fetch.url, exchange, &provenance, records.as_ref())?.place;
        }
        self.tally.beyond += reading.leads.beyond;
        let leads = self.without_forbidden(reading.leads.leads, now)?;
        let deeper = UrlSource {
            from: Some(key),
            // Who is sent elsewhere has followed no link.
            depth: source.depth.saturating_add(u16::from(!reading.is_redirect)),
            redirects: if reading.is_redirect { source.redirects + 1 } else { 0 },
        };
        if reading.is_redirect && self.seeds.contains(&key) {
            for lead in &leads {
                let to = self.session.number(&lead.url)?;
                self.seeds.insert(to);
            }
        }
        let links: Vec<FoundLink<'_>> =
            leads.iter().map(|lead| FoundLink { url: &lead.url, queue: &lead.queue, anchor: &lead.anchor }).collect();
        let text = reading.words.as_ref().map(|words| PageText { title: &words.title, body: &words.body });
        let answer = SessionAnswer { archived, digest, text, ..session_answer(reading.kind, Some(exchange), &tag) };
        let settled = self.session.settle(&fetch.task, &fetch.url, &answer, &links, &deeper, now)?;
        self.tally.known += settled.new_links;
        self.pace_new_queues();
        for feed in &reading.feeds {
            self.add_listing(feed, super::ListingKind::Feed, 0, now)?;
        }
        self.settled(fetch, &settled, Some(exchange));
        Ok(())
    }

    /// Writes what came of a URL from which nothing is learnt.
    pub(super) fn record_outcome(
        &mut self,
        fetch: &FetchTask,
        kind: OutcomeKind,
        exchange: Option<&Exchange>,
        now: Time,
    ) -> Result<(), Error> {
        let answer = session_answer(kind, exchange, &RobotsTag::default());
        let recorded = self.session.record(fetch.task.key, fetch.task.queue, false, &answer, now)?;
        self.settled(fetch, &recorded, exchange);
        Ok(())
    }

    /// Something came of a URL: it is counted.
    fn settled(&mut self, fetch: &FetchTask, settled: &Settled, exchange: Option<&Exchange>) {
        let kind = settled.record.kind;
        self.count(fetch.task.key, settled);
        self.events.note(fetch.task.key, &fetch.url, &settled.record);
        let UrlRecord { status, bytes, took_ms, .. } = settled.record;
        tracing::debug!(name: "crawl.fetch.settled", url = fetch.url, outcome = kind.name(), status, bytes, took_ms);
        if !kind.is_success() {
            self.note_trouble(fetch, kind, TroubleCause::of(exchange));
        }
    }

    /// Counts a URL; one that was settled before counts once.
    pub(super) fn count(&mut self, key: UrlId, settled: &Settled) {
        if let Some(before) = &settled.before {
            self.tally.remove(key, before, &self.traffic);
        }
        self.tally.add(key, &settled.record, &self.traffic);
        self.meters.settled(&settled.record);
        if self.settings.budget.pages_per_site.is_some() {
            let is_page = |record: &UrlRecord| u64::from(record.kind.is_page());
            let pages = self.by_site.entry(QueueId(settled.record.queue)).or_default();
            *pages = (*pages + is_page(&settled.record)).saturating_sub(settled.before.as_ref().map_or(0, is_page));
        }
    }
}

/// What the session is told of an exchange.
fn session_answer<'a>(kind: OutcomeKind, exchange: Option<&Exchange>, tag: &RobotsTag) -> SessionAnswer<'a> {
    let answer = exchange.and_then(|exchange| exchange.answer.as_ref().ok());
    let validators = answer.and_then(HttpAnswer::validators).unwrap_or_default();
    SessionAnswer {
        status: answer.map_or(0, |answer| answer.status),
        bytes: answer.map_or(0, |answer| answer.body.len() as u64),
        media_type: answer.and_then(HttpAnswer::media_type),
        took_ms: exchange.map_or(0, |it| u32::try_from(it.took.whole.as_millis()).unwrap_or(u32::MAX)),
        etag: validators.etag,
        last_modified: validators.last_modified,
        is_noindex: tag.refuses(PageUse::Index),
        ..SessionAnswer::of(kind)
    }
}

/// `Retry-After`, in seconds or as a date.
pub(super) fn retry_after(answer: &HttpAnswer, now: Time) -> Option<Span> {
    let value = answer.header("Retry-After")?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Span::seconds(seconds.min(u64::from(u32::MAX))));
    }
    let date = httpdate::parse_http_date(value).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Span(u64::try_from(date.as_millis()).ok()?.saturating_sub(now.0)))
}
