//! What was found in a window, by page, site, folder and pattern.

use std::ops::Range;

use anyhow::{Context, Result};
use trodden_logs::views::SeriesTable;
use trodden_mining::interest::{
    Analysis, GroupNames, GroupScore, InterestCurve, ListChange, ListQuality, PageSeries, ScoreWeights, changes,
    folder_of, judge_list, rank,
};
use trodden_mining::{Scratch, SiteModel};

use crate::args::TemporalArgs;
use crate::model_file;

/// Which page is of which group.
pub(super) struct Groups {
    pub(super) sites: GroupNames,
    pub(super) site_of: Vec<u32>,
    /// Folders and patterns, if they were asked for: a name of the kind, names, and the group of each page.
    pub(super) others: Vec<(&'static str, GroupNames, Vec<Option<u32>>)>,
}

impl Groups {
    pub(super) fn of(table: &SeriesTable, args: &TemporalArgs) -> Result<Self> {
        let mut sites = GroupNames::default();
        let site_of = table.pages.iter().map(|page| sites.number(&page.site)).collect();
        let mut others = Vec::new();
        if let Some(depth) = args.folders {
            let mut names = GroupNames::default();
            let of = table.pages.iter().map(|page| Some(names.number(folder_of(&page.page, depth)))).collect();
            others.push(("folder", names, of));
        }
        if let Some(path) = &args.model {
            let mut names = GroupNames::default();
            let mut of = vec![None; table.pages.len()];
            model_file::each(std::slice::from_ref(path), None, |model| {
                patterns(&model, table, &mut names, &mut of);
                Ok(())
            })
            .with_context(|| format!("--model {}", path.display()))?;
            others.push(("pattern", names, of));
        }
        Ok(Self { sites, site_of, others })
    }

    pub(super) fn pages<'t>(&self, table: &'t SeriesTable) -> Vec<PageSeries<'t>> {
        let pages = table.pages.iter().zip(&self.site_of);
        pages.map(|(page, site)| PageSeries { group: *site, bins: &page.bins }).collect()
    }
}

fn patterns(model: &SiteModel, table: &SeriesTable, names: &mut GroupNames, of: &mut [Option<u32>]) {
    let locator = model.locator();
    let mut scratch = Scratch::default();
    for (page, group) in table.pages.iter().zip(of).filter(|(page, _)| page.site == model.site) {
        if let Some(pattern) = locator.locate_text(&mut scratch, &page.page).pattern()
            && let Some(node) = model.node(pattern)
        {
            *group = Some(names.number(&format!("{} {}", model.site, node.pattern)));
        }
    }
}

/// How the list changed from one window to the next.
pub(super) struct Step {
    pub(super) window: Range<usize>,
    pub(super) temporal: usize,
    pub(super) judged: usize,
    pub(super) change: ListChange,
}

/// What was found in a window.
pub(super) struct Findings<'t> {
    pub(super) table: &'t SeriesTable,
    pub(super) groups: &'t Groups,
    pub(super) judged: Analysis,
    pub(super) window: Range<usize>,
    pub(super) weights: ScoreWeights,
    /// Sites with a temporal page, the most temporal first: those that are listed.
    pub(super) listed: Vec<usize>,
    pub(super) quality: ListQuality,
    pub(super) compared: Option<(usize, ListQuality)>,
    pub(super) history: Vec<Step>,
    /// By page, and by site: one with a page that may be named.
    may_be_named: Vec<bool>,
    site_may_be_named: Vec<bool>,
}

impl<'t> Findings<'t> {
    pub(super) fn new(
        table: &'t SeriesTable,
        groups: &'t Groups,
        judged: Analysis,
        window: Range<usize>,
        weights: ScoreWeights,
        args: &TemporalArgs,
        min_users: u64,
    ) -> Self {
        let order = rank(&judged.groups, weights);
        let is_temporal = |place: &usize| judged.groups[*place].temporal_pages > 0;
        let listed: Vec<usize> = order.into_iter().filter(is_temporal).take(args.top).collect();
        let quality = judge_list(&judged.groups, &listed);
        let may_be_named: Vec<bool> = table.pages.iter().map(|page| args.public || page.users >= min_users).collect();
        let mut site_may_be_named = vec![false; judged.groups.len()];
        for (may, site) in may_be_named.iter().zip(&groups.site_of) {
            site_may_be_named[*site as usize] |= may;
        }
        Self {
            table,
            groups,
            judged,
            window,
            weights,
            listed,
            quality,
            compared: None,
            history: Vec::new(),
            may_be_named,
            site_may_be_named,
        }
    }

