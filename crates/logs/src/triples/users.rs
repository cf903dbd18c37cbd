//! The users of a site, by number.
//!
//! A user is a hash until all is read; then the different hashes of a site are sorted, and the place of each is its
//! number. So numbers do not depend on who came first, and no table of users is needed while reading: it would be asked
//! for every row, and miss the cache each time.

/// The different users of a site, by hash.
pub(super) struct SiteUsers {
    hashes: Vec<u64>,
    /// Where the last one was.
    last: usize,
}

impl SiteUsers {
    /// The different users among these. Rows come by user, file by file, so most repeat the one before.
    pub(super) fn of(hashes: impl Iterator<Item = u64>) -> Self {
        let mut different: Vec<u64> = Vec::new();
        for hash in hashes {
            if different.last() != Some(&hash) {
                different.push(hash);
            }
        }
        different.sort_unstable();
        different.dedup();
        Self::of_sorted(different)
    }

    /// The same of hashes that are in order, each once.
    pub(super) fn of_sorted(hashes: Vec<u64>) -> Self {
        Self { hashes, last: 0 }
    }

    /// The number of one of them. Fast if they come in ascending order, or nearly so.
    pub(super) fn number(&mut self, hash: u64) -> u32 {
        let (mut low, mut step) = (if self.hashes[self.last] <= hash { self.last } else { 0 }, 1);
        while self.hashes.get(low + step).is_some_and(|h| *h <= hash) {
            low += step;
            step *= 2;
        }
        let end = (low + step).min(self.hashes.len());
        self.last = low + self.hashes[low..end].partition_point(|h| *h < hash).min(end - low - 1);
        u32::try_from(self.last).expect("fewer than 2^32 users")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_users_are_numbered_by_hash_whoever_comes_first() {
        let hashes: Vec<u64> = (0..1_000_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        let mut sorted = hashes.clone();
        sorted.sort_unstable();
        let mut users = SiteUsers::of(hashes.iter().chain(&hashes).copied());
        for hash in hashes.iter().chain(&sorted).chain(sorted.iter().rev()) {
            assert_eq!(users.number(*hash) as usize, sorted.binary_search(hash).unwrap());
        }
    }
}
