//! How do the pieces of a URL become components?

use std::fmt::Write as _;

use super::key::{Slot, SlotKey, narrow};
use super::parts::{UrlParts, readable};
use super::{ComponentKey, Components};
use crate::shape::segment_shape;

impl Components {
    pub(super) fn read_parts(&mut self, parts: &UrlParts<'_>) {
        for (at, label) in (0..).zip(parts.labels()) {
            self.push(SlotKey::HostLabel(at), label);
        }
        let start = self.text.len();
        write!(self.text, "{}", parts.depth()).expect("writing to a String cannot fail");
        self.slots.push(Slot::new(SlotKey::Depth, start..self.text.len()));
        let slash = if parts.trailing_slash() { ComponentKey::YES } else { ComponentKey::NO };
        self.push(SlotKey::TrailingSlash, slash);
        for (at, segment) in (0..).zip(parts.segments()) {
            let start = self.text.len();
            segment_shape(segment, &mut self.text);
            self.slots.push(Slot::new(SlotKey::Shape(at), start..self.text.len()));
        }
        for (at, segment) in (0..).zip(parts.segments()) {
            self.push(SlotKey::Value(at), &readable(segment));
        }
        for (name, values) in parts.parameters() {
            let start = self.text.len();
            self.text.push_str(name);
            let key = SlotKey::Parameter { start: narrow(start), end: narrow(self.text.len()) };
            self.push(key, &values.readable());
        }
    }

    fn push(&mut self, key: SlotKey, value: &str) {
        let start = self.text.len();
        self.text.push_str(value);
        self.slots.push(Slot::new(key, start..self.text.len()));
    }
}
