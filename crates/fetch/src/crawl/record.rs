//! What did a crawl do? To be read afterwards, or when it is done, without changing anything.
//!
//! Everything is read from what the session and the crawl wrote down; what is kept of a page is a few numbers, so that a crawl of
//! millions of pages can be told of.

use std::collections::BTreeMap;
use std::path::Path;

use trodden_frontier::{DiskFrontier, DiskSettings, Frontier, QueueId, Rotation, Span, UrlId};
use trodden_session::{Records, UrlRecord};

use super::notes::{ARCHIVE_FILE, Archived, DEFERRED, ELAPSED, ROBOTS, Robots, STATE};
use super::{Crawl, Error};
use crate::outcome::OutcomeKind;

/// What a crawl did.
pub struct CrawlRecord<'c>(Held<'c>);

/// Whose frontier it is.
enum Held<'c> {
    Ours(Box<DiskFrontier>),
    Lent(&'c DiskFrontier),
}

impl CrawlRecord<'_> {
    /// Of the crawl in a folder, which must not be running.
    ///
    /// # Errors
    /// If there is no crawl, if it is running, or cannot be read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("frontier");
        if !path.is_dir() {
            let why = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(Error::Unread { path, why });
        }
        let frontier = DiskFrontier::open(&path, DiskSettings::default(), Rotation::Even)?;
        Ok(Self(Held::Ours(Box::new(frontier))))
    }

    pub(super) fn frontier(&self) -> &DiskFrontier {
        match &self.0 {
            Held::Ours(frontier) => frontier,
            Held::Lent(frontier) => frontier,
        }
    }

    pub(super) fn records(&self) -> Records<'_> {
        Records::of(self.frontier())
    }

    /// Tells what came of each URL, by its number; [`UrlRecord::order`] says when.
    ///
    /// # Errors
    /// If the records cannot be read.
    pub fn each(&self, mut tell: impl FnMut(UrlId, &UrlRecord)) -> Result<(), Error> {
        self.records().each(|key, record| {
            tell(key, record);
            Ok(())
        })
    }

    /// The text of a URL.
    ///
    /// # Errors
    /// If it cannot be read, or there is no such number.
    pub fn url(&self, key: UrlId) -> Result<String, Error> {
        Ok(self.records().url(key)?)
    }

    /// The pages, in the order in which they were first fetched.
    ///
    /// # Errors
    /// If the records cannot be read.
    pub fn pages_in_order(&self) -> Result<Vec<UrlId>, Error> {
        let mut pages: Vec<(u64, UrlId)> = Vec::new();
        self.each(|key, fetched| {
            if fetched.kind.is_page() {
                pages.push((fetched.order, key));
            }
        })?;
        pages.sort_unstable();
        Ok(pages.into_iter().map(|(_, key)| key).collect())
    }

    /// Whether anything was archived.
    ///
    /// # Errors
    /// If the notes cannot be read.
    pub fn has_archive(&self) -> Result<bool, Error> {
        let mut has_any = false;
        self.records().each_driver_note(ARCHIVE_FILE, |_, _: Archived| {
            has_any = true;
            Ok(())
        })?;
        Ok(has_any)
    }

    /// The number of a URL, if the crawl knows it.
    #[must_use]
    pub fn find(&self, url: &str) -> Option<UrlId> {
        self.frontier().find(url)
    }

    /// The page on which a URL was first found; none for what the crawl started from.
    ///
    /// # Errors
    /// If the records cannot be read.
    pub fn linked_from(&self, key: UrlId) -> Result<Option<String>, Error> {
        self.records().source(key)?.from.map(|from| self.url(from)).transpose()
    }

    /// The host of a queue.
    #[must_use]
    pub fn host(&self, queue: u32) -> &str {
        self.frontier().queue_name(QueueId(queue))
    }

    /// How many URLs wait, by queue.
    pub fn waiting(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let frontier = self.frontier();
        (0..frontier.queues()).map(|queue| (queue, frontier.waiting_in(QueueId(queue))))
    }

    /// URLs that are known.
    #[must_use]
    pub fn known(&self) -> u64 {
        u64::from(self.frontier().numbered())
    }

    /// Milliseconds that the crawl has run, in all runs.
    ///
    /// # Errors
    /// If the notes cannot be read.
    pub fn elapsed_ms(&self) -> Result<u64, Error> {
        Ok(self.records().driver_note(STATE, ELAPSED)?.unwrap_or(0))
    }

    /// Tries that were put off, by what they came to, in all runs.
    ///
    /// # Errors
    /// If the notes cannot be read.
    pub fn put_off(&self) -> Result<BTreeMap<OutcomeKind, u64>, Error> {
        Ok(self.records().driver_note(STATE, DEFERRED)?.unwrap_or_default())
    }

    /// The delays that hosts ask for in robots.txt, by origin.
    ///
    /// # Errors
    /// If the notes cannot be read.
    pub fn crawl_delays(&self) -> Result<BTreeMap<String, Span>, Error> {
        let mut delays = BTreeMap::new();
        self.records().each_driver_note(ROBOTS, |key, robots: Robots| {
            if let Some(delay) = robots.access.crawl_delay() {
                delays.insert(String::from_utf8_lossy(key).into_owned(), delay);
            }
            Ok(())
        })?;
        Ok(delays)
    }
}

impl Crawl {
    /// What it did so far.
    #[must_use]
    pub fn record(&self) -> CrawlRecord<'_> {
        CrawlRecord(Held::Lent(self.session.frontier()))
    }
}
