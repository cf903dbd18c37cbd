//! What came back, and what becomes of it?

use trodden_frontier::{Frontier, QueueId, Span, Time};
use trodden_ordering::{Found, Outcome, PageText};

use super::journal::{Linked, Step, Words};
use super::keep::Provenance;
use super::notes::{self, ABOUT, About, Fetched, OUTCOME, PUT_OFF, STATE, TRIES};
use super::trouble::TroubleCause;
use super::visit::{Errand, Returned};
use super::{Crawl, Error, now};
use crate::client::{Answer, Exchange};
use crate::outcome::{LONGEST, OutcomeKind, Stops, retry};
use crate::robots_tag::{PageUse, RobotsTag};

impl Crawl {
    /// Makes something of what came back.
    pub(super) fn absorb(&mut self, returned: Returned) -> Result<(), Error> {
        let Returned { errand, robots, exchange } = returned;
        let (now, pages) = (now(), self.tally.pages());
        let mut asked = None;
        if let Some(robots) = robots {
            asked = robots.retry_after;
            self.absorb_robots(&errand, robots, now)?;
        }
        match exchange {
            Some(exchange) => self.absorb_exchange(&errand, &exchange, now)?,
            None => {
                // Its robots.txt was asked for, and nothing else.
                self.charge_delay(errand.task.queue);
                self.absorb_refusal(&errand, asked, now)?;
            }
        }
        self.came_back(&errand, self.tally.pages() > pages);
        self.settled_one()
    }

