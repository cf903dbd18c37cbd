//! How would a pattern be written as a regular expression?
//!
//! The peer of scoring is a set of them, as crawlers use for their rules. A pattern is translated sign by sign, anchored
//! at both ends, `http` or `https`, with or without `www.`:
//!
//! | pattern | expression |
//! |---|---|
//! | `#`, `{hex}`, `{uuid}` | digits; hexadecimal digits; the same with `-` |
//! | `{word}` | letters |
//! | `{words}`, `{text}` | anything up to the end of the segment or value, but something |
//! | `*` | the same, or nothing |
//! | `/**` | further segments or none |
//! | `[…]` | a group that may be missing |
//! | `?`, `&` | either, for the first parameter may be one that is missing |
//! | `%2F` | the sign itself or its escape |
//!
//! The classes are wider than those of the model, which makes the expressions smaller and faster.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use regex::{RegexSet, RegexSetBuilder};

/// More than enough for the set itself.
const MAX_SET_BYTES: usize = 1 << 30;

/// What a set may remember while it matches. Many patterns are much faster with more than the default.
#[derive(Clone, Copy)]
pub(super) enum Cache {
    Default,
    Large,
}

const LARGE_CACHE_BYTES: usize = 1 << 28;

/// The patterns of one site, ready to match.
pub(super) fn set<'p>(site: &str, patterns: impl IntoIterator<Item = &'p str>, cache: Cache) -> Result<RegexSet> {
    let expressions: Vec<String> = patterns.into_iter().map(|pattern| translate(site, pattern)).collect();
    let mut builder = RegexSetBuilder::new(&expressions);
    builder.size_limit(MAX_SET_BYTES);
    if let Cache::Large = cache {
        builder.dfa_size_limit(LARGE_CACHE_BYTES);
    }
    builder.build().context("the patterns make no set of regular expressions")
}

/// The expression of one pattern.
fn translate(site: &str, pattern: &str) -> String {
    let mut out = String::from("^https?://(?:www\\.)?");
    // A pattern names its host only where the site has several.
    let mut rest = pattern.strip_prefix("//").unwrap_or_else(|| {
        out.push_str(&regex::escape(site));
        pattern
    });
    let mut in_query = false;
    while let Some(sign) = rest.chars().next() {
        let used = match sign {
            '/' if rest.starts_with("/**") => {
                out.push_str("(?:/[^?]*)?");
                3
            }
            '[' => put("(?:", &mut out),
            ']' => {
                out.push_str(")?");
                1
            }
            '?' | '&' => {
                in_query = true;
                put("[?&]", &mut out)
            }
            '#' => put("[0-9]+", &mut out),
            '*' => put(if in_query { "[^&]*" } else { "[^/?]*" }, &mut out),
            '…' => {
                out.push_str(".*");
                sign.len_utf8()
            }
            '{' => match class(rest, in_query) {
                Some((expression, used)) => {
                    out.push_str(expression);
                    used
                }
                None => put("\\{", &mut out),
            },
            '%' => escaped(rest, &mut out),
            _ => literal(sign, &mut out),
        };
        rest = &rest[used..];
    }
    out.push('$');
    out
}

/// For signs of one byte.
fn put(expression: &str, out: &mut String) -> usize {
    out.push_str(expression);
    1
}

fn class(rest: &str, in_query: bool) -> Option<(&'static str, usize)> {
    let name = &rest[1..rest.find('}')?];
    let expression = match name {
        "word" => "[A-Za-z]+",
        "words" | "text" if in_query => "[^&]+",
        "words" | "text" => "[^/?]+",
        "hex" => "[0-9A-Fa-f]+",
        "uuid" => "[0-9A-Fa-f-]+",
        _ => return None,
    };
    Some((expression, name.len() + 2))
}

/// `%2F`: the pattern has the escape because it uses the sign itself. A blank may also be a plus.
fn escaped(rest: &str, out: &mut String) -> usize {
    let Some(byte) = rest.get(1..3).and_then(|hex| u8::from_str_radix(hex, 16).ok()) else {
        return put("%", out);
    };
    let plus = if byte == b' ' { "|\\+" } else { "" };
    let sign = regex::escape(&char::from(byte).to_string());
    let _ = write!(out, "(?:%{byte:02X}|{sign}{plus})");
    3
}

/// A sign that stands for itself. URLs write those beyond ASCII as escapes.
fn literal(sign: char, out: &mut String) -> usize {
    if sign.is_ascii() {
        out.push_str(&regex::escape(&sign.to_string()));
    } else {
        let mut bytes = [0; 4];
        for byte in sign.encode_utf8(&mut bytes).bytes() {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    sign.len_utf8()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, url: &str) -> bool {
        set("example.org", [pattern], Cache::Default).unwrap().is_match(url)
    }

    #[test]
    fn patterns_match_what_they_say() {
        for (pattern, path) in [
            ("/", "/"),
            ("/m/product/#/*", "/m/product/12/anything-at-all"),
            ("/filter/b#,p#?page=#", "/filter/b1,p22?page=3"),
            ("/2016/#/{words}/", "/2016/11/a-title/"),
            ("/a%20b/**[/]?x=1[&y=*]", "/a%20b/c/d?x=1"),
            ("/a%20b/**[/]?x=1[&y=*]", "/a%20b?x=1&y="),
            ("/s[?a=*]&q={words}", "/s?q=red+chair"),
            ("/s[?a=*]&q={words}", "/s?a=1&q=red+chair"),
            ("/x/{hex}[?…]", "/x/00ff00ff00ff00ff?sid=1&t=2"),
            ("/x/{hex}[?…]", "/x/00ff00ff00ff00ff"),
            ("/thread-#-#.html", "/thread-12-1.html"),
            ("/é", "/%C3%A9"),
            ("/u/{uuid}", "/u/00000000-0000-4000-8000-000000000000"),
        ] {
            for origin in ["https://www.example.org", "http://example.org"] {
                assert!(matches(pattern, &format!("{origin}{path}")), "{pattern} {path}: {}", translate("", pattern));
            }
        }
    }

    #[test]
    fn patterns_match_nothing_else() {
        for (pattern, url) in [
            ("/", "https://www.example.org/a"),
            ("/", "https://www.other.org/"),
            ("/", "https://wwwXexample.org/"),
            ("/product/#", "https://example.org/product/a"),
            ("/product/#", "https://example.org/product/1/2"),
            ("/product/*", "https://example.org/product/a/b"),
            ("/product/{word}", "https://example.org/product/1"),
            ("/s?q=*", "https://example.org/s"),
            ("/thread-#.html", "https://example.org/thread-1xhtml"),
        ] {
            assert!(!matches(pattern, url), "{pattern} {url}: {}", translate("example.org", pattern));
        }
    }

    #[test]
    fn a_pattern_may_name_its_host() {
        assert!(matches("//shop.example.org/a", "https://shop.example.org/a"));
        assert!(matches("//example.org/a", "https://www.example.org/a"));
        assert!(!matches("//shop.example.org/a", "https://www.example.org/a"));
    }
}
