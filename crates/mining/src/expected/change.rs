//! What changes from one part of the log to the next, so that it will go on to change?
//!
//! The first half of the slices, by the same model, foretells the second. Where it is wrong, a kind is not at rest:
//!
//! - **ρ, what read URLs keep:** visits of the second part over those foretold, of URLs that were read in the first. News
//!   loses its readers, a home page keeps them. Beforehand 1.
//! - **ν, what new URLs get:** visits of the second part to URLs that were unread in the first, beyond what chance explains. They go
//!   to the unread URLs of today. How many are beyond chance is found with ν itself (expectation and maximization). A URL under a
//!   branch that is new itself (no visit in the first part, [`FEW_VISITS`] in the second) counts where it would have stood before: as one that no branch
//!   of the node above covers. So what is born under new branches, as the news of a day, tells of the branches that are to come.
//! - **g, how much of that is left:** a log twice as long leaves fewer URLs to be read for the first time, if they were only
//!   late, and as many if they are born all the time. Seen by doing the same with half as many slices:
//!   `g = new(4 slices after 4) / new(2 after 2)`, visits a slice, at most 1.
//!
//! A log that does not say when, as an export without dates, has all visits in one slice, and tells nothing of change: ρ is 1, ν nothing,
//! and the share of visits that goes to new URLs is that of URLs that were visited once (Good and Turing).

use super::FIRST_PART;
use crate::site_table::SLICES;

use super::fit::Fitting;
use super::model::VisitEvidence;
use super::tree::{KindTree, Root};

/// Slices of a part.
const PART: f64 = FIRST_PART as f64;
/// Rounds of finding ν.
const ROUNDS: usize = 20;
/// One visit kept of one foretold.
const AT_REST: Root = Root { visits: 1.0, exposure: 1.0 };
/// Of a branch that is not new, all of so many visits are in the second part once in 32 times.
const FEW_VISITS: f64 = 5.0;
/// What a page does beyond this is its own, not its kind's.
const MOST_KEPT: f64 = 1.5;

/// What changes, by node.
pub(super) struct Change {
    /// ρ.
    pub(super) kept: Vec<f64>,
    /// g·ν.
    pub(super) new: Vec<f64>,
    /// The share of visits that goes to URLs that are new.
    pub(super) novelty: f64,
}

/// Finds it.
pub(super) fn change(fitting: &Fitting<'_>) -> Change {
    if is_untold(fitting) {
        return untold(fitting);
    }
    let foretold = foretold(fitting);
    let left = left(fitting);
    let mut new = new(fitting, &foretold);
    new.iter_mut().for_each(|new| *new *= left);
    let second: f64 = fitting.samples.iter().map(|sample| sample.parts().1).sum();
    let came: f64 = fitting.samples.iter().map(|sample| sample.new_after(0, FIRST_PART)).sum();
    Change { kept: kept(fitting, &foretold), new, novelty: ((came * left + 1.0) / (second + 1.0)).min(1.0) }
}

/// Whether the log does not say when: all visits are in one slice, and they are too many for chance.
fn is_untold(fitting: &Fitting<'_>) -> bool {
    let by_slice: [f64; SLICES] =
        std::array::from_fn(|slice| fitting.samples.iter().map(|sample| f64::from(sample.slices[slice])).sum());
    let visits: f64 = by_slice.iter().sum();
    visits >= FEW_VISITS && by_slice.contains(&visits)
}

/// Where nothing tells of change.
fn untold(fitting: &Fitting<'_>) -> Change {
    let visits: f64 = fitting.samples.iter().map(|sample| sample.visits).sum();
    let once = fitting.samples.iter().filter(|sample| sample.visits == 1.0).count() as f64;
    let nodes = fitting.tree.nodes();
    Change { kept: vec![1.0; nodes], new: vec![0.0; nodes], novelty: (once + 1.0) / (visits + 1.0) }
}

/// By sample: visits a slice, as the first part foretells them.
fn foretold(fitting: &Fitting<'_>) -> Vec<f64> {
    let Fitting { samples, tree, taste, .. } = fitting;
    let (mut visits, mut exposure) = (vec![0.0; tree.nodes()], vec![0.0; tree.nodes()]);
    for ((sample, weight), mean) in samples.iter().zip(&fitting.weights).zip(&fitting.means) {
        let count = fitting.not_missed(sample, *mean) / (1.0 + PART * mean / taste.size);
        visits[sample.node()] += sample.parts().0 * count;
        exposure[sample.node()] += PART * weight * count;
    }
    tree.sum_up(&mut visits);
    tree.sum_up(&mut exposure);
    let levels = tree.means(&visits, &exposure, fitting.likeness, Fitting::ROOT);
    let of = samples.iter().zip(&fitting.weights).zip(&fitting.means);
    of.map(|((sample, weight), mean)| {
        sample.first().correct(levels[sample.node()] * weight, taste.size) * fitting.not_missed(sample, *mean)
    })
    .collect()
}

