//! Is this text canonical already, but for parameters to remove?
//!
//! One pass over the bytes with a table of classes. Plain bytes are skipped; the few that mean something are looked
//! at; anything unusual ends the attempt with `None`, and the slow path decides. Unusual is: upper case in scheme or
//! host, credentials, a port, an address as host, Punycode, an empty label, `%` without two upper-case hexadecimal
//! digits, a segment that starts with a dot, and every byte that WHATWG would encode or drop. So the fast path needs
//! no knowledge of IDNA, of numbers or of dot segments; it only has to know when it does not know.

use std::borrow::Cow;

use super::layout::{Layout, offset};
use super::rules::Rules;
use super::strip::{self, Spans};
use super::url::{CanonicalUrl, Scheme};

/// Bytes of a lower-case domain label.
const HOST: u8 = 1;
/// Bytes of a path that stand for themselves; a dot may begin a dot segment, a semicolon a session id.
const PATH: u8 = 2;
/// Bytes of a query that stand for themselves.
const QUERY: u8 = 4;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0x21;
    while byte < 0x7F {
        let b = byte as u8;
        let mut class = 0;
        if b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_') {
            class |= HOST;
        }
        let odd_anywhere = matches!(b, b'"' | b'#' | b'%' | b'<' | b'>' | b'\\');
        if !odd_anywhere && !matches!(b, b'.' | b';' | b'?' | b'^' | b'`' | b'{' | b'|' | b'}') {
            class |= PATH;
        }
        if !odd_anywhere && b != b'\'' {
            class |= QUERY;
        }
        table[byte] = class;
        byte += 1;
    }
    table
}

/// The absolute URL `raw`, if plain.
pub(super) fn absolute<'a>(rules: &Rules, raw: &'a [u8]) -> Option<CanonicalUrl<'a>> {
    let (scheme, host) = if raw.starts_with(b"https://") {
        (Scheme::Https, 8)
    } else if raw.starts_with(b"http://") {
        (Scheme::Http, 7)
    } else {
        return None;
    };
    let path = host_end(raw, host)?;
    let (text, spans) = target(rules, raw, path)?;
    let layout = Layout {
        scheme,
        port: None,
        user: offset(host),
        host: offset(host),
        host_end: offset(path),
        path: offset(path),
        query: offset(spans.query),
        fragment: offset(spans.fragment),
    };
    Some(CanonicalUrl::new(text, layout))
}

/// The origin-form target `raw`, if plain.
pub(super) fn origin_form<'a>(rules: &Rules, raw: &'a [u8]) -> Option<Cow<'a, str>> {
    target(rules, raw, 0).map(|(text, _)| text)
}

/// Where the host that starts at `start` ends, if it is a plain domain followed by a slash.
fn host_end(raw: &[u8], start: usize) -> Option<usize> {
    let mut label = start;
    let mut at = start;
    loop {
        while at < raw.len() && CLASS[raw[at] as usize] & HOST != 0 {
            at += 1;
        }
        let found = &raw[label..at];
        if found.is_empty() || found.starts_with(b"xn--") {
            return None;
        }
        match raw.get(at) {
            Some(b'.') => {
                at += 1;
                label = at;
            }
            // A last label that starts with a digit may make the host an IPv4 address.
            Some(b'/') if !found[0].is_ascii_digit() => return Some(at),
            _ => return None,
        }
    }
}

/// Where a part ends, and whether something in it may have to go.
struct End {
    at: usize,
    strip: bool,
}

/// Checks path and query from `path` on, and strips them.
fn target<'a>(rules: &Rules, raw: &'a [u8], path: usize) -> Option<(Cow<'a, str>, Spans)> {
    let path_end = path_end(raw, path)?;
    let query = path_end.at;
    let end = match raw.get(query) {
        Some(b'?') => query_end(rules, raw, query + 1)?,
        _ => End { at: query, strip: false },
    };
    if end.at < raw.len() && !rules.fragment {
        return None;
    }
    let text = Cow::Borrowed(std::str::from_utf8(&raw[..end.at]).ok()?);
    let mut spans = Spans { path, query, fragment: end.at };
    let text = if path_end.strip || end.strip { strip::apply(rules, text, &mut spans) } else { text };
    Some((text, spans))
}

fn path_end(raw: &[u8], start: usize) -> Option<End> {
    let mut at = start;
    let mut strip = false;
    loop {
        at += plain(&raw[at..], PATH);
        match raw.get(at) {
            // The path starts with a slash, so there is a byte before.
            Some(b'.') if raw[at - 1] != b'/' => at += 1,
            Some(b'%') if raw[at..].get(1..3) != Some(b"2E") => at = escapes_end(raw, at)?,
            Some(b';') => {
                strip = true;
                at += 1;
            }
            None | Some(b'?' | b'#') => return Some(End { at, strip }),
            Some(_) => return None,
        }
    }
}

fn query_end(rules: &Rules, raw: &[u8], start: usize) -> Option<End> {
    let mut at = start;
    loop {
        at += plain(&raw[at..], QUERY);
        match raw.get(at) {
            Some(b'%') => at = escapes_end(raw, at)?,
            None | Some(b'#') => break,
            Some(_) => return None,
        }
    }
    let strip = rules.strip_parameters() && (at == start || strip::may_go(rules, &raw[start..at]));
    Some(End { at, strip })
}

/// How many bytes from the start are of this class. Eight at a time: one branch for eight look-ups.
fn plain(rest: &[u8], class: u8) -> usize {
    let mut at = 0;
    for eight in rest.chunks_exact(8) {
        if eight.iter().fold(class, |all, &b| all & CLASS[b as usize]) == 0 {
            break;
        }
        at += 8;
    }
    at + rest[at..].iter().take_while(|&&b| CLASS[b as usize] & class != 0).count()
}

/// Where the escapes end that begin at `at`, if none has a lower-case digit. Stops before an escaped dot, which only
/// the caller can judge.
fn escapes_end(raw: &[u8], mut at: usize) -> Option<usize> {
    let is_upper_hex = |b: u8| b.is_ascii_digit() || (b'A'..=b'F').contains(&b);
    loop {
        match raw[at..] {
            [b'%', high, low, ..] if is_upper_hex(high) && is_upper_hex(low) => at += 3,
            _ => return None,
        }
        match raw[at..] {
            [b'%', b'2', b'E', ..] => return Some(at),
            [b'%', ..] => {}
            _ => return Some(at),
        }
    }
}
