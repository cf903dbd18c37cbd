//! Where does a URL belong in the order? One file a policy.
//!
//! | file | order | knows |
//! |---|---|---|
//! | [`breadth_first`] | as found | nothing |
//! | [`random`] | any that waits, all alike | a seed |
//! | [`backlink`] | links from pages fetched so far | links |
//! | [`pagerank`] | PageRank of the graph so far | links |
//! | [`opic`] | cash that flowed to it | links |
//! | [`rankmass`] | personalized PageRank mass known so far | links, trusted pages |
//! | [`location`] | how plain its URL is | the URL |
//! | [`similarity`] | what speaks of the topic first; else as another policy says | links, text |
//! | [`collaborative`] | likelihood to be about a topic | who reads what, links, text |
//! | [`pattern`] | rank of its URL pattern | a model |
//! | [`blend`] | visits to be expected | visits, models, links |
//! | [`revisiting`] | as another policy says; pages are fetched again | the history of pages |
//! | [`by_value`] | a number that was given for it: its own visits, or an oracle's word | that number |
//!
//! A policy is pure: it sees what the crawl has seen, in order and with the time at which it happened, and nothing else. Two
//! crawls that saw the same are in the same state, and one that was saved and restored goes on as if it had not been.

pub mod backlink;
pub mod blend;
pub mod breadth_first;
pub mod build;
pub mod by_value;
mod cannot_run;
pub mod collaborative;
pub mod location;
mod name;
pub mod opic;
pub mod pagerank;
pub mod pattern;
pub mod random;
pub mod rankmass;
mod removed;
pub mod revisiting;
mod save;
pub mod similarity;

pub use cannot_run::CannotRun;
pub use name::{Ingredient, PolicyName, UnknownPolicy};
pub use save::SaveFault;
pub(crate) use save::{restore as restore_state, save as save_state};

use std::any::Any;

use trodden_frontier::{LaneId, LaneOrder, Placement, Priority, Rotation, Time, UrlId};

use crate::outcome::{Found, Known, Outcome};

/// URLs that a policy wants to have moved.
#[derive(Debug, Default)]
pub struct Moves {
    placements: Vec<(UrlId, Placement)>,
}

impl Moves {
    /// A URL shall wait elsewhere. Nothing happens to one that does not wait.
    pub fn place(&mut self, key: UrlId, placement: Placement) {
        self.placements.push((key, placement));
    }

    /// All of them, in the order in which they were wanted.
    pub fn drain(&mut self) -> impl Iterator<Item = (UrlId, Placement)> {
        self.placements.drain(..)
    }
}

/// When a URL that was settled is fetched again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Again {
    /// It is done with.
    #[default]
    Never,
    /// From this time on, where it waited before.
    At(Time),
    /// In this lane: when that is by period, a period from now.
    Into(LaneId),
}

/// What decides the next URL, and when it is fetched again.
pub trait OrderingPolicy: Send {
    /// Where a URL belongs that the crawl has just seen for the first time.
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement;

    /// Where a URL belongs that was placed before and waits: the same question, without counting it as seen again.
    fn place_again(&self, url: &Known<'_>, now: Time) -> Placement;

    /// Learns from a page that was fetched. Called before its new links are placed.
    fn settled(&mut self, url: &Known<'_>, outcome: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, now: Time) {
        let _ = (url, outcome, found, moves, now);
    }

    /// Whether a URL is fetched again, and when. Asked after it has [learnt](Self::settled) from what came of it.
    fn again(&mut self, url: &Known<'_>, outcome: &Outcome<'_>, now: Time) -> Again {
        let _ = (url, outcome, now);
        Again::Never
    }

    /// What a lane is worth. Asked before the first URL goes there, and again when it is [`repriced`](Self::repriced).
    fn lane_priority(&self, lane: LaneId, now: Time) -> Priority {
        let _ = (lane, now);
        Priority::default()
    }

    /// The order inside a lane. It stays what it is; only a period may change when the lane is repriced.
    fn lane_order(&self, lane: LaneId) -> LaneOrder {
        let _ = lane;
        LaneOrder::Arrival
    }

    /// Lanes that are worth something else by now. Asked after each page.
    fn repriced(&mut self) -> Vec<LaneId> {
        Vec::new()
    }

    /// Whether this hand-out of a queue, counted from 1, goes to exploration.
    fn explores(&self, hand_out: u64) -> bool {
        let _ = hand_out;
        false
    }

    /// How curious it is about what waits in a lane; none where there is nothing to learn.
    fn curiosity(&self, lane: LaneId) -> Option<Priority> {
        let _ = lane;
        None
    }

    /// A URL of this lane was handed out for exploration.
    fn explored(&mut self, lane: LaneId) {
        let _ = lane;
    }

    /// That never happened: the URL was not fetched.
    fn unexplored(&mut self, lane: LaneId) {
        let _ = lane;
    }

    /// Forgets a URL: it was removed, and another may get its number.
    fn forget(&mut self, url: UrlId) {
        let _ = url;
    }

    /// How important a page is, as far as this policy can tell: what a full buffer keeps. Of a page that was fetched it
    /// never gets less.
    fn estimate(&self, key: UrlId) -> f64;

    /// Whether its [estimates](Self::estimate), and the priorities of its lanes, are expected visits a day.
    fn estimates_visits(&self) -> bool {
        false
    }

    /// Visits that a URL will have in a time as long as the logs cover (measured in visits), for judging what was foretold; none
    /// if this policy foretells nothing. Asked of URLs that the crawl knows. No order depends on it.
    fn foretell(&self, key: UrlId) -> Option<f64> {
        let _ = key;
        None
    }

    /// Whether it needs the text of URLs. If not, whoever runs the crawl may leave them empty: in a large world, looking up
    /// the URL of every link takes longer than all the rest.
    fn reads_urls(&self) -> bool {
        true
    }

    /// Whether it needs the text of pages.
    fn reads_text(&self) -> bool {
        false
    }

    /// Whether it needs the text of links.
    fn reads_anchors(&self) -> bool {
        false
    }

    /// How sites share: evenly, unless its priorities can be compared between sites.
    fn rotation(&self) -> Rotation {
        Rotation::Even
    }

    /// Gives away what it knows that does not depend on a model, to one that takes its place.
    fn hand_over(&mut self) -> Option<Box<dyn Any + Send>> {
        None
    }

    /// Takes over what one of the same kind gave away.
    fn take_over(&mut self, known: Box<dyn Any + Send>) {
        drop(known);
    }

    /// What it has learnt.
    fn save(&self) -> Vec<u8>;

    /// Takes up what another of the same kind and settings has learnt.
    ///
    /// # Errors
    /// If these are not the bytes of such a one.
    fn restore(&mut self, saved: &[u8]) -> Result<(), SaveFault>;
}
