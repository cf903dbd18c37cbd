//! Where does an answer lead by its head? The `Link` header (RFC 8288).
//!
//! ```text
//! Link: </page/2>; rel="next", <https://e.org/a,b>; rel=canonical; type="text/html"
//! ```
//!
//! Parsed as leniently as the standard asks: commas and semicolons within `<…>` and quotes part nothing, the first
//! parameter of a name counts, and a link that cannot be read ends at the next comma. A link about something else (with
//! an `anchor`) is left out: nobody may say from afar what another page's own address is.

use std::fmt;

/// The most links of one answer that are kept.
pub const HEADER_LINKS: usize = 256;
/// The most bytes of all `Link` headers of one answer that are looked at.
pub const HEADER_BYTES: usize = 1 << 16;
/// The longest address that is kept, in bytes.
pub const HEADER_HREF_BYTES: usize = 1 << 13;
/// The most relations of one link that are kept.
pub const HEADER_RELS: usize = 16;

/// One link of a header.
///
/// `Debug` does not show where it leads: a URL may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct HeaderLink {
    /// Where it leads, as written.
    pub href: String,
    /// What it is to this page, in lower case: `next`, `canonical`; never empty.
    pub rels: Vec<String>,
    /// The media type that is told, in lower case and without parameters.
    pub media_type: Option<String>,
}

impl fmt::Debug for HeaderLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeaderLink").field("rels", &self.rels).finish_non_exhaustive()
    }
}

/// The links of the `Link` headers of an answer, in order.
#[must_use]
pub fn links_of<'a>(headers: impl IntoIterator<Item = &'a str>) -> Vec<HeaderLink> {
    let mut links = Vec::new();
    let mut left = HEADER_BYTES;
    for header in headers {
        let header = &header[..header.floor_char_boundary(left)];
        left -= header.len();
        let mut rest = header;
        while links.len() < HEADER_LINKS
            && let Some((link, after)) = next_link(rest)
        {
            links.extend(link);
            rest = after;
        }
    }
    links
}

/// The next link, if it can be read, and what is after it. None: there is no more.
fn next_link(text: &str) -> Option<(Option<HeaderLink>, &str)> {
    let text = text.trim_start_matches([' ', '\t', ',']);
    if text.is_empty() {
        return None;
    }
    let Some((href, mut rest)) = text.strip_prefix('<').and_then(|text| text.split_once('>')) else {
        return Some((None, text.split_once(',').map_or("", |(_, after)| after)));
    };
    let (mut rel, mut media_type, mut is_about_us) = (None, None, true);
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let Some(parameter) = rest.strip_prefix(';') else { break };
        let (name, value, after) = parameter_of(parameter);
        rest = after;
        match name.to_ascii_lowercase().as_str() {
            "rel" => rel = rel.or(Some(value)),
            "type" => media_type = media_type.or(Some(value)),
            "anchor" => is_about_us &= value.is_empty(),
            _ => {}
        }
    }
    // What is neither a parameter nor the next link is passed over.
    let after = rest.split_once(',').map_or("", |(_, after)| after);
    let rels: Vec<String> =
        rel.unwrap_or_default().split_ascii_whitespace().take(HEADER_RELS).map(str::to_ascii_lowercase).collect();
    let href = href.trim();
    let is_kept = is_about_us && !rels.is_empty() && href.len() <= HEADER_HREF_BYTES;
    let media_type = media_type
        .map(|it| it.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
        .filter(|it| !it.is_empty());
    Some((is_kept.then(|| HeaderLink { href: href.to_owned(), rels, media_type }), after))
}

/// Name, value and rest of what follows a semicolon.
fn parameter_of(text: &str) -> (&str, String, &str) {
    let end = text.find(['=', ';', ',']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let Some(value) = rest.strip_prefix('=').map(|value| value.trim_start_matches([' ', '\t'])) else {
        return (name.trim(), String::new(), rest);
    };
    if let Some(quoted) = value.strip_prefix('"') {
        let (value, after) = unquoted(quoted);
        return (name.trim(), value, after);
    }
    let end = value.find([';', ',']).unwrap_or(value.len());
    (name.trim(), value[..end].trim().to_owned(), &value[end..])
}

/// A quoted string, whose first quote is gone, and what is after it.
fn unquoted(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, &text[at + 1..]),
            '\\' => value.extend(chars.next().map(|(_, c)| c)),
            c => value.push(c),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(header: &str) -> Vec<(String, String)> {
        links_of([header]).into_iter().map(|link| (link.href, link.rels.join(" "))).collect()
    }

    fn same(header: &str, expected: &[(&str, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(of(header), expected, "{header}");
    }

    #[test]
    fn rfc8288_links_are_parted_by_commas_outside_of_addresses_and_quotes() {
        same("</2>; rel=\"next\", </>; rel=canonical", &[("/2", "next"), ("/", "canonical")]);
        same("<a,b;c>; title=\"x, <no>; rel=no\"; rel=next", &[("a,b;c", "next")]);
        same("<a>;rel=\"Next  ALTERNATE\"", &[("a", "next alternate")]);
        same("<a>; title=\"\\\"; rel=no\"; rel=x", &[("a", "x")]);
        same(" , ,<a> ; rel = next ,, <b>;rel=prev,", &[("a", "next"), ("b", "prev")]);
        same("< >; rel=x", &[("", "x")]);
    }

    #[test]
    fn rfc8288_the_first_relation_counts_and_links_about_others_do_not() {
        same("<a>; rel=x; rel=y", &[("a", "x")]);
        same("<a>; rel=canonical; anchor=\"/other\", <b>; rel=next; anchor=\"\"", &[("b", "next")]);
        same("<a>, <b>; rel, <c>; rel=\"\"", &[]);
    }

    #[test]
    fn ours_what_cannot_be_read_costs_one_link() {
        same("nonsense; rel=x, <a>; rel=y", &[("a", "y")]);
        same("<a>; rel=x garbage <b>, <c>; rel=z", &[("a", "x garbage <b>"), ("c", "z")]);
        same("<a>; rel=\"x\" garbage, <c>; rel=z", &[("a", "x"), ("c", "z")]);
        same("<unclosed; rel=x", &[]);
        same("<a>; rel=\"unclosed", &[("a", "unclosed")]);
        let link = &links_of(["<f>; rel=alternate; type=\"Application/Atom+XML; x\""])[0];
        assert_eq!(link.media_type.as_deref(), Some("application/atom+xml"));
    }

    #[test]
    fn ours_headers_are_capped_together() {
        let many = "<a>; rel=x,".repeat(3_000);
        assert_eq!(links_of([many.as_str(), many.as_str()]).len(), HEADER_LINKS);
        let long = format!("<{}>; rel=x, <b>; rel=y", "a".repeat(HEADER_HREF_BYTES + 1));
        assert_eq!(of(&long), [("b".to_owned(), "y".to_owned())]);
        let blank = " ".repeat(HEADER_BYTES);
        assert!(links_of([blank.as_str(), "<a>; rel=x"]).is_empty());
    }

    proptest! {
        #[test]
        fn ours_any_header_can_be_read(header in "(<|>|;|,|=|\"|\\\\|rel|anchor|type| |a|é|\\PC){0,60}") {
            prop_assert!(links_of([header.as_str()]).iter().all(|link| !link.rels.is_empty()));
        }
    }
}
