//! All measures of one site.

use std::collections::BTreeMap;

use serde::Serialize;

use super::divergence::traffic_divergence;
use super::layout::{Layout, random_likeness, within_patterns};
use super::{LaterVisits, PatternCoverage, PerTree, PeriodCoverage, SplitMix64};
use crate::locate::Scratch;
use crate::model::{SiteModel, TreeSize};

/// How good one tree is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TreeQuality {
    /// Leaves and height.
    #[serde(flatten)]
    pub size: TreeSize,
    /// What it locates.
    pub coverage: PatternCoverage,
    /// The share of URLs that it locates.
    pub url_coverage: Option<f64>,
    /// The share of visits that it locates.
    pub traffic_coverage: Option<f64>,
    /// How far the visits are from what it says, in bits.
    pub divergence: Option<f64>,
}

/// How good the patterns of a site are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SiteQuality {
    /// Different URLs that were visited.
    pub urls: u64,
    /// Visits to them.
    pub visits: u64,
    /// By tree.
    pub trees: PerTree<TreeQuality>,
    /// What a stretch of time is: month, day or tenth.
    pub period: &'static str,
    /// By stretches of time with visits, in their order.
    pub reliability: Vec<PeriodCoverage>,
}

/// How alike pages of one pattern look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayoutQuality {
    /// Pages of the site.
    pub pages: u64,
    /// By tree; none where no pattern has two pages.
    pub trees: PerTree<Option<Layout>>,
    /// The same of random pairs.
    pub random: Option<f64>,
}

/// Judges a model by visits. Locates every URL three times.
#[must_use]
pub fn judge(model: &SiteModel, later: &LaterVisits) -> SiteQuality {
    let urls = later.by_url();
    let patterns = PerTree::of(|tree| {
        let (locator, mut scratch) = (model.locator_of(tree), Scratch::default());
        urls.iter().map(|(url, ..)| locator.locate_text(&mut scratch, url).pattern()).collect::<Vec<_>>()
    });
    let trees = PerTree::of(|tree| {
        let urls: Vec<(Option<u32>, u64)> =
            patterns.get(tree).iter().zip(&urls).map(|(pattern, (.., n))| (*pattern, *n)).collect();
        let mut coverage = PatternCoverage::default();
        urls.iter().for_each(|(pattern, n)| coverage.add(*pattern, *n));
        TreeQuality {
            size: model.trees.of(tree),
            coverage,
            url_coverage: coverage.of_urls(),
            traffic_coverage: coverage.of_traffic(),
            divergence: traffic_divergence(&urls, |pattern| model.node(pattern).map_or(0, |node| node.visits)),
        }
    });
    let mut place_of = vec![0; urls.len()];
    for (place, (_, id, _)) in urls.iter().enumerate() {
        place_of[*id as usize] = place;
    }
    let mut by_period: BTreeMap<i64, PerTree<PatternCoverage>> = BTreeMap::new();
    for (url, period, n) in later.counts() {
        let coverage = by_period.entry(period).or_default();
        let place = place_of[url as usize];
        for tree in crate::TreeKind::ALL {
            coverage.get_mut(tree).add(patterns.get(tree)[place], n);
        }
    }
    let named = |(period, coverage)| PeriodCoverage { period: later.periods().name(period), coverage };
    SiteQuality {
        urls: urls.len() as u64,
        visits: urls.iter().map(|(.., n)| n).sum(),
        trees,
        period: later.periods().noun(),
        reliability: by_period.into_iter().map(named).collect(),
    }
}

/// Judges a model by pages, whose `urls` (`host/path?query`) are in order; `likeness` compares two by their numbers.
pub fn judge_layout(
    model: &SiteModel,
    urls: &[&str],
    most_pairs: usize,
    random_pairs: u32,
    random: &mut SplitMix64,
    likeness: impl Fn(usize, usize) -> f64,
) -> LayoutQuality {
    let trees = PerTree::of(|tree| {
        let (locator, mut scratch) = (model.locator_of(tree), Scratch::default());
        let patterns: Vec<_> = urls.iter().map(|url| locator.locate_text(&mut scratch, url).pattern()).collect();
        within_patterns(&patterns, most_pairs, &likeness)
    });
    LayoutQuality {
        pages: urls.len() as u64,
        trees,
        random: random_likeness(urls.len(), random_pairs, random, &likeness),
    }
}
