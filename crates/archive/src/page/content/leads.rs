//! Where does a page lead, but by its links?
//!
//! `link` names the next page, another form of this one, or a feed; `meta` may send the reader on. Icons, styles and
//! what a browser should fetch ahead are no pages.

use super::LinkKind;

/// What a `link` with this relation and media type leads to, if that is a page or a feed.
pub(super) fn kind_of(rel: &str, media_type: Option<&str>) -> Option<LinkKind> {
    let words = || rel.split(|c: char| c.is_ascii_whitespace() || c == ',');
    let has = |wanted: &str| words().any(|word| word.eq_ignore_ascii_case(wanted));
    if has("stylesheet") || has("icon") {
        return None;
    }
    let media_type = media_type.map(crate::http::essence).unwrap_or_default();
    match media_type.as_str() {
        "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" | "application/feed+json"
            if has("alternate") || has("feed") =>
        {
            return Some(LinkKind::Feed);
        }
        "" | "text/html" | "application/xhtml+xml" => {}
        _ => return None,
    }
    words().find_map(|word| {
        let kinds = [
            ("next", LinkKind::Next),
            ("prev", LinkKind::Previous),
            ("previous", LinkKind::Previous),
            ("amphtml", LinkKind::Amp),
            ("alternate", LinkKind::Alternate),
        ];
        kinds.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, kind)| kind)
    })
}

/// The address in the content of `<meta http-equiv=refresh>`: `5; url='x'`. None: the page only refreshes itself.
pub(super) fn refreshed(content: &str) -> Option<&str> {
    let content = content.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let rest = content.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_timed = rest.len() < content.len();
    let is_parted = rest.starts_with(|c: char| matches!(c, ';' | ',') || c.is_ascii_whitespace());
    if !is_timed || !is_parted {
        return None;
    }
    let blank = |c: char| c.is_ascii_whitespace();
    let rest = rest.trim_start_matches(blank);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(blank);
    let named = rest.get(..3).filter(|word| word.eq_ignore_ascii_case("url"));
    let named = named.and_then(|_| rest[3..].trim_start_matches(blank).strip_prefix('='));
    let address = named.map_or(rest, |address| address.trim_start_matches(blank));
    let address = match address.chars().next() {
        Some(quote @ ('"' | '\'')) => address[1..].split(quote).next().unwrap_or_default(),
        _ => address,
    };
    (!address.is_empty()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatwg_a_refresh_names_its_address_in_many_ways() {
        for (content, address) in [
            ("5; url=/a", Some("/a")),
            (" 0;URL = '/a b' x", Some("/a b")),
            ("0,\"/a\"", Some("/a")),
            ("0 /a", Some("/a")),
            ("1.5;url", Some("url")),
            ("0; urlé", Some("urlé")),
            (".;u", Some("u")),
            ("0", None),
            ("0;", None),
            ("0;url=", None),
            ("url=/a", None),
            ("5x; url=/a", None),
            ("", None),
        ] {
            assert_eq!(refreshed(content), address, "{content}");
        }
    }

    #[test]
    fn ours_only_pages_and_feeds_are_led_to() {
        for (rel, media_type, kind) in [
            ("next", None, Some(LinkKind::Next)),
            ("Prev", None, Some(LinkKind::Previous)),
            ("alternate", None, Some(LinkKind::Alternate)),
            ("alternate", Some("text/html; charset=x"), Some(LinkKind::Alternate)),
            ("alternate", Some("Application/RSS+XML"), Some(LinkKind::Feed)),
            ("alternate home", Some("application/atom+xml"), Some(LinkKind::Feed)),
            ("alternate", Some("application/json+oembed"), None),
            ("alternate stylesheet", None, None),
            ("amphtml", None, Some(LinkKind::Amp)),
            ("preload", None, None),
            ("", None, None),
        ] {
            assert_eq!(kind_of(rel, media_type), kind, "{rel}");
        }
    }
}
