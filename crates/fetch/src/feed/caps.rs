//! How much may a feed hold?

/// The most bytes of a feed.
pub const FEED_BYTES: usize = 10 << 20;
/// The most entries of a feed.
pub const FEED_ENTRIES: usize = 10_000;
/// The longest link, in bytes.
pub const FEED_LINK_BYTES: usize = 1 << 13;
/// The longest time that is kept, in bytes.
pub(super) const TIME_BYTES: usize = 64;
/// The most `xml:base` that hold at once.
pub(super) const BASES: usize = 4;
/// How many bytes tell what a document is.
pub(super) const LOOK_BYTES: usize = 1 << 10;

/// Limits on what is read of one feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedCaps {
    /// Most bytes ([`FEED_BYTES`]); the rest is left out.
    pub bytes: usize,
    /// Most entries ([`FEED_ENTRIES`]); the rest is left out.
    pub entries: usize,
    /// Longest link, in bytes ([`FEED_LINK_BYTES`]); a longer one is left out.
    pub link_bytes: usize,
}

impl Default for FeedCaps {
    fn default() -> Self {
        Self { bytes: FEED_BYTES, entries: FEED_ENTRIES, link_bytes: FEED_LINK_BYTES }
    }
}
