//! Was this URL seen before, and which number has it?
//!
//! A URL is known by 76 bits of a hash of its text. All of them are in memory, in shards by 12 of them. In a shard they are
//! sorted, with gaps: each stands near the place that it would have if all were evenly spread, so it is found at once, and a
//! new one moves few others.
//!
//! ```text
//! hash     12 bits: shard      64 bits: check
//! shard    │ 0a3f… 17 │      │ 3e02… 42 │ 3f61… 905 │      │ …     check and number, in order of the check
//!                              ▲ home of 3e… and 3f…: check · room / 2⁶⁴
//! ```
//!
//! That is 12 bytes a URL, and about 3 for gaps. Nothing of it is on disk: it is made again from the texts. So a new URL costs
//! no place in a file of random order, which all others would have to be merged with again and again, and a known one, which
//! most links lead to, costs no look at the disk.
//!
//! Two of n URLs share all 76 bits with a probability of about n²/2⁷⁷: of 20 million, one in 400 million; of a billion, one in
//! 150,000. That is not handled; the two would be one URL. The seed is drawn anew for each crawl, so nobody can prepare
//! such URLs.

use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::url_id::UrlId;

const SHARD_BITS: u32 = 12;
/// Room of a shard that has any, and by what part it grows.
const SMALLEST: usize = 16;
const GROWTH: usize = 4;
/// Of eight places seven are used before a shard grows.
const FULL: (usize, usize) = (7, 8);
/// Places behind the last home that there is room for; more are made when they are needed.
const TAIL: usize = 16;

/// Bits that stand for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    shard: u16,
    check: u64,
}

impl Fingerprint {
    pub(super) fn of(url: &str, seed: u64) -> Self {
        let bits = xxh3_128_with_seed(url.as_bytes(), seed);
        Self { shard: (bits >> (128 - SHARD_BITS)) as u16, check: bits as u64 }
    }
}

/// What was seen.
#[derive(Debug)]
pub(super) struct Sieve {
    shards: Box<[Shard]>,
}

impl Sieve {
    pub(super) fn new() -> Self {
        Self { shards: vec![Shard::default(); 1 << SHARD_BITS].into() }
    }

    pub(super) fn find(&self, print: Fingerprint) -> Option<UrlId> {
        self.shards[usize::from(print.shard)].find(print.check)
    }

    /// Takes one out, if it is in it.
    pub(super) fn remove(&mut self, print: Fingerprint) {
        self.shards[usize::from(print.shard)].remove(print.check);
    }

    /// Adds one that is not in it.
    pub(super) fn add(&mut self, print: Fingerprint, number: UrlId) {
        self.shards[usize::from(print.shard)].add(Slot { check: print.check, number: number.0 });
    }
}

#[cfg(test)]
impl Sieve {
    fn used(&self) -> usize {
        self.shards.iter().map(|shard| shard.used).sum()
    }
}

/// Twelve bytes, not sixteen: there are as many as URLs.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
struct Slot {
    check: u64,
    /// [`Slot::GAP`] stands for none: no URL has that number.
    number: u32,
}

impl Slot {
    const GAP: Self = Self { check: u64::MAX, number: u32::MAX };

    fn is_gap(self) -> bool {
        self.number == u32::MAX
    }
}

#[derive(Clone, Debug, Default)]
struct Shard {
    /// The homes, and behind them what was moved from there.
    slots: Vec<Slot>,
    homes: usize,
    used: usize,
}

impl Shard {
    /// The first place that does not stand before a check.
    fn place(&self, check: u64) -> usize {
        let home = home(check, self.homes);
        let before = self.slots[home..].iter().take_while(|slot| !slot.is_gap() && slot.check < check);
        home + before.count()
    }

    fn find(&self, check: u64) -> Option<UrlId> {
        let slot = self.slots.get(self.place(check))?;
        (!slot.is_gap() && slot.check == check).then_some(UrlId(slot.number))
    }

