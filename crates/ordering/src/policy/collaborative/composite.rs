//! How is evidence of several kinds joined?
//!
//! x_k is the logarithm of the ratio that kind k gives a page, 0 where it says nothing. The product of the paper is Σ x_k. It counts twice what two kinds
//! say for one reason, and believes a kind that is mostly noise as much as any other. The learnt composite is a regression instead, taught by each page
//! that is fetched:
//!
//! ```text
//! P(page satisfies) = σ( ln (P/(1−P)) + b + Σ_k w_k·x̂_k )      x̂ = arsinh x;   P the share so far, σ(z) = 1/(1 + e^−z)
//! b, w ~ Normal(mean (0, ½, …), covariance C)                 C starts as the unit matrix
//! each page y ∈ {0, 1}:   v = p(1 − p),   C ← C − C x xᵀC · v/(1 + v·xᵀC x),   w ← w + C x (y − p)
//! ```
//! one Newton step a page with the curvature of all pages before it (extended Kalman filter). arsinh is x where x is small and grows as its
//! logarithm: a hundred users who agree are not a hundred times as certain as one, but more certain than fifty. The order is by Σ w_k·x̂_k; b only
//! takes up what is wrong with P. Where nothing was learnt, all kinds count alike, as in the product. Cost: 64 multiplications a page.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::tally::PARTS;

/// What a page may be judged by.
pub(super) const KINDS: usize = 7;
/// With the constant.
const WEIGHTS: usize = KINDS + 1;
/// Weights before anything is learnt.
const BEFORE: f64 = 0.5;

/// The places of kinds among evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Users,
    Signatures,
    Locality,
    Words,
    Tokens,
    Parents,
    Siblings,
}

/// Logarithms of ratios by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ratios(pub(super) [f64; KINDS]);

impl Ratios {
    pub(super) fn set(&mut self, kind: Kind, nats: f64) {
        self.0[kind as usize] = nats;
    }
}

/// What was learnt of the kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Regression {
    /// The constant is last.
    weights: [f64; WEIGHTS],
    covariance: [[f64; WEIGHTS]; WEIGHTS],
}

/// arsinh of so many parts of a nat, up to a number that few sums pass: it is asked for with every step.
static SQUEEZED: LazyLock<Vec<f64>> = LazyLock::new(|| (0..TABLE).map(|n| (f64::from(n) / PARTS).asinh()).collect());
const TABLE: u32 = 4_096;

/// arsinh of parts of a nat.
fn squeezed(parts: i32) -> f64 {
    let size = SQUEEZED.get(parts.unsigned_abs() as usize).copied();
    size.unwrap_or_else(|| (f64::from(parts.unsigned_abs()) / PARTS).asinh()) * f64::from(parts.signum())
}

impl Default for Regression {
    fn default() -> Self {
        let mut covariance = [[0.0; WEIGHTS]; WEIGHTS];
        (0..WEIGHTS).for_each(|at| covariance[at][at] = 1.0);
        let mut weights = [BEFORE; WEIGHTS];
        weights[KINDS] = 0.0;
        Self { weights, covariance }
    }
}

impl Regression {
    /// How much a kind counts.
    pub(super) fn weight(&self, kind: Kind) -> f64 {
        self.weights[kind as usize]
    }

    /// Σ w_k·x̂_k.
    pub(super) fn score(&self, ratios: &Ratios) -> f64 {
        self.weights.iter().zip(&ratios.0).map(|(weight, nats)| weight * nats.asinh()).sum()
    }

    /// What people alone say of a URL: the part of Σ w_k·x̂_k that changes with every step.
    pub(super) fn score_of_people(&self, users: i32, signatures: i32) -> f64 {
        self.weight(Kind::Users) * squeezed(users) + self.weight(Kind::Signatures) * squeezed(signatures)
    }

    /// A page of these ratios was fetched, when this share of all pages satisfied.
    pub(super) fn learn(&mut self, ratios: &Ratios, base: f64, satisfies: bool) {
        let mut x = [1.0; WEIGHTS];
        x.iter_mut().zip(&ratios.0).for_each(|(x, nats)| *x = nats.asinh());
        let logit = (base / (1.0 - base)).ln() + self.score(ratios) + self.weights[KINDS];
        let chance = 1.0 / (1.0 + (-logit).exp());
        let curvature = chance * (1.0 - chance);
        let mut spread = [0.0; WEIGHTS];
        for (spread, row) in spread.iter_mut().zip(&self.covariance) {
            *spread = row.iter().zip(&x).map(|(c, x)| c * x).sum();
        }
        let along: f64 = spread.iter().zip(&x).map(|(s, x)| s * x).sum();
        let shrink = curvature / (1.0 + curvature * along);
        for (row, a) in self.covariance.iter_mut().zip(spread) {
            row.iter_mut().zip(spread).for_each(|(c, b)| *c -= a * b * shrink);
        }
        // C x with the new C is C x of the old one, shrunk.
        let step = (f64::from(u8::from(satisfies)) - chance) / (1.0 + curvature * along);
        self.weights.iter_mut().zip(spread).for_each(|(weight, spread)| *weight += spread * step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(users: f64, links: f64) -> Ratios {
        let mut ratios = Ratios::default();
        ratios.set(Kind::Users, users);
        ratios.set(Kind::Parents, links);
        ratios
    }

    #[test]
    fn ours_one_step_by_hand() {
        let mut regression = Regression::default();
        regression.learn(&ratios(2.0_f64.sinh(), 0.0), 0.5, true);
        // p = σ(½·2); x = (2, …, 1), C x = x, xᵀx = 5; both weights move by x·(1 − p)/(1 + 5·p(1 − p)).
        let p = 1.0 / (1.0 + (-1.0_f64).exp());
        let step = (1.0 - p) / (1.0 + 5.0 * p * (1.0 - p));
        assert!((regression.weight(Kind::Users) - (0.5 + 2.0 * step)).abs() < 1e-12);
        assert!((regression.weights[KINDS] - step).abs() < 1e-12);
        assert_eq!(regression.weight(Kind::Parents), 0.5);
    }

    #[test]
    fn ours_what_tells_gains_and_what_does_not_loses() {
        let mut regression = Regression::default();
        for n in 0..2_000_u32 {
            let satisfies = n % 4 == 0;
            let noise = f64::from(n * 7 % 11) - 5.0;
            regression.learn(&ratios(if satisfies { 1.5 } else { -1.0 }, noise), 0.25, satisfies);
        }
        assert!(regression.weight(Kind::Users) > 1.0 && regression.weight(Kind::Parents).abs() < 0.1, "{regression:?}");
        let all = ratios(1e100, -1e100);
        assert!(regression.score(&all).is_finite());
    }
}
