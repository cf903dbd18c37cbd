//! How many records were there, and what was wrong with the file?

/// What was met in one file, or in several. A spot that is damaged counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarcTally {
    /// Records given.
    pub records: u64,
    /// Records longer than the cap, of which only the beginning was given.
    pub oversized: u64,
    /// Spots where compressed data is damaged or stops.
    pub torn: u64,
    /// Heads that could not be read: no length, over a cap, or not finished.
    pub heads: u64,
    /// Records that end before their length is reached.
    pub short: u64,
    /// Stretches between records that belong to none.
    pub garbage: u64,
    /// Heads with lines that have no name or no colon; the lines were left out.
    pub odd_heads: u64,
    /// Files given up because one compressed byte became too many.
    pub bombs: u64,
}

impl WarcTally {
    /// How many spots are damaged in any way.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.torn + self.heads + self.short + self.garbage + self.odd_heads + self.bombs
    }

    /// Adds the tally of another file.
    pub fn add(&mut self, other: &Self) {
        let Self { records, oversized, torn, heads, short, garbage, odd_heads, bombs } = other;
        self.records += records;
        self.oversized += oversized;
        self.torn += torn;
        self.heads += heads;
        self.short += short;
        self.garbage += garbage;
        self.odd_heads += odd_heads;
        self.bombs += bombs;
    }
}
