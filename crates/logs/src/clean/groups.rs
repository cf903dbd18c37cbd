//! Groups: addresses that ask more than a person can (KDD 2002, §1.1), and proxies in front of a log.
//!
//! Counted on raw lines, exactly, by address and minute. Each worker counts in a small table that fits its cache
//! and hands it on when full; lines come in about the order of time, so one entry stands for many lines. The
//! handed-on counts are sorted by address and minute, in memory or on disk, and added up in one pass.

use std::io;
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Cleaning;
use crate::spool::{Fixed, Sorter};

/// Lines of one address in one minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AddressMinute {
    address: u64,
    minute: i32,
    /// Negative where lines moved from a proxy to the client behind it.
    lines: i32,
}

impl Fixed for AddressMinute {
    const BYTES: usize = 16;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.address.to_le_bytes());
        out.extend_from_slice(&self.minute.to_le_bytes());
        out.extend_from_slice(&self.lines.to_le_bytes());
    }
    fn get(b: &[u8]) -> Self {
        Self {
            address: u64::get(&b[..8]),
            minute: i32::from_le_bytes([b[8], b[9], b[10], b[11]]),
            lines: i32::from_le_bytes([b[12], b[13], b[14], b[15]]),
        }
    }
}

/// A worker's own counts.
pub(crate) struct MinuteCounts<'s> {
    counts: FxHashMap<(u64, i32), i32>,
    /// Lines in a row of one address and minute, not in `counts` yet.
    row: (u64, i32, i32),
    all: &'s Mutex<Sorter<AddressMinute>>,
}

/// Entries of a worker's table: about half of a second-level cache.
const HELD: usize = 1 << 14;

const MS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: i32 = 1_440;

impl<'s> MinuteCounts<'s> {
    pub(crate) fn new(all: &'s Mutex<Sorter<AddressMinute>>) -> Self {
        Self { counts: FxHashMap::with_capacity_and_hasher(HELD, rustc_hash::FxBuildHasher), row: (0, 0, 0), all }
    }

    /// Counts a line.
    pub(crate) fn count(&mut self, address: u64, time_ms: i64) -> io::Result<()> {
        self.add(address, time_ms, 1)
    }

    /// Moves a line from the proxy that sent it to the client that asked.
    pub(crate) fn move_line(&mut self, proxy: u64, client: u64, time_ms: i64) -> io::Result<()> {
        self.add(proxy, time_ms, -1)?;
        self.add(client, time_ms, 1)
    }

    fn add(&mut self, address: u64, time_ms: i64, lines: i32) -> io::Result<()> {
        let minute = i32::try_from(time_ms.div_euclid(MS_PER_MINUTE)).unwrap_or(i32::MAX);
        if (self.row.0, self.row.1) == (address, minute) {
            self.row.2 += lines;
            return Ok(());
        }
        let (old_address, old_minute, old_lines) = std::mem::replace(&mut self.row, (address, minute, lines));
        if old_lines != 0 {
            *self.counts.entry((old_address, old_minute)).or_insert(0) += old_lines;
        }
        if self.counts.len() >= HELD { self.hand_on() } else { Ok(()) }
    }

    /// Hands the counts on; to be called at the end.
    pub(crate) fn hand_on(&mut self) -> io::Result<()> {
        let (address, minute, lines) = std::mem::take(&mut self.row);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if lines != 0 {
            all.push(AddressMinute { address, minute, lines })?;
        }
        for ((address, minute), lines) in self.counts.drain() {
            all.push(AddressMinute { address, minute, lines })?;
        }
        Ok(())
    }
}

/// Which addresses are no persons.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Those over a limit.
    pub(crate) dropped: FxHashSet<u64>,
    /// Lines of the busiest address.
    pub(crate) busiest_lines: u64,
    busiest: u64,
}

impl Groups {
    /// Adds up the counts. `copy` is given each of them, so that they can be added up again with others.
    pub(crate) fn of(
        counts: Sorter<AddressMinute>,
        settings: &Cleaning,
        mut copy: impl FnMut(AddressMinute),
    ) -> io::Result<Self> {
        let mut groups = Self::default();
        let mut now = Tally::default();
        counts.drain(|next| {
            copy(next);
            if next.address != now.address {
                groups.close(&std::mem::take(&mut now), settings);
            }
            now.add(next, settings);
        })?;
        groups.close(&now, settings);
        Ok(groups)
    }

