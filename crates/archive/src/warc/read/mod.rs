//! What are the records of this file, however it was written?
//!
//! ```text
//! file ─► Tape ─► Unpacker (plain, gzip by member, zstd) ─► Window (lines, bodies) ─► WarcReader ─► Record
//! ```
//!
//! The reader takes what other tools write: lines that end in `\n` alone, missing empty lines between records, names in
//! any case, values over several lines, URIs in angle brackets, kinds it does not know. What is no record is passed over
//! up to the next line that starts with `WARC/` and a digit, and costs one entry of the [`WarcTally`]. A record that the
//! damage reaches is given as far as it could be read, marked with [`Shortened::Damage`].
//!
//! Memory: one record of at most [`Caps::record_bytes`], one head, and three buffers of 64 KiB. A body over the cap is
//! passed over without being held.

mod tally;
mod tape;
mod unpack;
mod window;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub use tally::WarcTally;

use self::unpack::{Break, Unpacker};
use self::window::{Line, Taken, Window};
use super::{Shortened, WarcRecord};
use crate::headers::HeaderLine;
use crate::{Caps, Error, Headers};

/// Reads the records of a WARC file one after another.
///
/// As an iterator it gives records, and at most one error as its last item: that the file itself cannot be read on.
pub struct WarcReader<R: Read> {
    window: Window<R>,
    caps: Caps,
    tally: WarcTally,
    name: String,
    done: bool,
}

/// What came of looking for a record.
enum Found {
    Record(WarcRecord),
    /// A spot was passed over, and counted; look on.
    Nothing,
    End,
}

impl WarcReader<File> {
    /// Opens a file, plain or packed with gzip or zstd.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if it cannot be opened.
    pub fn open(path: &Path, caps: Caps) -> Result<Self, Error> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Self { name, ..Self::new(file, caps) }),
            Err(source) => Err(Error::Unreadable { name, source }),
        }
    }
}

impl<R: Read> WarcReader<R> {
    /// Reads from anything that gives bytes; no buffer is needed around it.
    pub fn new(input: R, caps: Caps) -> Self {
        let window = Window::new(Unpacker::new(input, caps.ratio));
        Self { window, caps, tally: WarcTally::default(), name: "the archive".to_owned(), done: false }
    }

    /// What was met so far.
    #[must_use]
    pub fn tally(&self) -> &WarcTally {
        &self.tally
    }

    fn find(&mut self) -> Result<Found, Break> {
        if !self.seek_start()? {
            return Ok(Found::End);
        }
        let Some(headers) = self.head()? else {
            self.tally.heads += 1;
            return Ok(Found::Nothing);
        };
        let Some(length) = headers.get("Content-Length").and_then(|n| n.parse::<u64>().ok()) else {
            self.tally.heads += 1;
            return Ok(Found::Nothing);
        };
        let mut record = WarcRecord::from_head(headers, length);
        let (taken, fault) = match self.window.take(length, self.caps.record_bytes, &mut record.body) {
            Ok(taken) => (taken, None),
            Err(fault) => (Taken::Short, Some(fault)),
        };
        if taken == Taken::Short || self.window.ends_badly() {
            record.cut = Some(Shortened::Damage);
        } else if length > self.caps.record_bytes as u64 {
            record.cut = Some(Shortened::Cap);
            self.tally.oversized += 1;
        }
        match fault {
            Some(Break::Input(e)) => return Err(Break::Input(e)),
            Some(fault) => self.count(&fault),
            None => self.tally.short += u64::from(taken == Taken::Short),
        }
        self.tally.records += 1;
        Ok(Found::Record(record))
    }

    /// Goes past the first line of the next record. False: there is none.
    fn seek_start(&mut self) -> Result<bool, Break> {
        let mut in_garbage = false;
        loop {
            let is_blank = match self.window.line(self.caps.head_bytes)? {
                Line::End => return Ok(false),
                Line::TooLong => {
                    self.window.skip_line()?;
                    false
                }
                Line::At(line) => {
                    let line = self.window.text(line);
                    if starts_record(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)) {
                        return Ok(true);
                    }
                    line.iter().all(|b| b.is_ascii_whitespace() || *b == 0)
                }
            };
            if !is_blank && !in_garbage {
                in_garbage = true;
                self.tally.garbage += 1;
            }
        }
    }

    /// The header lines up to the empty one. None: there are too many, or they do not end.
    fn head(&mut self) -> Result<Option<Headers>, Break> {
        let mut headers = Headers::default();
        let (mut bytes, mut lines, mut is_odd) = (0, 0, false);
        loop {
            let line = match self.window.line(self.caps.head_bytes)? {
                Line::End => return Ok(None),
                Line::TooLong => {
                    self.window.skip_line()?;
                    return Ok(None);
                }
                Line::At(line) => self.window.text(line),
            };
            if line.is_empty() {
                self.tally.odd_heads += u64::from(is_odd);
                return Ok(Some(headers));
            }
            if starts_record(line) && !line.contains(&b':') {
                // The head was cut, and another record starts here.
                self.tally.heads += 1;
                headers = Headers::default();
                (bytes, lines, is_odd) = (0, 0, false);
                continue;
            }
            bytes += line.len();
            lines += 1;
            if bytes > self.caps.head_bytes || lines > self.caps.header_count {
                return Ok(None);
            }
            is_odd |= headers.push_line(line) == HeaderLine::Odd;
        }
    }

    fn count(&mut self, fault: &Break) {
        match fault {
            Break::Damage => self.tally.torn += 1,
            Break::Bomb => self.tally.bombs += 1,
            Break::Input(_) => {}
        }
    }

    fn unreadable(&mut self, source: io::Error) -> Error {
        self.done = true;
        Error::Unreadable { name: self.name.clone(), source }
    }
}

impl<R: Read> Iterator for WarcReader<R> {
    type Item = Result<WarcRecord, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            match self.find() {
                Ok(Found::Record(record)) => return Some(Ok(record)),
                Ok(Found::Nothing) => {}
                Ok(Found::End) => self.done = true,
                Err(Break::Input(e)) => return Some(Err(self.unreadable(e))),
                Err(fault) => self.count(&fault),
            }
        }
        None
    }
}

/// Whether a line is the first of a record, of any version.
fn starts_record(line: &[u8]) -> bool {
    matches!(line, [b'W', b'A', b'R', b'C', b'/', b'0'..=b'9', ..])
}

#[cfg(test)]
mod tests;
