//! Which bytes are the log? From what the operator typed to blocks of whole lines.
//!
//! [`find`] turns files, globs, directories and `-` into inputs. Each is sniffed (codec by content, never by
//! name; [`FileKind`] tells what is no log), its first lines tell the format, and workers then take blocks: chunks of a
//! plain file are claimed and read by the workers themselves, everything else is decoded by a thread of its own.
//! [`reading`] tells beforehand whether an output would be read as an input.
//!
//! Every byte is hostile: lines, decompression ratio and block sizes have caps ([`InputCaps`]). A damaged file gives
//! what can be read of it, then one fault.

mod blocks;
mod decode;
mod discover;
mod kind;
mod overlap;
mod patient;
mod plain;
mod prepared;
mod pump;
mod unpacked;

pub(crate) use blocks::{Block, BlockSource};
pub(crate) use decode::Codec;
pub use discover::{Input, find};
pub use kind::FileKind;
pub use overlap::reading;
pub(crate) use prepared::{Prepared, prepare};
pub use unpacked::{Packing, unpacked};

use serde::{Deserialize, Serialize};

/// Limits on what is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InputCaps {
    /// Longest line, in bytes; a longer one is counted and skipped.
    pub line_bytes: usize,
    /// Longest URL, in bytes.
    pub url_bytes: usize,
    /// How many bytes one compressed byte may become, after the first 64 MiB.
    pub ratio: u64,
}

impl Default for InputCaps {
    fn default() -> Self {
        Self { line_bytes: 1 << 16, url_bytes: 1 << 13, ratio: 1_000 }
    }
}

/// Why a file could not be read to its end. One entry of the ledger each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFault {
    /// The compressed data stops in the middle.
    Truncated,
    /// The compressed data is not what it says it is.
    Damaged,
    /// The operating system refused.
    Unreadable,
    /// It grows beyond [`InputCaps::ratio`].
    Bomb,
}
