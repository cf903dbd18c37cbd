//! Where are the pieces of a URL, before anything is decoded or sorted into keys?
//!
//! [`UrlParts`] borrows: a few slices, no copy, no allocation for usual URLs. The pattern tree is built from millions of
//! URLs and asked about billions, and most of their pieces are met again and again: whoever knows a piece already
//! does not need its shape worked out once more. [`Components`](super::Components) is built on top of it.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use smallvec::SmallVec;

use super::{MAX_LABELS, MAX_PARAMETERS, MAX_SEGMENTS};
use crate::key::is_address;
use crate::pieces::{cut, pieces};

/// The raw pieces of a text `host/path?query`.
#[derive(Clone, Debug)]
pub struct UrlParts<'a> {
    host: &'a str,
    segments: SmallVec<[&'a str; 12]>,
    depth: usize,
    trailing_slash: bool,
    /// By name, then by value.
    parameters: SmallVec<[(&'a str, &'a str); 8]>,
}

impl<'a> UrlParts<'a> {
    /// The pieces of `host/path?query`, without scheme.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let at = text.bytes().position(|b| b == b'/' || b == b'?').unwrap_or(text.len());
        Self::new(&text[..at], &text[at..])
    }

    /// The pieces of a host (may be empty) and a path and query.
    #[must_use]
    pub fn new(host: &'a str, path_and_query: &'a str) -> Self {
        let (path, query) = cut(path_and_query, b'?');
        let mut segments = SmallVec::new();
        let mut depth = 0;
        for segment in pieces(path, b'/').filter(|segment| !segment.is_empty()) {
            depth += 1;
            if depth <= MAX_SEGMENTS {
                segments.push(segment);
            }
        }
        let mut parameters = SmallVec::new();
        for parameter in query.into_iter().flat_map(|query| pieces(query, b'&')) {
            let (name, value) = cut(parameter, b'=');
            if !name.is_empty() {
                parameters.push((name, value.unwrap_or_default()));
            }
        }
        // By name and then by value: neither the order of the parameters nor that of a repeated one matters.
        parameters.sort_unstable();
        Self { host, segments, depth, trailing_slash: path.ends_with('/'), parameters }
    }

    /// The host as written.
    #[must_use]
    pub fn host(&self) -> &'a str {
        self.host
    }

    /// Its labels from the right; an address is one label.
    pub fn labels(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let name = self.host.rsplit_once(':').map_or(self.host, |(name, _port)| name);
        let whole = self.host.starts_with('[') || is_address(name);
        let (one, many) = if whole { (Some(self.host), "") } else { (None, self.host) };
        let many = many.rsplit('.').take(if many.is_empty() { 0 } else { MAX_LABELS });
        one.into_iter().chain(many)
    }

    /// The number of path segments that are not empty.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Those segments, as written; the first [`MAX_SEGMENTS`] of them.
    #[must_use]
    pub fn segments(&self) -> &[&'a str] {
        &self.segments
    }

    /// Whether the path ends in a slash.
    #[must_use]
    pub fn trailing_slash(&self) -> bool {
        self.trailing_slash
    }

    /// The parameters by name: each name once, with all its values; the first [`MAX_PARAMETERS`] of them.
    pub fn parameters(&self) -> impl Iterator<Item = (&'a str, Values<'_, 'a>)> {
        let names = self.parameters.chunk_by(|one, other| one.0 == other.0).take(MAX_PARAMETERS);
        names.map(|values| (values[0].0, Values(values)))
    }
}

/// The values of one parameter, sorted.
#[derive(Clone, Copy, Debug)]
pub struct Values<'p, 'a>(&'p [(&'a str, &'a str)]);

impl<'a> Values<'_, 'a> {
    /// The values as one: decoded, and joined by `&` if there are several.
    #[must_use]
    pub fn readable(self) -> Cow<'a, str> {
        match self.0 {
            [(_, one)] => readable(one),
            many => Cow::Owned(many.iter().map(|(_, value)| readable(value)).collect::<Vec<_>>().join("&")),
        }
    }
}

/// The decoded text, unless that is no UTF-8 or holds control characters: then as it is, so that no two values become
/// one and no report breaks.
#[must_use]
pub fn readable(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    match percent_decode_str(text).decode_utf8() {
        Ok(decoded) if !decoded.chars().any(char::is_control) => decoded,
        _ => Cow::Borrowed(text),
    }
}
