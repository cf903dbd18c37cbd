//! How important is it by several measures at once? IC: `Σ_i k_i · I_i(p) / max I_i`, with weights k.
//!
//! **\[ours\]** The paper adds up measures as they are. Counts of links and cosines cannot be added: each measure is divided
//! by its maximum first, so that weights say what they seem to say. A measure that is 0 everywhere adds 0.

use super::{CannotMeasure, Importance, Plain};

/// A measure and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedMetric {
    /// The measure.
    pub metric: Plain,
    /// How much it counts: at least 0.
    pub weight: f64,
}

/// Measures with weights, at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted(Vec<WeightedMetric>);

impl Weighted {
    /// These, if there are any and all weights are finite and at least 0.
    pub fn new(parts: Vec<WeightedMetric>) -> Option<Self> {
        let sound = |part: &WeightedMetric| part.weight.is_finite() && part.weight >= 0.0;
        (!parts.is_empty() && parts.iter().all(sound)).then_some(Self(parts))
    }

    /// What they are.
    pub fn parts(&self) -> &[WeightedMetric] {
        &self.0
    }
}

/// By page.
pub(super) fn of(importance: &Importance<'_, '_>, weighted: &Weighted) -> Result<Vec<f64>, CannotMeasure> {
    let mut sums = vec![0.0; importance.graph.pages() as usize];
    for &WeightedMetric { metric, weight } in weighted.parts() {
        let values = importance.of_plain(metric)?;
        let most = values.iter().copied().fold(0.0, f64::max);
        if most > 0.0 {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value / most);
        }
    }
    Ok(sums)
}
