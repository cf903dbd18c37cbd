//! A crawl of a mirror: the engine of every crawl, with a mirror in place of the web.
//!
//! The whole mirror is one queue: one budget, one order, as if it were one site. Nothing takes time, so nothing waits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use trodden_frontier::{Frontier as _, MemoryFrontier, QueueId, Time, UrlId};
use trodden_ordering::{Engine, Event, EventLog, Found, Limits, Next, OrderingPolicy, Outcome, PageText};

use crate::error::Error;
use crate::graph::PageId;
use crate::metric::BufferEvent;
use crate::metric::calibration::Foretold;
use crate::mirror::Mirror;

/// The one queue.
const QUEUE: QueueId = QueueId(0);
/// The one moment.
const NOW: Time = Time(0);

/// What happened in a crawl: all that is measured is measured from this.
#[derive(Clone, Debug, PartialEq)]
pub struct CrawlLog {
    /// Pages in the order in which they were fetched.
    pub order: Vec<PageId>,
    /// By page: how many pages had been fetched when its URL was first seen; [`u32::MAX`] if it never was.
    pub discovered_after: Vec<u32>,
    /// What was kept and given up, where the buffer was limited.
    pub buffer: Vec<BufferEvent>,
    /// URLs that were handed out for exploration.
    pub explored: Vec<PageId>,
    /// What the policy foretold of pages, if it foretells.
    pub foretold: Option<Foretold>,
    has_buffer: bool,
}

impl CrawlLog {
    fn new(pages: u32, has_buffer: bool) -> Self {
        let discovered_after = vec![u32::MAX; pages as usize];
        Self {
            order: Vec::new(),
            discovered_after,
            buffer: Vec::new(),
            explored: Vec::new(),
            foretold: None,
            has_buffer,
        }
    }
}

impl EventLog for CrawlLog {
    fn record(&mut self, event: Event) {
        match event {
            Event::Seeded { key, .. } | Event::Discovered { key, .. } => {
                self.discovered_after[key.index()] = self.order.len() as u32;
            }
            Event::Fetched { key, .. } => {
                self.order.push(key.0);
                if self.has_buffer {
                    self.buffer.push(BufferEvent::Kept(key.0));
                }
            }
            Event::Explored { key, .. } => self.explored.push(key.0),
            Event::Evicted { key, .. } => self.buffer.push(BufferEvent::Evicted(key.0)),
        }
    }
}

/// How far crawls are, for whoever watches; and a way to stop them.
#[derive(Debug, Default)]
pub struct Progress {
    /// Pages fetched so far, by all crawls.
    pub fetched: AtomicU64,
    /// Set to stop.
    pub stop: AtomicBool,
}

/// Pages between two looks at the progress.
const PAGES_BETWEEN: usize = 1024;

/// Crawls a mirror from some pages.
///
/// # Errors
/// If it was stopped.
pub fn crawl(
    mirror: &Mirror,
    starts: &[PageId],
    policy: Box<dyn OrderingPolicy>,
    limits: Limits,
    progress: &Progress,
) -> Result<CrawlLog, Error> {
    let frontier = MemoryFrontier::new(policy.rotation());
    let log = CrawlLog::new(mirror.pages(), limits.buffer.is_some());
    let mut engine = Engine::new(frontier, policy, limits, log);
    let reads_urls = engine.reads_urls();
    let url = |page: PageId| if reads_urls { mirror.urls.get(page) } else { "" };
    for &start in starts {
        engine.seed(QUEUE, UrlId(start), url(start), NOW)?;
    }
    let texts = mirror.texts.as_deref().filter(|_| engine.reads_text());
    let mut found: Vec<Found<'_>> = Vec::new();
    let mut fetched = 0;
    let foretells = starts.first().is_some_and(|start| engine.policy().foretell(UrlId(*start)).is_some());
    let mut at_fetch = vec![f64::NAN; if foretells { mirror.pages() as usize } else { 0 }];
    while let Next::Fetch(task) = engine.next(NOW)? {
        if foretells {
            at_fetch[task.key.index()] = engine.policy().foretell(task.key).unwrap_or(f64::NAN);
        }
        found.clear();
        let link =
            |page: PageId, anchor| Found { key: UrlId(page), queue: QUEUE, url: url(page), anchor, is_new: false };
        let page = task.key.0;
        let targets = mirror.graph.targets(page).iter();
        match &mirror.anchors {
            Some(anchors) => found.extend(
                targets.zip(anchors.of_page(&mirror.graph, page)).map(|(&target, anchor)| link(target, anchor)),
            ),
            None => found.extend(targets.map(|&target| link(target, ""))),
        }
        let text = texts.map(|texts| &texts[page as usize]);
        let outcome = Outcome::page(text.map(|text| PageText { title: &text.title, body: &text.body }));
        engine.settle(&task, url(page), &outcome, &mut found, NOW)?;
        fetched += 1;
        if fetched % PAGES_BETWEEN == 0 {
            progress.fetched.fetch_add(PAGES_BETWEEN as u64, Ordering::Relaxed);
            if progress.stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
        }
    }
    progress.fetched.fetch_add((fetched % PAGES_BETWEEN) as u64, Ordering::Relaxed);
    if foretells {
        let of = |page: UrlId| engine.policy().foretell(page).filter(|_| engine.frontier().knows(page));
        let at_end = (0..mirror.pages()).map(|page| of(UrlId(page)).unwrap_or(f64::NAN)).collect();
        engine.log_mut().foretold = Some(Foretold { at_end, at_fetch });
    }
    Ok(engine.into_log())
}
