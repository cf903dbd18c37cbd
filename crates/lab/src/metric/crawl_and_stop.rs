//! Of K pages visited, how many belong among the K most important? Crawl and stop (WWW 1998, §3.1).
//!
//! `P_CS(K)` = share of the K pages visited with `I ≥ I(r_K)`, r_K being the K-th most important of the T pages; ties are
//! included. A crawl that knows all has 1 throughout; one in random order has K/T.
//!
//! Method: page p is important enough from `K = 1 + (pages more important than p)` on, and visited from its position on.
//! So it counts from the larger of the two on, and one pass over counts by K gives all of P_CS. O(T log T).

use super::hot::Standing;
use super::thin::thin;
use crate::graph::PageId;
use crate::result::Curve;

/// P_CS(1), P_CS(2), …, for every page visited.
pub fn crawl_and_stop(order: &[PageId], importance: &[f64], standing: &Standing) -> Vec<f64> {
    let mut from = vec![0_u32; order.len()];
    for (before, &page) in order.iter().enumerate() {
        let above = standing.above(importance[page as usize]) as usize;
        if let Some(count) = from.get_mut(before.max(above)) {
            *count += 1;
        }
    }
    let counts = from.into_iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    counts.zip(1_u32..).map(|(count, visited): (u32, u32)| f64::from(count) / f64::from(visited)).collect()
}

/// P_CS against the share of pages visited, for a report.
pub fn curve(shares: &[f64], standing: &Standing) -> Curve {
    let pages = f64::from(standing.pages());
    let points = (1..).map(f64::from).zip(shares).map(|(visited, &share)| [visited / pages, share]);
    thin(&points.collect::<Curve>())
}

/// What an ideal crawl has after K pages: 1.
pub fn ideal() -> Curve {
    vec![[0.0, 1.0], [1.0, 1.0]]
}

/// What a random crawl can expect after K pages: K/T.
pub fn random() -> Curve {
    vec![[0.0, 0.0], [1.0, 1.0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn www98_crawl_and_stop_by_hand() {
        let importance = [4.0, 3.0, 2.0, 1.0];
        let standing = Standing::new(&importance, &[true; 4]);
        // After 1 page (b): r_1 = a, b is not enough. After 2 (b, d): r_2 = b. After 3 (b, d, a): r_3 = c. All: all.
        assert_eq!(crawl_and_stop(&[1, 3, 0, 2], &importance, &standing), [0.0, 0.5, 2.0 / 3.0, 1.0]);
        assert_eq!(crawl_and_stop(&[0, 1, 2, 3], &importance, &standing), [1.0; 4]);
    }

    #[test]
    fn www98_ties_are_included() {
        let importance = [1.0, 1.0, 1.0];
        let standing = Standing::new(&importance, &[true; 3]);
        assert_eq!(crawl_and_stop(&[2, 0], &importance, &standing), [1.0, 1.0]);
        assert_eq!(curve(&[1.0, 1.0], &standing), [[1.0 / 3.0, 1.0], [2.0 / 3.0, 1.0]]);
    }

    proptest! {
        #[test]
        fn www98_one_pass_equals_the_definition(
            importance in prop::collection::vec((0_u8..6).prop_map(f64::from), 1..40),
            marks in prop::collection::vec(any::<bool>(), 40), seed in any::<u64>(), stop in 0_usize..40,
        ) {
            let reachable = &marks[..importance.len()];
            let mut order: Vec<PageId> = (0..importance.len() as u32).filter(|&page| reachable[page as usize]).collect();
            let mut chance = crate::chance::Chance::new(seed);
            order.sort_by_cached_key(|_| chance.bits());
            order.truncate(stop);
            let standing = Standing::new(&importance, reachable);
            let found = crawl_and_stop(&order, &importance, &standing);
            prop_assert_eq!(found.len(), order.len());
            for (visited, share) in (1..).zip(found) {
                let line = standing.of_rank(visited);
                let hot = order[..visited as usize].iter().filter(|&&page| importance[page as usize] >= line).count();
                prop_assert_eq!(share, hot as f64 / f64::from(visited));
            }
        }
    }
}
