//! Was this fingerprint surely never seen? Most URLs that no one has met lately are new, and a look into the store to learn
//! so costs as much as writing one down.
//!
//! A Bloom filter in blocks of one cache line: high bits of the fingerprint choose the block, seven groups of nine low bits
//! choose seven of its 512 bits. "Never" is always right; "perhaps" is wrong once in about a hundred times. When a part has
//! as many fingerprints as it is made for, a part of twice the size goes beside it: n fingerprints need log₂ n/2²⁰ looks,
//! and 12 to 36 bits each.

use super::sieve::Fingerprint;

/// Bits for each fingerprint that a part is made for.
const BITS: u64 = 12;
const BLOCK_WORDS: usize = 8;
const BLOCK_BITS: u64 = 64 * BLOCK_WORDS as u64;
/// Bits that are set for a fingerprint.
const LOOKS: u32 = 7;
/// Fingerprints that the smallest part is made for.
const SMALLEST: u64 = 1 << 20;

/// What was seen.
#[derive(Debug)]
pub(super) struct Filter {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    blocks: Vec<[u64; BLOCK_WORDS]>,
    room: u64,
}

impl Part {
    fn new(room: u64) -> Self {
        Self { blocks: vec![[0; BLOCK_WORDS]; (room * BITS / BLOCK_BITS) as usize], room }
    }

    fn block(&self, print: Fingerprint) -> usize {
        ((u128::from(print.high) * self.blocks.len() as u128) >> 64) as usize
    }

    fn has(&self, print: Fingerprint) -> bool {
        let block = &self.blocks[self.block(print)];
        places(print).all(|(word, bit)| block[word] & bit != 0)
    }
}

fn places(print: Fingerprint) -> impl Iterator<Item = (usize, u64)> {
    (0..LOOKS).map(move |look| {
        let place = print.low >> (9 * look);
        ((place >> 6) as usize % BLOCK_WORDS, 1 << (place & 63))
    })
}

impl Filter {
    /// For this many and as many again.
    pub(super) fn new(known: u32) -> Self {
        Self { parts: vec![Part::new((2 * u64::from(known)).max(SMALLEST))] }
    }

    pub(super) fn has(&self, print: Fingerprint) -> bool {
        self.parts.iter().any(|part| part.has(print))
    }

    pub(super) fn add(&mut self, print: Fingerprint) {
        if self.parts.last().is_none_or(|last| last.room == 0) {
            let bits = self.parts.last().map_or(0, |last| last.blocks.len() as u64 * BLOCK_BITS);
            self.parts.push(Part::new((2 * bits / BITS).max(SMALLEST)));
        }
        if let Some(last) = self.parts.last_mut() {
            last.room -= 1;
            let at = last.block(print);
            for (word, bit) in places(print) {
                last.blocks[at][word] |= bit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_what_was_seen_is_never_denied_and_little_else_is_claimed() {
        let print = |number: u32| Fingerprint::of(&number.to_string(), 3);
        let mut filter = Filter::new(0);
        // More than the first part is made for.
        let seen = SMALLEST as u32 + 200_000;
        (0..seen).for_each(|number| filter.add(print(number)));
        assert_eq!(filter.parts.len(), 2);
        assert!((0..seen).all(|number| filter.has(print(number))));
        let wrong = (seen..seen + 100_000).filter(|number| filter.has(print(*number))).count();
        assert!(wrong < 2_000, "{wrong} of 100,000");
    }
}
