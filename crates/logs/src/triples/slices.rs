//! When does one half of a site's visits end, and the next begin?
//!
//! A log is busy at one time and quiet at another; what is learnt from an early part about a later one should be learnt
//! from as many visits as it is judged by. So the time of a site is cut into [`SLICES`] with as many visits each, as nearly
//! as can be: visits of one bucket of time stay together.
//!
//! Buckets are minutes as long as there are few; where a site has visits in more than [`MAX_BUCKETS`] of them, buckets
//! become twice as wide until there are not. How wide they end up does not depend on the order of visits: a width is left
//! only if the visits so far already fill more buckets of it than there may be, so that all visits do.

use trodden_mining::SLICES;

/// Buckets of one site: a few kilobytes at most, whatever times a log makes up.
const MAX_BUCKETS: usize = 512;

/// How many visits a site has at what time.
#[derive(Clone, Debug, Default)]
pub(super) struct Minutes {
    /// A bucket holds 2^shift minutes.
    shift: u32,
    /// Buckets that have visits, in order.
    buckets: Vec<(u32, u64)>,
}

impl Minutes {
    /// So many visits in a minute.
    pub(super) fn add(&mut self, minute: u32, visits: u64) {
        let bucket = minute >> self.shift;
        match self.buckets.binary_search_by_key(&bucket, |(bucket, _)| *bucket) {
            Ok(at) => self.buckets[at].1 = self.buckets[at].1.saturating_add(visits),
            Err(at) => {
                self.buckets.insert(at, (bucket, visits));
                while self.buckets.len() > MAX_BUCKETS {
                    self.widen();
                }
            }
        }
    }

    fn widen(&mut self) {
        self.shift += 1;
        self.buckets.iter_mut().for_each(|(bucket, _)| *bucket >>= 1);
        self.buckets.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 = kept.1.saturating_add(if same { next.1 } else { 0 });
            same
        });
    }

    /// Slices of equally many visits: a slice starts with the bucket whose middle visit is past its share.
    pub(super) fn slices(&self) -> SliceStarts {
        let all: u64 = self.buckets.iter().map(|(_, n)| n).sum();
        let mut starts = [u32::MAX; SLICES - 1];
        let (mut before, mut slice) = (0_u64, 0);
        for (bucket, n) in &self.buckets {
            let middle = 2 * before + n;
            while slice < starts.len() && middle * SLICES as u64 >= 2 * all * (slice as u64 + 1) {
                starts[slice] = bucket << self.shift;
                slice += 1;
            }
            before += n;
        }
        SliceStarts(starts)
    }
}

/// The minutes at which all slices but the first start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SliceStarts([u32; SLICES - 1]);

impl SliceStarts {
    /// The slice of a minute.
    pub(super) fn slice(&self, minute: u32) -> usize {
        self.0.iter().filter(|start| **start <= minute).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn minutes(of: &[u32]) -> Minutes {
        let mut minutes = Minutes::default();
        of.iter().for_each(|minute| minutes.add(*minute, 1));
        minutes
    }

    #[test]
    fn ours_slices_have_as_many_visits_each_however_busy_the_hours() {
        // A quiet year, then a busy day.
        let times: Vec<u32> = (0..400).map(|n| n * 1_440).chain((0..400).map(|n| 600_000 + n)).collect();
        let slices = minutes(&times).slices();
        let mut counts = [0; SLICES];
        times.iter().for_each(|time| counts[slices.slice(*time)] += 1);
        assert!(counts.iter().all(|n| (90..=110).contains(n)), "{counts:?}");
    }

    #[test]
    fn ours_visits_of_one_moment_are_of_one_slice() {
        let slices = minutes(&[7; 100]).slices();
        let halves = minutes(&[7, 7, 9, 9]).slices();
        assert_eq!(slices.slice(7), SLICES / 2);
        assert_eq!((halves.slice(7), halves.slice(9)), (SLICES / 4, SLICES * 3 / 4));
    }

    proptest! {
        #[test]
        fn ours_the_order_of_visits_and_hostile_times_change_nothing_but_the_width(
            mut times in proptest::collection::vec(prop_oneof![0_u32..3_000, any::<u32>()], 1..2_000),
        ) {
            let forth = minutes(&times);
            times.reverse();
            let back = minutes(&times);
            prop_assert!(forth.buckets.len() <= MAX_BUCKETS);
            prop_assert_eq!(forth.buckets.iter().map(|(_, n)| n).sum::<u64>(), times.len() as u64);
            prop_assert_eq!((forth.shift, &forth.buckets), (back.shift, &back.buckets));
            let starts = forth.slices().0;
            prop_assert!(starts.is_sorted());
        }
    }
}
