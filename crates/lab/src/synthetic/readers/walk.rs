//! Which link next?

use rustc_hash::FxHashSet;

use super::entry::is_read_once;
use super::taste::Taste;
use super::{Came, MadeVisit, ReaderId, Site};
use crate::chance::Chance;
use crate::graph::PageId;
use crate::synthetic::page::{Block, MadeLink, MadePage, Role};
use crate::synthetic::time::Moment;

/// Probability to leave after any page (b), …
const LEAVE: f64 = 0.13;
/// … and what all links of a page must be worth for a reader to stay with even chances (v₀).
const BOREDOM: f64 = 0.5;
/// Probability to go back a page before choosing, from items and from all others.
const BACK_FROM_ITEM: f64 = 0.35;
const BACK: f64 = 0.08;
/// Worth of a page read before, and of a listing seen in the same session.
const READ_BEFORE: f64 = 0.02;
const SEEN_BEFORE: f64 = 0.3;
/// Seconds on a page: at least, and at most.
const SHORTEST: f64 = 4.0;
const LONGEST: f64 = 900.0;
/// Nobody reads more pages in one go.
const MOST_PAGES: usize = 150;

/// What all links of a kind are worth relative to what a page is there for.
fn attention(block: Block) -> f64 {
    match block {
        Block::Header => 0.08,
        Block::Body => 1.0,
        Block::Aside => 0.35,
        Block::Pager => 0.5,
        Block::Ends => 0.01,
        Block::Footer => 0.004,
    }
}

/// A reader, and what they have read.
pub(super) struct Reading<'a> {
    site: &'a Site,
    reader: ReaderId,
    taste: Taste,
    read: FxHashSet<PageId>,
    pub(super) visits: Vec<MadeVisit>,
    links: Vec<MadeLink>,
    values: Vec<f64>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(site: &'a Site, reader: ReaderId, taste: Taste) -> Self {
        let (read, visits) = (FxHashSet::default(), Vec::new());
        Self { site, reader, taste, read, visits, links: Vec::new(), values: Vec::new() }
    }

    pub(super) fn taste(&self) -> &Taste {
        &self.taste
    }

    pub(super) fn last_visit(&self) -> Option<Moment> {
        self.visits.last().map(|visit| visit.at)
    }

    /// What a page is worth to this reader at a time, before attention and novelty.
    pub(super) fn value(&self, page: &MadePage, time: Moment) -> f64 {
        self.taste.of(page.topic) * page.appeal * page.freshness(time)
    }

    /// Reads from a page on until leaving.
    pub(super) fn session(&mut self, start: Moment, page: PageId, from: Came, chance: &mut Chance) {
        let first = self.visits.len();
        let mut now = start;
        let mut trail = vec![(page, now)];
        self.visit(now, page, from);
        while self.visits.len() - first < MOST_PAGES && !chance.happens(LEAVE) {
            let at = self.site.page(trail[trail.len() - 1].0);
            let back = if at.role == Role::Item { BACK_FROM_ITEM } else { BACK };
            if trail.len() > 1 && chance.happens(back) {
                trail.pop();
            }
            let (page, loaded) = trail[trail.len() - 1];
            let Some(next) = self.choose(page, loaded, first, chance) else { break };
            now = now + dwell(chance);
            if now >= self.site.end() {
                break;
            }
            self.visit(now, next, Came::Page { page, loaded });
            trail.push((next, now));
        }
    }

    fn visit(&mut self, at: Moment, page: PageId, from: Came) {
        self.visits.push(MadeVisit { at, reader: self.reader, page, from });
        self.read.insert(page);
    }

    /// A link of a page as it was loaded, or none for a bored reader. `first` is the session's first visit.
    fn choose(&mut self, page: PageId, loaded: Moment, first: usize, chance: &mut Chance) -> Option<PageId> {
        let mut links = std::mem::take(&mut self.links);
        let mut values = std::mem::take(&mut self.values);
        self.site.links_into(page, loaded, &mut links);
        values.clear();
        let mut position = 0.0;
        for link in &links {
            let to = self.site.page(link.to);
            let mut value = attention(link.block) * self.value(to, loaded);
            if link.block == Block::Body {
                value *= 8.0 / (8.0 + position);
                position += 1.0;
            }
            if self.read.contains(&link.to) {
                if is_read_once(to.role) {
                    value *= READ_BEFORE;
                } else if self.visits[first..].iter().any(|visit| visit.page == link.to) {
                    value *= SEEN_BEFORE;
                }
            }
            values.push(value);
        }
        let worth: f64 = values.iter().sum();
        let next = if chance.happens(BOREDOM / (BOREDOM + worth)) {
            None
        } else {
            chance.weighted(values.iter().copied()).map(|at| links[at].to)
        };
        (self.links, self.values) = (links, values);
        next
    }
}

/// Seconds on a page; a few for most, minutes for some.
fn dwell(chance: &mut Chance) -> i64 {
    (SHORTEST + 6.0 * chance.heavy(LONGEST / 6.0)) as i64
}
