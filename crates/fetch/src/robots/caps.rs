//! How much may a robots.txt hold, and for how long does it hold?

use trodden_frontier::Span;

/// Bytes of a file that are read; the rest says nothing. RFC 9309 §2.5 asks for no less.
pub const ROBOTS_BYTES: usize = 500 << 10;

/// Bytes of a line that are read; the rest of the line says nothing. It is the cut of Google's parser.
pub const LINE_BYTES: usize = 8 * 2_083 - 1;

/// Rules that a file can hold: the shortest that can match anything, `allow:/`, takes eight bytes with its line end.
/// Dropping a rule that was read would break §2.5, so the cap follows from [`ROBOTS_BYTES`]; nothing is cut by it.
pub const RULES: usize = ROBOTS_BYTES / 8;

/// Bytes of a pattern: a line of which every byte had to be written as `%XX`.
pub const PATTERN_BYTES: usize = 3 * LINE_BYTES;

/// Sitemaps that are kept of a file.
pub const SITEMAPS: usize = 1_000;

/// Longest address of a sitemap that is kept.
pub const SITEMAP_BYTES: usize = 2_048;

/// The longest pause that a site is granted by `Crawl-delay`: a day.
pub const CRAWL_DELAY: Span = Span::seconds(24 * 3_600);

/// How long a copy may be used without asking again (§2.4).
pub const ROBOTS_LIFE: Span = Span::seconds(24 * 3_600);

/// How long an old copy stands in while the file cannot be reached (§2.3.1.4 names thirty days).
pub const STALE_LIFE: Span = Span::seconds(30 * 24 * 3_600);