    fn add(&mut self, slot: Slot) {
        self.used += 1;
        if self.used * FULL.1 > self.homes * FULL.0 {
            self.spread((self.homes + self.homes / GROWTH).max(SMALLEST));
        }
        let place = self.place(slot.check);
        let moved = self.slots[place..].iter().take_while(|slot| !slot.is_gap()).count();
        if place + moved == self.slots.len() {
            self.slots.push(Slot::GAP);
        }
        self.slots.copy_within(place..place + moved, place + 1);
        self.slots[place] = slot;
    }

    /// What stands behind it and not at its own home moves up, so that no gap comes between a check and its home.
    fn remove(&mut self, check: u64) {
        if self.find(check).is_none() {
            return;
        }
        let mut place = self.place(check);
        while let Some(next) = self.slots.get(place + 1).copied()
            && !next.is_gap()
            && home(next.check, self.homes) <= place
        {
            self.slots[place] = next;
            place += 1;
        }
        self.slots[place] = Slot::GAP;
        self.used -= 1;
    }

    /// Spreads all over more homes, in their order.
    fn spread(&mut self, homes: usize) {
        let mut anew = Vec::with_capacity(homes + TAIL);
        for slot in self.slots.iter().filter(|slot| !slot.is_gap()) {
            let home = home(slot.check, homes);
            if home > anew.len() {
                anew.resize(home, Slot::GAP);
            }
            anew.push(*slot);
        }
        anew.resize(anew.len().max(homes), Slot::GAP);
        (self.slots, self.homes) = (anew, homes);
    }
}

/// Where a check would stand if all were evenly spread.
fn home(check: u64, homes: usize) -> usize {
    ((u128::from(check) * homes as u128) >> 64) as usize
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
        let seen = (0..300_000).chain([70_000_000, u32::MAX - 1]);
        for number in seen.clone() {
            assert_eq!(sieve.find(print(number)), None);
            sieve.add(print(number), UrlId(number));
        }
        assert!(seen.clone().all(|number| sieve.find(print(number)) == Some(UrlId(number))));
        assert!((300_000..600_000).all(|number| sieve.find(print(number)).is_none()));
    }

    #[test]
    fn ours_checks_that_crowd_together_are_told_apart() {
        for crowd in [0, 1 << 40, u64::MAX - 1_000] {
            let mut shard = Shard::default();
            // Forth and back, so that each is before and behind others.
            let checks = || (0..1_000_u64).map(|n| crowd + n * 617 % 1_000);
            for (number, check) in (0..).zip(checks()) {
                assert_eq!(shard.find(check), None);
                shard.add(Slot { check, number });
            }
            assert!((0..).zip(checks()).all(|(number, check)| shard.find(check) == Some(UrlId(number))));
            assert_eq!(shard.find(crowd + 1_000), None);
        }
    }

    #[test]
    fn ours_what_was_removed_is_gone_and_the_rest_is_found() {
        let print = |number: u32| Fingerprint::of(&number.to_string(), 5);
        let mut sieve = Sieve::new();
        (0..100_000).for_each(|number| sieve.add(print(number), UrlId(number)));
        let goes = |number: &u32| number % 3 == 1;
        (0..100_000).filter(goes).for_each(|number| sieve.remove(print(number)));
        sieve.remove(print(200_000));
        for number in 0..100_000 {
            assert_eq!(sieve.find(print(number)), (!goes(&number)).then_some(UrlId(number)));
        }
        assert_eq!(sieve.used(), 66_667);
        (0..100_000).filter(goes).for_each(|number| sieve.add(print(number), UrlId(number)));
        assert!((0..100_000).all(|number| sieve.find(print(number)) == Some(UrlId(number))));
    }

    #[test]
    fn ours_a_url_costs_at_most_eighteen_bytes() {
        let mut sieve = Sieve::new();
        let seen = 500_000;
        (0..seen).for_each(|number| sieve.add(Fingerprint::of(&number.to_string(), 9), UrlId(number)));
        let bytes: usize = sieve.shards.iter().map(|shard| shard.slots.capacity() * size_of::<Slot>()).sum();
        // The tails of shards matter less the larger they are.
        let tails = sieve.shards.len() * TAIL * size_of::<Slot>();
        assert!(bytes - tails < 18 * seen as usize, "{bytes} bytes, {tails} in tails");
    }
}
