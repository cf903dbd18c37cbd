//! Which page is given up when no more can be kept? (UO's crawl with a limited buffer)
//!
//! The least important by the policy's estimate; of equals the one that was kept last. Estimates of fetched pages only
//! grow (see [`OrderingPolicy::estimate`](crate::OrderingPolicy::estimate)), so the estimate that a page had when it was
//! last looked at is a lower bound: the heap is asked for the smallest bound, which is brought up to date, until the
//! smallest is up to date already. No page can have less than that.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use trodden_frontier::{Priority, UrlId};

/// Pages that are kept.
#[derive(Debug)]
pub(super) struct Buffer {
    room: usize,
    kept: u64,
    /// Smallest bound first; of equals the one kept last.
    bounds: BinaryHeap<(Reverse<Priority>, u64, UrlId)>,
}

impl Buffer {
    pub(super) fn new(room: usize) -> Self {
        Self { room, kept: 0, bounds: BinaryHeap::new() }
    }

    /// Keeps a page; the one that must go for it, which may be itself.
    pub(super) fn keep(&mut self, key: UrlId, estimate: impl Fn(UrlId) -> f64) -> Option<UrlId> {
        self.bounds.push((Reverse(Priority::of(estimate(key))), self.kept, key));
        self.kept += 1;
        if self.bounds.len() <= self.room {
            return None;
        }
        while let Some((bound, at, key)) = self.bounds.pop() {
            let now = Priority::of(estimate(key));
            if now <= bound.0 {
                return Some(key);
            }
            self.bounds.push((Reverse(now), at, key));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn www98_the_least_important_page_goes_by_what_is_known_when_room_is_needed() {
        let mut buffer = Buffer::new(2);
        let mut worth = [3.0, 1.0, 2.0, 2.0];
        assert_eq!(buffer.keep(UrlId(0), |key| worth[key.index()]), None);
        assert_eq!(buffer.keep(UrlId(1), |key| worth[key.index()]), None);
        // Page 1 is worth more by now than when it was kept.
        worth[1] = 9.0;
        assert_eq!(buffer.keep(UrlId(2), |key| worth[key.index()]), Some(UrlId(2)));
        worth[3] = 5.0;
        assert_eq!(buffer.keep(UrlId(3), |key| worth[key.index()]), Some(UrlId(0)));
    }
}
