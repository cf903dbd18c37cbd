//! What can be said of a URL, and in which order?

use std::fmt;
use std::ops::Range;

use super::Component;

/// What a component says something about. The order of the variants breaks ties in the pattern tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComponentKey<'a> {
    /// A host label, counted from the right: 0 is the top-level domain. An address is label 0 as a whole.
    HostLabel(u8),
    /// The number of non-empty path segments, as a decimal number.
    Depth,
    /// Whether the path ends in a slash: [`YES`](Self::YES) or [`NO`](Self::NO).
    TrailingSlash,
    /// The shape of a path segment, counted from 0 on the left; empty segments do not count.
    Shape(u8),
    /// The decoded text of a path segment, counted likewise.
    Value(u8),
    /// A query parameter, by its name as written.
    Parameter(&'a str),
}

impl ComponentKey<'_> {
    /// The value of a key that holds.
    pub const YES: &'static str = "yes";
    /// The value of a key that does not hold.
    pub const NO: &'static str = "no";
}

impl fmt::Display for ComponentKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostLabel(at) => write!(f, "host[{at}]"),
            Self::Depth => f.write_str("depth"),
            Self::TrailingSlash => f.write_str("slash"),
            Self::Shape(at) => write!(f, "shape[{at}]"),
            Self::Value(at) => write!(f, "path[{at}]"),
            Self::Parameter(name) => write!(f, "?{name}"),
        }
    }
}

/// A key without the text of a parameter's name.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlotKey {
    HostLabel(u8),
    Depth,
    TrailingSlash,
    Shape(u8),
    Value(u8),
    Parameter { start: u32, end: u32 },
}

/// A component as offsets into the shared text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) key: SlotKey,
    start: u32,
    end: u32,
}

impl Slot {
    pub(super) fn new(key: SlotKey, value: Range<usize>) -> Self {
        Self { key, start: narrow(value.start), end: narrow(value.end) }
    }

    pub(super) fn component<'a>(&self, text: &'a str) -> Component<'a> {
        let key = match self.key {
            SlotKey::HostLabel(at) => ComponentKey::HostLabel(at),
            SlotKey::Depth => ComponentKey::Depth,
            SlotKey::TrailingSlash => ComponentKey::TrailingSlash,
            SlotKey::Shape(at) => ComponentKey::Shape(at),
            SlotKey::Value(at) => ComponentKey::Value(at),
            SlotKey::Parameter { start, end } => ComponentKey::Parameter(&text[start as usize..end as usize]),
        };
        Component { key, value: &text[self.start as usize..self.end as usize] }
    }
}

/// An offset into the components' text, whose sources are capped URLs.
pub(super) fn narrow(at: usize) -> u32 {
    u32::try_from(at).expect("the components of a URL are far below 4 GiB")
}
