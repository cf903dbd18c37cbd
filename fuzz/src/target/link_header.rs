//! `Link` headers.

use trodden_fetch::link_header::{HEADER_HREF_BYTES, HEADER_LINKS, HEADER_RELS};
use trodden_fetch::links_of;

/// Caps hold, and no link is without a relation. Each line is a header.
pub(super) fn links(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let links = links_of(text.lines());
    assert!(links.len() <= HEADER_LINKS);
    for link in links {
        assert!(link.href.len() <= HEADER_HREF_BYTES);
        assert!((1..=HEADER_RELS).contains(&link.rels.len()));
        assert!(link.rels.iter().all(|rel| !rel.is_empty() && !rel.contains(char::is_uppercase) || !rel.is_ascii()));
        assert!(link.media_type.is_none_or(|media_type| !media_type.is_empty() && !media_type.contains(';')));
    }
}
