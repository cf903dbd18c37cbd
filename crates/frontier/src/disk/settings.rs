//! How much memory may a frontier on disk use?

/// How a frontier is kept on disk. None of it changes what is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSettings {
    /// Memory for blocks of the store that were read.
    pub cache_bytes: u64,
    /// Entries of a lane that are kept at hand, at most; at least 1.
    pub head: usize,
    /// Entries of all lanes that are kept at hand: above it, a lane keeps few.
    pub heads: usize,
    /// Entries that came or went lately and are not in the store yet, at most.
    pub recent: usize,
    /// Seeds the fingerprints of a new frontier. An old one keeps its own. Draw it at random: whoever knows it can make up
    /// URLs that pass for each other.
    pub seed: u64,
}

impl Default for DiskSettings {
    fn default() -> Self {
        Self { cache_bytes: 128 << 20, head: 1_024, heads: 1 << 20, recent: 1 << 14, seed: 0 }
    }
}
