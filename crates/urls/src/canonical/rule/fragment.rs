//! Rule `fragment`: drop `#…`.
//!
//! A fragment is read by the browser and never sent to the server (RFC 3986 §3.5), so `/page#a` and `/page#b` are one
//! page to fetch. Off: the fragment stays as WHATWG serialises it. A path and query (origin form) never has one.

use url::{Position, Url};

/// What stays of the fragment when the rule is off, `#` included.
pub(in super::super) fn kept(url: &Url) -> &str {
    &url[Position::AfterQuery..]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Canonicalizer, Rules};

    #[test]
    fn rfc3986_a_fragment_is_no_part_of_what_is_fetched() {
        let url = Canonicalizer::default();
        for raw in ["http://a.com/p?q=1#top", "http://A.com/p?q=1#", "http://a.com/p?q=1# x\t\u{7}"] {
            assert_eq!(url.absolute(raw.as_bytes()).unwrap().as_str(), "http://a.com/p?q=1", "{raw}");
        }
    }

    #[test]
    fn ours_a_fragment_stays_when_the_rule_is_off() {
        let url = Canonicalizer::new(Rules { fragment: false, ..Rules::default() });
        let with = url.absolute(b"http://a.com/p?utm_source=x&q=1#top").unwrap();
        assert_eq!(with.as_str(), "http://a.com/p?q=1#top");
        assert_eq!((with.fragment(), with.path_and_query()), (Some("top"), "/p?q=1"));
        assert_eq!(url.absolute(b"http://a.com/?utm_id=1#t").unwrap().as_str(), "http://a.com/#t");
        assert_eq!(url.origin_form(b"/p#top").unwrap(), "/p");
    }
}
