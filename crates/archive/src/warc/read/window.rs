//! A window on the unpacked bytes: lines, and bodies of a known length, within a bound of memory.

use std::io::Read;
use std::ops::Range;

use memchr::memchr;

use super::starts_record;
use super::unpack::{Break, Piece, Unpacker};

/// Bytes unpacked at once.
const STEP_BYTES: usize = 1 << 16;
/// Enough to know the first line of a record.
const START_BYTES: usize = 6;

pub(super) struct Window<R: Read> {
    unpacker: Unpacker<R>,
    buf: Vec<u8>,
    at: usize,
    ended: bool,
    /// What comes after the buffer, if it was met already.
    ahead: Option<Result<Fill, Break>>,
}

/// What was added to the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    More,
    /// Nothing: a member ends here.
    Edge,
    End,
}

/// A line, by its place in the buffer and without its end.
pub(super) enum Line {
    At(Range<usize>),
    /// Longer than the cap: what was seen of it is passed over, its end is still to come.
    TooLong,
    End,
}

/// How much of a body was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    Whole,
    /// The file ends, or the next record starts, before the body does.
    Short,
}

impl<R: Read> Window<R> {
    pub(super) fn new(unpacker: Unpacker<R>) -> Self {
        Self { unpacker, buf: Vec::new(), at: 0, ended: false, ahead: None }
    }

    /// The bytes of a line.
    pub(super) fn text(&self, line: Range<usize>) -> &[u8] {
        &self.buf[line]
    }

    /// The next line; it stays in the buffer until the next call.
    pub(super) fn line(&mut self, cap: usize) -> Result<Line, Break> {
        let mut searched = 0;
        loop {
            if let Some(found) = memchr(b'\n', &self.buf[self.at + searched..]) {
                let (start, end) = (self.at, self.at + searched + found);
                if end - start > cap {
                    self.at = end;
                    return Ok(Line::TooLong);
                }
                self.at = end + 1;
                let has_return = end > start && self.buf[end - 1] == b'\r';
                return Ok(Line::At(start..end - usize::from(has_return)));
            }
            searched = self.buf.len() - self.at;
            if searched > cap {
                self.at = self.buf.len();
                return Ok(Line::TooLong);
            }
            if self.fill()? == Fill::End {
                let rest = self.at..self.buf.len();
                self.at = self.buf.len();
                return Ok(if rest.is_empty() { Line::End } else { Line::At(rest) });
            }
        }
    }

    /// Passes over the rest of a line that was too long.
    pub(super) fn skip_line(&mut self) -> Result<(), Break> {
        loop {
            match memchr(b'\n', &self.buf[self.at..]) {
                Some(found) => {
                    self.at += found + 1;
                    return Ok(());
                }
                None => self.at = self.buf.len(),
            }
            if self.fill()? == Fill::End {
                return Ok(());
            }
        }
    }

    /// Takes `length` bytes, of which the first `keep` go into `body`; the others are passed over.
    pub(super) fn take(&mut self, length: u64, keep: usize, body: &mut Vec<u8>) -> Result<Taken, Break> {
        let mut left = length;
        let mut crossed_edge = false;
        while left > 0 {
            if self.at == self.buf.len() {
                match self.fill()? {
                    Fill::More if crossed_edge && starts_record(&self.buf) => return Ok(Taken::Short),
                    Fill::More => crossed_edge = false,
                    Fill::Edge => crossed_edge = true,
                    Fill::End => return Ok(Taken::Short),
                }
            }
            let ready = &self.buf[self.at..];
            let n = usize::try_from(left).map_or(ready.len(), |left| left.min(ready.len()));
            let kept = n.min(keep.saturating_sub(body.len()));
            body.extend_from_slice(&ready[..kept]);
            self.at += n;
            left -= n as u64;
        }
        Ok(Taken::Whole)
    }

    /// Looks past the line ends after a body, to where its member was checked or the next record starts. True: the body
    /// is not what was written.
    ///
    /// The check of a member comes after its last byte, so without this a record would be given before it is known
    /// to be bad. And where something else follows, the length was wrong: at once in a plain file, which may have
    /// anything between records, and at all in a packed one.
    pub(super) fn ends_badly(&mut self) -> bool {
        let mut line_ends = 0;
        loop {
            while self.buf.get(self.at).is_some_and(|b| matches!(b, b'\r' | b'\n')) {
                self.at += 1;
                line_ends += 1;
            }
            let rest = &self.buf[self.at..];
            if rest.len() >= START_BYTES || !rest.is_empty() && self.ahead.is_some() {
                return !starts_record(rest) && (line_ends == 0 || self.unpacker.is_packed());
            }
            match self.fill() {
                Ok(Fill::More) => {}
                Ok(Fill::Edge | Fill::End) => return false,
                Err(fault) => {
                    let is_damage = matches!(fault, Break::Damage);
                    self.ahead = Some(Err(fault));
                    return is_damage;
                }
            }
        }
    }

    /// Adds bytes of one member to the buffer, after dropping those that are done with.
    fn fill(&mut self) -> Result<Fill, Break> {
        if self.ended && self.ahead.is_none() {
            return Ok(Fill::End);
        }
        self.buf.drain(..self.at);
        self.at = 0;
        let next = match self.ahead.take() {
            Some(next) => next,
            None => self.unpack(),
        };
        self.ended |= matches!(next, Ok(Fill::End) | Err(Break::Bomb | Break::Input(_)));
        if next.is_err() {
            // What is left in the buffer is torn off what comes after: nothing of it may be joined to that.
            self.at = self.buf.len();
        }
        next
    }

    fn unpack(&mut self) -> Result<Fill, Break> {
        let before = self.buf.len();
        let mut end = before;
        self.buf.resize(before + STEP_BYTES, 0);
        let next = loop {
            match self.unpacker.read(&mut self.buf[end..]) {
                Ok(Piece::Bytes(n)) => end += n,
                Ok(Piece::MemberEnd) => break Ok(Fill::Edge),
                Ok(Piece::End) => break Ok(Fill::End),
                Err(fault) => break Err(fault),
            }
            // More than one byte, so that the start of a record is seen whole.
            if end - before >= START_BYTES {
                break Ok(Fill::More);
            }
        };
        self.buf.truncate(end);
        if end == before {
            return next;
        }
        if !matches!(next, Ok(Fill::More)) {
            self.ahead = Some(next);
        }
        Ok(Fill::More)
    }
}