    fn close(&mut self, tally: &Tally, settings: &Cleaning) {
        if tally.lines > self.busiest_lines.cast_signed() {
            (self.busiest, self.busiest_lines) = (tally.address, tally.lines.unsigned_abs());
        }
        if tally.lines > 0 && (tally.over || tally.is_over(settings)) {
            self.dropped.insert(tally.address);
        }
    }

    /// Whether one address has so many of all `lines` that it must be a proxy.
    pub(crate) fn behind_proxy(&self, lines: u64, settings: &Cleaning) -> bool {
        self.share(lines) > settings.proxy_share
    }

    /// Takes the busiest address out if it is still a proxy: what is left there are lines that name no client.
    pub(crate) fn spare_proxy(&mut self, lines: u64, settings: &Cleaning) {
        if self.behind_proxy(lines, settings) {
            self.dropped.remove(&self.busiest);
        }
    }

    /// The share of the busiest address in all `lines`.
    #[expect(clippy::cast_precision_loss, reason = "a share of lines needs no more than 53 bits")]
    pub(crate) fn share(&self, lines: u64) -> f64 {
        self.busiest_lines as f64 / lines.max(1) as f64
    }
}

#[derive(Default)]
struct Tally {
    address: u64,
    lines: i64,
    day: i32,
    day_lines: i64,
    minute: i32,
    minute_lines: i64,
    over: bool,
}

impl Tally {
    fn add(&mut self, next: AddressMinute, settings: &Cleaning) {
        let lines = i64::from(next.lines);
        let day = next.minute.div_euclid(MINUTES_PER_DAY);
        // Only a minute or a day that is complete may be held against the limits: parts may still be taken away.
        self.over |= next.minute != self.minute && self.minute_lines > settings.group_minute.cast_signed();
        self.over |= day != self.day && self.day_lines > settings.group_day.cast_signed();
        self.minute_lines = if next.minute == self.minute { self.minute_lines + lines } else { lines };
        self.day_lines = if day == self.day { self.day_lines + lines } else { lines };
        (self.address, self.minute, self.day) = (next.address, next.minute, day);
        self.lines += lines;
    }

    fn is_over(&self, settings: &Cleaning) -> bool {
        self.minute_lines > settings.group_minute.cast_signed() || self.day_lines > settings.group_day.cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spool::ScratchDir;

    fn groups(lines: &[(u64, i64, usize)], bytes: usize) -> Groups {
        let all = Mutex::new(Sorter::new(bytes, ScratchDir::below(std::env::temp_dir())));
        let mut counts = MinuteCounts::new(&all);
        for (address, minute, times) in lines {
            for i in 0..*times {
                counts.count(*address, minute * MS_PER_MINUTE + (i as i64 * 7_919) % MS_PER_MINUTE).unwrap();
            }
        }
        counts.hand_on().unwrap();
        Groups::of(all.into_inner().unwrap(), &Cleaning::default(), |_| ()).unwrap()
    }

    #[test]
    fn kdd02_groups_are_over_a_hundred_a_minute_or_two_thousand_a_day() {
        let mut lines = vec![(1, 5, 100), (2, 5, 101), (3, 0, 60), (3, 1, 60)];
        lines.extend((0..40).map(|m| (4, m * 2, 50)));
        lines.extend((0..41).map(|m| (5, m * 2, 50)));
        lines.extend((0..41).map(|m| (6, m * 1_440, 50)));
        let found = groups(&lines, 1 << 20);
        let mut dropped: Vec<_> = found.dropped.iter().copied().collect();
        dropped.sort_unstable();
        assert_eq!(dropped, [2, 5], "2 by the minute, 5 by the day; 4 has exactly 2,000; 6 spreads over days");
        assert_eq!(found.busiest_lines, 2_050);
    }

    #[test]
    fn kdd02_a_proxy_has_over_thirty_percent_of_all_lines() {
        let found = groups(&[(1, 0, 31), (2, 0, 30), (3, 1, 39)], 1 << 20);
        assert!(found.behind_proxy(100, &Cleaning::default()));
        assert!(!found.behind_proxy(130, &Cleaning::default()), "39 of 130 is exactly 30 %");
    }

    #[test]
    fn ours_counts_on_disk_equal_counts_in_memory() {
        let lines: Vec<_> = (0..30_000).map(|i| (i % 977, i64::from(i as u32) / 3, 1 + (i % 3) as usize)).collect();
        let (small, large) = (groups(&lines, 0), groups(&lines, 1 << 30));
        assert_eq!(small.dropped, large.dropped);
        assert_eq!(small.busiest_lines, large.busiest_lines);
    }
}
