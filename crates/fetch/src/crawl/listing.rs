//! A sitemap or a feed came back: its URLs are seeds, its sitemaps are lists to be asked for.
//!
//! Lists may lead to lists without end, so those of a site have a budget ([`ListBudgets`](super::settings::ListBudgets)): how many are
//! asked for, how many bytes they have, how many URLs are taken from them. The first few are asked for before all pages, since
//! they tell what there is; all others wait on disk and take turns with pages, one with every sixteen of them.

use serde::{Deserialize, Serialize};
use trodden_archive::Caps;
use trodden_frontier::{QueueId, Time};
use trodden_ordering::ListTurn;
use url::Url;

use super::archive::Provenance;
use super::notes::LISTED;
use super::{Crawl, Error, ListingKind};
use super::{fetch_task::FetchTask, read};
use crate::client::{Exchange, HttpAnswer};
use crate::feed::{FeedCaps, read_feed};
use crate::outcome::OutcomeKind;
use crate::sitemap::{STANDARD_BYTES, SitemapCaps, read_sitemap};

/// Bytes of a list that are read, unpacked.
const LISTING_BYTES: usize = STANDARD_BYTES as usize;
/// How many lists may lead to one another, by an index or a redirect.
const INDEX_DEPTH: u16 = 3;

/// Lists of a site that come before its pages.
const FIRST_LISTS: u64 = 8;

/// What the lists of a site have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Listed {
    number: u64,
    bytes: u64,
    urls: u64,
}

impl Crawl {
    fn listed(&mut self, queue: QueueId) -> Result<&mut Listed, Error> {
        if !self.listed.contains_key(&queue) {
            let known: Option<Listed> = self.session.records().driver_note(LISTED, &queue.0.to_be_bytes())?;
            self.listed.insert(queue, known.unwrap_or_default());
        }
        Ok(self.listed.entry(queue).or_default())
    }

    fn note_listed(&mut self, queue: QueueId) -> Result<(), Error> {
        let listed = *self.listed(queue)?;
        Ok(self.session.driver_notes().put(LISTED, &queue.0.to_be_bytes(), &listed)?)
    }

    /// One more list of a site: when it may be asked for, or never because the budget is spent. It counts from now on.
    pub(super) fn list_turn(&mut self, queue: QueueId) -> Result<Option<ListTurn>, Error> {
        let budget = self.settings.lists;
        let listed = self.listed(queue)?;
        if listed.number >= budget.number || listed.bytes >= budget.bytes || listed.urls >= budget.urls {
            return Ok(None);
        }
        listed.number += 1;
        let turn = if listed.number <= FIRST_LISTS { ListTurn::First } else { ListTurn::WithPages };
        self.note_listed(queue)?;
        Ok(Some(turn))
    }

    /// Takes up the URLs of a list.
    pub(super) fn apply_listing(
        &mut self,
        fetch: &FetchTask,
        kind: ListingKind,
        exchange: &Exchange,
        answer: &HttpAnswer,
        now: Time,
    ) -> Result<(), Error> {
        let mut outcome = OutcomeKind::of_status(answer.status);
        let depth = self.session.records().source(fetch.task.key)?.depth;
        self.archive_answer(&fetch.url, exchange, &Provenance::default(), None)?;
        if outcome == OutcomeKind::Page {
            outcome = OutcomeKind::Listing;
            let caps = Caps { body_bytes: LISTING_BYTES, ..Caps::default() };
            let body = read::body(answer, &caps);
            let queue = fetch.task.queue;
            self.listed(queue)?.bytes += answer.body.len() as u64;
            match kind {
                ListingKind::Sitemap => self.take_up_sitemap(&body, queue, depth, now)?,
                ListingKind::Feed => self.take_up_feed(&body, queue, &fetch.url, now)?,
            }
            self.note_listed(queue)?;
        } else if outcome == OutcomeKind::Redirect {
            let to = answer.header("Location").and_then(|to| Url::parse(&fetch.url).ok()?.join(to).ok());
            match to {
                Some(to) if depth < INDEX_DEPTH => drop(self.add_listing(to.as_str(), kind, depth + 1, now)?),
                Some(_) => {}
                None => outcome = OutcomeKind::BadRedirect,
            }
        }
        self.session.refuse(&fetch.task, now)?;
        self.record_outcome(fetch, outcome, Some(exchange), now)
    }

    /// URLs that may still be taken from lists of a site.
    fn urls_left(&mut self, queue: QueueId) -> Result<usize, Error> {
        let most = self.settings.lists.urls;
        Ok(usize::try_from(most.saturating_sub(self.listed(queue)?.urls)).unwrap_or(usize::MAX))
    }

    fn take_up_sitemap(&mut self, body: &[u8], queue: QueueId, depth: u16, now: Time) -> Result<(), Error> {
        let read = read_sitemap(body, &SitemapCaps::of_the_standard());
        for url in read.urls.iter().take(self.urls_left(queue)?) {
            self.plant_found(&url.url, queue, now)?;
        }
        for map in read.sitemaps.iter().filter(|_| depth < INDEX_DEPTH) {
            self.add_listing(&map.url, ListingKind::Sitemap, depth + 1, now)?;
        }
        Ok(())
    }

    fn take_up_feed(&mut self, body: &[u8], queue: QueueId, url: &str, now: Time) -> Result<(), Error> {
        let Ok(base) = Url::parse(url) else { return Ok(()) };
        let feed = read_feed(body, &FeedCaps::default());
        for url in feed.entries.iter().filter_map(|entry| entry.resolved(&base)).take(self.urls_left(queue)?) {
            self.plant_found(url.as_str(), queue, now)?;
        }
        Ok(())
    }

    /// A URL of a list of a site: it counts for that site only if it was not known.
    fn plant_found(&mut self, url: &str, of: QueueId, now: Time) -> Result<(), Error> {
        let lead = match self.discovery.lead(url, 0) {
            Some(Ok(lead)) => lead,
            Some(Err(_)) => {
                self.tally.beyond += 1;
                return Ok(());
            }
            None => return Ok(()),
        };
        if self.plant(&lead.url, &lead.queue, now)? {
            self.listed(of)?.urls += 1;
        }
        Ok(())
    }
}
