//! What does a crawl meet? A mirror, as it is at a time.
//!
//! Without a [`History`] a mirror is always the same. With one a page is there from its birth to its end. What does not exist, or has gone, is
//! not linked; what has moved is, as old links are, and leads on. A page is the same as before if its version is: that the links
//! on it came or went with other pages is no change of its own.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use trodden_frontier::{QueueId, Span, Time};

use super::clock::Clock;
use crate::graph::PageId;
use crate::history::{History, Presence};
use crate::mirror::Mirror;
use crate::urls::identity;

/// What is crawled.
#[derive(Clone, Copy, Debug)]
pub struct World<'w> {
    /// The site.
    pub mirror: &'w Mirror,
    /// Where crawls start.
    pub starts: &'w [PageId],
    /// How time passes.
    pub clock: Clock,
    /// What happens to pages; none: nothing.
    pub history: Option<&'w History>,
    /// The time of the history at which crawls begin, in milliseconds since 1970.
    pub begin_ms: u64,
    /// What the artificial entry page links to, in another order than the mirror has it.
    pub entry_links: Option<&'w [PageId]>,
}

impl<'w> World<'w> {
    /// A site where nothing takes time and nothing changes.
    pub fn still(mirror: &'w Mirror, starts: &'w [PageId]) -> Self {
        Self { mirror, starts, clock: Clock::STILL, history: None, begin_ms: 0, entry_links: None }
    }

    /// What a page is at a time of the crawl.
    pub(super) fn presence(&self, page: PageId, now: Time) -> Presence {
        match self.history {
            None => Presence::There { version: 0 },
            Some(history) => history.presence(page, self.begin_ms.saturating_add(now.0)),
        }
    }

    /// Whether a link to a page is on the pages that link to it.
    pub(super) fn is_linked(&self, page: PageId, now: Time) -> bool {
        matches!(self.presence(page, now), Presence::There { .. } | Presence::Moved(_))
    }

    /// What a page links to.
    pub(super) fn targets(&self, page: PageId) -> &'w [PageId] {
        match self.entry_links {
            Some(links) if self.mirror.entry == Some(page) => links,
            _ => self.mirror.graph.targets(page),
        }
    }

    /// By page: its queue, where hosts are queues. They are numbered in the order of pages.
    pub(super) fn queues(&self) -> Option<Vec<QueueId>> {
        if self.clock.delay == Span::ZERO {
            return None;
        }
        let mut hosts: HashMap<String, u32, FxBuildHasher> = HashMap::default();
        let mut queue = |page| {
            let url = identity(self.mirror.urls.get(page));
            let host = url.split(['/', '?']).next().unwrap_or_default();
            let next = hosts.len() as u32;
            match hosts.get(host) {
                Some(known) => QueueId(*known),
                None => QueueId(*hosts.entry(host.to_owned()).or_insert(next)),
            }
        };
        Some((0..self.mirror.pages()).map(&mut queue).collect())
    }
}
