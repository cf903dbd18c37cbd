//! Compressed bytes that can be wound back a little.
//!
//! A damaged gzip member may make the decoder run into the members after it before it notices. To find those again, the
//! last [`HISTORY_BYTES`] that were handed out are kept.

use std::io::{self, BufRead, Read};

/// How far the tape can be wound back.
pub(super) const HISTORY_BYTES: usize = 1 << 16;
/// Bytes asked of the input at once.
const STEP_BYTES: usize = 1 << 16;

/// A buffered input that counts what is taken of it.
pub(super) struct Tape<R> {
    input: R,
    buf: Vec<u8>,
    at: usize,
    /// The place of `buf[0]` in the input.
    base: u64,
    ended: bool,
    fault: Option<io::Error>,
}

impl<R: Read> Tape<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buf: Vec::new(), at: 0, base: 0, ended: false, fault: None }
    }

    /// How many bytes of the input are taken.
    pub(super) fn place(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Winds back to `place`, or as far as the history goes.
    pub(super) fn rewind(&mut self, place: u64) {
        let back = usize::try_from(self.place().saturating_sub(place)).unwrap_or(usize::MAX);
        self.at = self.at.saturating_sub(back);
    }

    /// Why the input itself failed, if it did; a decoder above hides it otherwise.
    pub(super) fn take_fault(&mut self) -> Option<io::Error> {
        self.fault.take()
    }

    /// At least `wanted` bytes from here, fewer only at the end. At most [`HISTORY_BYTES`] may be wanted.
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.buf.len() - self.at < wanted && !self.ended {
            self.grow()?;
        }
        Ok(self.ready())
    }

    /// What is at hand without asking the input.
    pub(super) fn ready(&self) -> &[u8] {
        &self.buf[self.at..]
    }

    fn grow(&mut self) -> io::Result<()> {
        if self.at > HISTORY_BYTES {
            let old = self.at - HISTORY_BYTES;
            self.buf.drain(..old);
            self.at -= old;
            self.base += old as u64;
        }
        let len = self.buf.len();
        self.buf.resize(len + STEP_BYTES, 0);
        let read = loop {
            match self.input.read(&mut self.buf[len..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buf.truncate(len + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(n) => {
                self.ended |= n == 0;
                Ok(())
            }
            Err(e) => {
                self.ended = true;
                let kind = e.kind();
                self.fault = Some(e);
                Err(kind.into())
            }
        }
    }
}

impl<R: Read> Read for Tape<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let n = ready.len().min(out.len());
        out[..n].copy_from_slice(&ready[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: Read> BufRead for Tape<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, n: usize) {
        self.at = (self.at + n).min(self.buf.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_tape_winds_back_as_far_as_its_history() {
        let bytes: Vec<u8> = (0..400_000_u32).map(|i| (i % 251) as u8).collect();
        let mut tape = Tape::new(&bytes[..]);
        let mut out = vec![0; 300_000];
        tape.read_exact(&mut out).unwrap();
        assert_eq!(out, bytes[..300_000]);
        tape.rewind(299_000);
        assert_eq!(tape.place(), 299_000);
        assert_eq!(tape.peek(5).unwrap()[..5], bytes[299_000..299_005]);
        tape.rewind(0);
        assert!(tape.place() <= 299_000 && tape.place() > 0, "not to the beginning, and not forward");
        let from = usize::try_from(tape.place()).unwrap();
        let mut rest = Vec::new();
        tape.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, bytes[from..]);
        assert!(tape.buf.len() <= 2 * (HISTORY_BYTES + STEP_BYTES));
    }
}
