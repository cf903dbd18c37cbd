//! How much may still be fetched?
//!
//! A budget of pages counts pages: answers with a status of 2xx whose media type is wanted
//! ([`OutcomeKind::is_page`](crate::outcome::OutcomeKind::is_page)). Redirects, errors, robots.txt and lists of URLs are no
//! pages, and cost nothing. What is under way may become a page, so nobody is sent while what is under way could fill the
//! budget: no budget of pages is ever exceeded.
//!
//! - *All pages*: while pages and what is under way reach the budget, nobody is sent; when pages do, the crawl ends.
//! - *A site*: no more is out than it has pages left; when it has none, its queue is held until a crawl with a larger budget.
//! - *A pattern*: a URL waits for what is under way, or, if the budget is spent by pages, for a larger one.
//!
//! Bytes are looked at before somebody is sent; what is under way then is finished. When time is up, what is under way is cut off,
//! and asked for again if the crawl goes on.

use rustc_hash::FxHashMap;
use trodden_frontier::{Frontier, QueueId, Span, Time};
use trodden_ordering::Task;
use trodden_ordering::standing::Standings;

use super::visit::Errand;
use super::{Crawl, Error};

/// How long a URL waits for what is under way in its pattern.
pub(super) const SOON: Span = Span(100);

/// A budget that can be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetKind {
    /// Of pages.
    Pages,
    /// Of bytes.
    Bytes,
    /// Of time.
    Time,
    /// Of the pages of a site.
    PagesPerSite,
    /// Of the pages of a pattern.
    PagesPerPattern,
}

/// Pages by pattern, against a budget.
pub struct PatternBudget {
    /// Where URLs stand.
    standings: Standings,
    /// Pages of one pattern.
    most: u64,
    /// By lane of the pattern.
    spent: FxHashMap<u32, PatternPages>,
}

/// What a pattern has had.
#[derive(Clone, Copy, Debug, Default)]
struct PatternPages {
    pages: u64,
    under_way: u64,
}

/// Whether a pattern may have one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// It may.
    Free,
    /// That depends on what is under way.
    Soon,
    /// It may not.
    None,
}

impl PatternBudget {
    /// So many pages of each pattern.
    #[must_use]
    pub fn new(standings: Standings, most: u64) -> Self {
        Self { standings, most, spent: FxHashMap::default() }
    }

    fn room(&mut self, url: &str) -> Room {
        let PatternPages { pages, under_way } = *self.of(url);
        match pages {
            pages if pages >= self.most => Room::None,
            pages if pages + under_way >= self.most => Room::Soon,
            _ => Room::Free,
        }
    }

    /// A URL became a page.
    pub(super) fn count_page(&mut self, url: &str) {
        self.of(url).pages += 1;
    }

    fn sent(&mut self, url: &str) {
        self.of(url).under_way += 1;
    }

    fn came_back(&mut self, url: &str) {
        let of = self.of(url);
        of.under_way = of.under_way.saturating_sub(1);
    }

    fn of(&mut self, url: &str) -> &mut PatternPages {
        let lane = self.standings.lane(url).0;
        self.spent.entry(lane).or_default()
    }
}

impl Crawl {
    /// The budget of the whole crawl that is spent, if one is.
    pub(super) fn spent(&self) -> Option<BudgetKind> {
        let budget = &self.settings.budget;
        if budget.pages.is_some_and(|pages| self.tally.pages() >= pages) {
            return Some(BudgetKind::Pages);
        }
        if budget.bytes.is_some_and(|bytes| self.tally.bytes >= bytes) {
            return Some(BudgetKind::Bytes);
        }
        let is_over = |seconds: u64| self.elapsed_ms() >= seconds.saturating_mul(1_000);
        budget.seconds.is_some_and(is_over).then_some(BudgetKind::Time)
    }

    /// Whether one more page is within the budget, whatever becomes of those under way.
    pub(super) fn has_room(&self) -> bool {
        self.settings.budget.pages.is_none_or(|pages| self.tally.pages() + self.pages_under_way < pages)
    }

    /// Whether a task is within the budgets of its site and pattern; if not, it is put off.
    pub(super) fn is_within(&mut self, task: &Task<u32>, url: &str, now: Time) -> Result<bool, Error> {
        if self.pages_left_of(task.queue) == Some(0) {
            // The rest of the site waits for a larger budget.
            self.tally.over.insert(BudgetKind::PagesPerSite);
            self.engine.frontier_mut().hold(task.queue, Time(u64::MAX));
            self.put_off(task, Time(u64::MAX))?;
            return Ok(false);
        }
        let is_listing = self.listings.contains_key(&task.key);
        match self.patterns.as_mut().filter(|_| !is_listing).map(|patterns| patterns.room(url)) {
            None | Some(Room::Free) => return Ok(true),
            Some(Room::Soon) => {
                // Others of the queue may be of the same pattern: they are not all to be looked at.
                self.engine.frontier_mut().hold(task.queue, now + SOON);
                self.put_off(task, now + SOON)?;
            }
            Some(Room::None) => {
                self.tally.over.insert(BudgetKind::PagesPerPattern);
                self.put_off(task, Time(u64::MAX))?;
            }
        }
        Ok(false)
    }

    /// The budget that what is left is over, all of it.
    pub(super) fn over_budget(&self) -> BudgetKind {
        self.tally.over.first().copied().unwrap_or(BudgetKind::PagesPerSite)
    }

    /// Pages that a site may still have, if it has a budget.
    pub(super) fn pages_left_of(&self, queue: QueueId) -> Option<u64> {
        let most = self.settings.budget.pages_per_site?;
        Some(most.saturating_sub(self.by_site.get(&queue).copied().unwrap_or(0)))
    }

    /// Somebody is sent.
    pub(super) fn sent(&mut self, errand: &Errand) {
        if self.listings.contains_key(&errand.task.key) {
            return;
        }
        self.pages_under_way += 1;
        self.patterns.iter_mut().for_each(|patterns| patterns.sent(&errand.url));
    }

    /// Somebody came back; with a page, or without.
    pub(super) fn came_back(&mut self, errand: &Errand, with_page: bool) {
        if self.listings.contains_key(&errand.task.key) {
            return;
        }
        self.pages_under_way = self.pages_under_way.saturating_sub(1);
        if let Some(patterns) = &mut self.patterns {
            patterns.came_back(&errand.url);
            if with_page {
                patterns.count_page(&errand.url);
            }
        }
        if with_page && self.settings.budget.pages_per_site.is_some() {
            // One page less, one less at once.
            self.charge_delay(errand.task.queue);
        }
    }
}
