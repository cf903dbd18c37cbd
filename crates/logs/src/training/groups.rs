//! Which sites are mined together?
//!
//! A large site is mined alone, with what mining it takes in memory; small ones together, so that all cores have work.

use trodden_mining::SiteWeight;

use crate::triples::{FilledTable, TableBudget, TableUse};

/// Sites are mined together when so many wait, or so many visits of theirs.
const SITES_AT_ONCE: usize = 4096;
const VISITS_AT_ONCE: u64 = 1 << 20;

/// Tables that wait to be mined.
#[derive(Debug)]
pub struct MiningGroups {
    waiting: Vec<FilledTable>,
    visits: u64,
    bytes: u64,
    /// Bytes that may wait.
    room: u64,
}

impl MiningGroups {
    /// Within so many bytes of memory, beside what reading with so many threads takes.
    #[must_use]
    pub fn new(memory: u64, threads: usize) -> Self {
        let room = TableBudget::new(memory, threads, 0, TableUse::Mined).waiting();
        Self { waiting: Vec::new(), visits: 0, bytes: 0, room }
    }

    /// Adds a table. Gives the groups that shall be mined now, before another is added.
    #[must_use]
    pub fn push(&mut self, filled: FilledTable) -> Vec<Vec<FilledTable>> {
        let bytes = SiteWeight::of(&filled.table).mining(filled.visits);
        let mut full = Vec::new();
        if self.bytes + bytes > self.room {
            full.push(self.take());
        }
        self.visits += filled.visits;
        self.bytes += bytes;
        self.waiting.push(filled);
        if self.waiting.len() >= SITES_AT_ONCE || self.visits >= VISITS_AT_ONCE || self.bytes > self.room {
            full.push(self.take());
        }
        full.retain(|group| !group.is_empty());
        full
    }

    /// What still waits at the end.
    #[must_use]
    pub fn take(&mut self) -> Vec<FilledTable> {
        (self.visits, self.bytes) = (0, 0);
        std::mem::take(&mut self.waiting)
    }
}
