//! What does a crawl know of how often pages change?
//!
//! Of each page: the intervals between its requests, and which of them show a change. Of pages in the same folder: their mean rate. A rate is
//! estimated as in [`trodden_ordering::revisit`], with the folder's mean as the prior; a folder about which little is known counts as the site.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use trodden_ordering::Change;
use trodden_ordering::revisit::{AdaptiveInterval, ChangeEvidence, PriorRate, RateEstimate};

use crate::urls::UrlTexts;

/// Pages of a folder; smaller ones belong to the folder above. So many with evidence, too, it takes to have a mean of one's own.
const FEWEST: u32 = 16;

/// What is known of a page.
#[derive(Clone, Copy, Debug, Default)]
struct KnownPage {
    evidence: ChangeEvidence,
    adaptive: AdaptiveInterval,
    /// As estimated last; none if there was evidence since.
    estimate: Option<RateEstimate>,
}

/// What is known of all pages.
#[derive(Clone, Debug)]
pub struct ChangeKnowledge {
    pages: Vec<KnownPage>,
    groups: Vec<u32>,
    /// Mean rates: of groups about which enough is known, and of the site.
    group_rates: Vec<Option<f64>>,
    site_rate: Option<f64>,
    /// How long intervals are before anything is known.
    interval_days: f64,
}

impl ChangeKnowledge {
    /// Nothing yet.
    pub fn new(groups: &[u32], interval_days: f64) -> Self {
        let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
        Self {
            pages: vec![KnownPage::default(); groups.len()],
            groups: groups.to_vec(),
            group_rates: vec![None; count],
            site_rate: None,
            interval_days,
        }
    }

    /// A page was fetched, so many days after it was before.
    pub fn learn(&mut self, page: u32, days: f64, is_changed: bool) {
        let known = &mut self.pages[page as usize];
        known.evidence.add(days, is_changed);
        known.adaptive.fetched(if is_changed { Change::Changed } else { Change::Unchanged });
        known.estimate = None;
    }

    /// Nutch's interval.
    pub fn adaptive_days(&self, page: u32) -> f64 {
        self.pages[page as usize].adaptive.days()
    }

    /// Estimates rates again, by the evidence until now.
    pub fn estimate(&mut self) {
        let mut sums = vec![(0.0, 0_u32); self.group_rates.len()];
        for page in 0..self.pages.len() {
            if self.pages[page].evidence.is_empty() {
                continue;
            }
            let estimate = self.pages[page].estimate.unwrap_or_else(|| {
                let prior = self.prior(page);
                self.pages[page].evidence.estimate(prior)
            });
            self.pages[page].estimate = Some(estimate);
            let sum = &mut sums[self.groups[page] as usize];
            *sum = (sum.0 + estimate.rate, sum.1 + 1);
        }
        let (rates, pages) = sums.iter().fold((0.0, 0), |all, sum| (all.0 + sum.0, all.1 + sum.1));
        self.site_rate = (pages > 0).then(|| rates / f64::from(pages));
        for (mean, (rates, pages)) in self.group_rates.iter_mut().zip(&sums) {
            *mean = (*pages >= FEWEST).then(|| rates / f64::from(*pages));
        }
    }

    /// D, as [estimated](Self::estimate) last.
    pub fn rate(&self, page: u32) -> RateEstimate {
        self.pages[page as usize].estimate.unwrap_or_else(|| self.prior(page as usize).estimate())
    }

    fn prior(&self, page: usize) -> PriorRate {
        match self.group_rates[self.groups[page] as usize].or(self.site_rate) {
            Some(rate) => PriorRate::Like { rate },
            None => PriorRate::Unknown { interval_days: self.interval_days },
        }
    }
}

/// By page: its folder, or the nearest one above that has enough pages; at the top is the host. Numbered in the order of pages.
pub fn folders(urls: &UrlTexts, pages: u32) -> Vec<u32> {
    let mut counts: HashMap<&str, u32, FxBuildHasher> = HashMap::default();
    for page in 0..pages {
        above(urls.get(page)).for_each(|folder| *counts.entry(folder).or_default() += 1);
    }
    let mut numbers: HashMap<&str, u32, FxBuildHasher> = HashMap::default();
    let group = |page: u32| {
        let url = urls.get(page);
        let folder = above(url).find(|folder| counts[folder] >= FEWEST).or_else(|| above(url).last());
        let next = numbers.len() as u32;
        *numbers.entry(folder.unwrap_or_default()).or_insert(next)
    };
    (0..pages).map(group).collect()
}

/// The folders of a URL, from its own up to its host.
fn above(url: &str) -> impl Iterator<Item = &str> {
    let path = url.find("://").map_or(0, |at| at + 3);
    let top = url[path..].find('/').map_or(url.len(), |at| path + at + 1);
    let end = url[top..].trim_end_matches('/').len() + top;
    let folders = url[top..end].rmatch_indices('/').map(move |(at, _)| &url[..=top + at]);
    folders.chain(std::iter::once(&url[..top]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_small_folders_belong_to_the_one_above() {
        let mut urls = UrlTexts::default();
        for n in 0..20 {
            urls.push(&format!("http://a.org/big/{n}")).unwrap();
        }
        for url in ["http://a.org/", "http://a.org/small/x", "http://b.org/y"] {
            urls.push(url).unwrap();
        }
        let groups = folders(&urls, 23);
        assert!(groups[..20].iter().all(|group| *group == 0));
        // The home page and the small folder are with the site; another host with none.
        assert_eq!(groups[20], groups[21]);
        assert_ne!(groups[20], 0);
        assert_ne!(groups[22], 0);
    }

    #[test]
    fn ours_a_page_never_seen_again_changes_as_its_folder_does() {
        let groups: Vec<u32> = (0..60).map(|page| u32::from(page >= 30)).collect();
        let mut known = ChangeKnowledge::new(&groups, 10.0);
        assert!((known.rate(0).rate - std::f64::consts::LN_2 / 10.0).abs() < 1e-12);
        // The first folder changes at every request, the second never. The last page of each is not asked for.
        for page in (0..29).chain(30..59) {
            (0..5).for_each(|_| known.learn(page, 10.0, page < 30));
        }
        (0..10).for_each(|_| known.estimate());
        assert!(known.rate(29).rate > 5.0 * known.rate(59).rate, "{} {}", known.rate(29).rate, known.rate(59).rate);
        assert!((known.rate(29).rate / known.rate(0).rate - 1.0).abs() < 0.5);
    }
}
