//! The bytes of a file, whatever it is packed in, for those who read something else than logs.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::InputCaps;
use super::decode::{Codec, Decoder};
use super::prepared::MAGIC_BYTES;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As it is, or packed with gzip, zstd, bzip2 or xz.
    Bytes,
    /// Parquet: visits, perhaps.
    Parquet,
}

/// Opens a file, packed or not, by its content. A ratio over [`InputCaps::ratio`], damage or a torn end is an error when it is
/// met; what comes before it is given.
///
/// # Errors
/// If it cannot be opened.
pub fn unpacked(path: &Path, caps: &InputCaps) -> io::Result<(impl Read + Send + use<>, Packing)> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    file.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
    let codec = Codec::sniff(&head);
    let decoder = Decoder::new(io::Cursor::new(head).chain(file), codec, caps.ratio, Arc::default())?;
    Ok((decoder, if codec == Codec::Parquet { Packing::Parquet } else { Packing::Bytes }))
}
