//! Under which key does an index of an archive list this URL?
//!
//! SURT (sort-friendly URI reordering transform) turns the host around, so that a sorted list keeps a site together:
//! `https://www.example.org:8443/B?z=1&a` is `org,example:8443)/b?a&z=1`. The key is coarser than the canonical form on
//! purpose: who looks for a page of long ago does not know its spelling. It is the key that pywb and the tools around it
//! use, so that they find what we index; a table of cases holds us to that (`tests/cases/surt.csv`, keys as pywb 2.10
//! gives them).
//!
//! What is forgotten: the scheme, credentials, `www.` with any number, a default port, the fragment, upper case,
//! percent-encoding that is not needed, dot segments, doubled and trailing slashes, the order of the query, and a few
//! session ids.

mod escape;
mod session;

use std::fmt::Write;

use self::escape::{escaped, unescaped};

/// The SURT key of a URL. Never empty for a URL with a host, and never with white space in it. Texts that are no
/// http(s) URLs are their own key, in lower case. Cost: two passes over the text and a few allocations.
#[must_use]
pub fn surt(url: &str) -> String {
    let url: String = url.trim().chars().filter(|c| !matches!(c, '\t' | '\r' | '\n')).collect();
    let Some((default_port, rest)) = after_scheme(&url) else {
        return escaped(url.as_bytes()).to_ascii_lowercase();
    };
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, tail) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    let mut key = host_key(authority, default_port);
    key.push(')');
    key.push_str(&path_key(path));
    let query = query_key(query);
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    key
}

/// What follows `http://` or `https://`, and the scheme's port.
fn after_scheme(url: &str) -> Option<(u16, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    match scheme {
        s if s.eq_ignore_ascii_case("http") => Some((80, rest)),
        s if s.eq_ignore_ascii_case("https") => Some((443, rest)),
        _ => None,
    }
}

fn host_key(authority: &str, default_port: u16) -> String {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match host.rsplit_once(':') {
        Some((before, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (before, port.parse::<u32>().unwrap_or(0)),
        _ => (host, 0),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let host = escaped(&unescaped(host.as_bytes())).to_ascii_lowercase();
    let mut labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty()).collect();
    if labels.len() > 1 && is_www(labels[0]) {
        labels.remove(0);
    }
    labels.reverse();
    let mut key = labels.join(",");
    if port != 0 && port != u32::from(default_port) {
        write!(key, ":{port}").expect("a String takes everything");
    }
    key
}

/// `www` and any digits.
fn is_www(label: &str) -> bool {
    label.strip_prefix("www").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

fn path_key(path: &str) -> String {
    let path = unescaped(path.as_bytes());
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            // Above the root there is nothing: the tools keep one such part, and so must a key that is theirs.
            b".." => {
                if parts.pop().is_none() {
                    parts.push(part);
                }
            }
            _ => parts.push(part),
        }
    }
    let mut plain = Vec::with_capacity(path.len() + 1);
    for part in &parts {
        plain.push(b'/');
        plain.extend_from_slice(part);
    }
    if plain.is_empty() {
        plain.push(b'/');
    }
    session::strip_path(&escaped(&plain).to_ascii_lowercase())
}

fn query_key(query: &str) -> String {
    if query.is_empty() {
        return String::new();
    }
    let query = session::strip_query(&escaped(&unescaped(query.as_bytes())).to_ascii_lowercase());
    let mut pairs: Vec<&str> = query.split('&').collect();
    // By name, then by value; no value before an empty one.
    pairs.sort_unstable_by_key(|pair| pair.split_once('=').map_or((*pair, None), |(name, value)| (name, Some(value))));
    pairs.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ours_a_key_costs_one_pass_however_often_a_url_is_escaped() {
        let deep = format!("http://e.org/%{}41", "25".repeat(100_000));
        assert_eq!(surt(&deep), "org,e)/a");
    }

    proptest! {
        #[test]
        fn ours_any_text_has_a_key_without_white_space(text in "(https?://)?[ -~é\t]{0,40}") {
            let key = surt(&text);
            prop_assert!(key.bytes().all(|b| b.is_ascii_graphic()), "{key:?}");
        }

        #[test]
        fn ours_spelling_does_not_change_the_key(path in "[a-c/]{0,8}", pairs in proptest::collection::vec("[a-c]=[0-9]", 1..5)) {
            let one = surt(&format!("http://www.e.org/{path}?{}", pairs.join("&")));
            let mut turned = pairs.clone();
            turned.reverse();
            let other = format!("HTTPS://u:p@E.org:443/{}?{}#f", path.to_uppercase(), turned.join("&"));
            prop_assert_eq!(one, surt(&other));
        }
    }
}
