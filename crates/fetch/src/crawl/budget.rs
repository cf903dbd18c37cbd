//! How much may still be fetched?
//!
//! A budget of pages counts pages: answers with a status of 2xx whose media type is wanted
//! ([`OutcomeKind::is_page`](crate::outcome::OutcomeKind::is_page)). Redirects, errors, robots.txt and lists of URLs are no
//! pages, and cost nothing. What is under way may become a page, so nobody is sent while what is under way could fill the
//! budget: no budget of pages is ever exceeded.
//!
//! - *All pages*: while pages and what is under way reach the budget, nobody is sent; when pages do, the crawl ends.
//! - *A site*: no more is out than it has pages left; when it has none, its queue is held until a crawl with a larger budget.
//! - *A section* ([`SectionBudget`]): a URL waits for what is under way, or, if the budget is spent by pages, for a larger one. A
//!   section is a pattern where a model knows the site, and a path prefix where none does.
//!
//! Bytes are looked at before somebody is sent; what is under way then is finished. When time is up, what is under way is cut off,
//! and asked for again if the crawl goes on.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};
use trodden_frontier::{QueueId, Span, Time};
use trodden_ordering::Task;
use trodden_ordering::standing::Standings;

use super::fetch_task::FetchTask;
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
    /// Of the pages below a path prefix.
    PagesPerPrefix,
}

/// Folders of a path that make a prefix: `/shop/lamps/` of `/shop/lamps/3/red`.
const PREFIX_FOLDERS: usize = 2;
/// Path prefixes that are counted. Whoever has more has few pages in each.
const MAX_SECTIONS: usize = 1 << 20;

/// Pages by section of a site, against a budget: by pattern where a model knows the site, by path prefix where none does, so that an endless
/// corner of an unknown site (a calendar, combinations of filters) comes to an end.
pub struct SectionBudget {
    /// Where URLs stand.
    standings: Standings,
    per_pattern: Option<u64>,
    per_prefix: Option<u64>,
    spent: FxHashMap<Section, SectionPages>,
}

/// A part of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Section {
    /// By lane of the pattern.
    Pattern(u32),
    /// By hash of host and prefix: two that share one are as rare as they are harmless.
    Prefix(u64),
}

/// What a section has had.
#[derive(Clone, Copy, Debug, Default)]
struct SectionPages {
    pages: u64,
    under_way: u64,
}

/// Whether a section may have one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// It may.
    Free,
    /// That depends on what is under way.
    Soon,
    /// It may not: this budget is spent.
    None(BudgetKind),
}

impl SectionBudget {
    /// So many pages of each pattern, and of each path prefix; none: without end.
    #[must_use]
    pub fn new(standings: Standings, per_pattern: Option<u64>, per_prefix: Option<u64>) -> Self {
        Self { standings, per_pattern, per_prefix, spent: FxHashMap::default() }
    }

    fn room(&mut self, url: &str) -> Room {
        let section = self.section(url);
        let (most, kind) = match section {
            Section::Pattern(_) => (self.per_pattern, BudgetKind::PagesPerPattern),
            Section::Prefix(_) => (self.per_prefix, BudgetKind::PagesPerPrefix),
        };
        let Some(most) = most else { return Room::Free };
        let SectionPages { pages, under_way } = self.spent.get(&section).copied().unwrap_or_default();
        match pages {
            pages if pages >= most => Room::None(kind),
            pages if pages + under_way >= most => Room::Soon,
            _ => Room::Free,
        }
    }

    fn section(&mut self, url: &str) -> Section {
        match self.standings.lane_at_site(url) {
            Some(lane) => Section::Pattern(lane.0),
            None => Section::Prefix(FxBuildHasher.hash_one(prefix(url))),
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

    fn of(&mut self, url: &str) -> &mut SectionPages {
        let section = self.section(url);
        if self.spent.len() >= MAX_SECTIONS && !self.spent.contains_key(&section) {
            self.spent.retain(|_, section| section.under_way > 0 || section.pages > 1);
        }
        self.spent.entry(section).or_default()
    }
}

/// Host and first folders of a URL; its path, if that has fewer and a query comes after it.
fn prefix(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find('/').map_or(url.len(), |at| host + at);
    let end = url[path..].find('?').map_or(url.len(), |at| path + at);
    let mut slashes = url[path..end].match_indices('/').skip(1).map(|(at, _)| path + at + 1);
    match (slashes.nth(PREFIX_FOLDERS - 1), end < url.len()) {
        (Some(folders), _) => &url[..folders],
        (None, true) => &url[..end],
        (None, false) => &url[..url[path..end].rfind('/').map_or(end, |at| path + at + 1)],
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
    pub(super) fn is_within(&mut self, task: &Task, url: &str, now: Time) -> Result<bool, Error> {
        if self.pages_left_of(task.queue) == Some(0) {
            // The rest of the site waits for a larger budget.
            self.tally.over.insert(BudgetKind::PagesPerSite);
            self.session.hold(task.queue, Time(u64::MAX));
            self.defer_task(task, Time(u64::MAX))?;
            return Ok(false);
        }
        let is_listing = self.listings.contains_key(&task.key);
        match self.sections.as_mut().filter(|_| !is_listing).map(|sections| sections.room(url)) {
            None | Some(Room::Free) => return Ok(true),
            Some(Room::Soon) => {
                // Others of the queue may be of the same pattern: they are not all to be looked at.
                self.session.hold(task.queue, now + SOON);
                self.defer_task(task, now + SOON)?;
            }
            Some(Room::None(kind)) => {
                self.tally.over.insert(kind);
                self.defer_task(task, Time(u64::MAX))?;
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
    pub(super) fn sent(&mut self, fetch: &FetchTask) {
        if self.listings.contains_key(&fetch.task.key) {
            return;
        }
        self.pages_under_way += 1;
        self.sections.iter_mut().for_each(|sections| sections.sent(&fetch.url));
    }

    /// Somebody came back; with a page, or without.
    pub(super) fn came_back(&mut self, fetch: &FetchTask, with_page: bool) {
        if self.listings.contains_key(&fetch.task.key) {
            return;
        }
        self.pages_under_way = self.pages_under_way.saturating_sub(1);
        if let Some(sections) = &mut self.sections {
            sections.came_back(&fetch.url);
            if with_page {
                sections.count_page(&fetch.url);
            }
        }
        if with_page && self.settings.budget.pages_per_site.is_some() {
            // One page less, one less at once.
            self.charge_delay(fetch.task.queue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_prefix_is_the_first_two_folders_or_the_path_before_a_query() {
        for (url, of) in [
            ("http://a.example/", "http://a.example/"),
            ("http://a.example/page", "http://a.example/"),
            ("http://a.example/one/page", "http://a.example/one/"),
            ("http://a.example/one/two/three/four?x=/", "http://a.example/one/two/"),
            ("http://a.example/list?page=9", "http://a.example/list"),
            ("http://a.example/one/two/?page=9", "http://a.example/one/two/"),
            ("http://a.example:81/?q=/a/b/c", "http://a.example:81/"),
        ] {
            assert_eq!(prefix(url), of, "{url}");
        }
    }
}
