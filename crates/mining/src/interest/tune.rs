//! Rules from labelled pages.
//!
//! `n` and `q` are those with the largest `A·hit − B·miss − C·false alarm` over pages that a person has labelled. For each n
//! of a grid the pages are sorted by `Φ(n)`; walking down, q between two neighbors gives every outcome there is, so the best q
//! is exact. α : β are those whose list of the first N groups has the largest F.

use super::page::{Interest, TemporalRule};
use super::score::{GroupScore, ScoreWeights, judge_list, rank};

/// What right and wrong answers are worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// A: a temporal page that is found.
    pub hit: f64,
    /// B: one that is missed.
    pub miss: f64,
    /// C: a page that is taken for one and is none.
    pub false_alarm: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { hit: 1.0, miss: 1.0, false_alarm: 1.0 }
    }
}

/// A page that a person has judged.
#[derive(Clone, Copy, Debug)]
pub struct Labelled {
    /// What its series says.
    pub interest: Interest,
    /// What the person says.
    pub is_temporal: bool,
}

/// The best rule, and what it comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TunedRule {
    /// The rule.
    pub rule: TemporalRule,
    /// `A·hit − B·miss − C·false alarm`.
    pub gain: f64,
    /// Temporal pages that it finds.
    pub hits: u64,
    /// Those that it misses.
    pub misses: u64,
    /// Pages that it takes for temporal and are not.
    pub false_alarms: u64,
}

/// Days that are tried for n.
const DAYS: [f64; 11] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0];

/// The rule with the largest gain; on a tie the fewest days, then the largest share. None without labels.
#[must_use]
pub fn tune_rule(pages: &[Labelled], bins_a_day: f64, gains: Gains) -> Option<TunedRule> {
    let positives = pages.iter().filter(|page| page.is_temporal).count() as u64;
    let mut best: Option<TunedRule> = None;
    for days in DAYS.into_iter().filter(|_| !pages.is_empty()) {
        // A page that no rule takes has a share below all.
        let shares = pages.iter().map(|page| {
            let could_be = page.interest.is_temporal(TemporalRule { days, share: -1.0 }, bins_a_day);
            let share = page.interest.fitted().curve.share_within(days * bins_a_day);
            (if could_be { share } else { -1.0 }, page.is_temporal)
        });
        let mut shares: Vec<(f64, bool)> = shares.collect();
        shares.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut hits, mut false_alarms) = (0, 0);
        for at in 0..=shares.len() {
            // The rule that takes the first `at`: between two different shares.
            let above = if at == 0 { 1.0 } else { shares[at - 1].0 };
            if at > 0 {
                if above < 0.0 {
                    break;
                }
                if shares[at - 1].1 { hits += 1 } else { false_alarms += 1 }
            }
            let below = shares.get(at).map_or(0.0, |next| next.0.max(0.0));
            if below >= above && at < shares.len() {
                continue;
            }
            let misses = positives - hits;
            let gain = gains.hit * hits as f64 - gains.miss * misses as f64 - gains.false_alarm * false_alarms as f64;
            if best.as_ref().is_none_or(|best| gain > best.gain) {
                let rule = TemporalRule { days, share: 0.5 * (above + below) };
                best = Some(TunedRule { rule, gain, hits, misses, false_alarms });
            }
        }
    }
    best
}

/// Weights that are tried.
const STEPS: u32 = 20;

/// α : β whose first `top` groups have the largest F; `scored` are the groups as the rule sees them, `truth` the same groups as
/// a person does. On a tie the nearest to the paper's 3 : 2.
#[must_use]
pub fn tune_weights(scored: &[GroupScore], truth: &[GroupScore], top: usize) -> (ScoreWeights, f64) {
    let mut best = (ScoreWeights::default(), f64::NEG_INFINITY);
    let away = |weights: ScoreWeights| (weights.pages() - ScoreWeights::default().pages()).abs();
    for step in 0..=STEPS {
        let Some(weights) = ScoreWeights::new(f64::from(step), f64::from(STEPS - step)) else { continue };
        let order = rank(scored, weights);
        let f = judge_list(truth, &order[..top.min(order.len())]).f;
        if f > best.1 || f.total_cmp(&best.1).is_eq() && away(weights) < away(best.0) {
            best = (weights, f);
        }
    }
    best
}
