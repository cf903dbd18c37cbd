//! How soon does a crawl find the hot pages? Crawl and stop with a threshold (WWW 1998, §3.2).
//!
//! H pages are hot, those with importance of at least a threshold. `P_ST(K)` = share of them among the K pages visited. A crawl
//! that knows all has `min(1, K/H)`; one in random order has K/T.

use super::coverage::Coverage;
use super::hot::Standing;
use crate::graph::PageId;
use crate::result::Curve;

/// P_ST after K pages; none if no page is hot.
pub fn with_threshold(order: &[PageId], importance: &[f64], standing: &Standing, threshold: f64) -> Option<Coverage> {
    let hot = order.iter().map(|&page| f64::from(u8::from(importance[page as usize] >= threshold)));
    Coverage::new(standing.pages(), 0.0, hot, f64::from(standing.hot(threshold)))
}

/// What an ideal crawl has after K pages, links being no object: min(1, K/H).
pub fn ideal(standing: &Standing, threshold: f64) -> Curve {
    let all_found = f64::from(standing.hot(threshold)) / f64::from(standing.pages().max(1));
    vec![[0.0, 0.0], [all_found, 1.0], [1.0, 1.0]]
}

/// What a random crawl can expect after K pages: K/T.
pub fn random() -> Curve {
    vec![[0.0, 0.0], [1.0, 1.0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn www98_with_a_threshold_by_hand() {
        let importance = [4.0, 3.0, 2.0, 3.0, 9.0];
        let standing = Standing::new(&importance, &[true, true, true, true, false]);
        let found = with_threshold(&[2, 1, 0], &importance, &standing, 3.0).unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|visited| found.after(visited)), [0.0, 0.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(ideal(&standing, 3.0), [[0.0, 0.0], [0.75, 1.0], [1.0, 1.0]]);
        assert_eq!(with_threshold(&[2], &importance, &standing, 5.0), None);
    }

    #[test]
    fn www98_the_ideal_order_reaches_the_formula() {
        let importance = [5.0, 1.0, 4.0, 3.0, 2.0];
        let standing = Standing::new(&importance, &[true; 5]);
        let found = with_threshold(&[0, 2, 3, 4, 1], &importance, &standing, 3.0).unwrap();
        for visited in 0..=5_u32 {
            assert!((found.after(visited) - (f64::from(visited) / 3.0).min(1.0)).abs() < 1e-12);
        }
    }
}
