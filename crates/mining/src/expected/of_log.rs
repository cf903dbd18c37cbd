//! What a log alone foretells: of each of its URLs, and of those that nobody read.
//!
//! The model is fitted without links to all URLs of a site table. Of a URL that the site model does not name, only its pattern is known, so it
//! has the mean of its pattern's URLs without a name and of one unread URL more: the next one may be new.
//!
//! How many unread URLs a site has, a log cannot know. What they have together they share with as many as there are known ones of their kind, unless a list
//! of the site's URLs says how many there are.

use super::discount;
use super::fit::{FitTerms, FittedModel, fit};
use super::model::VisitEvidence;
use super::sample::FitSample;
use super::tree::KindTree;
use super::{Expect, Forecast};
use crate::site_table::{SLICES, SiteTable};
use crate::tree::Outline;

/// URLs that a fit looks at at most; more would tell little more.
const MAX_URLS: usize = 1 << 17;

/// Links of which nothing is known.
const NO_LINKS: [f64; 2] = [0.0; 2];

/// What a log foretells.
pub(crate) struct OfLog<'t> {
    table: &'t SiteTable,
    /// By URL: its pattern, a node.
    pattern_of: &'t [u32],
    tree: KindTree,
    fitted: FittedModel,
    /// How old visits count.
    pub(crate) forecast: Forecast,
}

impl<'t> OfLog<'t> {
    /// Fits a site: its table, the outline of its tree, and the pattern (a node) of each URL.
    pub(crate) fn new(table: &'t SiteTable, outline: &Outline, pattern_of: &'t [u32]) -> Self {
        let forecast = Forecast { discount: discount::fit(table, outline, pattern_of) };
        let urls: Vec<(u32, u32)> = (0..).zip(pattern_of.iter().copied()).collect();
        let step = urls.len().div_ceil(MAX_URLS).max(1);
        let sample = |(url, node): &(u32, u32)| {
            FitSample::new(KindTree::covered(*node), NO_LINKS, table.counts(*url).slices, forecast.discount)
        };
        let samples: Vec<FitSample> = urls.iter().step_by(step).map(sample).collect();
        let tree = KindTree::new(outline.nodes().map(|node| outline.parent(node).unwrap_or(node)));
        let mut fitted = fit(&samples, &tree, FitTerms { links: false, missed: false });
        for (url, node) in &urls {
            if table.counts(*url).visits == 0 {
                fitted.levels[KindTree::covered(*node) as usize].unread_weight += 1.0;
            }
        }
        Self { table, pattern_of, tree, fitted, forecast }
    }

    /// Visits a slice that a URL of the table can expect.
    pub(crate) fn of_url(&self, url: u32) -> f64 {
        let slices = &self.table.counts(url).slices;
        let kind = KindTree::covered(self.pattern_of[url as usize]);
        if slices.iter().all(|n| *n == 0) {
            return self.unread(kind, 0.0);
        }
        let own = VisitEvidence::of(slices, self.forecast.discount);
        self.fitted.levels[kind as usize].of_read(&self.fitted.taste, &NO_LINKS, own)
    }

    /// The same of a page with a pattern of its own: it has no kind to lean on. Leaning on what is above would make it sink below
    /// pages that are read less and have a pattern with others.
    pub(crate) fn of_own_page(&self, url: u32) -> f64 {
        let own = VisitEvidence::of(&self.table.counts(url).slices, self.forecast.discount);
        let level = &self.fitted.levels[KindTree::covered(self.pattern_of[url as usize]) as usize];
        level.kept * own.visits / own.slices
    }

    /// Visits a slice of an unread URL, if there are so many more than are known.
    fn unread(&self, kind: u32, more: f64) -> f64 {
        let slices = VisitEvidence::of(&[0; SLICES], self.forecast.discount).slices;
        let level = &self.fitted.levels[kind as usize];
        level.of_unread(&self.fitted.taste, &NO_LINKS, slices) * level.shared(level.unread_weight + more)
    }

    /// By node: how many URLs are below.
    fn below(&self) -> Vec<f64> {
        let mut urls = vec![0.0; self.fitted.levels.len()];
        self.pattern_of.iter().for_each(|node| urls[KindTree::covered(*node) as usize] += 1.0);
        self.tree.sum_up(&mut urls);
        (0..urls.len() / 2).map(|node| urls[KindTree::covered(node as u32) as usize]).collect()
    }

    /// By node: what URLs can expect that have no name.
    pub(crate) fn nodes(&self, is_named: impl Fn(u32) -> bool) -> Vec<Expect> {
        let nodes = self.fitted.levels.len() / 2;
        let below = self.below();
        let mut sums: Vec<(f64, f64)> = vec![(0.0, 0.0); nodes];
        for (url, node) in (0..).zip(self.pattern_of).filter(|(url, _)| !is_named(*url)) {
            let sum = &mut sums[*node as usize];
            *sum = (sum.0 + self.of_url(url), sum.1 + 1.0);
        }
        let expect = |(node, (sum, urls)): (u32, (f64, f64))| {
            let (kind, known) = (KindTree::covered(node), below[node as usize]);
            let is_listed = self.fitted.levels[kind as usize].unread_weight > 0.0;
            let unread = self.unread(kind, if is_listed { 0.0 } else { known });
            let unnamed = (sum + unread) / (urls + 1.0);
            Expect { unnamed, unread, uncovered: self.unread(KindTree::uncovered(node), known) }
        };
        (0..).zip(sums).map(expect).collect()
    }
}

#[cfg(test)]
mod tests;
