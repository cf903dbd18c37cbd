//! Where does a crawl begin?

use trodden_frontier::{Frontier, Offered, Time};
use trodden_ordering::Beyond;

use super::discover::Lead;
use super::journal::Step;
use super::notes::{self, ABOUT, About, LISTING};
use super::{Crawl, Error, ListingKind, now};

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
            let key = self.engine.frontier_mut().number(&lead.url)?;
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
            Some(Ok(lead)) if self.plant(&lead.url, &lead.queue, now())? => Seeding::New,
            Some(Ok(_)) => Seeding::Known,
        })
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

    /// Offers a list of URLs; false if it is none, or known, or over what its site may have. Its depth is the number of lists
    /// that led to it.
    pub(super) fn add_listing(&mut self, url: &str, kind: ListingKind, depth: u16, now: Time) -> Result<bool, Error> {
        let Some(Ok(lead)) = self.discovery.listing(url) else { return Ok(false) };
        let frontier = self.engine.frontier_mut();
        let (key, queue) = (frontier.number(&lead.url)?, frontier.queue(&lead.queue)?);
        if frontier.knows(key) {
            return Ok(false);
        }
        let Some(turn) = self.list_turn(queue)? else { return Ok(false) };
        self.engine.offer_list(queue, key, turn, now)?;
        self.pace_new_queues();
        self.listings.insert(key, kind);
        let about = About { depth, ..About::default() };
        notes::put(self.engine.frontier_mut(), ABOUT, &key.to_be_bytes(), &about)?;
        notes::put(self.engine.frontier_mut(), LISTING, &key.to_be_bytes(), &kind)?;
        Ok(true)
    }
}
