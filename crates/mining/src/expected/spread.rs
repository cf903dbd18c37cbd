//! How much do tastes differ, r, how much did the log miss, q, and how far do some URLs stand out, t?
//!
//! Both are those under which the visits that were seen are the most likely, with the means of kinds as they are:
//!
//! ```text
//! Σ ln P(y | m, r, q) − ½(ln(2r)/1.5)² + 3·ln(1 − q)
//! P(0) = q + (1 − q)(1 + 8m/r)^(−r),   P(y) = (1 − q)·NegBin(y | mean 8m, size r)
//! ```
//! Beforehand r is about ½, give or take a factor of five, as counts of visits mostly are; and most logs miss little.
//! Then t, with these: a URL has 2^s times what is usual with probability (1 − t)·t^s, and t is the one of [`TAILS`] under which all visits are
//! the most likely. By Zipf's law it would be ½; 0 if tastes explain everything.
//!
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

/// How much rarer URLs may be that are read twice as much as usual, and how often that doubles.
const TAILS: [f64; 6] = [0.0, 0.03, 0.1, 0.2, 0.3, 0.5];
const SCALES: usize = 12;

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

/// t.
pub(super) fn tail(taste: &Taste, means: &[f64], samples: &[FitSample]) -> f64 {
    let mut likelihoods = [0.0; TAILS.len()];
    for (sample, mean) in samples.iter().zip(means) {
        let usual = WHOLE * mean;
        let by_scale: [f64; SCALES] =
            std::array::from_fn(|scale| taste.likelihood(usual * f64::from(1_u32 << scale), sample.visits));
        let most = by_scale.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let by_scale = by_scale.map(|likelihood| (likelihood - most).exp());
        for (sum, tail) in likelihoods.iter_mut().zip(TAILS) {
            let of = by_scale.iter().rev().fold(0.0, |sum, likelihood| sum * tail + likelihood);
            *sum += ((1.0 - tail) * of).max(f64::MIN_POSITIVE).ln();
        }
    }
    let best = likelihoods.iter().zip(TAILS).max_by(|a, b| a.0.total_cmp(b.0));
    best.map_or(0.0, |(_, tail)| tail)
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
