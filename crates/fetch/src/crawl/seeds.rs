//! Where does a crawl begin?

use trodden_frontier::{Frontier, Offered, Time};

use super::journal::Step;
use super::notes::{self, ABOUT, About, LISTING};
use super::{Crawl, Error, ListingKind, now};

impl Crawl {
    /// Offers a URL to start from; false if it is no URL, or out of scope, or known.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn seed(&mut self, url: &str) -> Result<bool, Error> {
        let Some(Ok(lead)) = self.discovery.lead(url, 0) else { return Ok(false) };
        self.plant(&lead.url, &lead.queue, now())
    }

    /// Offers a sitemap or feed, whose URLs are seeds.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn seed_listing(&mut self, url: &str, kind: ListingKind) -> Result<bool, Error> {
        let added = self.add_listing(url, kind, 0, now())?;
        self.engine.frontier_mut().commit()?;
        Ok(added)
    }

    /// Makes the seeds so far part of the crawl.
    ///
    /// # Errors
    /// If they cannot be stored.
    pub fn planted(&mut self) -> Result<(), Error> {
        for event in self.engine.log_mut().drain(..) {
            self.events.record(&event);
        }
        self.show();
        Ok(self.engine.frontier_mut().commit()?)
    }

    pub(super) fn plant(&mut self, url: &str, queue: &str, now: Time) -> Result<bool, Error> {
        let frontier = self.engine.frontier_mut();
        let (key, queue) = (frontier.number(url)?, frontier.queue(queue)?);
        if self.engine.seed(queue, key, url, now)? == Offered::Known {
            return Ok(false);
        }
        self.tally.known += 1;
        self.pace_new_queues();
        self.note_step(&Step::Seeded { key })?;
        Ok(true)
    }

    /// Offers a list of URLs, before all pages; false if it is none, or known. Its depth is the number of lists that led to it.
    pub(super) fn add_listing(&mut self, url: &str, kind: ListingKind, depth: u16, now: Time) -> Result<bool, Error> {
        let Some(Ok(lead)) = self.discovery.listing(url) else { return Ok(false) };
        let frontier = self.engine.frontier_mut();
        let (key, queue) = (frontier.number(&lead.url)?, frontier.queue(&lead.queue)?);
        if frontier.knows(key) {
            return Ok(false);
        }
        self.engine.offer_first(queue, key, now)?;
        self.listings.insert(key, kind);
        self.pace_new_queues();
        let about = About { depth, ..About::default() };
        notes::put(self.engine.frontier_mut(), ABOUT, &key.to_be_bytes(), &about)?;
        notes::put(self.engine.frontier_mut(), LISTING, &key.to_be_bytes(), &kind)?;
        Ok(true)
    }
}
