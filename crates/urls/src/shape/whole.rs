//! What is the shape of a whole path and query?
//!
//! Segments joined by slashes; a segment that is one plain word of at most [`WORD_LETTERS`] letters stays itself,
//! because words such as `/image/` and `/product/` are the structure; every other segment is its
//! [`segment_shape`](super::segment_shape). A trailing slash stays. Then `?` and the parameter names, sorted, each once, digits as `#`, at
//! most [`MAX_NAMES`] of them; values say nothing.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::latin::{Kind, decoded, kind};
use super::segment::decoded_shape;
use crate::pieces::{cut, pieces};

/// The most letters of a word that stays itself.
const WORD_LETTERS: usize = 24;
/// The most parameter names in a shape.
const MAX_NAMES: usize = 16;
/// The most bytes of a name in a shape.
const NAME_BYTES: usize = 32;
/// The most segments in a shape; what is beyond becomes `*`.
const MAX_SEGMENTS: usize = 32;

/// Appends the shape of a path and query to `out`: `/image/65323/productModel/150x150?wh=1&a=2` gives
/// `/image/#/productModel/#x#?a&wh`.
pub fn url_shape(path_and_query: &str, out: &mut String) {
    let (path, query) = cut(path_and_query, b'?');
    for (at, segment) in pieces(path, b'/').enumerate() {
        if at > 0 {
            out.push('/');
        }
        if at > MAX_SEGMENTS {
            out.push('*');
            break;
        }
        push_segment(segment, out);
    }
    if let Some(query) = query {
        push_names(query, out);
    }
}

fn push_segment(segment: &str, out: &mut String) {
    let text = decoded(segment);
    let is_word = if text.is_ascii() {
        (1..=WORD_LETTERS).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphabetic())
    } else {
        text.chars().count() <= WORD_LETTERS && text.chars().all(|c| kind(c) == Kind::Letter)
    };
    if is_word {
        out.push_str(&text);
    } else {
        decoded_shape(&text, out);
    }
}

fn push_names(query: &str, out: &mut String) {
    let mut names: SmallVec<[Cow<'_, str>; MAX_NAMES]> = SmallVec::new();
    for parameter in pieces(query, b'&') {
        let (name, _value) = cut(parameter, b'=');
        if !name.is_empty() {
            names.push(name_shape(name));
        }
    }
    names.sort_unstable();
    names.dedup();
    for (at, name) in names.iter().take(MAX_NAMES).enumerate() {
        out.push(if at == 0 { '?' } else { '&' });
        out.push_str(name);
    }
}

fn name_shape(name: &str) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-' | b'.' | b'[' | b']');
    if name.len() <= NAME_BYTES && name.bytes().all(plain) {
        return Cow::Borrowed(name);
    }
    let text = decoded(name);
    if text.chars().any(|c| kind(c) == Kind::Foreign) {
        return Cow::Borrowed("{text}");
    }
    let mut shape = String::new();
    for c in text.chars() {
        if shape.len() >= NAME_BYTES {
            shape.push('*');
            break;
        }
        match kind(c) {
            Kind::Digit if shape.ends_with('#') => {}
            Kind::Digit => shape.push('#'),
            Kind::Separator if matches!(c, '&' | '=' | '?' | '#' | '/' | '{' | '}' | '*') || c.is_control() => {
                shape.push('~');
            }
            _ => shape.push(c),
        }
    }
    Cow::Owned(shape)
}
