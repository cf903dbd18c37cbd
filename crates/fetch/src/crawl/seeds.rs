//! Where does a crawl begin?

use trodden_frontier::{Frontier, Time};
use trodden_ordering::Beyond;
use trodden_session::UrlSource;

use super::discover::Lead;
use super::notes::LISTING;
use super::{Crawl, Error, ListingKind};

/// What became of a URL to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// It waits now.
    New,
    /// It was known before.
    Known,
    /// It is no URL.
    BadUrl,
    /// It does not belong to the crawl.
    Beyond(Beyond),
}

impl Crawl {
    /// Offers a URL that was named to start from. It is fetched whatever filters say: they are for what it leads to.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn seed(&mut self, url: &str) -> Result<Seeding, Error> {
        let lead = self.discovery.seed(url);
        if let Some(Ok(lead)) = &lead
            && self.discovery.scope.has_filters()
        {
            let key = self.session.number(&lead.url)?;
            self.seeds.insert(key);
        }
        self.seed_if(lead)
    }

    /// Offers a URL that models or visits name to start from, if it belongs to the crawl.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn seed_known(&mut self, url: &str) -> Result<Seeding, Error> {
        self.seed_if(self.discovery.lead(url, 0))
    }

    fn seed_if(&mut self, lead: Option<Result<Lead, Beyond>>) -> Result<Seeding, Error> {
        Ok(match lead {
            None => Seeding::BadUrl,
            Some(Err(beyond)) => Seeding::Beyond(beyond),
            Some(Ok(lead)) if self.plant(&lead.url, &lead.queue, self.now())? => Seeding::New,
            Some(Ok(_)) => Seeding::Known,
        })
    }

    /// Offers a sitemap or feed, whose URLs are seeds.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn seed_listing(&mut self, url: &str, kind: ListingKind) -> Result<bool, Error> {
        let added = self.add_listing(url, kind, 0, self.now())?;
        self.session.commit()?;
        Ok(added)
    }

    /// Makes the seeds so far part of the crawl.
    ///
    /// # Errors
    /// If they cannot be stored.
    pub fn planted(&mut self) -> Result<(), Error> {
        self.show();
        Ok(self.session.commit()?)
    }

    pub(super) fn plant(&mut self, url: &str, queue: &str, now: Time) -> Result<bool, Error> {
        let is_new = self.session.seed(url, queue, now)?.is_some();
        if is_new {
            self.tally.known += 1;
            self.pace_new_queues();
        }
        Ok(is_new)
    }

    /// Offers a list of URLs; false if it is none, or known, or over what its site may have. Its depth is the number of lists
    /// that led to it.
    pub(super) fn add_listing(&mut self, url: &str, kind: ListingKind, depth: u16, now: Time) -> Result<bool, Error> {
        let Some(Ok(lead)) = self.discovery.listing(url) else { return Ok(false) };
        let (key, queue) = (self.session.number(&lead.url)?, self.session.queue(&lead.queue)?);
        if self.session.frontier().knows(key) {
            return Ok(false);
        }
        let Some(turn) = self.list_turn(queue)? else { return Ok(false) };
        self.session.offer_list(&lead.url, &lead.queue, turn, now)?;
        self.pace_new_queues();
        self.listings.insert(key, kind);
        self.session.set_source(key, &UrlSource { depth, ..UrlSource::default() })?;
        self.session.driver_notes().put(LISTING, &key.to_be_bytes(), &kind)?;
        Ok(true)
    }
}
