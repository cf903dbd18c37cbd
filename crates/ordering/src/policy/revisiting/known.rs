//! What does a crawl know of the pages it has fetched?
//!
//! A page costs some forty bytes, however long its past. Rates are pooled by group: the pattern of a model, else the folder of the first
//! path segment. A group's mean is the prior of its pages once it has so many that were seen again; until then the mean of the
//! crawl is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trodden_frontier::{Time, UrlId, UrlTable};

use crate::outcome::Change;
use crate::revisit::{ChangeEvidence, PriorRate, RateEstimate};
use crate::standing::Standings;

const DAY_MS: f64 = 86_400_000.0;
/// Pages of a group that make a mean of its own.
const ENOUGH: u32 = 16;
/// How long intervals are thought to be before any has ended: only proportions count until then.
const FIRST_INTERVAL_DAYS: f64 = 30.0;
/// Folders that are told apart; a crawl meets as many as it likes. The others are one.
const MOST_GROUPS: usize = 1 << 16;
/// Bytes of a folder's name that count.
const MOST_NAME: usize = 200;

/// A page that was fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct KnownPage {
    last: Time,
    evidence: ChangeEvidence,
    /// As it counts in the mean of its group; 0 if it does not.
    rate: f32,
    group: u32,
    /// The lane it waits in, from 1; 0 if it was never fetched, or is never fetched again.
    lane: u32,
    /// How often it was missing in a row.
    misses: u8,
    /// Whether it was ever there.
    was_there: bool,
}

/// Rates of the pages of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct GroupRates {
    sum: f64,
    pages: u32,
}

impl GroupRates {
    fn replace(&mut self, before: f32, now: f32) {
        self.sum += f64::from(now) - f64::from(before);
        self.pages = self.pages + u32::from(before == 0.0) - u32::from(now == 0.0);
    }

    fn mean(&self, least: u32) -> Option<f64> {
        // What is left of a sum whose parts all went is rounding.
        (self.pages >= least).then(|| self.sum.max(0.0) / f64::from(self.pages))
    }
}

/// What pages are pooled by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum GroupName {
    Pattern(u32),
    Folder(String),
}

/// All pages.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct KnownPages {
    pages: UrlTable<KnownPage>,
    names: BTreeMap<GroupName, u32>,
    groups: Vec<GroupRates>,
    all: GroupRates,
}

impl KnownPages {
    /// The lane of a page.
    pub(super) fn lane(&self, key: UrlId) -> Option<usize> {
        (self.pages.get(key).lane as usize).checked_sub(1)
    }

    pub(super) fn set_lane(&mut self, key: UrlId, lane: Option<usize>) {
        self.pages.slot(key).lane = lane.map_or(0, |lane| lane as u32 + 1);
    }

    /// The group of a URL.
    pub(super) fn group(&mut self, url: &str, standings: Option<&mut Standings>) -> u32 {
        let pattern = standings.and_then(|standings| standings.lane_at_site(url));
        let name = match pattern {
            Some(lane) => GroupName::Pattern(lane.0),
            None => GroupName::Folder(folder(url).to_owned()),
        };
        if let Some(group) = self.names.get(&name) {
            return *group;
        }
        if self.names.len() >= MOST_GROUPS {
            return 0;
        }
        let group = self.names.len() as u32;
        self.names.insert(name, group);
        self.groups.push(GroupRates::default());
        group
    }

    /// A page is there; D, and how well it is known.
    pub(super) fn learn(&mut self, key: UrlId, group: u32, change: Change, now: Time) -> RateEstimate {
        let mut page = self.pages.get(key);
        if change != Change::First && page.was_there {
            let days = now.0.saturating_sub(page.last.0) as f64 / DAY_MS;
            page.evidence.add(days, change == Change::Changed);
        }
        (page.last, page.misses, page.was_there) = (now, 0, true);
        self.count(&mut page, group, 0.0);
        let pooled = self.groups.get(group as usize).and_then(|group| group.mean(ENOUGH));
        let prior = match pooled.or_else(|| self.all.mean(1)) {
            Some(rate) => PriorRate::Like { rate },
            None => PriorRate::Unknown { interval_days: FIRST_INTERVAL_DAYS },
        };
        let estimate = page.evidence.estimate(prior);
        if !page.evidence.is_empty() {
            self.count(&mut page, group, estimate.rate as f32);
        }
        *self.pages.slot(key) = page;
        estimate
    }

    /// It is not there; how often in a row.
    pub(super) fn miss(&mut self, key: UrlId) -> u8 {
        let page = self.pages.slot(key);
        page.misses = page.misses.saturating_add(1);
        page.misses
    }

    /// Changes a day and page, of all that were seen again.
    pub(super) fn mean_rate(&self) -> Option<f64> {
        self.all.mean(1)
    }

    /// It was removed.
    pub(super) fn forget(&mut self, key: UrlId) {
        let mut page = self.pages.get(key);
        let group = page.group;
        self.count(&mut page, group, 0.0);
        self.pages.forget(key);
    }

    /// Counts the rate of a page in the means.
    fn count(&mut self, page: &mut KnownPage, group: u32, rate: f32) {
        if let Some(rates) = self.groups.get_mut(page.group as usize) {
            rates.replace(page.rate, 0.0);
        }
        if let Some(rates) = self.groups.get_mut(group as usize) {
            rates.replace(0.0, rate);
        }
        self.all.replace(page.rate, rate);
        (page.group, page.rate) = (group, rate);
    }
}

/// Host and first folder.
fn folder(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find('/').map_or(url.len(), |at| host + at + 1);
    let end = url[path..].find(['/', '?']).map_or(path, |at| path + at + 1);
    let end = (0..=end.min(MOST_NAME)).rev().find(|at| url.is_char_boundary(*at)).unwrap_or(0);
    &url[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    #[test]
    fn ours_folders_are_host_and_first_segment() {
        let urls = ["http://a.org/", "http://a.org/x", "http://a.org/x/y/z", "http://a.org/x?y/z", "http://a.org", ""];
        let folders = ["http://a.org/", "http://a.org/", "http://a.org/x/", "http://a.org/x?", "http://a.org", ""];
        assert_eq!(urls.map(folder), folders);
        assert_eq!(folder(&format!("http://a.org/{}/", "ü".repeat(200))).len(), 199);
    }

    #[test]
    fn ours_a_group_learns_from_its_pages_and_forgets_those_that_go() {
        let mut known = KnownPages::default();
        let [news, manual] = ["http://a.org/news/1", "http://a.org/manual/1"].map(|url| known.group(url, None));
        assert_eq!(known.group("http://a.org/news/2", None), news);
        for key in 0..40 {
            let group = if key < 20 { news } else { manual };
            for day in 1..=10 {
                let change = match (day, key < 20) {
                    (1, _) => Change::First,
                    (_, true) => Change::Changed,
                    (_, false) => Change::Unchanged,
                };
                known.learn(UrlId(key), group, change, Time(day * DAY));
            }
        }
        let fast = known.learn(UrlId(50), news, Change::First, Time(DAY)).rate;
        let slow = known.learn(UrlId(51), manual, Change::First, Time(DAY)).rate;
        assert!(fast > 10.0 * slow, "{fast} {slow}");
        let mean = known.mean_rate().unwrap();
        (0..20).for_each(|key| known.forget(UrlId(key)));
        assert!(known.mean_rate().unwrap() < mean / 5.0);
        (20..40).for_each(|key| known.forget(UrlId(key)));
        assert_eq!(known.mean_rate(), None);
    }
}
