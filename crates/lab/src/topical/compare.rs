//! Means over topics, and how sure they are.
//!
//! A crawler found x_1 … x_n of n topics (shares of their pages, or lifts). Topics are drawn anew, with replacement, [`RESAMPLES`] times; the interval of the mean
//! holds the middle 95 % of the resamples, and so does that of the mean difference of two crawlers, whose topics are drawn together. Two are level if the
//! interval of their difference holds 0.

use crate::chance::Chance;

/// How often topics are drawn anew.
pub const RESAMPLES: usize = 2_000;

/// A mean over topics, and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicMean {
    /// The mean.
    pub mean: f64,
    /// Its interval.
    pub interval: [f64; 2],
}

impl TopicMean {
    /// Of these topics; none without any.
    pub fn of(values: &[f64], seed: u64) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let mut chance = Chance::new(seed);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| (0..values.len()).map(|_| values[chance.below(values.len())]).sum::<f64>() / values.len() as f64)
            .collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means[(share * (RESAMPLES - 1) as f64).round() as usize];
        Some(Self { mean: values.iter().sum::<f64>() / values.len() as f64, interval: [at(0.025), at(0.975)] })
    }

    /// How far the first are ahead of the second, topic by topic.
    pub fn ahead(first: &[f64], second: &[f64], seed: u64) -> Option<Self> {
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
        Self::of(&differences, seed)
    }

    /// Whether it is above 0 beyond its interval.
    pub fn is_above(&self) -> bool {
        self.interval[0] > 0.0
    }

    /// Whether it is below 0 beyond its interval.
    pub fn is_below(&self) -> bool {
        self.interval[1] < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_mean_lies_in_its_interval_and_a_level_pair_is_level() {
        let values: Vec<f64> = (0..100).map(|n| f64::from(n % 10)).collect();
        let mean = TopicMean::of(&values, 1).unwrap();
        assert!((mean.mean - 4.5).abs() < 1e-12 && mean.interval[0] < 4.5 && mean.interval[1] > 4.5);
        // σ = 2.87, so the interval is about ±1.96·0.287.
        assert!((mean.interval[1] - mean.interval[0] - 1.125).abs() < 0.15, "{mean:?}");
        let other: Vec<f64> = values.iter().rev().copied().collect();
        let level = TopicMean::ahead(&values, &other, 1).unwrap();
        assert!(!level.is_above() && !level.is_below());
        let more: Vec<f64> = values.iter().map(|x| x + 0.1).collect();
        assert!(TopicMean::ahead(&more, &values, 1).unwrap().is_above());
        assert_eq!(TopicMean::of(&[], 1), None);
    }
}
