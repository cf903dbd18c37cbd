//! What a first reading counts: a worker its lines, and all of them together.

use crate::clean::{BadReason, DropReason};
use crate::hosts::HostCounts;
use crate::ledger::Places;
use crate::visits::LinesRead;

/// What a worker counted.
#[derive(Debug, Default)]
pub(crate) struct ScanTotals {
    pub(crate) lines: u64,
    /// Lines that became records.
    pub(crate) records: u64,
    /// Lines of declared bots, of which no record is kept.
    pub(crate) bot_lines: u64,
    /// Records that were judged before.
    pub(crate) clean_rows: u64,
    /// Records without a time.
    pub(crate) timeless: u64,
    /// Records with a date and no time of day: exactly midnight.
    pub(crate) dated: u64,
    /// Lines whose target names no host.
    pub(crate) own_lines: u64,
    /// Lines with a forwarded client.
    pub(crate) forwarded_lines: u64,
    /// Lines dropped at once, by reason.
    pub(crate) dropped: [u64; DropReason::ALL.len()],
    pub(crate) bad: [u64; BadReason::ALL.len()],
    pub(crate) places: Places,
    /// Lines of each block: (file, block, lines).
    pub(crate) block_lines: Vec<(u32, u32, u32)>,
    pub(crate) hosts: HostCounts,
    /// Samples of the lines, by day.
    pub(crate) read: LinesRead,
}

impl ScanTotals {
    pub(crate) fn add(&mut self, other: Self) {
        self.read.join(other.read);
        self.lines += other.lines;
        self.records += other.records;
        self.bot_lines += other.bot_lines;
        self.clean_rows += other.clean_rows;
        self.timeless += other.timeless;
        self.dated += other.dated;
        self.own_lines += other.own_lines;
        self.forwarded_lines += other.forwarded_lines;
        self.dropped.iter_mut().zip(other.dropped).for_each(|(a, b)| *a += b);
        self.bad.iter_mut().zip(other.bad).for_each(|(a, b)| *a += b);
        self.places.add(other.places);
        self.block_lines.extend(other.block_lines);
        self.hosts.add(other.hosts);
    }
}
