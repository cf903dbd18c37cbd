//! How are the components read off a host, a path and a query?

use std::borrow::Cow;
use std::fmt::Write as _;

use percent_encoding::percent_decode_str;
use smallvec::SmallVec;

use super::key::{Slot, SlotKey, narrow};
use super::{ComponentKey, Components, MAX_LABELS, MAX_PARAMETERS, MAX_SEGMENTS};
use crate::key::is_address;
use crate::pieces::{cut, pieces};
use crate::shape::segment_shape;

impl Components {
    pub(super) fn read_host(&mut self, host: &str) {
        if host.is_empty() {
            return;
        }
        let name = host.rsplit_once(':').map_or(host, |(name, _port)| name);
        if host.starts_with('[') || is_address(name) {
            self.push(SlotKey::HostLabel(0), host);
            return;
        }
        for (at, label) in (0..).zip(host.rsplit('.').take(MAX_LABELS)) {
            self.push(SlotKey::HostLabel(at), label);
        }
    }

    pub(super) fn read_path(&mut self, path: &str) {
        let mut segments: SmallVec<[&str; 16]> = SmallVec::new();
        let mut depth = 0;
        for segment in pieces(path, b'/').filter(|segment| !segment.is_empty()) {
            depth += 1;
            if depth <= MAX_SEGMENTS {
                segments.push(segment);
            }
        }
        let start = self.text.len();
        write!(self.text, "{depth}").expect("writing to a String cannot fail");
        self.slots.push(Slot::new(SlotKey::Depth, start..self.text.len()));
        let slash = if path.ends_with('/') { ComponentKey::YES } else { ComponentKey::NO };
        self.push(SlotKey::TrailingSlash, slash);
        for (at, segment) in (0..).zip(&segments) {
            let start = self.text.len();
            segment_shape(segment, &mut self.text);
            self.slots.push(Slot::new(SlotKey::Shape(at), start..self.text.len()));
        }
        for (at, segment) in (0..).zip(&segments) {
            self.push(SlotKey::Value(at), &readable(segment));
        }
    }

    pub(super) fn read_query(&mut self, query: &str) {
        let mut parameters: SmallVec<[(&str, &str); 16]> = SmallVec::new();
        for parameter in pieces(query, b'&') {
            let (name, value) = cut(parameter, b'=');
            if !name.is_empty() {
                parameters.push((name, value.unwrap_or_default()));
            }
        }
        // By name and then by value: neither the order of the parameters nor that of a repeated one matters.
        parameters.sort_unstable();
        let names = parameters.chunk_by(|one, other| one.0 == other.0).take(MAX_PARAMETERS);
        for values in names {
            let name_start = self.text.len();
            self.text.push_str(values[0].0);
            let start = self.text.len();
            for (at, (_, value)) in values.iter().enumerate() {
                if at > 0 {
                    self.text.push('&');
                }
                self.text.push_str(&readable(value));
            }
            let key = SlotKey::Parameter { start: narrow(name_start), end: narrow(start) };
            self.slots.push(Slot::new(key, start..self.text.len()));
        }
    }

    fn push(&mut self, key: SlotKey, value: &str) {
        let start = self.text.len();
        self.text.push_str(value);
        self.slots.push(Slot::new(key, start..self.text.len()));
    }
}

/// The decoded text, unless that is no UTF-8 or holds control characters: then as it is, so that no two values become
/// one and no report breaks.
fn readable(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    match percent_decode_str(text).decode_utf8() {
        Ok(decoded) if !decoded.chars().any(char::is_control) => decoded,
        _ => Cow::Borrowed(text),
    }
}
