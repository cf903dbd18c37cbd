//! One JSON object a line, its fields found by dotted path.
//!
//! A [`JsonMap`] is a tree of keys (`map`); a line is walked once by a serde visitor that follows the tree and skips
//! every other value without building it (`walk`); what it found becomes an entry (`found`). `preset` lists the names
//! that Caddy, nginx and others use; `keys` tells what else there is, where nobody's names fit. An array stands for its first item, as Caddy's headers want it. Keys compare
//! without regard to case, as header names do.

mod found;
mod keys;
mod map;
mod preset;
mod walk;

use super::context::Context;
use super::entry::{LineFault, Parsed};
use super::field::Field;

pub use keys::JsonKeys;
pub(crate) use keys::json_keys;
pub use map::JsonMap;

impl JsonMap {
    /// Caddy's access log, with the operator's own paths first.
    pub(super) fn caddy(hints: &[(Field, String)]) -> Self {
        Self::new(Some("caddy"), hints, &[preset::CADDY])
    }

    /// nginx variables under their own names, then common names, with the operator's own paths first.
    pub(super) fn nginx(hints: &[(Field, String)]) -> Self {
        Self::new(Some("nginx"), hints, &[preset::NGINX, preset::COMMON])
    }

    /// nginx variables only: to see whether a log has them.
    pub(super) fn nginx_only() -> Self {
        Self::new(Some("nginx"), &[], &[preset::NGINX])
    }

    /// Common names, with the operator's own paths first.
    pub(super) fn guess(hints: &[(Field, String)]) -> Self {
        Self::new(None, hints, &[preset::COMMON])
    }

    /// Reads one line.
    pub(super) fn parse<'a>(&self, line: &'a [u8], cx: &'a Context) -> Result<Parsed<'a>, LineFault> {
        let found = walk::walk(self, line, cx).ok_or(LineFault::Malformed)?;
        found.entry(cx).map(Parsed::Entry)
    }
}
