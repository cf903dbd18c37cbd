//! What speaks of the topic first; within that, as another policy says (UO's two queues).
//!
//! A URL is *hot* if it, or the text of a link to it, [hints](Predicate::hints) at the topic: for a topic of plain words, if one of them is in
//! it. The modified crawler (`similarity-near`) also takes what is within three links of a page known to be hot, because the topic
//! [holds](Predicate::holds) of it: a plain word is in its title, or at least ten times in its body. **\[ours\]** A URL becomes hot as soon as a reason is seen, and stays so. The paper's crawler decides once, by the first link that
//! it finds to a URL (`similarity-once`). Hot URLs are all taken before the others; each of the two is in the order of the wrapped policy.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, Placement, Priority, Time, UrlId, UrlTable};

use super::{Moves, OrderingPolicy, SaveFault, save};
use crate::labels::PageLabels;
use crate::outcome::{Found, Known, Outcome};
use crate::predicate::{PageFacts, Predicate};

/// Links from a hot page that are still near.
pub const NEAR_LINKS: u8 = 3;

/// What makes a URL hot, beside topic words in it and in links to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nothing; and only the first link to it is looked at.
    FirstLink,
    /// Nothing.
    Words,
    /// A hot page not far away.
    Near,
}

/// Two queues around another policy.
pub struct Similarity {
    topic: Predicate,
    labels: Arc<PageLabels>,
    reach: Reach,
    inner: Box<dyn OrderingPolicy>,
    inner_moves: Moves,
    state: State,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    hot: UrlTable<bool>,
    /// By URL: how many links it is still allowed to be followed for; 3 on a hot page, 0 where nothing hot is near.
    nearness: UrlTable<u8>,
    /// By URL: terms over anchors that links to it satisfied.
    anchors: UrlTable<u32>,
}

impl Similarity {
    /// Around `inner`.
    pub fn new(topic: Predicate, labels: Arc<PageLabels>, reach: Reach, inner: Box<dyn OrderingPolicy>) -> Self {
        Self { topic, labels, reach, inner, inner_moves: Moves::default(), state: State::default() }
    }

    fn is_hot_page(&self, url: &Known<'_>, outcome: &Outcome<'_>) -> bool {
        let text = outcome.text.unwrap_or_default();
        let categories = if self.topic.reads_categories() { self.labels.names_of(url.key) } else { Vec::new() };
        self.topic.holds(&PageFacts {
            url: url.url,
            title: text.title,
            body: text.body,
            anchor_hits: self.state.anchors.get(url.key),
            categories: &categories,
        })
    }

    /// The place the wrapped policy gave, in the queue it belongs to.
    fn in_queue(&self, key: UrlId, placement: Placement) -> Placement {
        let tier = u8::from(self.state.hot.get(key));
        match placement {
            Placement::Lane(lane) => Placement::Lane(LaneId(lane.0 * 2 + u32::from(tier))),
            Placement::Exact(priority) => Placement::Exact(Priority { tier, ..priority }),
            Placement::Reject => Placement::Reject,
        }
    }
}

impl OrderingPolicy for Similarity {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        let placement = self.inner.place(url, now);
        if self.topic.hints(url.url, url.anchor) {
            *self.state.hot.slot(url.key) = true;
        }
        self.in_queue(url.key, placement)
    }

    fn place_again(&self, url: &Known<'_>, now: Time) -> Placement {
        self.in_queue(url.key, self.inner.place_again(url, now))
    }

    fn settled(&mut self, url: &Known<'_>, outcome: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, now: Time) {
        self.inner.settled(url, outcome, found, &mut self.inner_moves, now);
        let nearness = match (self.reach, outcome) {
            (Reach::FirstLink | Reach::Words, _) => 0,
            (Reach::Near, outcome) if outcome.is_page() && self.is_hot_page(url, outcome) => NEAR_LINKS,
            (Reach::Near, _) => self.state.nearness.get(url.key),
        };
        for link in found {
            if self.reach == Reach::Near && self.topic.reads_anchors() {
                *self.state.anchors.slot(link.key) |= self.topic.anchor_hits(link.anchor);
            }
            let near = self.state.nearness.slot(link.key);
            *near = (*near).max(nearness.saturating_sub(1));
            let counts = link.is_new || self.reach != Reach::FirstLink;
            let is_hot = counts && (nearness > 0 || self.topic.hints(link.url, link.anchor));
            if is_hot && !std::mem::replace(self.state.hot.slot(link.key), true) && !link.is_new {
                let known = Known { key: link.key, url: link.url, from: Some(url.key), anchor: link.anchor };
                let placement = self.inner.place_again(&known, now);
                moves.place(link.key, self.in_queue(link.key, placement));
            }
        }
        let mut inner_moves = std::mem::take(&mut self.inner_moves);
        for (key, placement) in inner_moves.drain() {
            moves.place(key, self.in_queue(key, placement));
        }
        self.inner_moves = inner_moves;
    }

    fn lane_priority(&self, lane: LaneId, now: Time) -> Priority {
        let inner = self.inner.lane_priority(LaneId(lane.0 / 2), now);
        Priority { tier: (lane.0 % 2) as u8, ..inner }
    }

    /// Hot pages are kept before others.
    fn estimate(&self, key: UrlId) -> f64 {
        // The wrapped estimate, squeezed into less than the step from cold to hot.
        f64::from(u8::from(self.state.hot.get(key))) * 2.0 + squeeze(self.inner.estimate(key))
    }

    fn forget(&mut self, url: UrlId) {
        self.state.hot.forget(url);
        self.state.nearness.forget(url);
        self.state.anchors.forget(url);
        self.inner.forget(url);
    }

    fn reads_anchors(&self) -> bool {
        true
    }

    fn reads_text(&self) -> bool {
        (self.reach == Reach::Near && self.topic.reads_text()) || self.inner.reads_text()
    }

    fn save(&self) -> Vec<u8> {
        save::save(&(&self.state, self.inner.save()))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SaveFault> {
        let (state, inner): (State, Vec<u8>) = save::restore(saved)?;
        self.inner.restore(&inner)?;
        self.state = state;
        Ok(())
    }
}

/// Any number, in the same order, between −1 and 1.
fn squeeze(value: f64) -> f64 {
    if value.is_infinite() { value.signum() } else { value / (1.0 + value.abs()) }
}
