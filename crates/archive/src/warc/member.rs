//! Where are the records of a file that was packed a record at a time?
//!
//! The reader ([`read`](mod@super::read)) takes any file and tells no places. An index and a repair need places, and of
//! each record only its beginning: [`Members`] unpacks one gzip member after another, keeps the first
//! [`START_BYTES`] of it, and counts the rest. A member is *whole* if gzip's own check sum holds and it is exactly one
//! record: a head, as many bytes as that says, and two empty lines.

use std::io::{self, BufRead};

use flate2::{Decompress, FlushDecompress, Status};

use super::RecordKind;
use crate::Headers;
use crate::caps::HEAD_BYTES;

/// What is kept of a member: a head of a record and a head of an HTTP message.
pub(crate) const START_BYTES: usize = 2 * HEAD_BYTES;
const STEP_BYTES: usize = 1 << 16;
const WINDOW_BITS: u8 = 15;

/// One member: its place, and what is known of the record in it.
pub(crate) struct Member {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) kind: RecordKind,
    pub(crate) headers: Headers,
    /// The block, or as much of it as was kept.
    pub(crate) block: Vec<u8>,
}

/// What comes next in the file.
pub(crate) enum Step {
    /// A record that is whole.
    Whole(Member),
    /// Something that is not: nothing after it is looked at.
    Torn,
    /// The end of the file.
    End,
}

/// Walks from member to member.
pub(crate) struct Members<R> {
    input: R,
    at: u64,
    out: Box<[u8]>,
}

impl<R: BufRead> Members<R> {
    /// From an input that stands at the beginning of a member, at this place of its file.
    pub(crate) fn new(input: R, at: u64) -> Self {
        Self { input, at, out: vec![0; STEP_BYTES].into() }
    }

    /// The next member.
    pub(crate) fn step(&mut self) -> io::Result<Step> {
        let mut inflate = Decompress::new_gzip(WINDOW_BITS);
        let mut start: Vec<u8> = Vec::new();
        let mut tail = [0; 4];
        loop {
            let ready = self.input.fill_buf()?;
            if ready.is_empty() && inflate.total_in() == 0 {
                return Ok(Step::End);
            }
            let (taken, given) = (inflate.total_in(), inflate.total_out());
            let Ok(status) = inflate.decompress(ready, &mut self.out, FlushDecompress::None) else {
                return Ok(Step::Torn);
            };
            let taken = difference(inflate.total_in(), taken);
            let out = &self.out[..difference(inflate.total_out(), given)];
            start.extend_from_slice(&out[..out.len().min(START_BYTES - start.len())]);
            for byte in &out[out.len().saturating_sub(4)..] {
                tail.rotate_left(1);
                tail[3] = *byte;
            }
            let is_idle = taken == 0 && out.is_empty();
            self.input.consume(taken);
            if status == Status::StreamEnd {
                break;
            }
            if is_idle {
                return Ok(Step::Torn);
            }
        }
        let offset = self.at;
        self.at += inflate.total_in();
        let Some((headers, at)) = head_of(&start) else { return Ok(Step::Torn) };
        let says = headers.get("Content-Length").and_then(|n| n.parse::<u64>().ok());
        let is_exact = says.and_then(|n| n.checked_add(at as u64 + 4)) == Some(inflate.total_out());
        if !is_exact || tail != *b"\r\n\r\n" {
            return Ok(Step::Torn);
        }
        start.drain(..at);
        start.truncate(says.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX));
        let kind = headers.get("WARC-Type").map_or(RecordKind::Other, RecordKind::named);
        Ok(Step::Whole(Member { offset, length: inflate.total_in(), kind, headers, block: start }))
    }
}

fn difference(now: u64, before: u64) -> usize {
    usize::try_from(now - before).expect("no more than a buffer")
}

/// The headers of a record, and where its block starts.
fn head_of(start: &[u8]) -> Option<(Headers, usize)> {
    if !start.starts_with(b"WARC/") {
        return None;
    }
    let seen = &start[..start.len().min(HEAD_BYTES)];
    let end = memchr::memmem::find(seen, b"\r\n\r\n")?;
    let mut headers = Headers::default();
    for line in seen[..end].split(|b| *b == b'\n').skip(1) {
        headers.push_line(line.strip_suffix(b"\r").unwrap_or(line));
    }
    Some((headers, end + 4))
}
