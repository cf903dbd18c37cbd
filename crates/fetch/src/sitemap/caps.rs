//! How much may a list of URLs hold?

/// The most bytes of a sitemap by the standard, unpacked.
pub const STANDARD_BYTES: u64 = 50 << 20;
/// The most URLs of a sitemap by the standard.
pub const STANDARD_URLS: u64 = 50_000;
/// The longest URL of a sitemap by the standard, in bytes.
pub const STANDARD_URL_BYTES: usize = 2_048;
/// How deep indexes of sitemaps are followed. The standard allows one level.
pub const NESTING: u32 = 5;

/// Lists are often longer than the standard allows; it would be a pity to lose their end.
const BYTES_LENIENCE: u64 = 20;
const URLS_LENIENCE: u64 = 100;
const URL_LENIENCE: usize = 4;
const RATIO: u64 = 250;

/// Limits on what is read of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapCaps {
    /// Most bytes, unpacked (20 × [`STANDARD_BYTES`]); the rest is left out.
    pub bytes: u64,
    /// How many bytes one compressed byte may become, after the first [`STANDARD_BYTES`].
    pub ratio: u64,
    /// Most URLs (100 × [`STANDARD_URLS`]); the rest is left out.
    pub urls: u64,
    /// Longest URL, in bytes (4 × [`STANDARD_URL_BYTES`]); a longer one is left out.
    pub url_bytes: usize,
    /// How deep indexes are followed ([`NESTING`]).
    pub nesting: u32,
}

impl SitemapCaps {
    /// What the standard allows in one file, for those that a crawl fetches: nobody chose these sites one by one.
    #[must_use]
    pub fn of_the_standard() -> Self {
        Self { bytes: STANDARD_BYTES, urls: STANDARD_URLS, ..Self::default() }
    }
}

impl Default for SitemapCaps {
    fn default() -> Self {
        Self {
            bytes: STANDARD_BYTES * BYTES_LENIENCE,
            ratio: RATIO,
            urls: STANDARD_URLS * URLS_LENIENCE,
            url_bytes: STANDARD_URL_BYTES * URL_LENIENCE,
            nesting: NESTING,
        }
    }
}
