//! When are two spellings of a path the same?
//!
//! RFC 9309 §2.2.2 compares octets after both sides were brought to one spelling:
//!
//! - an escape is upper case (`%e3` is `%E3`), and that of an unreserved character is decoded (`%62` is `b`);
//! - what a URI may not hold as it is (non-ASCII, blanks, quotes) is escaped; a `%` that starts no escape stays, so that
//!   `Disallow: /%` means all paths that start with an escape;
//! - reserved characters and their escapes are told apart only where they delimit (RFC 3986 §2.2). `:` `@` `[` `]`
//!   delimit nothing behind the host, so `%3A` is `:`; `/` and `?` delimit nothing inside a query, as in the RFC's own
//!   example `?baz=https%3A%2F%2Ffoo.bar`; `&`, `=`, `+` and the like may, so `%26` is not `&`;
//! - `*` and `$` in a URI are `%2A` and `%24`: so a pattern can name them (§2.2.3).

use std::borrow::Cow;

use memchr::{memchr, memmem};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The same with and without escape; written without.
    Free,
    /// Not the same as its escape.
    Delimiter,
    /// Always escaped.
    Escaped,
}

const KINDS: [Kind; 256] = kinds();

const fn kinds() -> [Kind; 256] {
    let mut kinds = [Kind::Escaped; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_free = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'-' | b'.' | b'_' | b'~');
        if is_free || matches!(byte as u8, b':' | b'@' | b'[' | b']') {
            kinds[byte] = Kind::Free;
        } else if matches!(byte as u8, b'/' | b'?' | b'!' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b';' | b'=') {
            kinds[byte] = Kind::Delimiter;
        }
        byte += 1;
    }
    kinds
}

/// The start of a text that is the same in every spelling.
pub(super) fn plain_run(text: &[u8]) -> &str {
    let end = text.iter().position(|byte| KINDS[usize::from(*byte)] == Kind::Escaped).unwrap_or(text.len());
    std::str::from_utf8(&text[..end]).unwrap_or_default()
}

/// Which bytes occur in a text, roughly: four bytes share a bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters(u64);

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        Self(text.bytes().fold(0, |letters, byte| letters | 1 << (byte & 63)))
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Are all of these among ours? May say yes too often.
    pub(super) fn include(self, few: Self) -> bool {
        few.0 & !self.0 == 0
    }
}

/// Writes one octet of text, which starts at `at`; says how many bytes it took.
pub(super) fn push(text: &[u8], at: usize, out: &mut String) -> usize {
    let byte = text[at];
    if byte == b'%' {
        match escaped(text, at).map(|value| (value, KINDS[usize::from(value)])) {
            Some((value, Kind::Free)) => out.push(char::from(value)),
            Some((value, Kind::Delimiter | Kind::Escaped)) => escape(value, out),
            None => {
                out.push('%');
                return 1;
            }
        }
        return 3;
    }
    match KINDS[usize::from(byte)] {
        Kind::Free | Kind::Delimiter => out.push(char::from(byte)),
        Kind::Escaped => escape(byte, out),
    }
    1
}

fn escaped(text: &[u8], at: usize) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    u8::try_from(digit(at + 1)? * 16 + digit(at + 2)?).ok()
}

fn escape(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend(['%', char::from(DIGITS[usize::from(byte >> 4)]), char::from(DIGITS[usize::from(byte & 15)])]);
}

/// A text behind whose first `?` the escapes of `/` and `?` are decoded; nothing if that changes nothing.
pub(super) fn open_query(text: &str) -> Option<String> {
    let query = memchr(b'?', text.as_bytes())? + 1;
    let tail = &text.as_bytes()[query..];
    memmem::find(tail, b"%2F").or_else(|| memmem::find(tail, b"%3F"))?;
    let (head, tail) = text.split_at(query);
    Some(head.to_owned() + &tail.replace("%2F", "/").replace("%3F", "?"))
}

/// Path and query of a URI as they are compared.
pub(super) struct MatchedPath<'a> {
    /// In one spelling.
    pub(super) plain: Cow<'a, str>,
    /// The same with the query opened, if that differs.
    pub(super) opened: Option<String>,
    /// Of both.
    pub(super) letters: Letters,
}

impl<'a> MatchedPath<'a> {
    /// Takes `/path?query`; a fragment is cut off, a missing slash is added.
    pub(super) fn new(path_and_query: &'a str) -> Self {
        let text = &path_and_query[..memchr(b'#', path_and_query.as_bytes()).unwrap_or(path_and_query.len())];
        let is_spelled = text.bytes().all(|byte| KINDS[usize::from(byte)] != Kind::Escaped);
        if is_spelled && text.starts_with('/') {
            return Self { plain: Cow::Borrowed(text), opened: None, letters: Letters::of(text) };
        }
        let mut plain = String::with_capacity(text.len() + 16);
        if !text.starts_with('/') {
            plain.push('/');
        }
        let mut at = 0;
        while at < text.len() {
            at += push(text.as_bytes(), at, &mut plain);
        }
        let opened = open_query(&plain);
        let letters = opened.as_deref().map_or(Letters::default(), Letters::of).and(Letters::of(&plain));
        Self { plain: Cow::Owned(plain), opened, letters }
    }
}