    /// What changed since the window before.
    pub(super) fn step(&self, before: Option<&Self>) -> Step {
        let pages = || self.judged.pages.iter();
        Step {
            window: self.window.clone(),
            temporal: pages().filter(|page| page.is_temporal).count(),
            judged: pages().filter(|page| page.interest.is_ok()).count(),
            change: before.map_or_else(ListChange::default, |before| changes(&before.listed, &self.listed)),
        }
    }

    /// Judges a list that somebody made.
    pub(super) fn compare(&mut self, sites: &[String]) {
        let places: Vec<usize> =
            sites.iter().filter_map(|site| self.groups.sites.find(site)).map(|place| place as usize).collect();
        self.compared = Some((places.len(), judge_list(&self.judged.groups, &places)));
    }

    /// Whether a page may be named: enough people read it, or all is public.
    pub(super) fn may_be_named(&self, place: usize) -> bool {
        self.may_be_named[place]
    }

    /// Whether a site may be named: one of its pages may.
    pub(super) fn site_may_be_named(&self, site: usize) -> bool {
        self.site_may_be_named[site]
    }

    /// Pages with a curve that may be named, temporal ones first, then by views.
    pub(super) fn named_pages(&self) -> Vec<usize> {
        let is_shown = |page: &usize| self.judged.pages[*page].interest.is_ok() && self.may_be_named(*page);
        let mut pages: Vec<usize> = (0..self.table.pages.len()).filter(is_shown).collect();
        pages.sort_by(|a, b| {
            let (first, second) = (&self.judged.pages[*a], &self.judged.pages[*b]);
            second.is_temporal.cmp(&first.is_temporal).then(second.views.total_cmp(&first.views)).then(a.cmp(b))
        });
        pages
    }

    /// Scores of folders or patterns: names with scores, the most temporal first. Only of pages that may be named.
    pub(super) fn scores_of(&self, names: &GroupNames, of: &[Option<u32>]) -> Vec<(String, GroupScore)> {
        let mut scores = vec![GroupScore::default(); names.names().len()];
        let mut is_named = vec![false; scores.len()];
        for (place, (page, group)) in self.judged.pages.iter().zip(of).enumerate() {
            if let (Ok(_), Some(group)) = (&page.interest, group) {
                scores[*group as usize].add(page.views, page.is_temporal);
                is_named[*group as usize] |= self.may_be_named(place);
            }
        }
        let order =
            rank(&scores, self.weights).into_iter().filter(|place| is_named[*place] && scores[*place].pages > 0);
        order.map(|place| (names.names()[place].clone(), scores[place])).collect()
    }

    /// Days after which a site should be looked at again: a tenth of the interest in a temporal page of it has come by then,
    /// for half of these pages.
    pub(super) fn revisit_days(&self, site: usize) -> f64 {
        let bins_a_day = self.table.bins_a_day();
        let mut days: Vec<f64> = self.curves_of(site).map(|curve| curve.bins_until(0.1) / bins_a_day).collect();
        days.sort_by(f64::total_cmp);
        let median = days.get(days.len() / 2).copied().unwrap_or(1.0);
        median.clamp(LEAST_DAYS, MOST_DAYS)
    }

    fn curves_of(&self, site: usize) -> impl Iterator<Item = InterestCurve> {
        let pages = self.judged.pages.iter().zip(&self.groups.site_of);
        pages
            .filter(move |(page, of)| **of as usize == site && page.is_temporal)
            .filter_map(|(page, _)| page.interest.ok())
            .map(|interest| interest.fitted().curve)
    }
}

/// No source is looked at more often than every ten minutes, nor less often than weekly, on the word of a curve.
const LEAST_DAYS: f64 = 10.0 / 1_440.0;
const MOST_DAYS: f64 = 7.0;
