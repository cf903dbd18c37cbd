//! A sitemap or a feed came back: its URLs are seeds, its sitemaps are lists to be asked for.

use trodden_archive::Caps;
use trodden_frontier::Time;
use url::Url;

use super::journal::Step;
use super::keep::Provenance;
use super::{Crawl, Error, ListingKind};
use super::{read, visit::Errand};
use crate::client::{Answer, Exchange};
use crate::feed::{FeedCaps, read_feed};
use crate::outcome::OutcomeKind;
use crate::robots_tag::RobotsTag;
use crate::sitemap::{STANDARD_BYTES, SitemapCaps, read_sitemap};

/// Bytes of a list that are read, unpacked.
const LISTING_BYTES: usize = STANDARD_BYTES as usize;
/// How many lists may lead to one another, by an index or a redirect.
const INDEX_DEPTH: u16 = 3;

impl Crawl {
    /// Takes up the URLs of a list.
    pub(super) fn absorb_listing(
        &mut self,
        errand: &Errand,
        kind: ListingKind,
        exchange: &Exchange,
        answer: &Answer,
        now: Time,
    ) -> Result<(), Error> {
        let mut outcome = OutcomeKind::of_status(answer.status);
        let depth = self.about(errand.task.key)?.depth;
        self.keep(&errand.url, exchange, &Provenance::default(), now)?;
        if outcome == OutcomeKind::Page {
            outcome = OutcomeKind::Listing;
            let caps = Caps { body_bytes: LISTING_BYTES, ..Caps::default() };
            let body = read::body(answer, &caps);
            match kind {
                ListingKind::Sitemap => self.take_up_sitemap(&body, depth, now)?,
                ListingKind::Feed => self.take_up_feed(&body, &errand.url, now)?,
            }
        } else if outcome == OutcomeKind::Redirect {
            let to = answer.header("Location").and_then(|to| Url::parse(&errand.url).ok()?.join(to).ok());
            if let Some(to) = to.filter(|_| depth < INDEX_DEPTH) {
                self.add_listing(to.as_str(), kind, depth + 1, now)?;
            }
        }
        self.engine.refuse(&errand.task, now)?;
        self.note_step(&Step::GivenBack)?;
        self.note_outcome(errand, outcome, Some(exchange), &RobotsTag::default(), now)
    }

    fn take_up_sitemap(&mut self, body: &[u8], depth: u16, now: Time) -> Result<(), Error> {
        let read = read_sitemap(body, &SitemapCaps::of_the_standard());
        for url in &read.urls {
            self.plant_found(&url.url, now)?;
        }
        for map in read.sitemaps.iter().filter(|_| depth < INDEX_DEPTH) {
            self.add_listing(&map.url, ListingKind::Sitemap, depth + 1, now)?;
        }
        Ok(())
    }

    fn take_up_feed(&mut self, body: &[u8], url: &str, now: Time) -> Result<(), Error> {
        let Ok(base) = Url::parse(url) else { return Ok(()) };
        for url in read_feed(body, &FeedCaps::default()).entries.iter().filter_map(|entry| entry.resolved(&base)) {
            self.plant_found(url.as_str(), now)?;
        }
        Ok(())
    }

    fn plant_found(&mut self, url: &str, now: Time) -> Result<(), Error> {
        match self.discovery.lead(url, 0) {
            Some(Ok(lead)) => {
                self.plant(&lead.url, &lead.queue, now)?;
            }
            Some(Err(_)) => self.tally.beyond += 1,
            None => {}
        }
        Ok(())
    }
}
