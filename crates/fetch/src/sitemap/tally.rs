//! How many URLs were there, and what was wrong?

/// What was met in a file, and in those that it names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SitemapTally {
    /// Files read.
    pub files: u64,
    /// URLs given.
    pub urls: u64,
    /// Entries whose text is no http or https URL, or that have none.
    pub bad_urls: u64,
    /// Entries whose URL is over the cap.
    pub too_long: u64,
    /// Sitemaps that an index names and that do not lie beside it: not read, as nothing is fetched.
    pub not_here: u64,
    /// Sitemaps that were read already, or lie too deep.
    pub not_followed: u64,
    /// Files that are damaged: what could be read of them was given.
    pub damaged: u64,
    /// Files longer than a cap: what is within it was given.
    pub cut: u64,
}
