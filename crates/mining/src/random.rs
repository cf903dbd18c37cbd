//! Which number comes next, given only a seed?
//!
//! SplitMix64 (Steele, Lea, Flood 2014): `state += γ; z = mix(state)`. The same on every machine and for ever, so that a
//! number that was drawn by it can be printed.

/// γ: what is added to the state for each number. 2⁶⁴ over the golden ratio, made odd.
pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scrambles 64 bits: what SplitMix64 hands out for a state.
#[must_use]
pub fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The `n`-th number of a seed's stream, from 0.
#[must_use]
pub fn nth(seed: u64, n: u64) -> u64 {
    mix(seed.wrapping_add(n.wrapping_add(1).wrapping_mul(GAMMA)))
}

/// A stream of numbers fixed by its seed.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// A number below `bound`; 0 when `bound` is 0. The bias is below `bound` / 2⁶⁴.
    pub fn below(&mut self, bound: u64) -> u64 {
        u64::try_from((u128::from(self.draw()) * u128::from(bound)) >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_the_seed_fixes_the_stream() {
        // First outputs for this seed, as published with the reference code.
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!([random.draw(), random.draw()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        assert_eq!(nth(1_234_567, 1), 3_203_168_211_198_807_973);
        assert!((0..1_000).all(|_| random.below(10) < 10));
        assert_eq!(random.below(0), 0);
    }
}
