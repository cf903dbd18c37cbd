//! How good are the patterns of a model on visits that it was not learnt from?
//!
//! Visits are read twice: once for which sites there are and how many of their visits are later than what their model was learnt
//! from ([`Census`]), and once, a batch of sites at a time, for the URLs ([`Batch::read`]). A [`PageShelf`] brings the pages of an archive
//! to their sites, [`MirrorUrls`] the URLs of a crawl or sitemap. What comes of it is a [`JudgedSite`], a [`QualitySummary`] and a [`sentence`] on
//! all of them. The measures are in
//! `trodden_mining::quality`.

mod census;
mod judged_site;
mod mirror;
mod pages;
mod place;
mod summary;
mod verdict;

pub use census::{Batch, Census, CountedSite, JudgedBy, Period};
pub use judged_site::{JudgedSite, QualityReport};
pub use mirror::MirrorUrls;
pub use pages::{PageShelf, ShelfTally, SitePages};
pub use place::UrlPlaces;
pub use summary::{QualitySummary, SiteSums, Spread};
pub use verdict::{ModelJudgment, ModelVerdict, sentence};

use trodden_mining::SiteModel;
use trodden_mining::quality::{LaterVisits, LayoutQuality, SplitMix64, judge, judge_layout};

/// Random pairs of pages that are compared for each site.
const RANDOM_PAIRS: u32 = 10_000;
/// What fixes them.
const SEED: u64 = 2011;

/// Judges the model of a site by its visits and, if there are any, its pages and the URLs of a mirror. So many pairs of pages of a pattern are compared at most.
#[must_use]
pub fn judge_site(
    model: &SiteModel,
    counted: &CountedSite,
    later: &LaterVisits,
    pages: Option<&SitePages>,
    most_pairs: usize,
    mirror: &MirrorUrls,
) -> JudgedSite {
    let layout = pages.map(|pages| layout(model, pages, most_pairs));
    JudgedSite::new(model, counted, judge(model, later), layout, mirror.coverage(model))
}

fn layout(model: &SiteModel, pages: &SitePages, most_pairs: usize) -> LayoutQuality {
    let (urls, profiles): (Vec<&str>, Vec<_>) = pages.iter().map(|(url, profile)| (url.as_str(), profile)).unzip();
    let likeness = |i: usize, j: usize| profiles[i].similarity(profiles[j]);
    judge_layout(model, &urls, most_pairs, RANDOM_PAIRS, &mut SplitMix64::new(SEED), likeness)
}
