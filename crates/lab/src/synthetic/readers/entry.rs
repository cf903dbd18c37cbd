//! Where does a session begin?

use super::walk::Reading;
use super::{Came, Site};
use crate::chance::Chance;
use crate::graph::PageId;
use crate::synthetic::page::Role;
use crate::synthetic::time::{DAY, Moment};
use crate::synthetic::topics::{MadeTopic, TOPICS};

/// Shares of sessions: home page, a page seen before, search engine, social network, newsletter.
const SHARES: [f64; 5] = [0.27, 0.07, 0.36, 0.20, 0.10];
/// Pages that a search engine is asked for before a reader gives up and goes to the home page.
const RESULTS: usize = 60;
/// A social network has this many recent pages of a topic.
const SHARED: usize = 30;
/// Pages in a newsletter.
const ISSUE: usize = 15;

/// Ways in from outside.
pub(super) struct Doors {
    /// By topic: pages, and the sum of appeal up to each.
    indexed: Vec<(Vec<PageId>, Vec<f64>)>,
    /// Newsletters, one a week, from the first morning on: the best of the week before.
    issues: Vec<Vec<PageId>>,
}

impl Doors {
    pub(super) fn of(site: &Site) -> Self {
        let mut indexed = vec![(Vec::new(), Vec::new()); TOPICS];
        for (id, page) in (0..).zip(site.pages()) {
            let Some(topic) = page.topic else { continue };
            let (pages, sums) = &mut indexed[topic.index()];
            pages.push(id);
            sums.push(sums.last().copied().unwrap_or(0.0) + page.appeal);
        }
        let weeks = i64::from(site.settings().days) / 7 + 1;
        Self { indexed, issues: (0..weeks).map(|week| issue(site, week)).collect() }
    }

    /// A page to begin with, and where the reader came from.
    pub(super) fn enter(
        &self,
        site: &Site,
        time: Moment,
        reading: &Reading<'_>,
        chance: &mut Chance,
    ) -> (PageId, Came) {
        let home = (Site::HOME, Came::Typed);
        match chance.weighted(SHARES) {
            Some(1) if !reading.visits.is_empty() => (chance.pick(&reading.visits).page, Came::Typed),
            Some(2) => self.searched(site, time, reading, chance).map_or(home, |page| (page, Came::Search)),
            Some(3) => {
                let topic = reading.taste().some_topic(chance);
                let recent = site.recent(topic, time);
                chosen(site, time, recent, reading, chance).map_or(home, |page| (page, Came::Social))
            }
            Some(4) => {
                let week = (time - site.start() - DAY / 4).div_euclid(7 * DAY);
                let issue = usize::try_from(week).ok().and_then(|week| self.issues.get(week));
                let issue = issue.map_or(&[][..], Vec::as_slice);
                chosen(site, time, issue, reading, chance).map_or(home, |page| (page, Came::Newsletter))
            }
            _ => home,
        }
    }

    /// Results come by appeal; those not born are not there, and what is stale is passed over.
    fn searched(&self, site: &Site, time: Moment, reading: &Reading<'_>, chance: &mut Chance) -> Option<PageId> {
        let (pages, sums) = &self.indexed[reading.taste().some_topic(chance).index()];
        let total = sums.last().copied().unwrap_or(0.0);
        (0..RESULTS).find_map(|_| {
            let draw = chance.unit() * total;
            let page = *pages.get(sums.partition_point(|&sum| sum <= draw))?;
            let found = site.page(page);
            (found.born <= time && chance.happens(found.freshness(time))).then_some(page)
        })
    }
}

/// One of several pages, by the reader's taste.
fn chosen(site: &Site, time: Moment, pages: &[PageId], reading: &Reading<'_>, chance: &mut Chance) -> Option<PageId> {
    chance.weighted(pages.iter().map(|&page| reading.value(site.page(page), time))).map(|at| pages[at])
}

fn issue(site: &Site, week: i64) -> Vec<PageId> {
    let sent = site.start().plus_days(7 * week) + DAY / 4;
    let fresh = |page: PageId| site.page(page).born >= sent.plus_days(-7);
    let of_topic = |topic| site.born_until(topic, sent).iter().rev().copied().take_while(|&page| fresh(page));
    let mut pages: Vec<PageId> = MadeTopic::all().flat_map(of_topic).collect();
    pages.sort_by(|&a, &b| site.page(b).appeal.total_cmp(&site.page(a).appeal).then(a.cmp(&b)));
    pages.truncate(ISSUE);
    pages
}

impl Site {
    fn born_until(&self, topic: MadeTopic, time: Moment) -> &[PageId] {
        self.streams[self.topics[topic.index()]].until(time)
    }

    fn recent(&self, topic: MadeTopic, time: Moment) -> &[PageId] {
        let born = self.born_until(topic, time);
        &born[born.len().saturating_sub(SHARED)..]
    }
}

/// Whether a page is read for its own sake, and so only once.
pub(super) fn is_read_once(role: Role) -> bool {
    matches!(role, Role::Item | Role::Part)
}
