//! Which bytes does the file hold? Plain or gzip, no more than the cap.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::caps::{STANDARD_BYTES, SitemapCaps};

/// The marker in the error of a file that is over a cap.
#[derive(Debug, thiserror::Error)]
#[error("the file is longer than its cap")]
pub(super) struct OverCap;

/// A file's bytes, unpacked; beyond the cap it fails with [`OverCap`].
pub(super) struct Unpacked<R: Read> {
    inner: Decoder<R>,
    given: u64,
    caps: SitemapCaps,
}

enum Decoder<R: Read> {
    Plain(BufReader<R>),
    Gzip(Box<MultiGzDecoder<CountedRead<BufReader<R>>>>),
}

impl<R: Read> Unpacked<R> {
    pub(super) fn new(input: R, caps: &SitemapCaps) -> io::Result<Self> {
        let mut input = BufReader::with_capacity(1 << 16, input);
        let is_gzip = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let inner = if is_gzip {
            Decoder::Gzip(Box::new(MultiGzDecoder::new(CountedRead { inner: input, taken: 0 })))
        } else {
            Decoder::Plain(input)
        };
        Ok(Self { inner, given: 0, caps: caps.clone() })
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from((self.caps.bytes + 1).saturating_sub(self.given)).unwrap_or(usize::MAX);
        let n = out.len().min(left);
        let (n, most) = match &mut self.inner {
            Decoder::Plain(input) => (input.read(&mut out[..n])?, u64::MAX),
            Decoder::Gzip(decoder) => {
                let n = decoder.read(&mut out[..n])?;
                (n, STANDARD_BYTES.max(decoder.get_ref().taken.saturating_mul(self.caps.ratio)))
            }
        };
        self.given += n as u64;
        if self.given > self.caps.bytes.min(most) {
            return Err(io::Error::other(OverCap));
        }
        Ok(n)
    }
}

/// Counts the compressed bytes that the decoder takes.
struct CountedRead<R> {
    inner: R,
    taken: u64,
}

impl<R: BufRead> Read for CountedRead<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(out)?;
        self.taken += n as u64;
        Ok(n)
    }
}

impl<R: BufRead> BufRead for CountedRead<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.taken += n as u64;
        self.inner.consume(n);
    }
}
