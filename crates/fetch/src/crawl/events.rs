//! What happened, line by line, for whoever wants to know: `events.jsonl.zst`.
//!
//! One JSON object a line, in the order in which things happened: `{"event":"fetched","key":7,"at":…,"kind":"page","change":"First","bytes":512}`; `key` is the
//! number of the URL, in order of first sight. Lines are packed together and written as a frame of their own, every few seconds and with each
//! checkpoint. How far the file goes, and which step that is, is noted in the crawl's own store: when a crawl is resumed, what is beyond it is cut
//! off, and what happened since is told again by the journal. So every event is there once, whenever the crawl was cut off.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trodden_ordering::Event;
use xxhash_rust::xxh3::Xxh3;

use super::Error;

/// Bytes of lines that make a frame.
const FRAME_BYTES: usize = 1 << 20;
/// How hard they are packed.
const LEVEL: i32 = 3;
/// A frame unpacks to no more: one of our own is little over [`FRAME_BYTES`].
const MAX_FRAME_BYTES: usize = 64 << 20;

/// How far the file goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EventMark {
    /// Its length.
    pub(super) length: u64,
    /// XXH3-64 of so many bytes.
    pub(super) hash: u64,
    /// The first step of the session whose events are not in it.
    pub(super) step: u64,
}

/// The file, and lines that are not in it yet.
pub(super) struct EventFile {
    file: File,
    path: PathBuf,
    length: u64,
    hash: Xxh3,
    lines: Vec<u8>,
}

impl EventFile {
    /// Opens the file as far as it is known to go; whether it is not what it was.
    pub(super) fn open(path: &Path, mark: EventMark) -> Result<(Self, bool), Error> {
        let opened = || -> std::io::Result<(File, u64, Xxh3, bool)> {
            let mut file = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path)?;
            let found = file.metadata()?.len();
            let (mut length, mut hash) = (mark.length, hash_of(&mut file, mark.length)?);
            let is_damaged = found < mark.length || (mark.length > 0 && hash.digest() != mark.hash);
            if is_damaged {
                // What is left is cut to whole frames.
                length = whole_frames(&mut file)?.min(mark.length);
                hash = hash_of(&mut file, length)?;
            }
            if length < found {
                file.set_len(length)?;
            }
            file.seek(SeekFrom::Start(length))?;
            Ok((file, length, hash, is_damaged))
        };
        let (file, length, hash, is_damaged) = opened().map_err(|why| Error::File { path: path.to_owned(), why })?;
        Ok((Self { file, path: path.to_owned(), length, hash, lines: Vec::new() }, is_damaged))
    }

    /// Adds a line.
    pub(super) fn record(&mut self, event: &Event) {
        // Plain numbers always have a JSON.
        if serde_json::to_writer(&mut self.lines, event).is_ok() {
            self.lines.push(b'\n');
        }
    }

    /// Whether a frame is full.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= FRAME_BYTES
    }

    /// Writes what is not in the file yet, as a frame; how far it goes then, up to this step.
    pub(super) fn flush(&mut self, step: u64) -> Result<EventMark, Error> {
        if !self.lines.is_empty() {
            let packed = zstd::bulk::compress(&self.lines, LEVEL);
            let written = packed.and_then(|frame| {
                self.file.write_all(&frame)?;
                self.length += frame.len() as u64;
                self.hash.update(&frame);
                self.file.sync_data()
            });
            written.map_err(|why| Error::File { path: self.path.clone(), why })?;
            self.lines.clear();
        }
        Ok(EventMark { length: self.length, hash: self.hash.digest(), step })
    }
}

/// The hash of the first bytes of a file.
fn hash_of(file: &mut File, length: u64) -> std::io::Result<Xxh3> {
    let (mut hash, mut bytes) = (Xxh3::new(), Vec::new());
    file.seek(SeekFrom::Start(0))?;
    file.take(length).read_to_end(&mut bytes)?;
    hash.update(&bytes);
    Ok(hash)
}

/// Bytes of whole frames at the beginning.
fn whole_frames(file: &mut File) -> std::io::Result<u64> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let mut at = 0;
    while let Ok(size) = zstd::zstd_safe::find_frame_compressed_size(&bytes[at..])
        && size > 0
        && zstd::bulk::decompress(&bytes[at..at + size], MAX_FRAME_BYTES).is_ok()
    {
        at += size;
    }
    Ok(at as u64)
}

/// How many lines a file of events has; none if it is not whole.
///
/// # Errors
/// If it cannot be read.
pub(super) fn count_lines(path: &Path) -> std::io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    if whole_frames(&mut file)? != length {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let (mut at, mut lines) = (0, 0);
    while at < bytes.len() {
        let size = zstd::zstd_safe::find_frame_compressed_size(&bytes[at..]).unwrap_or(bytes.len());
        let text = zstd::bulk::decompress(&bytes[at..at + size], MAX_FRAME_BYTES)?;
        lines += text.iter().filter(|byte| **byte == b'\n').count() as u64;
        at += size;
    }
    Ok(Some(lines))
}
