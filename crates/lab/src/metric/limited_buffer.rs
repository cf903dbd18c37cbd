//! How much of what a small memory keeps is hot? Limited buffer (WWW 1998, §3.3).
//!
//! A crawl visits all T pages and keeps B of them; to keep another, it evicts the one it believes least important. `P_BC`
//! after K pages = pages in the buffer with importance of at least the threshold, over B. The threshold is I(r_B) unless
//! another is given. A crawl that knows all has `min(1, K/B)`; one that visits and keeps at random has `min(K, B)/T`.
//!
//! A visit is one [`BufferEvent::Kept`], with the evictions up to the next one; so a page that is evicted as soon as it
//! was seen counts as visited, and the buffer may hold B + 1 pages in between.

use super::hot::Standing;
use super::thin::thin;
use crate::graph::PageId;
use crate::result::Curve;

/// What happened to the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferEvent {
    /// A page was visited and put into the buffer.
    Kept(PageId),
    /// A page left it.
    Evicted(PageId),
}

/// P_BC after 1, 2, … pages visited, in a buffer of B pages.
pub fn limited_buffer(events: &[BufferEvent], importance: &[f64], threshold: f64, buffer: u32) -> Vec<f64> {
    let is_hot = |page: PageId| i64::from(importance[page as usize] >= threshold);
    let mut hot = 0_i64;
    let mut by_visit: Vec<i64> = Vec::new();
    for &event in events {
        match event {
            BufferEvent::Kept(page) => {
                hot += is_hot(page);
                by_visit.push(hot);
            }
            BufferEvent::Evicted(page) => {
                hot -= is_hot(page);
                if let Some(last) = by_visit.last_mut() {
                    *last = hot;
                }
            }
        }
    }
    by_visit.into_iter().map(|hot| hot as f64 / f64::from(buffer.max(1))).collect()
}

/// P_BC against the share of pages visited, for a report.
pub fn curve(shares: &[f64], standing: &Standing) -> Curve {
    let pages = f64::from(standing.pages().max(1));
    let points = (1..).map(f64::from).zip(shares).map(|(visited, &share)| [visited / pages, share]);
    thin(&std::iter::once([0.0, 0.0]).chain(points).collect::<Curve>())
}

/// What an ideal crawl has after K pages: min(1, K/B).
pub fn ideal(standing: &Standing, buffer: u32) -> Curve {
    vec![[0.0, 0.0], [full(standing, buffer), 1.0], [1.0, 1.0]]
}

/// What a crawl can expect that visits and keeps at random: min(K, B)/T.
pub fn random(standing: &Standing, buffer: u32) -> Curve {
    let full = full(standing, buffer);
    vec![[0.0, 0.0], [full, full], [1.0, full]]
}

/// The share of pages at which the buffer is full.
fn full(standing: &Standing, buffer: u32) -> f64 {
    (f64::from(buffer) / f64::from(standing.pages().max(1))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::BufferEvent::{Evicted, Kept};
    use super::*;

    #[test]
    fn www98_a_limited_buffer_by_hand() {
        let importance = [4.0, 3.0, 2.0, 1.0];
        let standing = Standing::new(&importance, &[true; 4]);
        // B = 2: a and b are hot. Visits d, b, c (d goes), a (b goes, wrongly).
        let events = [Kept(3), Kept(1), Kept(2), Evicted(3), Kept(0), Evicted(1)];
        let shares = limited_buffer(&events, &importance, standing.of_rank(2), 2);
        assert_eq!(shares, [0.0, 0.5, 0.5, 0.5]);
        assert_eq!(curve(&shares, &standing), [[0.0, 0.0], [0.25, 0.0], [0.5, 0.5], [0.75, 0.5], [1.0, 0.5]]);
        assert_eq!(ideal(&standing, 2), [[0.0, 0.0], [0.5, 1.0], [1.0, 1.0]]);
        assert_eq!(random(&standing, 2), [[0.0, 0.0], [0.5, 0.5], [1.0, 0.5]]);
    }

    #[test]
    fn www98_a_page_evicted_at_once_was_visited() {
        let shares = limited_buffer(&[Kept(0), Kept(1), Evicted(1)], &[2.0, 1.0], 2.0, 1);
        assert_eq!(shares, [1.0, 1.0]);
    }
}
