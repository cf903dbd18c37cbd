//! How fine is a value told apart by lanes?
//!
//! Many URLs share few lanes: a value is rounded down to a level. Levels are as fine as whole numbers up to
//! [`STEPS`], and from there each octave has so many:
//!
//! ```text
//! level(v) = 0                                          v < 1
//!          = ⌊v⌋                                        v < STEPS
//!          = STEPS·(1 + e − log2 STEPS) + ⌊STEPS·(v/2^e − 1)⌋     2^e ≤ v < 2^(e+1)
//! ```
//! Counts that are small, as most are, are exact; the others are off by less than an eighth.

/// Levels of an octave.
pub const STEPS: u32 = 8;

/// The level of a value; higher values have higher levels.
pub fn level(value: f64) -> u32 {
    if value.is_nan() || value < 1.0 {
        return 0;
    }
    if value < f64::from(STEPS) {
        return value as u32;
    }
    // An octave is [2^e, 2^(e+1)); the first whole one is that of STEPS itself.
    let octave = value.min(f64::MAX).log2().floor().min(1_000.0);
    let within = (value / octave.exp2() - 1.0) * f64::from(STEPS);
    let first = f64::from(STEPS).log2();
    STEPS + ((octave - first) as u32) * STEPS + (within.max(0.0) as u32).min(STEPS - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn small_counts_have_a_level_each() {
        let levels: Vec<u32> = (0..=16).map(|count| level(f64::from(count))).collect();
        assert_eq!(levels, (0..=16).collect::<Vec<_>>());
        assert_eq!((level(17.0), level(18.0)), (16, 17));
        assert_eq!((level(-1.0), level(f64::NAN)), (0, 0));
    }

    proptest! {
        #[test]
        fn higher_values_have_no_lower_level_and_far_ones_a_higher(value in 0.0..1e12_f64, factor in 1.0..2.0_f64) {
            prop_assert!(level(value * factor) >= level(value));
            if value >= 8.0 {
                prop_assert!(level(value * 1.126) > level(value), "{}", value);
            }
        }
    }
}