/// ρ.
fn kept(fitting: &Fitting<'_>, foretold: &[f64]) -> Vec<f64> {
    let (mut came, mut said) = (vec![0.0; fitting.tree.nodes()], vec![0.0; fitting.tree.nodes()]);
    for (sample, foretold) in fitting.samples.iter().zip(foretold) {
        let (first, second) = sample.parts();
        if first > 0.0 {
            let VisitEvidence { visits, .. } = sample.first();
            let count = 1.0 / (1.0 + PART * foretold / (fitting.taste.size + visits));
            came[sample.node()] += second * count;
            said[sample.node()] += PART * foretold * count;
        }
    }
    fitting.tree.sum_up(&mut came);
    fitting.tree.sum_up(&mut said);
    let likeness = fitting.tree.likeness(&came, &said, AT_REST);
    let mut kept = fitting.tree.means(&came, &said, likeness, AT_REST);
    kept.iter_mut().for_each(|kept| *kept = kept.min(MOST_KEPT));
    kept
}

/// By node: where its URLs would stand if there were no branches that are new.
fn without_new(fitting: &Fitting<'_>) -> Vec<usize> {
    let tree = fitting.tree;
    let (mut first, mut second) = (vec![0.0; tree.nodes()], vec![0.0; tree.nodes()]);
    for sample in fitting.samples {
        let parts = sample.parts();
        first[sample.node()] += parts.0;
        second[sample.node()] += parts.1;
    }
    tree.sum_up(&mut first);
    tree.sum_up(&mut second);
    let mut stand: Vec<usize> = (0..tree.nodes()).collect();
    for node in tree.downward() {
        let Some(above) = tree.above(node) else { continue };
        let is_new = KindTree::is_of_branch(node) && first[node] == 0.0 && second[node] >= FEW_VISITS;
        stand[node] = match stand[above] {
            moved if moved != above => moved,
            _ if is_new => KindTree::beside_branches(above),
            _ => node,
        };
    }
    stand
}

/// ν: found among the URLs that were unread in the first part, shared by those that still are.
fn new(fitting: &Fitting<'_>, foretold: &[f64]) -> Vec<f64> {
    let tree = fitting.tree;
    let stand = without_new(fitting);
    let (mut asked, mut unread) = (vec![0.0; tree.nodes()], vec![0.0; tree.nodes()]);
    let mut newly_read = Vec::new();
    for (at, (sample, weight)) in fitting.samples.iter().zip(&fitting.weights).enumerate() {
        let (first, second) = sample.parts();
        if first == 0.0 {
            asked[stand[sample.node()]] += PART * weight;
            if second > 0.0 {
                newly_read.push((at, second));
            } else {
                unread[stand[sample.node()]] += PART * weight;
            }
        }
    }
    tree.sum_up(&mut asked);
    tree.sum_up(&mut unread);
    let beyond_chance = |new: Option<&[f64]>| {
        let mut visits = vec![0.0; tree.nodes()];
        for (at, second) in &newly_read {
            let node = stand[fitting.samples[*at].node()];
            let part = new.map_or(1.0, |new| {
                let new = new[node] * fitting.weights[*at];
                new / (new + foretold[*at])
            });
            visits[node] += second * part;
        }
        tree.sum_up(&mut visits);
        visits
    };
    let mut visits = beyond_chance(None);
    let likeness = tree.likeness(&visits, &asked, Fitting::ROOT);
    for _ in 0..ROUNDS {
        let new = tree.means(&visits, &asked, likeness, Fitting::ROOT);
        visits = beyond_chance(Some(&new));
    }
    let new = tree.means(&visits, &unread, likeness, Fitting::ROOT);
    stand.iter().map(|node| new[*node]).collect()
}

/// g.
fn left(fitting: &Fitting<'_>) -> f64 {
    let half = FIRST_PART / 2;
    let (mut long, mut short, mut windows) = (1.0, 1.0, 0.0);
    for sample in fitting.samples {
        long += sample.new_after(0, FIRST_PART) / PART;
    }
    for start in (0..=SLICES - 2 * half).step_by(half) {
        windows += half as f64;
        short += fitting.samples.iter().map(|sample| sample.new_after(start, half)).sum::<f64>();
    }
    (long / ((short - 1.0) / windows + 1.0)).clamp(0.1, 1.0)
}
