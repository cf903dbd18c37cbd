//! How much of what a URL had will it have again, given links to it?
//!
//! For URLs with visits: `value = e^(α₀ + α₁·ln expected + α₂·x₁ + α₃·x₂)`, a regression of the second part's visits on
//! what was expected by the first, and on links. Counts vary more than Poisson's, so a visit of a much visited URL counts
//! less: the variance is taken as `μ + μ²/r` (negative binomial), r from the residuals. The belief beforehand is that
//! links add nothing, α = (ln kept, 1, 0, 0).

use serde::{Deserialize, Serialize};

use super::shares::Links;

const TERMS: usize = 4;
/// What the belief about each weighs, in visits.
const PRECISION: [f64; TERMS] = [5.0, 50.0, 50.0, 50.0];
const ROUNDS: usize = 20;
/// Where r may lie.
const SIZES: (f64, f64) = (0.2, 20.0);

/// Coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Returning([f64; TERMS]);

/// A URL with visits in the first part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Returner {
    /// Expected by the first part, in the second.
    pub(super) expected: f64,
    pub(super) links: Links,
    /// Came in the second.
    pub(super) visits: f64,
}

impl Returner {
    fn terms(&self) -> [f64; TERMS] {
        [1.0, self.expected.max(f64::MIN_POSITIVE).ln(), self.links[0], self.links[1]]
    }
}

impl Returning {
    /// Links add nothing.
    pub(super) fn believed(kept: f64) -> Self {
        Self([kept.max(0.01).ln(), 1.0, 0.0, 0.0])
    }

    /// The value of a URL of which this is expected by its own visits.
    pub(super) fn value(&self, expected: f64, links: &Links) -> f64 {
        let [a, b, c, d] = self.0;
        (a + b * expected.max(f64::MIN_POSITIVE).ln() + c * links[0] + d * links[1]).clamp(-60.0, 60.0).exp()
    }

    /// The coefficients that explain these best.
    pub(super) fn fit(urls: &[Returner], kept: f64) -> Self {
        let believed = Self::believed(kept);
        let mut found = believed;
        for _ in 0..ROUNDS {
            let size = found.size(urls);
            let mut gradient: [f64; TERMS] = std::array::from_fn(|i| -PRECISION[i] * (found.0[i] - believed.0[i]));
            let mut curve = [[0.0; TERMS]; TERMS];
            (0..TERMS).for_each(|i| curve[i][i] = PRECISION[i]);
            for url in urls {
                let (terms, mean) = (url.terms(), found.value(url.expected, &url.links));
                let damp = 1.0 / (1.0 + mean / size);
                for i in 0..TERMS {
                    gradient[i] += (url.visits - mean) * damp * terms[i];
                    for j in 0..TERMS {
                        curve[i][j] += mean * damp * terms[i] * terms[j];
                    }
                }
            }
            let step = solve(curve, gradient);
            (0..TERMS).for_each(|i| found.0[i] += step[i].clamp(-0.5, 0.5));
            if step.iter().all(|step| step.abs() < 1e-4) {
                break;
            }
        }
        // More links are never taken to be worse, nor more visits.
        let [_, own, links, flow] = found.0;
        if own > 0.0 && links >= 0.0 && flow >= 0.0 { found } else { Self::without_worst(urls, found, believed) }
    }

    /// With what came out below zero left out: its coefficient is what was believed.
    fn without_worst(urls: &[Returner], found: Self, believed: Self) -> Self {
        let mut kept = found;
        for i in 1..TERMS {
            if found.0[i] < 0.0 {
                kept.0[i] = believed.0[i];
            }
        }
        // The level is brought back to where the visits are.
        let (came, said) =
            urls.iter().fold((1.0, 1.0), |(a, b), u| (a + u.visits, b + kept.value(u.expected, &u.links)));
        kept.0[0] += f64::ln(came / said);
        kept
    }

    /// r, by the moments of the residuals.
    fn size(&self, urls: &[Returner]) -> f64 {
        let (mut squares, mut beyond) = (1.0, 0.0);
        for url in urls {
            let mean = self.value(url.expected, &url.links);
            squares += mean * mean;
            beyond += (url.visits - mean).powi(2) - mean;
        }
        if beyond > 0.0 { (squares / beyond).clamp(SIZES.0, SIZES.1) } else { SIZES.1 }
    }
}

/// Solves a small symmetric system by elimination.
fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for i in 0..N {
        for j in i + 1..N {
            let factor = a[j][i] / a[i][i];
            let above = a[i];
            a[j].iter_mut().zip(above).skip(i).for_each(|(x, above)| *x -= factor * above);
            b[j] -= factor * b[i];
        }
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(coefficients: [f64; TERMS], urls: u32) -> Vec<Returner> {
        (0..urls)
            .map(|n| {
                let links = [f64::from(n * 7 % 50 + 1).ln(), f64::from(n * 31 % 40 + 1).ln()];
                let expected = f64::from(n % 60 + 1) / 4.0;
                Returner { expected, links, visits: Returning(coefficients).value(expected, &links) }
            })
            .collect()
    }

    #[test]
    fn ours_planted_coefficients_are_found() {
        let coefficients = [0.3, 0.7, 0.2, 0.1];
        let Returning(found) = Returning::fit(&planted(coefficients, 20_000), 1.0);
        assert!((0..TERMS).all(|i| (found[i] - coefficients[i]).abs() < 0.02), "{found:?}");
    }

    #[test]
    fn ours_without_evidence_a_url_keeps_what_it_had() {
        let found = Returning::fit(&[], 0.8);
        assert!((found.value(10.0, &[3.0, 3.0]) - 8.0).abs() < 1e-9);
    }

    #[test]
    fn ours_more_links_are_never_worse() {
        let Returning(found) = Returning::fit(&planted([0.0, 1.0, -0.4, 0.1], 5_000), 1.0);
        assert!(found[2] == 0.0 && found[3] >= 0.0, "{found:?}");
    }
}
