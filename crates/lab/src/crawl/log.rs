//! What happened in a crawl of a mirror? All that is measured is measured from this.
//!
//! A URL that is fetched again is one URL and several requests, and a request that finds another page than before is a change: three numbers,
//! [`CrawlLog::order`]'s length, [`CrawlLog::requests`] and [`CrawlLog::changed`].

use trodden_frontier::{Time, UrlId};
use trodden_ordering::{Change, Event, EventLog, OutcomeKind};

use crate::graph::PageId;
use crate::metric::BufferEvent;
use crate::metric::calibration::Foretold;

/// What happened in a crawl.
#[derive(Clone, Debug, PartialEq)]
pub struct CrawlLog {
    /// Pages in the order in which they were fetched for the first time.
    pub order: Vec<PageId>,
    /// By page: how many pages had been fetched when its URL was first seen; [`u32::MAX`] if it never was.
    pub discovered_after: Vec<u32>,
    /// What was kept and given up, where the buffer was limited.
    pub buffer: Vec<BufferEvent>,
    /// URLs that were handed out for exploration.
    pub explored: Vec<PageId>,
    /// What the policy foretold of pages, if it foretells.
    pub foretold: Option<Foretold>,
    /// Requests, whatever came of them.
    pub requests: u64,
    /// Requests that found another page than the one before them.
    pub changed: u64,
    /// Pages that were fetched again, and when, in the order of time.
    pub revisits: Vec<(PageId, Time)>,
    /// When the last request ended.
    pub ended: Time,
    is_fetched: Vec<bool>,
    has_buffer: bool,
}

impl CrawlLog {
    pub(super) fn new(pages: u32, has_buffer: bool) -> Self {
        Self {
            order: Vec::new(),
            discovered_after: vec![u32::MAX; pages as usize],
            buffer: Vec::new(),
            explored: Vec::new(),
            foretold: None,
            requests: 0,
            changed: 0,
            revisits: Vec::new(),
            ended: Time(0),
            is_fetched: vec![false; pages as usize],
            has_buffer,
        }
    }

    /// Whether a page was fetched before.
    pub(super) fn has(&self, page: PageId) -> bool {
        self.is_fetched[page as usize]
    }

    fn answered(&mut self, key: UrlId, at: Time, kind: OutcomeKind, change: Change) {
        self.requests += 1;
        self.ended = at;
        self.changed += u64::from(change == Change::Changed);
        if !kind.is_page() {
            return;
        }
        if std::mem::replace(&mut self.is_fetched[key.index()], true) {
            self.revisits.push((key.0, at));
            return;
        }
        self.order.push(key.0);
        if self.has_buffer {
            self.buffer.push(BufferEvent::Kept(key.0));
        }
    }
}

impl EventLog for CrawlLog {
    fn record(&mut self, event: Event) {
        match event {
            Event::Seeded { key, .. } | Event::Discovered { key, .. } => {
                self.discovered_after[key.index()] = self.order.len() as u32;
            }
            Event::Fetched { key, at, kind, change, .. } => self.answered(key, at, kind, change),
            Event::Explored { key, .. } => self.explored.push(key.0),
            Event::Evicted { key, .. } => self.buffer.push(BufferEvent::Evicted(key.0)),
            Event::Refused { .. } => {}
        }
    }
}
