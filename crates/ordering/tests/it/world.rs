//! A tiny web: pages by number, what they link to, and what they say.

use trodden_frontier::{Frontier, MemoryFrontier, QueueId, Time, UrlId};
use trodden_ordering::{Engine, Event, Found, Limits, Next, OrderingPolicy, Outcome, PageText};

/// One page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) body: String,
    /// Target and anchor text.
    pub(crate) links: Vec<(u32, String)>,
}

/// All pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) pages: Vec<Page>,
}

impl World {
    /// Pages by their links alone.
    pub(crate) fn of(links: &[&[u32]]) -> Self {
        let page = |(at, targets): (usize, &&[u32])| Page {
            url: format!("http://site.test/{at}"),
            links: targets.iter().map(|target| (*target, String::new())).collect(),
            ..Page::default()
        };
        Self { pages: links.iter().enumerate().map(page).collect() }
    }
}

pub(crate) type Policy = Box<dyn OrderingPolicy>;

/// A crawl from page 0: what happened, in order.
pub(crate) fn events(world: &World, policy: Policy, limits: Limits) -> Vec<Event> {
    let mut engine = Engine::new(MemoryFrontier::new(policy.rotation()), policy, limits, Vec::new());
    engine.seed(QueueId(0), UrlId(0), &world.pages[0].url, Time(0)).unwrap();
    while step(world, &mut engine).is_some() {}
    engine.into_log()
}

/// Fetches one page; which.
pub(crate) fn step<F: Frontier>(world: &World, engine: &mut Engine<F, Vec<Event>>) -> Option<u32> {
    let Next::Fetch(task) = engine.next(Time(0)).unwrap() else { return None };
    let page = &world.pages[task.key.index()];
    let mut found: Vec<Found<'_>> = page
        .links
        .iter()
        .map(|(key, anchor)| Found {
            key: UrlId(*key),
            queue: QueueId(0),
            url: &world.pages[*key as usize].url,
            anchor,
            is_new: false,
        })
        .collect();
    let text = PageText { title: &page.title, body: &page.body };
    engine.settle(&task, &page.url, &Outcome::page(Some(text)), &mut found, Time(0)).unwrap();
    Some(task.key.0)
}

/// The pages in the order in which they were fetched.
pub(crate) fn order(world: &World, policy: Policy) -> Vec<u32> {
    fetched(&events(world, policy, Limits::default()))
}

pub(crate) fn fetched(events: &[Event]) -> Vec<u32> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Fetched { key, .. } => Some(key.0),
            _ => None,
        })
        .collect()
}
