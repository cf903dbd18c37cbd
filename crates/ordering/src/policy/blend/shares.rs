//! How do visits share out over URLs, by what is known of links to them?
//!
//! Of the visits to a group of URLs, URL u gets the share `e^(β·x(u)) / Σ e^(β·x)`, where x are logarithms of counts, so
//! that β are exponents: 1 shares in proportion, 0 evenly. Whatever the group gets, its URLs get together: the more of
//! them there are, the less each.
//!
//! β is fitted to the visits that were seen. With μ what a URL of group g gets of its Y_g visits, it solves
//!
//! ```text
//! Σ_g Σ (y − μ)/(1 + μ/r)·(x − x̄_g) = p·(β − β₀)        x̄_g: mean of x, weighted by μ/(1 + μ/r)
//! ```
//! by Newton's method: visits vary more than chance (`μ + μ²/r`, r by moments), and a few URLs that everybody reads must not
//! decide for all others. β₀ is what is believed beforehand, and counts like a few visits. More links are never taken to
//! be worse: β ≥ 0.

use serde::{Deserialize, Serialize};

/// What is known of links to a URL: logarithms of its links, and of the readers that pass by them.
pub(super) type Links = [f64; 2];

/// Exponents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Slopes(pub(super) Links);

/// Without any visits: by links and readers alike, the square roots of both.
pub(super) const BELIEVED: Slopes = Slopes([0.5, 0.5]);
/// Evenly.
pub(super) const EVEN: Slopes = Slopes([0.0, 0.0]);

/// Where r may lie.
const SIZES: (f64, f64) = (0.1, 10.0);
/// Visits that say nothing.
pub(super) const FEW_VISITS: f64 = 100.0;
/// What the belief weighs.
const PRECISION: f64 = 20.0;
const STEEPEST: f64 = 3.0;
const ROUNDS: usize = 25;

/// A URL of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sharer {
    pub(super) group: u32,
    pub(super) links: Links,
    pub(super) visits: f64,
}

impl Slopes {
    /// What a URL weighs in its group.
    pub(super) fn weight(&self, links: &Links) -> f64 {
        (self.0[0] * links[0] + self.0[1] * links[1]).exp()
    }

    /// The exponents that explain these visits best. Sharers of a group stand side by side.
    pub(super) fn fit(sharers: &[Sharer]) -> Self {
        let (mut slopes, mut size) = (BELIEVED, SIZES.1);
        for _ in 0..ROUNDS {
            let mut gradient = [0, 1].map(|i| -PRECISION * (slopes.0[i] - BELIEVED.0[i]));
            let mut curve = [[PRECISION, 0.0], [0.0, PRECISION]];
            let mut spread = Spread::default();
            for group in sharers.chunk_by(|a, b| a.group == b.group) {
                let visits: f64 = group.iter().map(|sharer| sharer.visits).sum();
                if visits > 0.0 {
                    slopes.add_group(group, visits, size, &mut gradient, &mut curve, &mut spread);
                }
            }
            // At a bound, what pushes beyond it counts for nothing.
            for (slope, gradient) in slopes.0.iter().zip(&mut gradient) {
                if *slope <= 0.0 && *gradient < 0.0 {
                    *gradient = 0.0;
                    (curve[0][1], curve[1][0]) = (0.0, 0.0);
                }
            }
            let det = curve[0][0] * curve[1][1] - curve[0][1] * curve[1][0];
            let step = [
                (curve[1][1] * gradient[0] - curve[0][1] * gradient[1]) / det,
                (curve[0][0] * gradient[1] - curve[1][0] * gradient[0]) / det,
            ];
            for (slope, step) in slopes.0.iter_mut().zip(step) {
                *slope = (*slope + step.clamp(-0.5, 0.5)).clamp(0.0, STEEPEST);
            }
            size = spread.size();
            if step.iter().all(|step| step.abs() < 1e-3) {
                break;
            }
        }
        let visits: f64 = sharers.iter().map(|sharer| sharer.visits).sum();
        let trust = (1.0 - FEW_VISITS / visits.max(1.0)).max(0.0);
        (0..2).for_each(|i| slopes.0[i] = BELIEVED.0[i] + trust * (slopes.0[i] - BELIEVED.0[i]));
        slopes
    }

