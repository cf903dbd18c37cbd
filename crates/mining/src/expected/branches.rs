//! Did the log miss a whole branch?
//!
//! Of the branches beside one another some may be read by nobody: that is a matter of the site. Or all of them are read alike, and one
//! that is not was missed: it is younger than the log, or others read it. With n branches beside this one, of which d are as little
//! read, the odds of the second against the first are
//!
//! ```text
//! b/(1 − b) = q_b^(d+1)·(1 − q_b)^(n−d) / (2·B(d + 3, n − d + 1))
//! ```
//! where q_b, how rarely a log misses a branch, is 1 in 500, and B the Beta function: of a site nothing is known beforehand but that
//! unread branches are rather usual (a share with density 2u). With two branches beside it nothing is believed (3 %), with 25 that are all
//! read nearly everything (9 in 10).
//!
//! A missed branch has what those beside it have on average for the same links, but all its URLs together no more than those: a trap
//! that grows beyond all else is none that was missed.

use super::fit::Fitting;
use super::gamma::ln_beta;
use super::model::WHOLE;

/// q_b.
const MISSED: f64 = 0.002;
/// Fewer known URLs tell nothing of a branch.
const FEW_URLS: f64 = 8.0;
/// What a branch without a visit counts as, in visits.
const HALF_A_VISIT: f64 = 0.5;

/// A branch that may have been missed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Branch {
    /// The probability that it was, times the part that it lacks.
    pub(super) missed: f64,
    /// What it has if it was: visits a slice for each unit of weight.
    pub(super) mean: f64,
}

/// By node: the visits, the exposure and the URLs below.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    visits: f64,
    exposure: f64,
    urls: f64,
}

impl Below {
    /// Visits a slice, not below what branches like it would have with half a visit.
    fn rate(&self, beside: f64) -> f64 {
        (self.visits + HALF_A_VISIT) / (self.exposure + HALF_A_VISIT / beside)
    }
}

/// What may have been missed, by node; what is below a missed branch was missed with it.
pub(super) fn missed(fitting: &Fitting<'_>) -> Vec<Branch> {
    let tree = fitting.tree;
    let below = below(fitting);
    let mut branches = vec![Vec::new(); tree.nodes()];
    for (node, _) in below.iter().enumerate().filter(|(_, below)| below.urls >= FEW_URLS) {
        if let Some(above) = tree.above(node) {
            branches[above].push(node);
        }
    }
    let mut found = vec![Branch::default(); tree.nodes()];
    for node in tree.downward() {
        let Some(above) = tree.above(node) else { continue };
        found[node] = found[above];
        if below[node].urls > 0.0 {
            let beside: Vec<Below> =
                branches[above].iter().filter(|other| **other != node).map(|other| below[*other]).collect();
            let own = branch(&below[node], &beside);
            if own.missed * own.mean > found[node].missed * found[node].mean {
                found[node] = own;
            }
        }
    }
    found
}

/// One branch beside others.
fn branch(own: &Below, beside: &[Below]) -> Branch {
    let (visits, exposure) = beside.iter().fold((0.0, 0.0), |(v, e), other| (v + other.visits, e + other.exposure));
    if visits <= 0.0 {
        return Branch::default();
    }
    let mean = visits / exposure;
    let has = own.rate(mean) / mean;
    if has >= 1.0 {
        return Branch::default();
    }
    // As little read is what is nearer to this branch than to the mean, by factors.
    let bar = has.sqrt() * mean;
    let alike = beside.iter().filter(|other| other.rate(mean) < bar).count() as f64;
    let others = beside.len() as f64 - alike;
    let by_site = 2.0_f64.ln() + ln_beta(alike + 3.0, others + 1.0);
    let odds = ((alike + 1.0) * MISSED.ln() + others * (1.0 - MISSED).ln() - by_site).exp();
    Branch { missed: odds / (1.0 + odds) * (1.0 - has), mean: mean * (exposure / own.exposure).min(1.0) }
}

fn below(fitting: &Fitting<'_>) -> Vec<Below> {
    let tree = fitting.tree;
    let mut sums = [vec![0.0; tree.nodes()], vec![0.0; tree.nodes()], vec![0.0; tree.nodes()]];
    for (sample, weight) in fitting.samples.iter().zip(&fitting.weights) {
        for (sums, part) in sums.iter_mut().zip([sample.visits, WHOLE * weight, 1.0]) {
            sums[sample.node()] += part;
        }
    }
    sums.iter_mut().for_each(|sums| tree.sum_up(sums));
    let [visits, exposure, urls] = sums;
    visits
        .into_iter()
        .zip(exposure)
        .zip(urls)
        .map(|((visits, exposure), urls)| Below { visits, exposure, urls })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is believed of an unread branch beside so many that are read, and so many that are not.
    fn beside(read: usize, unread: usize) -> f64 {
        let of = |visits| Below { visits, exposure: 1_000.0, urls: 100.0 };
        let others: Vec<Below> = (0..read + unread).map(|n| of(if n < read { 1_000.0 } else { 0.0 })).collect();
        branch(&of(0.0), &others).missed
    }

    #[test]
    fn ours_one_branch_of_many_that_is_not_read_was_missed_and_one_of_few_tells_nothing() {
        assert!(beside(25, 0) > 0.85 && beside(12, 0) > 0.5, "{} {}", beside(25, 0), beside(12, 0));
        assert!(beside(1, 0) < 0.02 && beside(2, 0) < 0.04, "{} {}", beside(1, 0), beside(2, 0));
        // Where most are not read, it is usual not to be.
        assert!(beside(4, 200) < 0.01 && beside(20, 10) < 0.01, "{} {}", beside(4, 200), beside(20, 10));
        assert_eq!(beside(0, 30), 0.0);
    }

    #[test]
    fn ours_a_branch_larger_than_all_others_gets_no_more_than_they_have() {
        let small = Below { visits: 100.0, exposure: 100.0, urls: 100.0 };
        let huge = Below { visits: 0.0, exposure: 1e6, urls: 1e6 };
        let found = branch(&huge, &[small; 20]);
        assert!(found.missed > 0.5 && (found.mean * huge.exposure - 2_000.0).abs() < 1e-6, "{found:?}");
        let read = Below { visits: 150.0, ..small };
        assert_eq!(branch(&read, &[small; 20]), Branch::default());
    }
}
