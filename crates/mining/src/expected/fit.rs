//! The parameters that best foretell the second part of a site's time from the first.

use super::{Expect, FIRST_PART, Forecast};
use crate::site_table::{SLICES, SiteTable, Slices};
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

/// What was found.
pub(crate) struct Fitted {
    /// Of the site.
    pub(crate) forecast: Forecast,
    /// By node.
    pub(crate) nodes: Vec<Expect>,
}

/// Fits a site: its table, the outline of its tree, and the pattern (a node) of each URL.
pub(crate) fn fit(table: &SiteTable, outline: &Outline, pattern_of: &[u32]) -> Fitted {
    let urls: Vec<(Slices, u32)> = (0..)
        .zip(pattern_of)
        .map(|(url, node)| (table.counts(url).slices, *node))
        .filter(|(y, _)| total(y) > 0)
        .collect();
    let means = Means::of(outline, urls.iter().map(|(y, node)| (total(y), *node)), SLICES);
    let has_parts = urls.iter().any(|(y, _)| first(y) > 0) && urls.iter().any(|(y, _)| first(y) < total(y));
    let mut forecast = Forecast { mean: means.site, ..Forecast::default() };
    if has_parts {
        forecast = of_parts(&urls, outline, means.site);
    }
    let (novel, fresh) = novelty(&urls, outline, has_parts.then_some(forecast.discount));
    let expect = |node: usize| Expect { mean: means.nodes[node], novel: novel[node], fresh: fresh[node] };
    Fitted { forecast, nodes: (0..means.nodes.len()).map(expect).collect() }
}

fn total(slices: &Slices) -> u64 {
    slices.iter().map(|n| u64::from(*n)).sum()
}

fn first(slices: &Slices) -> u64 {
    slices[..FIRST_PART].iter().map(|n| u64::from(*n)).sum()
}

/// Mean rates over visited URLs, each node's leaning on the one above.
struct Means {
    site: f64,
    nodes: Vec<f64>,
}

impl Means {
    fn of(outline: &Outline, urls: impl Iterator<Item = (u64, u32)>, slices: usize) -> Self {
        let mut sums = vec![(0.0, 0.0); outline.len()];
        for (visits, node) in urls.filter(|(visits, _)| *visits > 0) {
            sums[node as usize].0 += visits as f64 / slices as f64;
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
        Self { site, nodes }
    }
}

fn of_parts(urls: &[(Slices, u32)], outline: &Outline, mean: f64) -> Forecast {
    let means = Means::of(outline, urls.iter().map(|(y, node)| (first(y), *node)), FIRST_PART);
    let visited: Vec<_> = urls.iter().filter(|(y, _)| first(y) > 0).collect();
    let step = visited.len().div_ceil(MAX_URLS);
    let sample: Vec<(&Slices, f64, f64)> = visited
        .iter()
        .step_by(step)
        .map(|(y, node)| (y, means.nodes[*node as usize], (total(y) - first(y)) as f64))
        .collect();
    let mut found = Forecast { mean, ..Forecast::default() };
    for _ in 0..ROUNDS {
        found.strength = golden(LN_STRENGTHS, |ln| likelihood(&sample, Forecast { strength: ln.exp(), ..found })).exp();
        found.discount = golden(DISCOUNTS, |discount| likelihood(&sample, Forecast { discount, ..found }));
    }
    let foretold: f64 = visited.iter().map(|(y, node)| found.of_first_part(y, means.nodes[*node as usize])).sum();
    let came: u64 = visited.iter().map(|(y, _)| total(y) - first(y)).sum();
    // One visit more on both sides: a short log in which no URL comes twice does not prove that none ever will.
    found.kept = ((came as f64 + 1.0) / (foretold * (SLICES - FIRST_PART) as f64 + 1.0)).clamp(0.0, 1.0);
    found
}

/// The logarithm of the likelihood of how the second part shares out, and of what is believed beforehand.
fn likelihood(sample: &[(&Slices, f64, f64)], with: Forecast) -> f64 {
    let (mut sum, mut all, mut logs) = (0.0, 0.0, 0.0);
    for (y, mean, came) in sample {
        let rate = with.of_first_part(y, *mean);
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

/// By node: visits a slice to URLs of a pattern that were new in the second part, those of late counting more; and to URLs
/// below a node that no branch of it had in the first part.
fn novelty(urls: &[(Slices, u32)], outline: &Outline, discount: Option<f64>) -> (Vec<f64>, Vec<f64>) {
    let mut seen = vec![false; outline.len()];
    for (_, node) in urls.iter().filter(|(y, _)| first(y) > 0) {
        let mut at = Some(*node);
        while let Some(node) = at.filter(|node| !std::mem::replace(&mut seen[*node as usize], true)) {
            at = outline.parent(node);
        }
    }
    let weights: Vec<f64> =
        (FIRST_PART..SLICES).map(|i| discount.unwrap_or(1.0).powi((SLICES - 1 - i) as i32)).collect();
    let worth = if discount.is_some() { weights.iter().sum() } else { SLICES as f64 };
    let (mut novel, mut fresh) = (vec![0.5 / worth; outline.len()], vec![0.5 / worth; outline.len()]);
    for (y, pattern) in urls {
        let came: f64 = match (discount, first(y), total(y)) {
            (Some(_), 0, _) => weights.iter().zip(&y[FIRST_PART..]).map(|(weight, n)| weight * f64::from(*n)).sum(),
            (None, _, 1) => 1.0,
            _ => continue,
        };
        novel[*pattern as usize] += came / worth;
        // A branch that is new may be where the next new ones are, and so may any branch it hangs on that is new itself.
        let mut node = *pattern;
        while let Some(parent) = outline.parent(node).filter(|_| !seen[node as usize] && discount.is_some()) {
            fresh[parent as usize] += came / worth;
            node = parent;
        }
    }
    (novel, fresh)
}
