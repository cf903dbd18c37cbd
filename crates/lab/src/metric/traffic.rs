//! How much of what people read had a crawl fetched, or at least heard of, after K pages?
//!
//! By page there is a weight, its visits in the test period. Both curves are shares of the weight of all reachable pages.
//! Fetched: the weights of the first K pages. Discovered: the weights of the pages whose URL was known when K pages had
//! been fetched; start pages are known at K = 0.

use super::coverage::Coverage;
use crate::graph::PageId;

/// The position of a page that was never fetched; the number of pages fetched before a URL was seen that never was.
pub const NEVER: u32 = u32::MAX;

/// Traffic fetched after K pages; none if there is none to fetch.
pub fn fetched(order: &[PageId], traffic: &[f64], reachable: &[bool]) -> Option<Coverage> {
    Coverage::new(pages(reachable), 0.0, order.iter().map(|&page| traffic[page as usize]), total(traffic, reachable))
}

/// Traffic discovered after K pages, of a crawl that fetched so many; `discovered_after` is by page how many pages had
/// been fetched when its URL was first seen, or [`NEVER`]. None if there is none to discover.
pub fn discovered(discovered_after: &[u32], fetched: u32, traffic: &[f64], reachable: &[bool]) -> Option<Coverage> {
    let mut added = vec![0.0; fetched as usize + 1];
    for ((&after, &traffic), _) in
        discovered_after.iter().zip(traffic).zip(reachable).filter(|(_, reachable)| **reachable)
    {
        if let Some(sum) = added.get_mut(after as usize) {
            *sum += traffic;
        }
    }
    let start = added[0];
    Coverage::new(pages(reachable), start, added.into_iter().skip(1), total(traffic, reachable))
}

/// By page: its position in the order, from 1, or [`NEVER`].
pub fn positions(order: &[PageId], pages: u32) -> Vec<u32> {
    let mut positions = vec![NEVER; pages as usize];
    for (position, &page) in (1..).zip(order) {
        positions[page as usize] = position;
    }
    positions
}

fn pages(reachable: &[bool]) -> u32 {
    reachable.iter().filter(|&&reachable| reachable).count() as u32
}

fn total(traffic: &[f64], reachable: &[bool]) -> f64 {
    traffic.iter().zip(reachable).filter(|(_, reachable)| **reachable).map(|(traffic, _)| traffic).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const REACHABLE: [bool; 5] = [true, true, true, false, true];
    const TRAFFIC: [f64; 5] = [1.0, 6.0, 0.0, 50.0, 3.0];

    #[test]
    fn ours_traffic_fetched_by_hand() {
        let coverage = fetched(&[0, 4, 1], &TRAFFIC, &REACHABLE).unwrap();
        assert_eq!([1, 2, 3, 4].map(|pages| coverage.after(pages)), [0.1, 0.4, 1.0, 1.0]);
        assert!((coverage.area() - 2.5 / 4.0).abs() < 1e-12);
        assert_eq!(coverage.pages_for_share(0.8), Some(0.75));
        assert_eq!(fetched(&[0], &[0.0; 5], &REACHABLE), None);
    }

    #[test]
    fn ours_traffic_discovered_by_hand() {
        let coverage = discovered(&[0, 1, 1, 1, NEVER], 2, &TRAFFIC, &REACHABLE).unwrap();
        assert_eq!([0, 1, 2, 4].map(|pages| coverage.after(pages)), [0.1, 0.7, 0.7, 0.7]);
        assert_eq!(coverage.pages_for_share(0.5), Some(0.25));
        assert_eq!(coverage.pages_for_share(0.8), None);
    }

    #[test]
    fn positions_count_from_one() {
        assert_eq!(positions(&[2, 0], 4), [2, NEVER, 1, NEVER]);
    }

    proptest! {
        #[test]
        fn ours_the_area_is_linear_in_the_weights(
            traffic in prop::collection::vec((0_u32..9).prop_map(f64::from), 1..30), seed in any::<u64>(), stop in 0_usize..30,
        ) {
            let pages = traffic.len() as u32;
            let mut order: Vec<PageId> = (0..pages).collect();
            let mut chance = crate::chance::Chance::new(seed);
            order.sort_by_cached_key(|_| chance.bits());
            order.truncate(stop);
            let reachable = vec![true; traffic.len()];
            let total: f64 = traffic.iter().sum();
            let linear: f64 = (0_u32..).zip(&order)
                .map(|(before, &page)| traffic[page as usize] * (1.0 - f64::from(before) / f64::from(pages))).sum();
            match fetched(&order, &traffic, &reachable) {
                None => prop_assert_eq!(total, 0.0),
                Some(coverage) => prop_assert!((coverage.area() - linear / total).abs() < 1e-12),
            }
        }
    }
}
