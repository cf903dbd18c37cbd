//! Where workers get their lines from.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam::channel::{Receiver, Sender, bounded};

use super::decode::Decoder;
use super::plain::{CHUNK_BYTES, read_chunk};
use super::pump::{BLOCK_BYTES, Pump};
use super::{Caps, Codec, FileFault, Input};
use crate::error::Error;
use crate::format::{Format, Hints, detect};

/// Bytes looked at to tell the format.
const SAMPLE_BYTES: usize = 1 << 18;

/// Whole lines of one file.
pub(crate) struct Block {
    /// Which file, by its place in the list of inputs.
    pub(crate) file: u32,
    /// Which block of it.
    pub(crate) number: u32,
    /// The lines; the last may lack its newline.
    pub(crate) bytes: Vec<u8>,
    /// How to read them.
    pub(crate) format: Format,
    /// The file ends here, and not well.
    pub(crate) fault: Option<FileFault>,
}

/// An input that was looked at.
pub(crate) struct Prepared {
    /// As shown to the operator.
    pub(crate) name: String,
    /// What the bytes are packed in.
    pub(crate) codec: Codec,
    /// How to read its lines; none for visits, for an empty file, or if nothing fits.
    pub(crate) format: Option<Format>,
    /// Whether there is anything in it.
    pub(crate) empty: bool,
    /// Bytes on disk, if known.
    pub(crate) bytes: u64,
    input: Input,
    /// What was read of standard input already.
    head: Vec<u8>,
}

impl Prepared {
    /// The path, unless it is standard input.
    pub(crate) fn path(&self) -> Option<&std::path::Path> {
        match &self.input {
            Input::File(path) => Some(path),
            Input::Stdin => None,
        }
    }
}

/// Sniffs every input and tells its format. A file in which no format is seen takes that of the file before it
/// (a log cut into pieces has its header in the first).
///
/// # Errors
/// If a file cannot be opened.
pub(crate) fn prepare(inputs: &[Input], hints: &Hints, caps: &Caps) -> Result<Vec<Prepared>, Error> {
    let mut prepared: Vec<Prepared> = Vec::with_capacity(inputs.len());
    for input in inputs {
        let unreadable = |source: io::Error| Error::Unreadable { name: input.name(), source };
        let (codec, sample, head, bytes) = match input {
            Input::File(path) => {
                let mut file = File::open(path).map_err(unreadable)?;
                let bytes = file.metadata().map_err(unreadable)?.len();
                let mut magic = Vec::new();
                file.by_ref().take(6).read_to_end(&mut magic).map_err(unreadable)?;
                let codec = Codec::sniff(&magic);
                let decoder = Decoder::new(io::Cursor::new(magic).chain(file), codec, caps.ratio, Arc::default())
                    .map_err(unreadable)?;
                (codec, sample(decoder), Vec::new(), bytes)
            }
            Input::Stdin => {
                let mut head = Vec::new();
                io::stdin().lock().take(SAMPLE_BYTES as u64).read_to_end(&mut head).map_err(unreadable)?;
                let codec = Codec::sniff(&head);
                let decoder = Decoder::new(io::Cursor::new(head.clone()), codec, caps.ratio, Arc::default())
                    .map_err(unreadable)?;
                (codec, sample(decoder), head, 0)
            }
        };
        let format = if codec == Codec::Parquet { None } else { detect(&sample, hints) };
        prepared.push(Prepared {
            name: input.name(),
            codec,
            format,
            empty: sample.is_empty(),
            bytes,
            input: input.clone(),
            head,
        });
    }
    inherit(&mut prepared);
    Ok(prepared)
}

fn inherit(files: &mut [Prepared]) {
    let first = files.iter().find_map(|f| f.format.clone());
    let mut last = None;
    for file in files.iter_mut().filter(|f| f.codec != Codec::Parquet) {
        if file.format.is_none() && !file.empty {
            file.format = last.clone().or_else(|| first.clone());
        }
        last = file.format.clone().or(last);
    }
}

/// As much as can be read; a damaged file is found out when it is read in full.
fn sample(mut decoder: impl Read) -> Vec<u8> {
    let mut sample = vec![0; SAMPLE_BYTES];
    let mut at = 0;
    while at < sample.len() {
        match decoder.read(&mut sample[at..]) {
            Ok(0) | Err(_) => break,
            Ok(n) => at += n,
        }
    }
    sample.truncate(at);
    sample
}

/// Plain files that workers read themselves, and streams that threads decode.
pub(crate) struct BlockSource {
    chunks: Mutex<Chunks>,
    streams: Vec<(u32, Prepared)>,
    next_stream: AtomicUsize,
    caps: Caps,
    progress: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    blocks: (Sender<Block>, Receiver<Block>),
    used: (Sender<Vec<u8>>, Receiver<Vec<u8>>),
}

struct Chunks {
    files: Vec<(u32, Arc<File>, u64, Format)>,
    at: usize,
    next: u32,
}

impl BlockSource {
    /// Sorts the inputs into what can be claimed in chunks and what must be decoded. Inputs without a format
    /// are left out.
    pub(crate) fn new(
        files: Vec<Prepared>,
        caps: Caps,
        threads: usize,
        progress: Arc<AtomicU64>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, Error> {
        let mut plain = Vec::new();
        let mut streams = Vec::new();
        for (number, file) in (0_u32..).zip(files) {
            let Some(format) = file.format.clone() else { continue };
            match file.path() {
                Some(path) if file.codec == Codec::Plain && !format.sequential() && file.bytes > 0 => {
                    let unreadable = |source| Error::Unreadable { name: file.name.clone(), source };
                    plain.push((number, Arc::new(File::open(path).map_err(unreadable)?), file.bytes, format));
                }
                _ => streams.push((number, file)),
            }
        }
        Ok(Self {
            chunks: Mutex::new(Chunks { files: plain, at: 0, next: 0 }),
            streams,
            next_stream: AtomicUsize::new(0),
            caps,
            progress,
            stop,
            blocks: bounded(threads * 2),
            used: bounded(threads * 4),
        })
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
            let pump =
                Pump { file: *number, format, line_cap: self.caps.line_bytes, out, used: &self.used.1, number: 0 };
            let input: io::Result<Box<dyn Read + Send>> = match &file.input {
                Input::File(path) => File::open(path).map(|f| Box::new(f) as _),
                Input::Stdin => Ok(Box::new(io::Cursor::new(file.head.clone()).chain(io::stdin()))),
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
            let Some((file, handle, len, format)) = chunks.files.get(at).cloned() else {
                return Err(buf);
            };
            let number = chunks.next;
            chunks.next += 1;
            if u64::from(chunks.next) * CHUNK_BYTES >= len {
                chunks.at += 1;
                chunks.next = 0;
            }
            (file, handle, len, number, format)
        };
        let fault =
            read_chunk(&handle, len, number, self.caps.line_bytes, &mut buf).err().map(|_| FileFault::Unreadable);
        self.progress.fetch_add(CHUNK_BYTES.min(len - u64::from(number) * CHUNK_BYTES), Ordering::Relaxed);
        Ok(Block { file, number, bytes: buf, format, fault })
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
