//! Codecs by content: gzip (also many members), zstd, bzip2, xz, or plain.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Plain,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    /// Not a codec: our own visits.
    Parquet,
}

impl Codec {
    /// By the first bytes of a file; six are enough.
    pub(crate) fn sniff(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'P', b'A', b'R', b'1', ..] => Self::Parquet,
            _ => Self::Plain,
        }
    }
}

/// Bytes that a decoder may give before its ratio is looked at: small files may be anything.
const RATIO_FREE_BYTES: u64 = 64 << 20;

/// A decoder that counts what it takes, and stops when it gives too much for it.
pub(crate) struct Decoder {
    inner: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
    given: u64,
    ratio: u64,
}

/// The marker in the error of a decoder that grew beyond its ratio.
#[derive(Debug, thiserror::Error)]
#[error("one compressed byte became too many")]
pub(crate) struct Bomb;

impl Decoder {
    /// Decodes `input`. `progress` is told of every byte taken from it.
    pub(crate) fn new(
        input: impl Read + Send + 'static,
        codec: Codec,
        ratio: u64,
        progress: Arc<AtomicU64>,
    ) -> io::Result<Self> {
        let taken = Arc::new(AtomicU64::new(0));
        let counted = BufReader::with_capacity(1 << 17, Counted { inner: input, taken: taken.clone(), progress });
        let inner: Box<dyn Read + Send> = match codec {
            Codec::Plain | Codec::Parquet => Box::new(counted),
            Codec::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(counted)),
            Codec::Zstd => Box::new(zstd::Decoder::with_buffer(counted)?),
            Codec::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(counted)),
            Codec::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(counted)),
        };
        let ratio = if codec == Codec::Plain { u64::MAX } else { ratio };
        Ok(Self { inner, taken, given: 0, ratio })
    }
}

impl Read for Decoder {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.given += n as u64;
        if self.given > RATIO_FREE_BYTES && self.given / self.ratio > self.taken.load(Ordering::Relaxed) {
            return Err(io::Error::other(Bomb));
        }
        Ok(n)
    }
}

struct Counted<R> {
    inner: R,
    taken: Arc<AtomicU64>,
    progress: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.taken.fetch_add(n as u64, Ordering::Relaxed);
        self.progress.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}
