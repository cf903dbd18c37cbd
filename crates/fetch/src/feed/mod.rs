//! What is new on this site, by its own word?
//!
//! [`read_feed`] takes RSS (0.9x and 2.0), RSS 1.0 (RDF), Atom and JSON Feed, told by content, from bytes in memory.
//!
//! ```text
//! bytes ─► capped ─┬─► utf8 (any charset) ─► xml ─┬─► FeedEntry
//!                  └─► json ──────────────────────┘
//! ```
//!
//! Feeds come from strangers, as sitemaps do: entities of a document's own are never expanded, namespaces are not looked
//! up, depth costs nothing, and every size has a cap. A damaged feed gives what could be read of it.

mod caps;
mod json;
mod xml;

use std::fmt;

use url::Url;

pub use caps::{FEED_BYTES, FEED_ENTRIES, FEED_LINK_BYTES, FeedCaps};

/// What kind of feed it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedKind {
    /// RSS 0.9x or 2.0.
    Rss,
    /// RSS 0.90 or 1.0.
    Rdf,
    /// Atom.
    Atom,
    /// JSON Feed.
    Json,
    /// No feed.
    #[default]
    Other,
}

/// One entry that leads somewhere.
///
/// `Debug` does not show where: a URL may hold a password.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct FeedEntry {
    /// Its page, as written.
    pub link: String,
    /// What the link is relative to (`xml:base`), each to the one before it, the first to the feed.
    pub bases: Vec<String>,
    /// When it appeared, as written.
    pub published: Option<String>,
    /// When it changed, as written.
    pub updated: Option<String>,
}

impl fmt::Debug for FeedEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FeedEntry")
            .field("published", &self.published)
            .field("updated", &self.updated)
            .finish_non_exhaustive()
    }
}

impl FeedEntry {
    /// The page as an absolute http or https URL without its fragment, in a feed that was found at `feed`.
    #[must_use]
    pub fn resolved(&self, feed: &Url) -> Option<Url> {
        let base = self.bases.iter().fold(feed.clone(), |base, next| base.join(next).unwrap_or(base));
        let mut url = base.join(&self.link).ok()?;
        url.set_fragment(None);
        matches!(url.scheme(), "http" | "https").then_some(url)
    }
}

/// What was met in a feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedTally {
    /// Entries given.
    pub entries: u64,
    /// Entries that lead nowhere.
    pub without_link: u64,
    /// Entries whose link is over the cap.
    pub too_long: u64,
    /// Whether it is damaged: what could be read of it was given.
    pub is_damaged: bool,
    /// Whether it is longer than a cap: what is within it was given.
    pub is_cut: bool,
}

/// A feed that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedRead {
    /// What it is.
    pub kind: FeedKind,
    /// In the order of the feed.
    pub entries: Vec<FeedEntry>,
    /// What was met on the way.
    pub tally: FeedTally,
}

/// Where entries go. Knows the caps.
struct Taken<'c> {
    caps: &'c FeedCaps,
    read: FeedRead,
}

impl Taken<'_> {
    /// False: no more is wanted.
    fn take(&mut self, entry: FeedEntry) -> bool {
        let tally = &mut self.read.tally;
        if self.read.entries.len() >= self.caps.entries {
            tally.is_cut = true;
            return false;
        }
        if entry.link.is_empty() {
            tally.without_link += 1;
        } else if entry.link.len() > self.caps.link_bytes {
            tally.too_long += 1;
        } else {
            tally.entries += 1;
            self.read.entries.push(entry);
        }
        true
    }
}

/// Reads a feed.
#[must_use]
pub fn read_feed(bytes: &[u8], caps: &FeedCaps) -> FeedRead {
    let is_cut = bytes.len() > caps.bytes;
    let bytes = &bytes[..bytes.len().min(caps.bytes)];
    let mut taken = Taken { caps, read: FeedRead::default() };
    taken.read.tally.is_cut = is_cut;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if text.starts_with(b"{") {
        json::read(text, &mut taken);
    } else {
        xml::read(bytes, &mut taken);
    }
    taken.read
}

/// Whether an answer with this media type and these first bytes may be a feed: asked before it is read as one.
#[must_use]
pub fn looks_like_feed(media_type: Option<&str>, start: &[u8]) -> bool {
    let essence = media_type.map(|it| it.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    match essence.as_deref() {
        Some("application/rss+xml" | "application/atom+xml" | "application/rdf+xml" | "application/feed+json") => true,
        Some("text/html" | "application/xhtml+xml") => false,
        Some("application/json") => {
            let start = String::from_utf8_lossy(&start[..start.len().min(caps::LOOK_BYTES)]);
            start.contains("jsonfeed.org/version/")
        }
        _ => xml::kind_by_start(&start[..start.len().min(caps::LOOK_BYTES)]) != FeedKind::Other,
    }
}

#[cfg(test)]
mod tests;
