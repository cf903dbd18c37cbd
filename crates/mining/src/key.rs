//! What can be said of a URL, as a number and as a name.
//!
//! [`Key`] is a [`ComponentKey`] that owns its text, so that trees and models can hold it. While a tree is grown, keys
//! are numbers ([`KeyId`]): those by position have fixed ones in the order of their ties, parameters follow as they
//! are met.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trodden_urls::ComponentKey;
use trodden_urls::component::{MAX_LABELS, MAX_SEGMENTS};

/// What a component says something about; the order of the variants breaks ties.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Key {
    /// A host label, counted from the right.
    HostLabel(u8),
    /// The number of path segments.
    Depth,
    /// Whether the path ends in a slash.
    TrailingSlash,
    /// The shape of a path segment.
    Shape(u8),
    /// The text of a path segment.
    Value(u8),
    /// A query parameter by name.
    Parameter(Box<str>),
}

impl Key {
    /// The same, borrowed.
    #[must_use]
    pub fn borrowed(&self) -> ComponentKey<'_> {
        match self {
            Self::HostLabel(at) => ComponentKey::HostLabel(*at),
            Self::Depth => ComponentKey::Depth,
            Self::TrailingSlash => ComponentKey::TrailingSlash,
            Self::Shape(at) => ComponentKey::Shape(*at),
            Self::Value(at) => ComponentKey::Value(*at),
            Self::Parameter(name) => ComponentKey::Parameter(name),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.borrowed().fmt(f)
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.to_string()
    }
}

/// A text that names no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no part of a URL; write host[0], depth, slash, shape[0], path[0] or ?name")]
pub struct KeyFault(String);

impl FromStr for Key {
    type Err = KeyFault;

    fn from_str(text: &str) -> Result<Self, KeyFault> {
        let fault = || KeyFault(text.to_owned());
        if let Some(name) = text.strip_prefix('?') {
            return Ok(Self::Parameter(name.into()));
        }
        match text {
            "depth" => return Ok(Self::Depth),
            "slash" => return Ok(Self::TrailingSlash),
            _ => {}
        }
        let (word, at) = text.strip_suffix(']').and_then(|t| t.split_once('[')).ok_or_else(fault)?;
        let at: u8 = at.parse().map_err(|_| fault())?;
        match word {
            "host" if usize::from(at) < MAX_LABELS => Ok(Self::HostLabel(at)),
            "shape" if usize::from(at) < MAX_SEGMENTS => Ok(Self::Shape(at)),
            "path" if usize::from(at) < MAX_SEGMENTS => Ok(Self::Value(at)),
            _ => Err(fault()),
        }
    }
}

impl TryFrom<String> for Key {
    type Error = KeyFault;

    fn try_from(text: String) -> Result<Self, KeyFault> {
        text.parse()
    }
}

/// The number of a key while a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyId(pub(crate) u32);

#[expect(clippy::cast_possible_truncation, reason = "the caps are below 64")]
impl KeyId {
    pub(crate) const DEPTH: Self = Self(MAX_LABELS as u32);
    pub(crate) const SLASH: Self = Self(MAX_LABELS as u32 + 1);
    const SHAPES: u32 = MAX_LABELS as u32 + 2;
    const VALUES: u32 = Self::SHAPES + MAX_SEGMENTS as u32;
    /// The first parameter.
    pub(crate) const PARAMETERS: u32 = Self::VALUES + MAX_SEGMENTS as u32;

    pub(crate) fn label(at: usize) -> Self {
        Self(at as u32)
    }
    pub(crate) fn shape(at: usize) -> Self {
        Self(Self::SHAPES + at as u32)
    }
    pub(crate) fn value(at: usize) -> Self {
        Self(Self::VALUES + at as u32)
    }
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
    pub(crate) fn is_parameter(self) -> bool {
        self.0 >= Self::PARAMETERS
    }
    pub(crate) fn is_shape(self) -> bool {
        (Self::SHAPES..Self::VALUES).contains(&self.0)
    }
    pub(crate) fn is_value(self) -> bool {
        (Self::VALUES..Self::PARAMETERS).contains(&self.0)
    }

    /// The key of a number by position; parameters are named by the table that numbered them.
    pub(crate) fn positional(self) -> Option<Key> {
        Some(match self.0 {
            n if n < Self::DEPTH.0 => Key::HostLabel(n as u8),
            n if n == Self::DEPTH.0 => Key::Depth,
            n if n == Self::SLASH.0 => Key::TrailingSlash,
            n if n < Self::VALUES => Key::Shape((n - Self::SHAPES) as u8),
            n if n < Self::PARAMETERS => Key::Value((n - Self::VALUES) as u8),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_keys_are_written_and_read_back_in_their_order() {
        let keys =
            ["host[0]", "host[15]", "depth", "slash", "shape[0]", "shape[31]", "path[0]", "path[31]", "?", "?a]"];
        let parsed: Vec<Key> = keys.iter().map(|k| k.parse().unwrap()).collect();
        assert!(parsed.is_sorted());
        assert_eq!(parsed.iter().map(Key::to_string).collect::<Vec<_>>(), keys);
        for bad in ["", "path", "path[32]", "path[-1]", "host[16]", "shape[0", "depth[1]"] {
            assert!(bad.parse::<Key>().is_err(), "{bad}");
        }
        for id in 0..KeyId::PARAMETERS {
            let key = KeyId(id).positional().unwrap();
            assert_eq!(key.to_string().parse::<Key>().unwrap(), key);
        }
    }
}
