//! Was this URL seen before? The text of each is known by a fingerprint of 128 bits, which has a number.
//!
//! Two of n URLs share a fingerprint with a probability of about n²/2¹²⁹: of 4 billion, one in 4·10¹⁹. That is not handled;
//! the two would be one URL. The seed is drawn anew for each crawl, so nobody can prepare such URLs.
//!
//! Links repeat: most URLs that are asked for were asked for not long ago. Two generations of fingerprints are kept in
//! memory; when the young one is full it becomes the old one, and the old one is forgotten. Of the rest most are new: the
//! [`filter`](super::filter) knows.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// 128 bits that stand for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fingerprint {
    // Not a u128, which would be padded to twice its size beside a number.
    pub(super) high: u64,
    pub(super) low: u64,
}

impl Fingerprint {
    pub(super) fn of(url: &str, seed: u64) -> Self {
        let bits = xxh3_128_with_seed(url.as_bytes(), seed);
        Self { high: (bits >> 64) as u64, low: bits as u64 }
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let bits = u128::from_be_bytes(bytes.try_into().ok()?);
        Some(Self { high: (bits >> 64) as u64, low: bits as u64 })
    }

    pub(super) fn bytes(self) -> [u8; 16] {
        ((u128::from(self.high) << 64) | u128::from(self.low)).to_be_bytes()
    }
}

/// Fingerprints of late.
#[derive(Debug)]
pub(super) struct Recent {
    room: usize,
    young: FxHashMap<Fingerprint, u32>,
    old: FxHashMap<Fingerprint, u32>,
}

impl Recent {
    pub(super) fn new(room: usize) -> Self {
        Self { room: room.max(1), young: FxHashMap::default(), old: FxHashMap::default() }
    }

    pub(super) fn find(&self, print: Fingerprint) -> Option<u32> {
        self.young.get(&print).or_else(|| self.old.get(&print)).copied()
    }

    /// The same; what is asked for stays.
    pub(super) fn recall(&mut self, print: Fingerprint) -> Option<u32> {
        if let Some(number) = self.young.get(&print) {
            return Some(*number);
        }
        let number = *self.old.get(&print)?;
        self.keep(print, number);
        Some(number)
    }

    pub(super) fn keep(&mut self, print: Fingerprint, number: u32) {
        if self.young.len() >= self.room {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
        }
        self.young.insert(print, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_go_by_text_and_seed() {
        let of = |url, seed| Fingerprint::of(url, seed).bytes();
        assert_eq!(of("http://a/", 1), of("http://a/", 1));
        assert_ne!(of("http://a/", 1), of("http://a/", 2));
        assert_ne!(of("http://a/", 1), of("http://b/", 1));
        assert_eq!(Fingerprint::read(&of("http://a/", 1)), Some(Fingerprint::of("http://a/", 1)));
        assert_eq!(of("http://a/", 1), xxh3_128_with_seed(b"http://a/", 1).to_be_bytes());
    }

    #[test]
    fn ours_what_is_asked_for_is_remembered_and_the_rest_forgotten() {
        let print = |number: u32| Fingerprint::of(&number.to_string(), 0);
        let mut recent = Recent::new(10);
        for number in 0..1_000 {
            recent.keep(print(number), number);
            assert_eq!(recent.recall(print(0)), Some(0));
        }
        assert_eq!(recent.find(print(999)), Some(999));
        assert_eq!(recent.find(print(500)), None);
        assert!(recent.young.len() + recent.old.len() <= 20);
    }
}
