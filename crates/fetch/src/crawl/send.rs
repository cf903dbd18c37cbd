//! What is needed to ask for a URL that was handed out? Or must it wait, or may it not be asked for at all?

use trodden_archive::Want;
use trodden_frontier::{Span, Time};
use trodden_ordering::Task;
use trodden_session::UrlSource;
use trodden_urls::Origin;

use super::fetch_task::FetchTask;
use super::{Crawl, Error};
use crate::client::Validators;
use crate::robots::Verdict;

impl Crawl {
    /// What is needed to ask for what was handed out; none if it is deferred or refused.
    pub(super) fn fetch_task(&mut self, task: Task) -> Result<Option<FetchTask>, Error> {
        let now = self.now();
        let url = self.session.url(task.key)?;
        let (origin, path) =
            Origin::split(&url).map(|(origin, path)| (origin, path.to_owned())).ok_or(Error::OddUrl)?;
        if !self.is_within(&task, &url, now)? {
            return Ok(None);
        }
        let verdict = self.verdict(task.queue, &origin, &path, now)?;
        if verdict.is_none() && !self.asking.insert(origin.clone()) {
            self.defer_task(&task, now + Span(100))?;
            return Ok(None);
        }
        let (body_bytes, robots_token) = (self.settings.body_bytes, self.settings.robots_token.clone());
        let (time, old_robots, validators, delay) = (now, None, None, Span::ZERO);
        let longest_delay = self.settings.longest_crawl_delay();
        let mut fetch = FetchTask {
            task,
            time,
            url,
            origin,
            path,
            verdict,
            old_robots,
            validators,
            delay,
            longest_delay,
            body_bytes,
            robots_token,
            source: UrlSource::default(),
            via: None,
            is_seed: false,
            is_listing: self.listings.contains_key(&task.key),
            want: self.want(),
            is_prompt: false,
            names: None,
        };
        if verdict == Some(Verdict::Disallowed) {
            // Nobody has to be sent.
            self.set_delay(task.queue, Span::ZERO);
            self.apply_refusal(&fetch, None, now)?;
            self.settled_one()?;
            return Ok(None);
        }
        let next = now + Span(self.settings.address_delay_ms);
        if let Some(free) = self.hosts.occupy_of(task.queue, next, now) {
            self.asking.remove(&fetch.origin);
            self.defer_task(&task, free)?;
            // Its other URLs would meet the same.
            self.session.hold(task.queue, free);
            return Ok(None);
        }
        self.sent(&fetch);
        fetch.is_prompt = self.takes_place(task.queue);
        self.tally.at = Some(fetch.url.clone());
        let wanted = self.settings.delay();
        fetch.delay = self.pacer(task.queue).delay(wanted).max(Span(self.settings.address_delay_ms));
        fetch.validators = self.validators(&task)?;
        fetch.source = self.session.records().source(task.key)?;
        fetch.is_seed = self.seeds.contains(&task.key);
        if let Some(archive) = self.archive.as_mut().filter(|_| !fetch.is_listing) {
            fetch.names = Some(archive.names());
            fetch.via = fetch.source.from.map(|from| self.session.url(from)).transpose()?;
        }
        if verdict.is_none() {
            fetch.old_robots = self.robots_of(&fetch.origin)?.cloned();
        }
        Ok(Some(fetch))
    }

    /// Defers what was handed out, without having asked for anything.
    pub(super) fn defer_task(&mut self, task: &Task, until: Time) -> Result<(), Error> {
        self.set_delay(task.queue, Span::ZERO);
        Ok(self.session.defer(task, until, self.now())?)
    }

    /// What the policy reads of pages.
    fn want(&self) -> Want {
        match (self.session.reads_text(), self.session.reads_anchors()) {
            (true, _) => Want::LinksAndText,
            (false, true) => Want::Links,
            (false, false) => Want::Hrefs,
        }
    }

    /// To ask whether what was fetched before has changed.
    fn validators(&mut self, task: &Task) -> Result<Option<Validators>, Error> {
        let before = self.session.record_before(task)?;
        Ok(before.map(|it| Validators { etag: it.etag, last_modified: it.last_modified }))
    }
}
