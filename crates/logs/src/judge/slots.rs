//! Numbers for the sites of one user, in the order in which the user came to them.
//!
//! People read few sites in one log, and a search among few is quickest. Behind a shared address somebody reads a
//! hundred thousand, and nobody may cost a quadratic search.

use rustc_hash::FxHashMap;

/// Sites that are searched in a row.
const SEARCHED: usize = 32;

/// The sites of the user who is being read.
#[derive(Debug, Default)]
pub(super) struct SiteSlots {
    sites: Vec<u32>,
    /// Filled once there are more than [`SEARCHED`].
    index: FxHashMap<u32, usize>,
}

impl SiteSlots {
    /// The number of a site; one past the last for a new one.
    pub(super) fn slot(&mut self, site: u32) -> usize {
        if self.sites.len() <= SEARCHED {
            // The last one is the likeliest.
            if let Some(at) = self.sites.iter().rposition(|s| *s == site) {
                return at;
            }
        } else if let Some(at) = self.index.get(&site) {
            return *at;
        }
        let at = self.sites.len();
        self.sites.push(site);
        if at == SEARCHED {
            self.index.extend(self.sites.iter().enumerate().map(|(at, site)| (*site, at)));
        } else if at > SEARCHED {
            self.index.insert(site, at);
        }
        at
    }

    /// The sites, by their numbers.
    pub(super) fn sites(&self) -> &[u32] {
        &self.sites
    }

    /// Another user.
    pub(super) fn clear(&mut self) {
        self.sites.clear();
        if !self.index.is_empty() {
            self.index.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_slots_are_dense_and_the_same_however_many() {
        let mut slots = SiteSlots::default();
        for _ in 0..2 {
            for site in 0..100_u32 {
                assert_eq!(slots.slot(site * 7 % 101), site as usize);
            }
            for site in (0..100_u32).rev() {
                assert_eq!(slots.slot(site * 7 % 101), site as usize);
            }
            assert_eq!(slots.sites().len(), 100);
            slots.clear();
        }
    }
}
