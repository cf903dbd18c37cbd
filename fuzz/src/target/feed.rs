//! Feeds: RSS, Atom, JSON Feed.

use trodden_fetch::{FeedCaps, looks_like_feed, read_feed};
use url::Url;

/// Caps hold, and what is absolute is http.
pub(super) fn entries(input: &[u8]) {
    let caps = FeedCaps { entries: 32, link_bytes: 256, ..FeedCaps::default() };
    let read = read_feed(input, &caps);
    assert!(read.entries.len() <= caps.entries);
    assert_eq!(read.tally.entries, read.entries.len() as u64);
    let feed = Url::parse("https://example.org/feed.xml").expect("a URL");
    for entry in &read.entries {
        assert!((1..=caps.link_bytes).contains(&entry.link.len()));
        if let Some(url) = entry.resolved(&feed) {
            assert!(matches!(url.scheme(), "http" | "https") && url.fragment().is_none());
        }
    }
    for media_type in [None, Some("application/json"), Some("text/xml; charset=x")] {
        let _ = looks_like_feed(media_type, input);
    }
}
