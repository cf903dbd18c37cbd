//! From a stream of bytes to blocks of whole lines, on a thread of its own.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam::channel::{Receiver, SendTimeoutError, Sender};
use memchr::{memchr, memrchr};

use super::decode::Bomb;
use super::{Block, FileFault};
use crate::format::Format;

/// Bytes of a block, give or take a line.
pub(super) const BLOCK_BYTES: usize = 1 << 20;

/// How long a full queue is waited for before the run is asked whether it goes on.
const PATIENCE: Duration = Duration::from_millis(200);

/// Cuts one stream into blocks.
pub(super) struct Pump<'a> {
    pub(super) file: u32,
    pub(super) format: Format,
    pub(super) line_cap: usize,
    pub(super) out: &'a Sender<Block>,
    pub(super) used: &'a Receiver<Vec<u8>>,
    pub(super) stop: &'a AtomicBool,
    pub(super) number: u32,
}

/// The reader of blocks is gone: the run was stopped.
pub(super) struct Stopped;

impl Pump<'_> {
    /// Reads to the end, or to the first fault.
    pub(super) fn run(mut self, mut input: impl Read) -> Result<(), Stopped> {
        let mut buf = self.buffer();
        let mut skipping = false;
        loop {
            let end = fill(&mut input, &mut buf);
            if skipping {
                // The rest of a line that was over the cap: nothing of it counts twice.
                match memchr(b'\n', &buf) {
                    Some(i) => {
                        buf.drain(..=i);
                        skipping = false;
                    }
                    None => buf.clear(),
                }
            }
            match (memrchr(b'\n', &buf), end) {
                (Some(i), _) => {
                    let mut rest = self.buffer();
                    rest.extend_from_slice(&buf[i + 1..]);
                    buf.truncate(i + 1);
                    self.send(std::mem::replace(&mut buf, rest))?;
                }
                (None, Filled::Full) if buf.len() > self.line_cap => {
                    buf.truncate(self.line_cap + 1);
                    let next = self.buffer();
                    self.send(std::mem::replace(&mut buf, next))?;
                    skipping = true;
                }
                (None, _) => {}
            }
            match end {
                Filled::Full => {}
                Filled::End => return if buf.is_empty() { Ok(()) } else { self.send(buf) },
                // What is left is the torn part of a line: it is the entry that the fault costs.
                Filled::Fault(fault) => {
                    buf.clear();
                    return self.emit(buf, Some(fault));
                }
            }
        }
    }

    fn buffer(&self) -> Vec<u8> {
        let mut buf = self.used.try_recv().unwrap_or_else(|_| Vec::with_capacity(BLOCK_BYTES + (BLOCK_BYTES >> 4)));
        buf.clear();
        buf
    }

    /// Sends whole lines, cut where a directive changes how the rest is read.
    fn send(&mut self, bytes: Vec<u8>) -> Result<(), Stopped> {
        if !self.format.sequential() {
            return self.emit(bytes, None);
        }
        let mut from = 0;
        let mut at = 0;
        while at < bytes.len() {
            let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
            if bytes[at] == b'#'
                && let Some(next) = self.format.after_header(&bytes[at..end])
            {
                if from < at {
                    self.emit(bytes[from..at].to_vec(), None)?;
                }
                from = at;
                self.format = next;
            }
            at = end + 1;
        }
        self.emit(if from == 0 { bytes } else { bytes[from..].to_vec() }, None)
    }

    fn emit(&mut self, bytes: Vec<u8>, fault: Option<FileFault>) -> Result<(), Stopped> {
        let block = Block { file: self.file, number: self.number, bytes, skip: 0, format: self.format.clone(), fault };
        self.number += 1;
        let mut block = block;
        // Workers may be gone when the run is stopped, and nobody takes what is sent.
        loop {
            match self.out.send_timeout(block, PATIENCE) {
                Ok(()) => return Ok(()),
                Err(SendTimeoutError::Timeout(back)) if !self.stop.load(Ordering::Relaxed) => block = back,
                Err(_) => return Err(Stopped),
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Filled {
    Full,
    End,
    Fault(FileFault),
}

fn fill(input: &mut impl Read, buf: &mut Vec<u8>) -> Filled {
    let goal = buf.len().max(BLOCK_BYTES) + if buf.len() >= BLOCK_BYTES { BLOCK_BYTES } else { 0 };
    let mut at = buf.len();
    buf.resize(goal, 0);
    let end = loop {
        if at == goal {
            break Filled::Full;
        }
        match input.read(&mut buf[at..]) {
            Ok(0) => break Filled::End,
            Ok(n) => at += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => break Filled::Fault(fault_of(&e)),
        }
    };
    buf.truncate(at);
    end
}

/// What an error while reading says about the file.
pub(super) fn fault_of(error: &io::Error) -> FileFault {
    if error.get_ref().is_some_and(|e| e.is::<Bomb>()) {
        return FileFault::Bomb;
    }
    match error.kind() {
        io::ErrorKind::UnexpectedEof => FileFault::Truncated,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => FileFault::Damaged,
        _ => FileFault::Unreadable,
    }
}
