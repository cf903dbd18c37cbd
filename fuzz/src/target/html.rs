//! Pages: charsets, links, words, layouts.

use trodden_archive::page::text_of;
use trodden_archive::{Caps, Link, PageContent, TagPaths, Want};
use url::Url;

/// Whatever is asked for, the links are the same; caps hold; what is absolute is http.
pub(super) fn page(input: &[u8]) {
    let caps =
        Caps { links: 64, beside: 16, href_bytes: 256, anchor_bytes: 64, text_bytes: 4 << 10, ..Caps::default() };
    let (text, _) = text_of(None, input);
    let all = PageContent::of(&text, Want::LinksAndText, &caps);
    for want in [Want::Hrefs, Want::Links] {
        let some = PageContent::of(&text, want, &caps);
        assert!(same_addresses(&some.links, &all.links) && same_addresses(&some.beside, &all.beside), "{want:?}");
        assert_eq!((&some.title, &some.base, &some.canonical), (&all.title, &all.base, &all.canonical), "{want:?}");
    }
    assert!(all.links.len() <= caps.links && all.beside.len() <= caps.beside);
    assert!(all.title.len() <= caps.anchor_bytes && all.text.len() <= caps.text_bytes);
    for link in all.links.iter().chain(&all.beside) {
        assert!(link.href.len() <= caps.href_bytes && link.anchor.len() <= caps.anchor_bytes);
        assert!(!link.href.contains(['\t', '\n', '\r']), "as browsers have it");
    }
    assert!(!all.text.contains("  ") && all.text.trim() == all.text, "one blank between words");
    let home = Url::parse("https://example.org/a/b?c").expect("a URL");
    for (url, _) in all.resolved(&home).chain(all.resolved_beside(&home)) {
        assert!(matches!(url.scheme(), "http" | "https") && url.fragment().is_none());
    }
    let layout = TagPaths::of(&text);
    assert!((layout.similarity(&layout) - 1.0).abs() < 1e-9);
    assert_eq!(layout, TagPaths::of(&text));
}

fn same_addresses(some: &[Link], all: &[Link]) -> bool {
    some.len() == all.len()
        && some.iter().zip(all).all(|(a, b)| (&a.href, a.kind, a.is_nofollow) == (&b.href, b.kind, b.is_nofollow))
}
