//! A sitemap or a feed came back: its URLs are seeds, its sitemaps are lists to be asked for.

use trodden_archive::Caps;
use trodden_frontier::{Span, Time};
use url::Url;

use super::journal::Step;
use super::visit::Errand;
use super::{Crawl, Error, ListingKind};
use crate::client::{Answer, Exchange};
use crate::feed;
use crate::outcome::OutcomeKind;
use crate::robots_tag::RobotsTag;
use crate::sitemap::{SitemapCaps, SitemapRead, read_sitemap};

/// How deep an index of sitemaps may lead to others.
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
        self.keep(&errand.url, exchange, None, now)?;
        if outcome == OutcomeKind::Page {
            outcome = OutcomeKind::Listing;
            let body = answer.decoded(&Caps { body_bytes: SitemapCaps::default().bytes, ..Caps::default() }).body;
            let depth = self.about(errand.task.key)?.depth;
            match kind {
                ListingKind::Sitemap => self.take_up_sitemap(&body, depth, now)?,
                ListingKind::Feed => self.take_up_feed(&body, &errand.url, now)?,
            }
        } else if outcome == OutcomeKind::Redirect {
            let to = answer.headers().get("Location").and_then(|to| Url::parse(&errand.url).ok()?.join(to).ok());
            if let Some(to) = to {
                self.add_listing(to.as_str(), kind, 0, now)?;
            }
        }
        self.engine.refuse(&errand.task, now)?;
        self.note_step(&Step::GivenBack)?;
        self.note_outcome(errand, outcome, Some(exchange), &RobotsTag::default(), now)
    }

    fn take_up_sitemap(&mut self, body: &[u8], depth: u16, now: Time) -> Result<(), Error> {
        match read_sitemap(body, &SitemapCaps::default()) {
            Ok(SitemapRead::Urls(urls)) => {
                for url in urls {
                    self.plant_found(&url.url, now)?;
                }
            }
            Ok(SitemapRead::Index(maps)) if depth < INDEX_DEPTH => {
                for map in maps {
                    self.add_listing(&map.url, ListingKind::Sitemap, depth + 1, now)?;
                }
            }
            Ok(SitemapRead::Index(_)) | Err(_) => {}
        }
        Ok(())
    }

    fn take_up_feed(&mut self, body: &[u8], url: &str, now: Time) -> Result<(), Error> {
        let Ok(base) = Url::parse(url) else { return Ok(()) };
        for entry in feed::Feed::read(body, &feed::FeedCaps::default()).entries {
            if let Ok(url) = base.join(&entry.link) {
                self.plant_found(url.as_str(), now)?;
            }
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

/// No delay is charged for what was not asked.
pub(super) const NO_DELAY: Span = Span::ZERO;
