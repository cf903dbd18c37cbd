//! How much do tastes differ, r, and how much did the log miss, q?
//!
//! Both are those under which the visits that were seen are the most likely, with the means of kinds as they are:
//!
//! ```text
//! Σ ln P(y | m, r, q) − ½(ln(2r)/1.5)² + 3·ln(1 − q)
//! P(0) = q + (1 − q)(1 + 8m/r)^(−r),   P(y) = (1 − q)·NegBin(y | mean 8m, size r)
//! ```
//! Beforehand r is about ½, give or take a factor of five, as counts of visits mostly are; and most logs miss little.
//! The search goes up from where it stands by factors, first long then short ones.

use super::model::{Taste, WHOLE};
use super::sample::FitSample;

/// What r is believed to be, and how far its logarithm may be off.
const SIZE: (f64, f64) = (0.5, 1.5);
/// Logs that miss nothing count as if three more URLs had been read.
const SEEN: f64 = 3.0;
/// Where both may lie.
const SIZES: (f64, f64) = (0.02, 20.0);
const MOST_MISSED: f64 = 0.9;
/// Steps of each.
const FACTORS: [f64; 4] = [1.5, 1.0 / 1.5, 1.15, 1.0 / 1.15];
/// A share of nothing grows by this.
const A_LITTLE: f64 = 0.02;
/// Beyond so many visits, a URL's count says no more about how tastes differ.
const MOST_VISITS: usize = 1 << 16;

/// Goes a step up.
pub(super) fn improve(taste: &mut Taste, means: &[f64], samples: &[FitSample], may_miss: bool) {
    let mut best = likelihood(taste, means, samples);
    let mut attempt = |to: Taste, taste: &mut Taste| {
        let found = likelihood(&to, means, samples);
        if found > best {
            (best, *taste) = (found, to);
        }
    };
    for factor in FACTORS {
        let size = (taste.size * factor).clamp(SIZES.0, SIZES.1);
        attempt(Taste { size, ..*taste }, taste);
    }
    if may_miss {
        let from = taste.missed;
        let steps = [0.0, from + A_LITTLE].into_iter().chain(FACTORS.map(|factor| from * factor));
        for missed in steps {
            attempt(Taste { missed: missed.clamp(0.0, MOST_MISSED), ..*taste }, taste);
        }
    }
}

/// The logarithm of the likelihood, without what does not depend on r and q.
fn likelihood(taste: &Taste, means: &[f64], samples: &[FitSample]) -> f64 {
    let (size, missed) = (taste.size, taste.missed);
    let rising = rising(size, samples);
    let (seen, mut sum) = ((1.0 - missed).ln(), 0.0);
    for (sample, mean) in samples.iter().zip(means) {
        let mean = WHOLE * mean;
        let none = -size * (mean / size).ln_1p();
        sum += if sample.is_read() {
            let rise = rising[(sample.visits as usize).min(rising.len() - 1)];
            seen + rise + none + sample.visits * (mean / (size + mean)).ln()
        } else if missed > 0.0 {
            (missed + (1.0 - missed) * none.exp()).ln()
        } else {
            none
        };
    }
    let belief = ((size / SIZE.0).ln() / SIZE.1).powi(2) / 2.0;
    sum - belief + SEEN * seen
}

/// By y: ln r(r+1)…(r+y−1).
fn rising(size: f64, samples: &[FitSample]) -> Vec<f64> {
    let most = samples.iter().map(|sample| sample.visits as usize).max().unwrap_or(0).min(MOST_VISITS);
    let mut sum = 0.0;
    let sums = (0..most).map(|n| {
        sum += (size + n as f64).ln();
        sum
    });
    std::iter::once(0.0).chain(sums).collect()
}
