//! Where do the parts of a URL's text begin?
//!
//! ```text
//! https://user:pw@host:8443/path;x?query#fragment
//!         ^user   ^host    ^path  ^query ^fragment  (each the offset of its first byte, `?` and `#` included)
//!                     ^host_end
//! ```

use super::url::Scheme;

/// Offsets of the parts of a URL's text. A part that is missing begins where the next one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) scheme: Scheme,
    pub(super) port: Option<u16>,
    pub(super) user: u32,
    pub(super) host: u32,
    pub(super) host_end: u32,
    pub(super) path: u32,
    pub(super) query: u32,
    pub(super) fragment: u32,
}

/// An offset inside a URL as a 32-bit number.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("URLs are capped far below 4 GiB")
}
