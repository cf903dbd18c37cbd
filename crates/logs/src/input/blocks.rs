//! Where workers get their lines from.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam::channel::{Receiver, Sender, bounded};

use super::decode::Decoder;
use super::plain::{CHUNK_BYTES, read_chunk};
use super::prepared::Prepared;
use super::pump::{BLOCK_BYTES, Pump};
use super::{Codec, FileFault, InputCaps};
use crate::format::Format;

/// Whole lines of one file.
pub(crate) struct Block {
    /// Which file, by its place in the list of inputs.
    pub(crate) file: u32,
    /// Which block of it.
    pub(crate) number: u32,
    /// The lines, after so many bytes to be skipped; the last may lack its newline.
    pub(crate) bytes: Vec<u8>,
    pub(crate) skip: usize,
    /// How to read them.
    pub(crate) format: Format,
    /// The file ends here, and not well.
    pub(crate) fault: Option<FileFault>,
}

/// Plain files that workers read themselves, and streams that threads decode.
pub(crate) struct BlockSource {
    chunks: Mutex<Chunks>,
    streams: Vec<(u32, Prepared)>,
    next_stream: AtomicUsize,
    caps: InputCaps,
    progress: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    blocks: (Sender<Block>, Receiver<Block>),
    used: (Sender<Vec<u8>>, Receiver<Vec<u8>>),
}

struct Chunks {
    files: Vec<(u32, PathBuf, u64, Format)>,
    at: usize,
    next: u32,
    /// The file at `at`, from its first chunk to its last: a thousand files are never open together.
    open: Option<Arc<File>>,
}

impl BlockSource {
    /// Sorts the inputs into what can be claimed in chunks and what must be decoded. Inputs without a format
    /// are left out.
    pub(crate) fn new(
        files: Vec<Prepared>,
        caps: InputCaps,
        threads: usize,
        progress: Arc<AtomicU64>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let mut plain = Vec::new();
        let mut streams = Vec::new();
        for (number, file) in (0_u32..).zip(files) {
            let Some(format) = file.format.clone() else { continue };
            match file.path() {
                Some(path) if file.codec == Codec::Plain && !format.sequential() && file.pipe.is_none() => {
                    plain.push((number, path.to_owned(), file.bytes, format));
                }
                _ => streams.push((number, file)),
            }
        }
        Self {
            chunks: Mutex::new(Chunks { files: plain, at: 0, next: 0, open: None }),
            streams,
            next_stream: AtomicUsize::new(0),
            caps,
            progress,
            stop,
            blocks: bounded(threads * 2),
            used: bounded(threads * 4),
        }
    }

    /// Ends the reading: workers and decoding threads stop at the next block.
    pub(crate) fn abort(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// How many threads should call [`BlockSource::decode`].
    pub(crate) fn decoders(&self, threads: usize) -> usize {
        self.streams.len().min(threads)
    }

    /// Takes and gives blocks until there are no more. Workers call it through [`BlockReader`].
    pub(crate) fn reader(&self) -> BlockReader<'_> {
        BlockReader { source: self, blocks: self.blocks.1.clone() }
    }

    /// Decodes streams, one after the other, until none is left.
    pub(crate) fn decode(&self, out: &Sender<Block>) {
        while let Some((number, file)) = self.streams.get(self.next_stream.fetch_add(1, Ordering::Relaxed)) {
            let Some(format) = file.format.clone() else { continue };
            let pump = Pump {
                file: *number,
                format,
                line_cap: self.caps.line_bytes,
                out,
                used: &self.used.1,
                stop: &self.stop,
                number: 0,
            };
            let input: io::Result<Box<dyn Read + Send>> = match (&file.pipe, file.path()) {
                (Some(pipe), _) => Ok(pipe.reader()),
                (None, Some(path)) => File::open(path).map(|f| Box::new(f) as _),
                (None, None) => Ok(Box::new(io::stdin())),
            };
            let decoder =
                input.and_then(|input| Decoder::new(input, file.codec, self.caps.ratio, self.progress.clone()));
            let done = match decoder {
                Ok(decoder) => pump.run(Stoppable { inner: decoder, stop: &self.stop }),
                Err(e) => pump.run(FailedAtOnce(Some(e))),
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// A sender for a decoding thread. The source itself must give up its own: see [`BlockSource::close`].
    pub(crate) fn sender(&self) -> Sender<Block> {
        self.blocks.0.clone()
    }

    /// Lets readers end once the decoding threads have: drops the source's own sender.
    pub(crate) fn close(&mut self) {
        self.blocks.0 = bounded(0).0;
    }

    fn claim(&self, mut buf: Vec<u8>) -> Result<Block, Vec<u8>> {
        let (file, handle, len, number, format) = {
            let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
            let at = chunks.at;
            let Some((file, path, len, format)) = chunks.files.get(at).cloned() else {
                return Err(buf);
            };
            let handle = match chunks.open.clone() {
                Some(handle) => Ok(handle),
                None => File::open(path).map(Arc::new),
            };
            chunks.open = handle.as_ref().ok().cloned();
            let number = chunks.next;
            chunks.next += 1;
            // A file that cannot be opened any more costs one entry, not one a chunk.
            if handle.is_err() || u64::from(chunks.next) * CHUNK_BYTES >= len {
                chunks.at += 1;
                chunks.next = 0;
                chunks.open = None;
            }
            (file, handle, len, number, format)
        };
        let read = handle.and_then(|handle| read_chunk(&handle, len, number, self.caps.line_bytes, &mut buf));
        let (skip, fault) = read.map_or_else(|_| (buf.len(), Some(FileFault::Unreadable)), |skip| (skip, None));
        self.progress.fetch_add(CHUNK_BYTES.min(len - u64::from(number) * CHUNK_BYTES), Ordering::Relaxed);
        Ok(Block { file, number, bytes: buf, skip, format, fault })
    }
}

/// A worker's end of a [`BlockSource`].
pub(crate) struct BlockReader<'s> {
    source: &'s BlockSource,
    blocks: Receiver<Block>,
}

impl BlockReader<'_> {
    /// The next block; `used` is a buffer to fill again. None at the end, or when the run was stopped.
    pub(crate) fn next(&self, used: Vec<u8>) -> Option<Block> {
        if self.source.stop.load(Ordering::Relaxed) {
            return None;
        }
        match self.source.claim(used) {
            Ok(block) => Some(block),
            Err(used) => {
                if used.capacity() >= BLOCK_BYTES {
                    let _ = self.source.used.0.try_send(used);
                }
                self.blocks.recv().ok()
            }
        }
    }
}

/// Ends when the run is stopped.
struct Stoppable<'a, R> {
    inner: R,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) { Ok(0) } else { self.inner.read(buf) }
    }
}

/// A file that could be opened when it was sniffed and cannot any more.
struct FailedAtOnce(Option<io::Error>);

impl Read for FailedAtOnce {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