    fn absorb_exchange(&mut self, errand: &Errand, exchange: &Exchange, now: Time) -> Result<(), Error> {
        let queue = errand.task.queue;
        self.learn_address(queue, exchange, now);
        let answer = match &exchange.answer {
            Ok(answer) => answer,
            Err(fault) => {
                self.charge_delay(queue);
                return self.failed(errand, OutcomeKind::of_fault(fault), None, Some(exchange), now);
            }
        };
        self.tally.bytes += answer.body.len() as u64;
        self.tally.answers += 1;
        let kind = OutcomeKind::of_status(answer.status);
        match kind {
            OutcomeKind::TooMany | OutcomeKind::Unavailable => self.pacer(queue).scolded(),
            _ => {
                let took = exchange.took.first_byte.unwrap_or(exchange.took.whole);
                self.pacer(queue).answered(Span(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)));
            }
        }
        self.charge_delay(queue);
        if retry(kind).tries > 1 {
            let asked = retry_after(answer, now);
            return self.failed(errand, kind, asked, Some(exchange), now);
        }
        if let Some(listing) = self.listings.get(&errand.task.key).copied() {
            return self.absorb_listing(errand, listing, exchange, answer, now);
        }
        self.settle(errand, exchange, answer, kind, now)
    }

    /// It did not work: it is tried again later, or given up.
    pub(super) fn failed(
        &mut self,
        errand: &Errand,
        kind: OutcomeKind,
        asked: Option<Span>,
        exchange: Option<&Exchange>,
        now: Time,
    ) -> Result<(), Error> {
        let (key, queue) = (errand.task.key, errand.task.queue);
        let tries = notes::get::<u8>(self.engine.frontier(), TRIES, &key.to_be_bytes())?.unwrap_or(0) + 1;
        let table = retry(kind);
        self.note_trouble(errand, kind, TroubleCause::of(exchange));
        if let Some(wait) = table.after(tries, asked) {
            notes::put(self.engine.frontier_mut(), TRIES, &key.to_be_bytes(), &tries)?;
            self.engine.defer(&errand.task, now + wait, now)?;
            if table.stops == Stops::Site {
                self.engine.frontier_mut().hold(queue, now + wait);
            }
            *self.tally.put_off.entry(kind).or_default() += 1;
            notes::put(self.engine.frontier_mut(), STATE, PUT_OFF, &self.tally.put_off)?;
            return self.note_step(&Step::GivenBack);
        }
        if let (Stops::Site, Some(asked)) = (table.stops, asked) {
            // It was the last try of this one; others are not asked for sooner for that.
            self.engine.frontier_mut().hold(queue, now + asked.min(LONGEST));
        }
        if let Some(exchange) = exchange {
            self.keep(&errand.url, exchange, &Provenance::default(), now)?;
        }
        if self.listings.contains_key(&key) {
            return self.refused(errand, kind, now);
        }
        self.engine.settle(&errand.task, &errand.url, &Outcome::NoPage, &mut [], now)?;
        self.note_step(&Step::Settled { key, page: None, links: Vec::new() })?;
        self.note_outcome(errand, kind, exchange, &RobotsTag::default(), now)
    }

    /// It is done with: found links are offered, the answer is kept.
    fn settle(
        &mut self,
        errand: &Errand,
        exchange: &Exchange,
        answer: &Answer,
        kind: OutcomeKind,
        now: Time,
    ) -> Result<(), Error> {
        let key = errand.task.key;
        let about = self.about(key)?;
        let reading = self.read(errand, answer, kind, about);
        let tag = reading.tag.clone();
        match (reading.kind, &reading.led_away) {
            (kind, Some(to)) => self.note_trouble(errand, kind, TroubleCause::LedTo(to.clone())),
            (OutcomeKind::NotWanted, _) => {
                self.note_trouble(errand, OutcomeKind::NotWanted, TroubleCause::media_type(answer));
            }
            _ => {}
        }
        if !tag.refuses(PageUse::Archive) {
            let from = about.from.map(|from| self.engine.frontier().url(from)).transpose()?.flatten();
            let provenance = Provenance { via: from.as_deref(), hops: Some(about.depth.into()), before: None };
            self.keep(&errand.url, exchange, &provenance, now)?;
        }
        self.tally.beyond += reading.leads.beyond;
        let leads = self.without_forbidden(reading.leads.leads, now)?;
        let deeper = About {
            from: Some(key),
            // Who is sent elsewhere has followed no link.
            depth: about.depth.saturating_add(u16::from(!reading.is_redirect)),
            redirects: if reading.is_redirect { about.redirects + 1 } else { 0 },
        };
        let mut found: Vec<Found<'_, u32>> = Vec::with_capacity(leads.len());
        let mut last: Option<(&str, QueueId)> = None;
        for lead in &leads {
            let frontier = self.engine.frontier_mut();
            let to = frontier.number(&lead.url)?;
            let queue = match last {
                Some((name, queue)) if *name == *lead.queue => queue,
                _ => frontier.queue(&lead.queue)?,
            };
            last = Some((&lead.queue, queue));
            if reading.is_redirect && self.seeds.contains(&key) {
                self.seeds.insert(to);
            }
            if to != key {
                found.push(Found { key: to, queue, url: &lead.url, anchor: &lead.anchor, is_new: false });
            }
        }
        let outcome = match &reading.words {
            Some(words) => Outcome::Page(Some(PageText { title: &words.title, body: &words.body })),
            None => Outcome::NoPage,
        };
        self.engine.settle(&errand.task, &errand.url, &outcome, &mut found, now)?;
        let reads_anchors = self.engine.reads_text() || self.engine.reads_anchors();
        let links: Vec<Linked> = found
            .iter()
            .map(|link| Linked {
                key: link.key,
                queue: link.queue,
                is_new: link.is_new,
                anchor: if reads_anchors { link.anchor.to_owned() } else { String::new() },
            })
            .collect();
        for link in links.iter().filter(|link| link.is_new) {
            self.tally.known += 1;
            self.pace_new_queues();
            notes::put(self.engine.frontier_mut(), ABOUT, &link.key.to_be_bytes(), &deeper)?;
        }
        let words = reading.words.map(|words| if self.engine.reads_text() { words } else { Words::default() });
        self.note_step(&Step::Settled { key, page: words, links })?;
        for feed in &reading.feeds {
            self.add_listing(feed, super::ListingKind::Feed, 0, now)?;
        }
        self.note_outcome(errand, reading.kind, Some(exchange), &tag, now)
    }

    /// Notes what came of a URL.
    pub(super) fn note_outcome(
        &mut self,
        errand: &Errand,
        kind: OutcomeKind,
        exchange: Option<&Exchange>,
        tag: &RobotsTag,
        now: Time,
    ) -> Result<(), Error> {
        let key = errand.task.key;
        let answer = exchange.and_then(|exchange| exchange.answer.as_ref().ok());
        let validators = answer.and_then(Answer::validators).unwrap_or_default();
        let fetched = Fetched {
            order: self.order,
            time_ms: now.0,
            kind,
            status: answer.map_or(0, |answer| answer.status),
            bytes: answer.map_or(0, |answer| answer.body.len() as u64),
            took_ms: exchange.map_or(0, |it| u32::try_from(it.took.whole.as_millis()).unwrap_or(u32::MAX)),
            queue: errand.task.queue.0,
            expected: self.engine.policy().estimate(key) as f32,
            etag: validators.etag,
            last_modified: validators.last_modified,
            is_noindex: tag.refuses(PageUse::Index),
        };
        self.order += 1;
        self.count(key, &fetched);
        if !kind.is_success() {
            self.note_trouble(errand, kind, TroubleCause::of(exchange));
        }
        notes::put(self.engine.frontier_mut(), OUTCOME, &key.to_be_bytes(), &fetched)?;
        Ok(())
    }

    /// Adds an outcome to the tally.
    pub(super) fn count(&mut self, key: u32, fetched: &Fetched) {
        *self.tally.outcomes.entry(fetched.kind).or_default() += 1;
        if self.settings.budget.pages_per_site.is_some() && fetched.kind.is_page() {
            *self.by_site.entry(QueueId(fetched.queue)).or_default() += 1;
        }
        if fetched.kind.is_success()
            && let Some(visits) = self.traffic.visits.get(&key)
        {
            self.tally.traffic += f64::from(*visits);
        }
    }
}

/// `Retry-After`, in seconds or as a date.
pub(super) fn retry_after(answer: &Answer, now: Time) -> Option<Span> {
    let value = answer.header("Retry-After")?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Span::seconds(seconds.min(u64::from(u32::MAX))));
    }
    let date = httpdate::parse_http_date(value).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Span(u64::try_from(date.as_millis()).ok()?.saturating_sub(now.0)))
}
