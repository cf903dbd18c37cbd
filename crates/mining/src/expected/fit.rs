//! The numbers that explain best what the crawl knows so far.
//!
//! Each fit begins where nothing is known, so that it depends on nothing but the URLs, whatever the order in which they were
//! found. In each round follow, with what was found before:
//!
//! 1. **θ:** means of kinds up the tree ([`super::tree`]). Visits vary more than chance, so a visit of a URL that should have many counts
//!    less, and one that the log missed tells nothing: `v = (1 − p)/(1 + 8m/r)`, p the probability that it was missed.
//! 2. **β** ([`super::slopes`]), **r and q** ([`super::spread`]).
//!
//! Then what changes with time ([`super::change`]), and which branches were missed ([`super::branches`]).

use super::branches::{self, Branch};
use super::change::{Change, change};
use super::model::{KindLevel, Taste, WHOLE};
use super::sample::FitSample;
use super::tree::{ABOVE, KindTree, Root};
use super::{slopes, spread};

/// Rounds after which the numbers stay what they are to a few percent.
const ROUNDS: usize = 6;
/// In each: how often the means follow their own weights.
const MEANS: usize = 2;

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitTerms {
    /// β.
    pub links: bool,
    /// q, and branches.
    pub missed: bool,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct FittedModel {
    /// What all kinds share.
    pub taste: Taste,
    /// By kind.
    pub levels: Vec<KindLevel>,
    /// The share of visits that goes to URLs that are new.
    pub novelty: f64,
}

/// A fit under way.
pub(super) struct Fitting<'a> {
    pub(super) samples: &'a [FitSample],
    pub(super) tree: &'a KindTree,
    pub(super) taste: Taste,
    /// By node: θ.
    levels: Vec<f64>,
    /// What the node above counts, in visits.
    pub(super) likeness: f64,
    /// By sample: e^(β·x).
    pub(super) weights: Vec<f64>,
    /// By sample: m.
    pub(super) means: Vec<f64>,
}

impl Fitting<'_> {
    /// Of a site nothing is believed but half a visit in the log of one URL.
    pub(super) const ROOT: Root = Root { visits: 0.5, exposure: WHOLE };

    /// The probability that the log did not miss a URL.
    pub(super) fn not_missed(&self, sample: &FitSample, mean: f64) -> f64 {
        if sample.is_read() { 1.0 } else { 1.0 - self.taste.missed(mean * WHOLE) }
    }

    fn weigh(&mut self) {
        self.weights = self.samples.iter().map(|sample| self.taste.weight(&sample.links)).collect();
        self.follow();
    }

    /// m by θ.
    fn follow(&mut self) {
        let of = self.samples.iter().zip(&self.weights);
        self.means = of.map(|(sample, weight)| self.levels[sample.node()] * weight).collect();
    }

    /// θ by what visits count; what they count.
    fn level(&mut self) -> Vec<f64> {
        let counts: Vec<f64> = (self.samples.iter().zip(&self.means))
            .map(|(sample, mean)| self.not_missed(sample, *mean) / (1.0 + WHOLE * mean / self.taste.size))
            .collect();
        let (mut visits, mut exposure) = (vec![0.0; self.tree.nodes()], vec![0.0; self.tree.nodes()]);
        for ((sample, weight), count) in self.samples.iter().zip(&self.weights).zip(&counts) {
            visits[sample.node()] += sample.visits * count;
            exposure[sample.node()] += WHOLE * weight * count;
        }
        self.tree.sum_up(&mut visits);
        self.tree.sum_up(&mut exposure);
        self.likeness = self.tree.likeness(&visits, &exposure, Self::ROOT);
        self.levels = self.tree.means(&visits, &exposure, self.likeness, Self::ROOT);
        counts
    }
}

/// Fits the model to what is known.
pub fn fit(samples: &[FitSample], tree: &KindTree, asked: FitTerms) -> FittedModel {
    let believed = Taste::BELIEVED;
    let taste = Taste {
        slopes: if asked.links { believed.slopes } else { [0.0; 2] },
        missed: if asked.missed { believed.missed } else { 0.0 },
        ..believed
    };
    let mut fitting =
        Fitting { samples, tree, taste, levels: Vec::new(), likeness: ABOVE, weights: Vec::new(), means: Vec::new() };
    let visits: f64 = samples.iter().map(|sample| sample.visits).sum();
    let weights: f64 = samples.iter().map(|sample| taste.weight(&sample.links)).sum();
    fitting.levels = vec![(visits + Fitting::ROOT.visits) / (WHOLE * weights + Fitting::ROOT.exposure); tree.nodes()];
    fitting.weigh();
    for _ in 0..ROUNDS {
        let mut counts = Vec::new();
        for _ in 0..MEANS {
            counts = fitting.level();
            fitting.follow();
        }
        if visits > 0.0 {
            if asked.links {
                let at = slopes::At {
                    weights: &fitting.weights,
                    counts: &counts,
                    means: &fitting.levels,
                    likeness: fitting.likeness,
                };
                slopes::improve(&mut fitting.taste.slopes, samples, tree, &at, Fitting::ROOT);
            }
            spread::improve(&mut fitting.taste, &fitting.means, samples, asked.missed);
            fitting.weigh();
        }
    }
    let change = change(&fitting);
    let branches = if asked.missed { branches::missed(&fitting) } else { vec![Branch::default(); tree.nodes()] };
    levels(&fitting, &change, &branches)
}

fn levels(fitting: &Fitting<'_>, change: &Change, branches: &[Branch]) -> FittedModel {
    let level = |node: usize| {
        let above = fitting
            .tree
            .above(node)
            .map_or(Fitting::ROOT.visits / WHOLE, |above| fitting.levels[above] + change.new[above]);
        KindLevel {
            mean: fitting.levels[node],
            new: change.new[node],
            kept: change.kept[node],
            branch_missed: branches[node].missed,
            branch_mean: branches[node].mean,
            prior_weight: fitting.likeness / (WHOLE * above),
            unread_weight: 0.0,
        }
    };
    FittedModel {
        taste: fitting.taste,
        levels: (0..fitting.tree.nodes()).map(level).collect(),
        novelty: change.novelty,
    }
}

#[cfg(test)]
mod tests;
