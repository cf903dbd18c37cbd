//! How do listings change? A stream is a list of items in the order of their birth, shown newest first in pages of
//! equal length. A new item pushes all others down, and the oldest of each page onto the next one.
//!
//! With n items at a time and p on a page, page k (from 0) shows items n − 1 − kp down to n − (k + 1)p, and exists
//! once n > kp: it is born with item kp.

use super::time::Moment;
use crate::graph::PageId;

/// Items in the order of their birth, and the pages that list them.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    items: Vec<PageId>,
    born: Vec<Moment>,
    per_page: usize,
    /// The pages of the listing; as many as all items need.
    pub(super) pages: Vec<PageId>,
}

impl Stream {
    /// A stream of items that are sorted by birth; its pages are added later.
    pub(super) fn new(items: Vec<PageId>, born: Vec<Moment>, per_page: usize) -> Self {
        Self { items, born, per_page, pages: Vec::new() }
    }

    /// How many pages list all items; one at least.
    pub(super) fn pages_needed(&self) -> usize {
        self.items.len().div_ceil(self.per_page).max(1)
    }

    /// When the page of a number appears; none for the first, which is older than all items.
    pub(super) fn page_born(&self, number: usize) -> Option<Moment> {
        self.born.get(number * self.per_page).copied().filter(|_| number > 0)
    }

    /// The items born until a time, oldest first.
    pub(super) fn until(&self, time: Moment) -> &[PageId] {
        &self.items[..self.count(time)]
    }

    /// What a page of the listing shows, newest first.
    pub(super) fn window(&self, number: usize, time: Moment) -> impl Iterator<Item = PageId> {
        self.until(time).iter().rev().skip(number * self.per_page).take(self.per_page).copied()
    }

    /// The pages of the listing before and after one.
    pub(super) fn pager(&self, number: usize, time: Moment) -> impl Iterator<Item = PageId> {
        let (last, near) = (self.last(time), [number.checked_sub(1), Some(number + 1)]);
        near.into_iter().flatten().filter(move |&n| n <= last).map(|n| self.pages[n])
    }

    /// The first page of the listing and the last.
    pub(super) fn ends(&self, time: Moment) -> [PageId; 2] {
        [self.pages[0], self.pages[self.last(time)]]
    }

    fn last(&self, time: Moment) -> usize {
        self.count(time).div_ceil(self.per_page).max(1) - 1
    }

    /// The two items before an item and the two after it, as far as born.
    pub(super) fn beside(&self, index: usize, time: Moment) -> impl Iterator<Item = PageId> {
        let until = self.until(time);
        let end = (index + 3).min(until.len());
        (index.saturating_sub(2)..end).rev().filter(move |&n| n != index).map(|n| until[n])
    }

    /// When a listing page changes: at every birth.
    pub(super) fn births(&self) -> &[Moment] {
        &self.born
    }

    /// When the items beside an item appear.
    pub(super) fn births_beside(&self, index: usize) -> &[Moment] {
        &self.born[index + 1..(index + 3).min(self.born.len())]
    }

    fn count(&self, time: Moment) -> usize {
        self.born.partition_point(|&born| born <= time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Moment {
        Moment::START + hour * 3_600
    }

    fn stream() -> Stream {
        let mut stream = Stream::new((10..15).collect(), (0..5).map(at).collect(), 2);
        stream.pages = vec![0, 1, 2];
        stream
    }

    #[test]
    fn ours_the_newest_come_first_and_push_the_others_down() {
        let stream = stream();
        let window = |number, hour| stream.window(number, at(hour)).collect::<Vec<_>>();
        assert_eq!(window(0, 2), [12, 11]);
        assert_eq!(window(1, 2), [10]);
        assert_eq!(window(0, 3), [13, 12]);
        assert_eq!(window(1, 3), [11, 10]);
        assert_eq!(window(2, 3), [] as [u32; 0]);
        assert_eq!(stream.pages_needed(), 3);
        assert_eq!((stream.page_born(0), stream.page_born(1), stream.page_born(2)), (None, Some(at(2)), Some(at(4))));
    }

    #[test]
    fn ours_pagers_and_neighbors_know_only_what_is_born() {
        let stream = stream();
        let pager = |number, hour| stream.pager(number, at(hour)).collect::<Vec<_>>();
        assert_eq!(pager(0, 1), [] as [u32; 0]);
        assert_eq!(pager(0, 2), [1]);
        assert_eq!(pager(1, 4), [0, 2]);
        assert_eq!((stream.ends(at(1)), stream.ends(at(4))), ([0, 0], [0, 2]));
        assert_eq!(stream.beside(1, at(1)).collect::<Vec<_>>(), [10]);
        assert_eq!(stream.beside(1, at(9)).collect::<Vec<_>>(), [13, 12, 10]);
        assert_eq!(stream.births_beside(1), [at(2), at(3)]);
    }
}
