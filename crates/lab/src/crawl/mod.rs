//! A crawl of a mirror: the engine of every crawl, with a mirror in place of the web and a clock of its own.
//!
//! By default the whole mirror is one queue and nothing takes time: one budget, one order, as if it were one site. With a [`Clock`]
//! requests take time, several are under way at once, and hosts rest between two requests. With a [`History`](crate::history::History)
//! pages are born, change, move and go as time passes ([`World`]). A policy that asks for a page again gets it at its time.
//!
//! A crawl is the same each time it is run: requests that end at the same time are settled in the order in which they began.

mod clock;
mod log;
mod visitor;
mod world;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use trodden_frontier::{Span, Time};
use trodden_ordering::{Limits, Next, OrderingPolicy, Task};

pub use self::clock::Clock;
pub use self::log::CrawlLog;
use self::visitor::Visitor;
pub use self::world::World;
use crate::error::Error;
use crate::graph::PageId;
use crate::mirror::Mirror;

/// How far crawls are, for whoever watches; and a way to stop them.
#[derive(Debug, Default)]
pub struct Progress {
    /// Requests so far, by all crawls.
    pub fetched: AtomicU64,
    /// Set to stop.
    pub stop: AtomicBool,
}

/// Requests between two looks at the progress.
const REQUESTS_BETWEEN: u64 = 1024;

/// Crawls a mirror from some pages; nothing takes time.
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
    crawl_world(&World::still(mirror, starts), policy, limits, progress)
}

/// Crawls a world. A policy that asks for pages again for good needs an end: a budget, which counts requests, or [`Clock::until`].
///
/// # Errors
/// If it was stopped.
pub fn crawl_world(
    world: &World<'_>,
    policy: Box<dyn OrderingPolicy>,
    mut limits: Limits,
    progress: &Progress,
) -> Result<CrawlLog, Error> {
    let clock = world.clock;
    // No lease ends while its request is under way.
    limits.lease = limits.lease.max(Span(clock.request.0.saturating_mul(2)));
    let mut visitor = Visitor::new(world, policy, limits)?;
    let mut now = Time(0);
    let mut under_way: VecDeque<(Time, Task)> = VecDeque::new();
    let mut answered = 0_u64;
    loop {
        let mut wait = None;
        while under_way.len() < clock.at_once.max(1) as usize && clock.allows(now) {
            match visitor.next(now)? {
                Next::Fetch(task) => under_way.push_back((now + clock.request, task)),
                Next::Wait(time) => {
                    wait = Some(time).filter(|time| *time > now && clock.allows(*time));
                    break;
                }
                Next::Drained | Next::Spent => break,
            }
        }
        match (under_way.front().map(|(end, _)| *end), wait) {
            // Something may be asked for before the next request ends.
            (Some(end), Some(time)) if time < end => now = time,
            (Some(end), _) => {
                now = end;
                if let Some((_, task)) = under_way.pop_front() {
                    visitor.settle(&task, now)?;
                }
                answered += 1;
                if answered.is_multiple_of(REQUESTS_BETWEEN) {
                    progress.fetched.fetch_add(REQUESTS_BETWEEN, Ordering::Relaxed);
                    if progress.stop.load(Ordering::Relaxed) {
                        return Err(Error::Stopped);
                    }
                }
            }
            (None, Some(time)) => now = time,
            (None, None) => break,
        }
    }
    progress.fetched.fetch_add(answered % REQUESTS_BETWEEN, Ordering::Relaxed);
    Ok(visitor.into_log())
}
