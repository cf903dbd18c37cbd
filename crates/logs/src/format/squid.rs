//! Squid's native log: `time elapsed client code/status bytes method URL user hierarchy/peer type`.
//!
//! Columns are separated by runs of spaces. The URL is kept as it stands: absolute, or `host:port` for CONNECT. With
//! `uri_whitespace allow` it may hold spaces, which is seen from the columns after it; with `log_mime_hdrs on` more
//! columns follow, which are ignored.

use memchr::memchr;

use super::entry::{Entry, LineFault, Parsed};
use super::literal::near_byte;
use super::request::is_method;
use super::time;
use super::value::{dash, status};

/// Reads one line.
pub(super) fn parse(line: &[u8]) -> Result<Parsed<'_>, LineFault> {
    let mut words = Words(line);
    let mut word = || words.next().ok_or(LineFault::Malformed);
    let (time, _elapsed, client, result, _bytes, method) = (word()?, word()?, word()?, word()?, word()?, word()?);
    let columns = last_columns(words.0.trim_ascii()).ok_or(LineFault::Malformed)?;
    let slash = memchr(b'/', result).ok_or(LineFault::Malformed)?;
    let time_ms = time::epoch(time).ok_or(LineFault::BadTime)?;
    if !is_method(method) {
        return Err(LineFault::BadRequest);
    }
    Ok(Parsed::Entry(Entry {
        time_ms,
        address: dash(client),
        user: dash(columns.user),
        method,
        target: columns.url,
        status: status(&result[slash + 1..])?,
        content_type: dash(columns.content_type),
        ..Entry::default()
    }))
}

/// The columns from the URL on.
struct LastColumns<'a> {
    url: &'a [u8],
    user: &'a [u8],
    content_type: &'a [u8],
}

fn last_columns(text: &[u8]) -> Option<LastColumns<'_>> {
    let mut words = Words(text);
    let (url, user, hierarchy, content_type) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let rest = words.0.trim_ascii();
    if rest.is_empty() || is_hierarchy(hierarchy) {
        return Some(LastColumns { url, user, content_type });
    }
    // The URL holds spaces: count from the end.
    let (text, content_type) = last_word(text)?;
    let (text, hierarchy) = last_word(text)?;
    let (url, user) = last_word(text)?;
    (is_hierarchy(hierarchy) && !url.is_empty()).then_some(LastColumns { url, user, content_type })
}

/// `HIER_DIRECT/192.0.2.1`, `NONE/-`, `FIRSTUP_PARENT/proxy`.
fn is_hierarchy(word: &[u8]) -> bool {
    memchr(b'/', word).is_some_and(|slash| {
        slash > 0 && word[..slash].iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
    })
}

fn last_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = memchr::memrchr(b' ', text)?;
    Some((text[..space].trim_ascii_end(), &text[space + 1..]))
}

/// Words between runs of spaces.
struct Words<'a>(&'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|&byte| byte != b' ')?;
        let text = &self.0[start..];
        let end = near_byte(b' ', text, 0).unwrap_or(text.len());
        self.0 = &text[end..];
        Some(&text[..end])
    }
}
