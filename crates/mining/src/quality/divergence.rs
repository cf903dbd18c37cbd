//! How well do patterns stand for the traffic of their URLs?
//!
//! Let *p(u)* be the share of the later visits that went to URL *u*, and *q(u)* what the model would say knowing only
//! the pattern of *u*. The measure is the Jensen–Shannon divergence
//!
//! ```text
//! JSD(p, q) = ½ Σ p(u)·log₂(p(u)/m(u)) + ½ Σ q(u)·log₂(q(u)/m(u)),   m(u) = ½ (p(u) + q(u))
//! ```
//!
//! with 0·log 0 = 0. **\[ours\]** The source does not say which logarithm; base 2 makes the measure run from 0 (the same)
//! to 1 (nothing in common). Multiply by ln 2 = 0.693 for natural logarithms.
//!
//! **\[ours\]** The source does not say how *q* is made on a later log either. Here
//!
//! ```text
//! q(u) = F_in(P) / Σ F_in(P′)  ·  1 / |P ∩ U|      for u in pattern P,    q(u) = 0 for u in none
//! ```
//!
//! F_in(P), visits of P in training → [`Node::visits`](crate::model::Node::visits); *U*, the URLs that are judged; the sum
//! is over the patterns P′ that hold at least one of them, so that *q* adds up to 1. So a pattern has the share that it
//! had in training, spread evenly over those of its URLs that are visited now. A URL in no pattern counts in *p* only: it
//! adds ½·p(u), all that it can.
//!
//! Undefined where there is no visit. Where no pattern with visits holds a URL there is no *q*, and the divergence is 1.

use std::collections::BTreeMap;

/// The divergence of two distributions over the same things, in bits: from 0 to 1.
///
/// # Panics
/// If they are not over equally many things.
#[must_use]
pub fn jensen_shannon(p: &[f64], q: &[f64]) -> f64 {
    assert_eq!(p.len(), q.len(), "both are over the same URLs");
    let term = |x: f64, m: f64| if x > 0.0 { x * (x / m).log2() } else { 0.0 };
    let sum: f64 = p
        .iter()
        .zip(q)
        .map(|(p, q)| {
            let m = f64::midpoint(*p, *q);
            term(*p, m) + term(*q, m)
        })
        .sum();
    (sum / 2.0).clamp(0.0, 1.0)
}

/// The divergence of visits from what patterns say of them. A URL is its pattern and its visits; `training_visits` gives
/// F_in of a pattern.
#[must_use]
pub fn traffic_divergence(urls: &[(Option<u32>, u64)], training_visits: impl Fn(u32) -> u64) -> Option<f64> {
    let visits: u64 = urls.iter().map(|(_, n)| n).sum();
    if visits == 0 {
        return None;
    }
    // By pattern: its URLs that are judged.
    let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
    for pattern in urls.iter().filter_map(|(pattern, _)| *pattern) {
        *sizes.entry(pattern).or_default() += 1;
    }
    let known: u64 = sizes.keys().map(|pattern| training_visits(*pattern)).sum();
    if known == 0 {
        return Some(1.0);
    }
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
    let share = |part: u64, whole: u64| part as f64 / whole as f64;
    let smoothed: BTreeMap<u32, f64> = sizes
        .iter()
        .map(|(pattern, urls)| (*pattern, share(training_visits(*pattern), known) / share(*urls, 1)))
        .collect();
    let p: Vec<f64> = urls.iter().map(|(_, n)| share(*n, visits)).collect();
    let q: Vec<f64> = urls.iter().map(|(pattern, _)| pattern.map_or(0.0, |pattern| smoothed[&pattern])).collect();
    Some(jensen_shannon(&p, &q))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-12), "{found:?} is not {expected}");
    }

    #[test]
    fn cikm11_divergence_by_hand() {
        // p = (1/2, 1/4, 1/4); pattern 1 had 3/4 of the visits, pattern 2 had 1/4: q = (3/8, 3/8, 1/4);
        // m = (7/16, 5/16, 1/4).
        let urls = [(Some(1), 2), (Some(1), 1), (Some(2), 1)];
        let in_training = |pattern| if pattern == 1 { 30 } else { 10 };
        let p = 0.5 * (8.0_f64 / 7.0).log2() + 0.25 * (4.0_f64 / 5.0).log2();
        let q = 0.375 * (6.0_f64 / 7.0).log2() + 0.375 * (6.0_f64 / 5.0).log2();
        is(traffic_divergence(&urls, in_training), (p + q) / 2.0);
        is(traffic_divergence(&urls, in_training), 0.015_540_629_717_931);
    }

    #[test]
    fn cikm11_even_traffic_in_the_shares_of_training_does_not_diverge() {
        let urls = [(Some(1), 3), (Some(1), 3), (Some(2), 2)];
        // A pattern that nobody visits any more has no part in it.
        is(traffic_divergence(&urls, |pattern| [90, 30, 10][pattern as usize]), 0.0);
    }

    #[test]
    fn ours_an_uncovered_url_costs_half_its_share() {
        // p = (1/2, 1/2), q = (1, 0), m = (3/4, 1/4).
        let expected = (0.5 * (2.0_f64 / 3.0).log2() + 0.5 + (4.0_f64 / 3.0).log2()) / 2.0;
        is(traffic_divergence(&[(Some(1), 1), (None, 1)], |_| 7), expected);
        is(traffic_divergence(&[(None, 1), (None, 5)], |_| 7), 1.0);
        assert_eq!(traffic_divergence(&[], |_| 7), None);
    }

    #[test]
    fn ours_divergence_runs_from_0_to_1() {
        assert_eq!(jensen_shannon(&[0.5, 0.5], &[0.5, 0.5]), 0.0);
        assert_eq!(jensen_shannon(&[1.0, 0.0], &[0.0, 1.0]), 1.0);
    }
}
