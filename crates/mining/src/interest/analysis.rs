//! A window of many pages at once: fitted in parallel, judged, added up by group.

use std::ops::Range;

use rayon::prelude::*;

use super::fit::CurveForm;
use super::page::{Interest, TemporalRule};
use super::score::GroupScore;
use super::series::{Bin, SeriesFault};

/// A page with its views.
#[derive(Clone, Copy, Debug)]
pub struct PageSeries<'a> {
    /// The group that it counts for: a site, folder or pattern, by number.
    pub group: u32,
    /// Its views over all bins.
    pub bins: &'a [Bin],
}

/// How pages are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysisSettings {
    /// How many bins make a day.
    pub bins_a_day: f64,
    /// When a page is temporal.
    pub rule: TemporalRule,
    /// Views a day that a page must have on average; fewer say nothing reliable.
    pub least_views_a_day: f64,
    /// What is fitted.
    pub form: CurveForm,
}

/// What was found of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedPage {
    /// Its views in the window.
    pub views: f64,
    /// How interest in it goes; or why nothing can be said.
    pub interest: Result<Interest, SeriesFault>,
    /// Whether it is temporal.
    pub is_temporal: bool,
}

/// What was found of all pages in a window.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// By page, in their order.
    pub pages: Vec<JudgedPage>,
    /// By group.
    pub groups: Vec<GroupScore>,
}

impl Analysis {
    /// Pages that nothing can be said of, by reason.
    #[must_use]
    pub fn left_out(&self) -> std::collections::BTreeMap<SeriesFault, u64> {
        let mut faults = std::collections::BTreeMap::new();
        for fault in self.pages.iter().filter_map(|page| page.interest.err()) {
            *faults.entry(fault).or_default() += 1;
        }
        faults
    }
}

/// Fits and judges all pages in a window of bins; groups are numbered below `groups`.
#[must_use]
pub fn analyze(pages: &[PageSeries<'_>], groups: usize, window: Range<usize>, settings: &AnalysisSettings) -> Analysis {
    let pages_judged: Vec<JudgedPage> = pages
        .par_iter()
        .map(|page| {
            let window = window.start.min(page.bins.len())..window.end.min(page.bins.len());
            judge(&page.bins[window], settings)
        })
        .collect();
    let mut scores = vec![GroupScore::default(); groups];
    for (page, judged) in pages.iter().zip(&pages_judged) {
        if let (Ok(_), Some(score)) = (&judged.interest, scores.get_mut(page.group as usize)) {
            score.add(judged.views, judged.is_temporal);
        }
    }
    Analysis { pages: pages_judged, groups: scores }
}

fn judge(bins: &[Bin], settings: &AnalysisSettings) -> JudgedPage {
    let (mut views, mut observed) = (0.0, 0_usize);
    for y in bins.iter().filter_map(|bin| bin.views()) {
        views += y;
        observed += 1;
    }
    let least = settings.least_views_a_day * observed as f64 / settings.bins_a_day;
    let interest =
        if views > 0.0 && views < least { Err(SeriesFault::TooFew) } else { Interest::of(bins, settings.form) };
    let is_temporal = interest.is_ok_and(|interest| interest.is_temporal(settings.rule, settings.bins_a_day));
    JudgedPage { views, interest, is_temporal }
}
