//! What became of every line.
//!
//! `lines = visits + dropped + bad`, always. Bad lines are shown by the first few places (file, line number,
//! reason), never by their content.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::clean::{BadReason, DropReason};

/// Places kept for each reason.
const PLACES: usize = 3;

/// Where a line stands, before the lines of earlier blocks are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) file: u32,
    pub(crate) block: u32,
    pub(crate) line: u32,
}

/// The first places of each kind of bad line.
#[derive(Debug, Default)]
pub(crate) struct Places {
    first: BTreeMap<BadReason, Vec<Position>>,
}

impl Places {
    pub(crate) fn note(&mut self, reason: BadReason, position: Position) {
        let places = self.first.entry(reason).or_default();
        // Blocks come in any order, so the last place may have to make room for an earlier one.
        if places.len() == PLACES && places.last().is_some_and(|last| *last <= position) {
            return;
        }
        let at = places.partition_point(|p| *p < position);
        places.insert(at, position);
        places.truncate(PLACES);
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (reason, places) in other.first {
            places.into_iter().for_each(|p| self.note(reason, p));
        }
    }

    /// With line numbers that an editor shows.
    pub(crate) fn resolve(self, block_lines: &[(u32, u32, u32)], names: &[String]) -> Vec<BadLinePlace> {
        let mut blocks = block_lines.to_vec();
        blocks.sort_unstable();
        let mut before: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        let (mut file, mut lines) = (u32::MAX, 0);
        for (f, block, n) in blocks {
            if f != file {
                (file, lines) = (f, 0);
            }
            before.insert((f, block), lines);
            lines += u64::from(n);
        }
        let resolve = |reason: BadReason, p: &Position| BadLinePlace {
            reason: reason.as_str(),
            file: names.get(p.file as usize).cloned().unwrap_or_default(),
            line: before.get(&(p.file, p.block)).copied().unwrap_or(0) + u64::from(p.line) + 1,
        };
        self.first
            .iter()
            .flat_map(|(reason, places)| places.iter().map(|p| resolve(*reason, p)).collect::<Vec<_>>())
            .collect()
    }
}

/// Where a bad line is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BadLinePlace {
    /// Why it could not be read.
    pub reason: &'static str,
    /// The file, as named.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

/// The account of an ingest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// Lines read.
    pub lines: u64,
    /// Lines that are people reading pages, before de-duplication.
    pub visits: u64,
    /// Who made them.
    pub users: u64,
    /// Sites visited.
    pub sites: u64,
    /// Distinct URLs visited.
    pub urls: u64,
    /// Lines that are something else, by reason.
    pub dropped: BTreeMap<&'static str, u64>,
    /// Lines that could not be read, by reason.
    pub bad: BTreeMap<&'static str, u64>,
    /// The first places of each kind of bad line.
    pub places: Vec<BadLinePlace>,
}

impl Ledger {
    /// Adds dropped lines.
    pub(crate) fn add_dropped(&mut self, reason: DropReason, lines: u64) {
        if lines > 0 {
            *self.dropped.entry(reason.as_str()).or_default() += lines;
        }
    }

    /// Adds bad lines.
    pub(crate) fn add_bad(&mut self, reason: BadReason, lines: u64) {
        if lines > 0 {
            *self.bad.entry(reason.as_str()).or_default() += lines;
        }
    }

    /// All lines that are accounted for: equal to `lines`, or the program is wrong.
    pub fn accounted(&self) -> u64 {
        self.visits + self.dropped.values().sum::<u64>() + self.bad.values().sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_places_are_the_first_whatever_order_blocks_come_in() {
        let at = |file, block, line| Position { file, block, line };
        let all = [at(1, 0, 4), at(0, 2, 0), at(0, 1, 9), at(0, 1, 3), at(0, 0, 7)];
        let mut places = Places::default();
        all.iter().for_each(|p| places.note(BadReason::Malformed, *p));
        let mut backwards = Places::default();
        all.iter().rev().for_each(|p| backwards.note(BadReason::Malformed, *p));
        let blocks = [(0, 2, 5), (0, 0, 10), (0, 1, 20), (1, 0, 8)];
        let names = ["a".to_owned(), "b".to_owned()];
        let resolved = places.resolve(&blocks, &names);
        assert_eq!(
            resolved.iter().map(|p| (p.file.as_str(), p.line)).collect::<Vec<_>>(),
            [("a", 8), ("a", 14), ("a", 20)]
        );
        assert_eq!(resolved, backwards.resolve(&blocks, &names));
    }
}
