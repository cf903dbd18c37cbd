//! What happened, line by line, for whoever wants to know: `events.jsonl.zst`.
//!
//! One JSON object a line, in the order in which things happened. Lines are packed together for some time and written as a
//! frame of their own, so that a crawl that is cut off loses the last moments at most; what is known of its pages is in
//! the frontier, and complete.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use trodden_ordering::Event;

use super::Error;

/// Bytes of lines that make a frame.
const FRAME_BYTES: usize = 1 << 20;
/// How hard they are packed.
const LEVEL: i32 = 3;

/// The file, and lines that are not in it yet.
pub(super) struct EventFile {
    file: File,
    path: PathBuf,
    lines: Vec<u8>,
}

impl EventFile {
    /// Opens the file, to be added to.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        let file = opened.map_err(|why| Error::File { path: path.to_owned(), why })?;
        Ok(Self { file, path: path.to_owned(), lines: Vec::new() })
    }

    /// Adds a line.
    pub(super) fn record(&mut self, event: &Event<u32>) {
        // Plain numbers always have a JSON.
        if serde_json::to_writer(&mut self.lines, event).is_ok() {
            self.lines.push(b'\n');
        }
    }

    /// Whether a frame is full.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= FRAME_BYTES
    }

    /// Writes what is not in the file yet, as a frame.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let packed = zstd::bulk::compress(&self.lines, LEVEL).and_then(|frame| self.file.write_all(&frame));
        packed.map_err(|why| Error::File { path: self.path.clone(), why })?;
        self.lines.clear();
        Ok(())
    }
}
