//! Where does chance come from? From a seed, and nowhere else.
//!
//! The generator is xoshiro256++, its four words filled by SplitMix64. Everything here is integer arithmetic, or
//! additions, multiplications, divisions and square roots of `f64`, which IEEE 754 defines to the last bit: the same
//! seed gives the same draws on every platform. No logarithm, no exponential.
//!
//! Draws: uniform u in [0, 1) is 53 random bits over 2⁵³; an integer below n is the high half of a 64-bit draw times n
//! (the bias is below n / 2⁶⁴); the heavy tail is Pareto's, P(X > x) = x^(−4/3), drawn as u^(−3/4), and u^(3/4) is
//! √u · √√u.

use trodden_mining::random::GAMMA;
pub use trodden_mining::random::mix;

/// A seeded source of draws.
#[derive(Clone, Debug)]
pub struct Chance {
    state: [u64; 4],
}

impl Chance {
    /// The source of a seed.
    pub fn new(seed: u64) -> Self {
        let mut at = seed;
        let state = std::array::from_fn(|_| {
            at = at.wrapping_add(GAMMA);
            mix(at)
        });
        Self { state }
    }

    /// One of many independent sources of a seed: one a reader, say, so that their number changes nobody's draws.
    pub fn stream(seed: u64, stream: u64) -> Self {
        Self::new(mix(seed ^ mix(stream.wrapping_add(GAMMA))))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An integer below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True with a probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of several.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Pareto's heavy tail: at least 1, at most `cap`, P(X > x) = x^(−4/3) between.
    pub fn heavy(&mut self, cap: f64) -> f64 {
        let root = self.unit().sqrt();
        let power = root * root.sqrt();
        if power * cap <= 1.0 { cap } else { 1.0 / power }
    }

    /// The number of a weight, with probability in proportion to it; none if all are 0.
    pub fn weighted(&mut self, weights: impl IntoIterator<Item = f64> + Clone) -> Option<usize> {
        let sum: f64 = weights.clone().into_iter().sum();
        let mut left = self.unit() * sum;
        let mut last = None;
        for (at, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0) {
            last = Some(at);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    /// Puts things into a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_seed_gives_the_same_draws_everywhere() {
        // The first word of SplitMix64 from 0, as published.
        assert_eq!(Chance::new(0).state[0], 0xe220_a839_7b1d_cdaf);
        let (mut one, mut same, mut other) = (Chance::new(7), Chance::new(7), Chance::new(8));
        let draws: Vec<u64> = (0..8).map(|_| one.bits()).collect();
        assert!(draws.iter().all(|&draw| draw == same.bits()));
        assert!(draws.iter().any(|&draw| draw != other.bits()));
        assert_ne!(Chance::stream(7, 1).bits(), Chance::stream(7, 2).bits());
    }

    #[test]
    fn ours_draws_have_the_promised_shares() {
        let mut chance = Chance::new(1);
        let n = 40_000_u32;
        let share = |hits: u32| f64::from(hits) / f64::from(n);
        let below: u32 = (0..n).map(|_| u32::from(chance.below(10) == 9)).sum();
        let weighted: u32 = (0..n).map(|_| u32::from(chance.weighted([1.0, 0.0, 3.0]) == Some(2))).sum();
        let heavy: u32 = (0..n).map(|_| u32::from(chance.heavy(1e9) > 8.0)).sum();
        assert!((share(below) - 0.1).abs() < 0.01, "{below}");
        assert!((share(weighted) - 0.75).abs() < 0.01, "{weighted}");
        // 8^(−4/3) = 1/16.
        assert!((share(heavy) - 0.0625).abs() < 0.005, "{heavy}");
    }

    #[test]
    fn ours_edges_hold() {
        let mut chance = Chance::new(2);
        assert_eq!(chance.below(0), 0);
        assert_eq!(chance.weighted([0.0, 0.0]), None);
        assert_eq!(chance.weighted([0.0, 2.0, 0.0]), Some(1));
        assert!((0..1_000).all(|_| (1.0..=5.0).contains(&chance.heavy(5.0))));
        let mut things: Vec<u32> = (0..50).collect();
        chance.shuffle(&mut things);
        assert!(!things.is_sorted());
        things.sort_unstable();
        assert_eq!(things, (0..50).collect::<Vec<_>>());
    }
}
