//! How much does a visit count one slice later, δ?
//!
//! A URL's rate is taken between its own visits, those of old slices counting less, and the mean of its pattern over visited URLs, which
//! counts for s slices. δ and s are those that best foretell the second part of the log from the first: with
//!
//! ```text
//! λ(u) = (Σ δ^(a_i) y_i + s·mean(P)) / (Σ δ^(a_i) + s)                        by the first part alone
//! maximize   Σ y_B(u)·ln(λ(u) / Σ λ)  −  ½(ln s / 1.5)²  −  ½((1 − δ) / 0.15)²
//! ```
//! the likelihood of how the second part's visits share out, whatever their number; the last two terms are what is believed without any
//! visits, so that a log of ten lines does not fit its own noise. Only δ is kept: r takes the place of s.

use super::FIRST_PART;
use super::model::VisitEvidence;
use crate::site_table::{SiteTable, Slices};
use crate::tree::Outline;

/// URLs that δ and s are fitted on at most; more would tell nothing more.
const MAX_URLS: usize = 1 << 17;
/// Visited URLs that the mean of the node above counts for.
const MEAN_PRIOR: f64 = 1.0;
/// Rounds of fitting δ and s in turn, and looks at each.
const ROUNDS: usize = 3;
const LOOKS: usize = 14;
/// Where they may lie.
const DISCOUNTS: (f64, f64) = (0.3, 1.0);
const LN_STRENGTHS: (f64, f64) = (-5.0, 5.0);

/// δ and s.
#[derive(Clone, Copy)]
struct Memory {
    discount: f64,
    strength: f64,
}

impl Memory {
    /// The rate of a URL by the first part alone.
    fn rate(&self, slices: &Slices, mean: f64) -> f64 {
        let own = VisitEvidence::of(&slices[..FIRST_PART], self.discount);
        (own.visits + self.strength * mean) / (own.slices + self.strength)
    }
}

/// δ of a site: its table, the outline of its tree, and the pattern (a node) of each URL.
pub(super) fn fit(table: &SiteTable, outline: &Outline, pattern_of: &[u32]) -> f64 {
    let urls: Vec<(Slices, u32)> = (0..)
        .zip(pattern_of)
        .map(|(url, node)| (table.counts(url).slices, *node))
        .filter(|(y, _)| total(y) > 0)
        .collect();
    let has_parts = urls.iter().any(|(y, _)| first(y) > 0) && urls.iter().any(|(y, _)| first(y) < total(y));
    let mut found = Memory { discount: 1.0, strength: 1.0 };
    if !has_parts {
        return found.discount;
    }
    let means = means(outline, urls.iter().map(|(y, node)| (first(y), *node)));
    let visited: Vec<_> = urls.iter().filter(|(y, _)| first(y) > 0).collect();
    let step = visited.len().div_ceil(MAX_URLS);
    let sample: Vec<(&Slices, f64, f64)> = visited
        .iter()
        .step_by(step)
        .map(|(y, node)| (y, means[*node as usize], (total(y) - first(y)) as f64))
        .collect();
    for _ in 0..ROUNDS {
        found.strength = golden(LN_STRENGTHS, |ln| likelihood(&sample, Memory { strength: ln.exp(), ..found })).exp();
        found.discount = golden(DISCOUNTS, |discount| likelihood(&sample, Memory { discount, ..found }));
    }
    found.discount
}

fn total(slices: &Slices) -> u64 {
    slices.iter().map(|n| u64::from(*n)).sum()
}

fn first(slices: &Slices) -> u64 {
    slices[..FIRST_PART].iter().map(|n| u64::from(*n)).sum()
}

/// By node: the mean rate of visited URLs in the first part, leaning on the node above.
fn means(outline: &Outline, urls: impl Iterator<Item = (u64, u32)>) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); outline.len()];
    for (visits, node) in urls.filter(|(visits, _)| *visits > 0) {
        sums[node as usize].0 += visits as f64 / FIRST_PART as f64;
        sums[node as usize].1 += 1.0;
    }
    for node in outline.nodes().rev() {
        if let Some(parent) = outline.parent(node) {
            let (visits, urls) = sums[node as usize];
            sums[parent as usize].0 += visits;
            sums[parent as usize].1 += urls;
        }
    }
    let site = if sums[0].1 > 0.0 { sums[0].0 / sums[0].1 } else { 0.0 };
    let mut nodes = vec![site; sums.len()];
    for node in outline.nodes() {
        let above = outline.parent(node).map_or(site, |parent| nodes[parent as usize]);
        let (visits, urls) = sums[node as usize];
        nodes[node as usize] = (visits + MEAN_PRIOR * above) / (urls + MEAN_PRIOR);
    }
    nodes
}

/// The logarithm of the likelihood of how the second part shares out, and of what is believed beforehand.
fn likelihood(sample: &[(&Slices, f64, f64)], with: Memory) -> f64 {
    let (mut sum, mut all, mut logs) = (0.0, 0.0, 0.0);
    for (y, mean, came) in sample {
        let rate = with.rate(y, *mean);
        sum += rate;
        if *came > 0.0 {
            all += came;
            logs += came * rate.ln();
        }
    }
    let belief = (with.strength.ln() / 1.5).powi(2) + ((1.0 - with.discount) / 0.15).powi(2);
    logs - all * sum.ln() - belief / 2.0
}

/// Where a function with one peak is highest, by golden sections.
fn golden((mut low, mut high): (f64, f64), f: impl Fn(f64) -> f64) -> f64 {
    const PART: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (high - PART * (high - low), low + PART * (high - low));
    let (mut at_a, mut at_b) = (f(a), f(b));
    for _ in 0..LOOKS {
        if at_a < at_b {
            low = a;
            (a, at_a) = (b, at_b);
            b = low + PART * (high - low);
            at_b = f(b);
        } else {
            high = b;
            (b, at_b) = (a, at_a);
            a = high - PART * (high - low);
            at_a = f(a);
        }
    }
    (low + high) / 2.0
}
