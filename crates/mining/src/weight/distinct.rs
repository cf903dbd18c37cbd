//! How many different things are there, without keeping them?
//!
//! By adaptive sampling (Wegman; Flajolet 1990): of all hashes only those are kept whose lowest s bits are zero. When more
//! than [`MOST`] are kept, s grows by one and half of them go. With n kept there are about n·2^s; the standard error is
//! 1.2/√[`MOST`], about one in a hundred.

use rustc_hash::FxHashSet;

/// Hashes that are kept at most.
const MOST: usize = 1 << 14;

/// Counts different hashes; a repeated one counts once.
#[derive(Clone, Debug, Default)]
pub struct Distinct {
    /// The lowest s bits.
    mask: u64,
    kept: FxHashSet<u64>,
}

impl Distinct {
    /// Adds a hash, all of whose bits must be good.
    pub fn add(&mut self, hash: u64) {
        if hash & self.mask != 0 || !self.kept.insert(hash) {
            return;
        }
        while self.kept.len() > MOST {
            self.mask = self.mask << 1 | 1;
            let mask = self.mask;
            self.kept.retain(|hash| hash & mask == 0);
        }
    }

    /// Whether a hash would change the count: what need not be hashed again need not be looked at.
    pub fn wants(&self, hash: u64) -> bool {
        hash & self.mask == 0 && !self.kept.contains(&hash)
    }

    /// About how many there are; exact as long as there are few.
    pub fn count(&self) -> u64 {
        (self.kept.len() as u64).saturating_mul(self.mask.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    #[test]
    fn ours_different_things_are_counted_within_a_few_in_a_hundred() {
        let mut distinct = Distinct::default();
        for n in 0..1_000_000_u64 {
            for _ in 0..2 {
                distinct.add(xxh3_64(&n.to_le_bytes()));
            }
            if n == 9_999 {
                assert_eq!(distinct.count(), 10_000, "few are counted exactly");
            }
        }
        assert!((960_000..1_040_000).contains(&distinct.count()), "{}", distinct.count());
        assert!(distinct.kept.len() <= MOST);
    }
}
