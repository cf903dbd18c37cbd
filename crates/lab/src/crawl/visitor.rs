//! What does the engine hear of a page? The visitor asks the world, as a fetcher asks the web.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use trodden_frontier::{Frontier as _, MemoryFrontier, Pace, QueueId, Time, UrlId};
use trodden_ordering::{Change, Engine, Found, Limits, Next, OrderingPolicy, Outcome, OutcomeKind, PageText, Task};

use super::log::CrawlLog;
use super::world::World;
use crate::error::Error;
use crate::graph::PageId;
use crate::history::Presence;
use crate::metric::calibration::Foretold;

/// The queue of all pages where hosts do not matter.
const ONE_QUEUE: QueueId = QueueId(0);

/// An engine in a world.
pub(super) struct Visitor<'w> {
    world: &'w World<'w>,
    engine: Engine<MemoryFrontier, CrawlLog>,
    /// By page, where hosts are queues.
    queues: Option<Vec<QueueId>>,
    /// The version of pages that was fetched last; empty without a history.
    versions: HashMap<PageId, u32, FxBuildHasher>,
    reads_urls: bool,
    reads_text: bool,
    foretells: bool,
    /// By page: what was foretold when it was first handed out.
    at_fetch: Vec<f64>,
    /// The links of the page at hand; kept for its memory.
    found: Vec<Found<'w>>,
}

impl<'w> Visitor<'w> {
    /// Seeds a crawl.
    pub(super) fn new(world: &'w World<'w>, policy: Box<dyn OrderingPolicy>, limits: Limits) -> Result<Self, Error> {
        let log = CrawlLog::new(world.mirror.pages(), limits.buffer.is_some());
        let mut engine = Engine::new(MemoryFrontier::new(policy.rotation()), policy, limits, log);
        let queues = world.queues();
        for &queue in queues.iter().flatten() {
            engine.frontier_mut().set_pace(queue, Pace { delay: world.clock.delay, at_once: 1 });
        }
        let (reads_urls, reads_text) = (engine.reads_urls(), engine.reads_text());
        let mut visitor = Self {
            world,
            engine,
            queues,
            versions: HashMap::default(),
            reads_urls,
            reads_text,
            foretells: false,
            at_fetch: Vec::new(),
            found: Vec::new(),
        };
        for &start in world.starts {
            let (queue, url) = (visitor.queue(start), visitor.url(start));
            visitor.engine.seed(queue, UrlId(start), url, Time(0))?;
        }
        let first = world.starts.first().and_then(|start| visitor.engine.policy().foretell(UrlId(*start)));
        if first.is_some() {
            visitor.foretells = true;
            visitor.at_fetch = vec![f64::NAN; world.mirror.pages() as usize];
        }
        Ok(visitor)
    }

    fn queue(&self, page: PageId) -> QueueId {
        self.queues.as_ref().map_or(ONE_QUEUE, |queues| queues[page as usize])
    }

    fn url(&self, page: PageId) -> &'w str {
        if self.reads_urls { self.world.mirror.urls.get(page) } else { "" }
    }

    /// What to do next.
    pub(super) fn next(&mut self, now: Time) -> Result<Next, Error> {
        let next = self.engine.next(now)?;
        if let Next::Fetch(task) = &next
            && self.foretells
            && self.at_fetch[task.key.index()].is_nan()
        {
            self.at_fetch[task.key.index()] = self.engine.policy().foretell(task.key).unwrap_or(f64::NAN);
        }
        Ok(next)
    }

    /// A request ends: the page as it is now.
    pub(super) fn settle(&mut self, task: &Task, now: Time) -> Result<(), Error> {
        let page = task.key.0;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let outcome = match self.world.presence(page, now) {
            Presence::There { version } => {
                self.read_links(page, &mut found, now);
                let text = self.world.mirror.texts.as_deref().filter(|_| self.reads_text);
                let text = text.map(|texts| &texts[page as usize]);
                let text = text.map(|text| PageText { title: &text.title, body: &text.body });
                Outcome { change: self.change(page, version), ..Outcome::page(text) }
            }
            Presence::Moved(to) => {
                found.extend(to.map(|to| self.link(to, "")));
                Outcome::of(OutcomeKind::Redirect)
            }
            Presence::Unborn | Presence::Gone => Outcome::of(OutcomeKind::NotFound),
        };
        let settled = self.engine.settle(task, self.url(page), &outcome, &mut found, now);
        self.found = found;
        Ok(settled?)
    }

    fn link(&self, page: PageId, anchor: &'w str) -> Found<'w> {
        Found { key: UrlId(page), queue: self.queue(page), url: self.url(page), anchor, is_new: false }
    }

    fn read_links(&self, page: PageId, found: &mut Vec<Found<'w>>, now: Time) {
        let World { mirror, .. } = self.world;
        let targets = self.world.targets(page).iter();
        match &mirror.anchors {
            Some(anchors) => found.extend(
                targets.zip(anchors.of_page(&mirror.graph, page)).map(|(&target, anchor)| self.link(target, anchor)),
            ),
            None => found.extend(targets.map(|&target| self.link(target, ""))),
        }
        if self.world.history.is_some() {
            found.retain(|link| self.world.is_linked(link.key.0, now));
        }
    }

    /// Whether a page is what it was when it was last fetched.
    fn change(&mut self, page: PageId, version: u32) -> Change {
        let before = if self.world.history.is_some() { self.versions.insert(page, version) } else { Some(version) };
        if !self.engine.log_mut().has(page) {
            Change::First
        } else if before == Some(version) {
            Change::Unchanged
        } else {
            Change::Changed
        }
    }

    /// What happened.
    pub(super) fn into_log(mut self) -> CrawlLog {
        if self.foretells {
            let of = |page: UrlId| self.engine.policy().foretell(page).filter(|_| self.engine.frontier().knows(page));
            let at_end = (0..self.world.mirror.pages()).map(|page| of(UrlId(page)).unwrap_or(f64::NAN)).collect();
            let at_fetch = std::mem::take(&mut self.at_fetch);
            self.engine.log_mut().foretold = Some(Foretold { at_end, at_fetch });
        }
        self.engine.into_log()
    }
}
