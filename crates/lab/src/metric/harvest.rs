//! How soon did a crawl find the pages of a topic?
//!
//! T pages can be fetched, H of them satisfy; after K pages h_K of these were found.
//!
//! ```text
//! harvest rate  h_K/K        share of what was fetched that satisfies
//! found         h_K/H        share of the topic's pages
//! lift          (h_K/K)/(H/T) = (h_K/H)/(K/T)     how many times as many as in any order by chance
//! ```
//! K is told as a share of T, rounded up. A page that was never fetched was not found.

use serde::{Deserialize, Serialize};

use super::thin::thin;
use crate::graph::PageId;
use crate::result::Curve;

/// Shares of the pages at which crawls are compared.
pub const SHARES: [f64; 3] = [0.05, 0.1, 0.2];

/// How soon the pages of a topic were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Harvest {
    /// Found, after each of [`SHARES`] of the pages.
    pub found: [f64; 3],
    /// The same over what chance finds.
    pub lift: [f64; 3],
    /// The share of what was fetched that satisfies, then.
    pub rate: [f64; 3],
    /// Found by pages fetched, both as shares.
    pub curve: Curve,
}

impl Harvest {
    /// Of a crawl in this order, of so many pages; `satisfies` by page. None if no page satisfies.
    pub fn of(order: &[PageId], satisfies: &[bool], pages: usize) -> Option<Self> {
        let all = satisfies.iter().filter(|satisfies| **satisfies).count();
        if all == 0 || pages == 0 {
            return None;
        }
        let mut found = Vec::with_capacity(order.len() + 1);
        found.push(0_u32);
        for page in order {
            found.push(found[found.len() - 1] + u32::from(satisfies[*page as usize]));
        }
        let after = |share: f64| {
            let fetched = ((share * pages as f64).ceil() as usize).min(pages);
            (fetched, f64::from(found[fetched.min(found.len() - 1)]))
        };
        let of = |share: f64| after(share).1 / all as f64;
        let points: Vec<[f64; 2]> = found
            .iter()
            .enumerate()
            .map(|(at, found)| [at as f64 / pages as f64, f64::from(*found) / all as f64])
            .collect();
        Some(Self {
            found: SHARES.map(of),
            lift: SHARES.map(|share| of(share) * pages as f64 / after(share).0.max(1) as f64),
            rate: SHARES.map(|share| after(share).1 / after(share).0.max(1) as f64),
            curve: thin(&points),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kdd02_harvest_and_lift_by_hand() {
        // Of 20 pages 4 satisfy: 0, 1, 2 and 19. Fetched: 0, 5, 1, 6 and no more.
        let satisfies: Vec<bool> = (0..20).map(|page| page < 3 || page == 19).collect();
        let harvest = Harvest::of(&[0, 5, 1, 6], &satisfies, 20).unwrap();
        assert_eq!(harvest.found, [0.25, 0.25, 0.5]);
        assert_eq!(harvest.lift, [5.0, 2.5, 2.5]);
        assert_eq!(harvest.rate, [1.0, 0.5, 0.5]);
        assert_eq!(harvest.curve.last(), Some(&[0.2, 0.5]));
    }

    #[test]
    fn ours_a_topic_without_pages_has_no_harvest() {
        assert_eq!(Harvest::of(&[0], &[false], 1), None);
        assert_eq!(Harvest::of(&[], &[true], 1).unwrap().found, [0.0; 3]);
    }
}
