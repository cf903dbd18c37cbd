//! Was this URL seen before, and which number has it?
//!
//! A URL is known by 80 bits of a hash of its text. All of them are in memory, in shards by their first 16 bits:
//!
//! ```text
//! hash     16 bits: shard      16 bits: tag      48 bits: check
//! shard    tags │ 3f02 │ 11c8 │ 3f02 │ …         all are compared: they lie side by side
//!          seen │ check, number │ check, number │ …
//! ```
//!
//! That is 12 bytes a URL, and a little room. Nothing of it is on disk: it is made again from the texts. So a new URL costs no
//! place in a file of random order, which all others would have to be merged with again and again, and a known one, which
//! most links lead to, costs no look at the disk.
//!
//! Two of n URLs share all 80 bits with a probability of about n²/2⁸¹: of 20 million, one in six billion; of a billion, one in
//! two million. That is not handled; the two would be one URL. The seed is drawn anew for each crawl, so nobody can prepare
//! such URLs.

use xxhash_rust::xxh3::xxh3_128_with_seed;

const SHARDS: usize = 1 << 16;

/// Bits that stand for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    shard: u16,
    tag: u16,
    check: [u16; 3],
}

impl Fingerprint {
    pub(super) fn of(url: &str, seed: u64) -> Self {
        let bits = xxh3_128_with_seed(url.as_bytes(), seed);
        let part = |at: u32| (bits >> (16 * at)) as u16;
        Self { shard: part(0), tag: part(1), check: [part(2), part(3), part(4)] }
    }
}

/// What was seen.
#[derive(Debug)]
pub(super) struct Sieve {
    shards: Box<[Shard]>,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    tags: Vec<u16>,
    seen: Vec<Seen>,
}

/// Parts of 16 bits, so that nothing is lost between them.
#[derive(Clone, Copy, Debug)]
struct Seen {
    check: [u16; 3],
    number: [u16; 2],
}

impl Seen {
    fn number(self) -> u32 {
        u32::from(self.number[0]) << 16 | u32::from(self.number[1])
    }
}

impl Sieve {
    pub(super) fn new() -> Self {
        Self { shards: vec![Shard::default(); SHARDS].into() }
    }

    pub(super) fn find(&self, print: Fingerprint) -> Option<u32> {
        let Shard { tags, seen } = &self.shards[usize::from(print.shard)];
        let mut same = tags.iter().zip(seen).filter(|(tag, _)| **tag == print.tag);
        same.find(|(_, seen)| seen.check == print.check).map(|(_, seen)| seen.number())
    }

    /// Adds one that is not in it.
    pub(super) fn add(&mut self, print: Fingerprint, number: u32) {
        let Shard { tags, seen } = &mut self.shards[usize::from(print.shard)];
        if tags.len() == tags.capacity() {
            let room = tags.len() / 8 + 4;
            tags.reserve_exact(room);
            seen.reserve_exact(room);
        }
        tags.push(print.tag);
        seen.push(Seen { check: print.check, number: [(number >> 16) as u16, number as u16] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_go_by_text_and_seed() {
        let of = Fingerprint::of;
        assert_eq!(of("http://a/", 1), of("http://a/", 1));
        assert_ne!(of("http://a/", 1), of("http://a/", 2));
        assert_ne!(of("http://a/", 1), of("http://b/", 1));
    }

    #[test]
    fn ours_what_was_seen_is_found_and_nothing_else() {
        let print = |number: u32| Fingerprint::of(&number.to_string(), 3);
        let mut sieve = Sieve::new();
        let seen = (0..300_000).chain([70_000_000, u32::MAX]);
        seen.clone().for_each(|number| sieve.add(print(number), number));
        assert!(seen.clone().all(|number| sieve.find(print(number)) == Some(number)));
        assert!((300_000..600_000).all(|number| sieve.find(print(number)).is_none()));
    }

    #[test]
    fn ours_one_of_the_same_tag_is_another() {
        let mut sieve = Sieve::new();
        let print = |last| Fingerprint { shard: 7, tag: 9, check: [0, 0, last] };
        sieve.add(print(1), 10);
        sieve.add(print(2), 20);
        assert_eq!([1, 2, 3].map(|last| sieve.find(print(last))), [Some(10), Some(20), None]);
    }

    #[test]
    fn ours_a_url_costs_twelve_bytes() {
        assert_eq!(size_of::<Seen>() + size_of::<u16>(), 12);
    }
}