    fn add_group(
        &self,
        group: &[Sharer],
        visits: f64,
        size: f64,
        gradient: &mut Links,
        curve: &mut [[f64; 2]; 2],
        spread: &mut Spread,
    ) {
        let weights: f64 = group.iter().map(|sharer| self.weight(&sharer.links)).sum();
        let mean = |sharer: &Sharer| visits * self.weight(&sharer.links) / weights;
        let damped = |mean: f64| mean / (1.0 + mean / size);
        // The middle of the group, so that its level is no matter.
        let (mut sum, mut middle) = (0.0, [0.0; 2]);
        for sharer in group {
            let weight = damped(mean(sharer));
            sum += weight;
            (0..2).for_each(|i| middle[i] += weight * sharer.links[i]);
        }
        let middle = middle.map(|middle| middle / sum);
        for sharer in group {
            let mean = mean(sharer);
            let beside = [0, 1].map(|i| sharer.links[i] - middle[i]);
            let (off, weight) = ((sharer.visits - mean) / (1.0 + mean / size), damped(mean));
            for i in 0..2 {
                gradient[i] += off * beside[i];
                for j in 0..2 {
                    curve[i][j] += weight * beside[i] * beside[j];
                }
            }
            spread.add(mean, sharer.visits);
        }
    }
}

/// How much more than chance counts differ from their means.
#[derive(Default)]
struct Spread {
    squares: f64,
    beyond: f64,
}

impl Spread {
    fn add(&mut self, mean: f64, count: f64) {
        self.squares += mean * mean;
        self.beyond += (count - mean).powi(2) - mean;
    }

    /// r, by moments.
    fn size(&self) -> f64 {
        if self.beyond > 0.0 { (self.squares / self.beyond).clamp(SIZES.0, SIZES.1) } else { SIZES.1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// URLs with one to 64 links and readers that have nothing to do with them, and visits shared out by these slopes.
    fn shared(slopes: Slopes, visits: f64) -> Vec<Sharer> {
        let mut sharers: Vec<Sharer> = (0..3 * 64_u32)
            .map(|n| Sharer {
                group: n / 64,
                links: [f64::from(n % 64 + 1).ln(), f64::from(n * 37 % 64 + 1).ln()],
                visits: 0.0,
            })
            .collect();
        for group in sharers.chunks_mut(64) {
            let sum: f64 = group.iter().map(|sharer| slopes.weight(&sharer.links)).sum();
            group.iter_mut().for_each(|sharer| sharer.visits = visits * slopes.weight(&sharer.links) / sum);
        }
        sharers
    }

    #[test]
    fn ours_planted_exponents_are_found() {
        for planted in [[1.0, 0.0], [0.5, 0.8], [0.0, 1.5], [0.0, 0.0]] {
            let Slopes(found) = Slopes::fit(&shared(Slopes(planted), 1e6));
            assert!((0..2).all(|i| (found[i] - planted[i]).abs() < 0.03), "{found:?} for {planted:?}");
        }
    }

    #[test]
    fn ours_few_visits_change_little_and_none_nothing() {
        assert_eq!(Slopes::fit(&[]), BELIEVED);
        assert_eq!(Slopes::fit(&shared(Slopes([0.0, 1.0]), 0.0)), BELIEVED);
        assert_eq!(Slopes::fit(&shared(Slopes([0.0, 1.0]), 3.0)), BELIEVED, "ten lines of a log");
        let Slopes(few) = Slopes::fit(&shared(Slopes([0.0, 1.0]), 36.0));
        let Slopes(more) = Slopes::fit(&shared(Slopes([0.0, 1.0]), 200.0));
        assert!(few[0] < 0.5 && few[0] > 0.4 && more[0] < few[0] && more[1] > few[1], "{few:?} {more:?}");
    }
}
