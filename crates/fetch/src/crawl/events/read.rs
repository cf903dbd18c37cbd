//! Which events are in a file? Lines are unpacked as a stream: a file of any length is read in a fixed amount of memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::line::{EVENTS_VERSION, EventLine, Head};
use crate::crawl::Error;

/// A line is no longer: a URL has 16 KiB at most, and may be escaped.
const MAX_LINE_BYTES: u64 = 1 << 18;
/// The window that a frame may ask for, as a power of two: ours are made of at most a few megabytes.
const WINDOW_LOG: u32 = 27;

/// Tells the events of a file, in their order; the version of the file.
///
/// # Errors
/// If the file cannot be read to its end, holds something else, or is of a newer version; or if whoever is told fails.
pub fn read_events(path: &Path, mut tell: impl FnMut(EventLine<'_>) -> Result<(), Error>) -> Result<u32, Error> {
    let unread = |why| Error::Unread { path: path.to_owned(), why };
    let damaged = |why: &str| unread(std::io::Error::new(std::io::ErrorKind::InvalidData, why.to_owned()));
    let file = File::open(path).map_err(unread)?;
    let mut unpacked = zstd::Decoder::new(file).map_err(unread)?;
    unpacked.window_log_max(WINDOW_LOG).map_err(unread)?;
    let mut lines = BufReader::with_capacity(1 << 16, unpacked);
    let (mut line, mut version) = (Vec::new(), None);
    loop {
        line.clear();
        let read = (&mut lines).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(unread)?;
        if read == 0 {
            return Ok(version.unwrap_or(EVENTS_VERSION));
        }
        if line.last() != Some(&b'\n') {
            return Err(damaged("a line is cut off, or too long"));
        }
        if version.is_none() {
            match serde_json::from_slice(&line) {
                Ok(Head { trodden_events }) if trodden_events > EVENTS_VERSION => {
                    return Err(damaged(&format!(
                        "its events are of version {trodden_events}, and this program reads versions 1 to \
                         {EVENTS_VERSION}: use the program that wrote them, or a newer one"
                    )));
                }
                Ok(Head { trodden_events }) => {
                    version = Some(trodden_events);
                    continue;
                }
                // The first version had no first line of its own.
                Err(_) => version = Some(1),
            }
        }
        tell(serde_json::from_slice(&line).map_err(|why| damaged(&format!("a line is no event: {why}")))?)?;
    }
}
