//! How does a record become a gzip member?
//!
//! The compressor is made once and wound back for every member: its tables are some 260 kB, and to make them anew for
//! each record would cost more than to pack a small page. Members carry no time and no name, so the same record gives
//! the same bytes.

use flate2::{Compress, Compression, FlushCompress, Status};

/// gzip's window of 32 KiB.
const WINDOW_BITS: u8 = 15;

/// Packed bytes are made so many at a time. The library would clear all room that a vector has left, again and again: for
/// small records that cost more than packing them.
const SCRATCH_BYTES: usize = 16 << 10;

pub(super) struct Packer {
    compress: Compress,
    scratch: Box<[u8]>,
}

impl Packer {
    pub(super) fn new(level: u32) -> Self {
        let compress = Compress::new_gzip(Compression::new(level.min(9)), WINDOW_BITS);
        Self { compress, scratch: vec![0; SCRATCH_BYTES].into() }
    }

    /// Appends one member that holds these stretches of bytes, one after another.
    pub(super) fn member(&mut self, parts: &[&[u8]], out: &mut Vec<u8>) {
        self.compress.reset();
        for part in parts {
            self.feed(part, FlushCompress::None, out);
        }
        self.feed(b"", FlushCompress::Finish, out);
    }

    fn feed(&mut self, mut rest: &[u8], flush: FlushCompress, out: &mut Vec<u8>) {
        loop {
            let before = (self.compress.total_in(), self.compress.total_out());
            let status =
                self.compress.compress(rest, &mut self.scratch, flush).expect("a fresh stream takes any bytes");
            let moved = |now: u64, before: u64| usize::try_from(now - before).expect("no more than there is room for");
            rest = &rest[moved(self.compress.total_in(), before.0)..];
            out.extend_from_slice(&self.scratch[..moved(self.compress.total_out(), before.1)]);
            let is_done = match flush {
                FlushCompress::Finish => status == Status::StreamEnd,
                _ => rest.is_empty(),
            };
            if is_done {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        flate2::bufread::MultiGzDecoder::new(bytes).read_to_end(&mut out).unwrap();
        out
    }

    #[test]
    fn rfc1952_members_follow_one_another_and_do_not_depend_on_those_before() {
        let noise: Vec<u8> = (0..200_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for level in 0..=9 {
            let mut packer = Packer::new(level);
            let (mut first, mut second, mut both) = (Vec::new(), Vec::new(), Vec::new());
            packer.member(&[b"head", &noise, b"tail"], &mut first);
            packer.member(&[b"", b"small", b""], &mut second);
            packer.member(&[b"head", &noise, b"tail"], &mut both);
            packer.member(&[b"", b"small", b""], &mut both);
            assert_eq!(both, [first.as_slice(), &second].concat());
            assert_eq!(unpacked(&first), [b"head", noise.as_slice(), b"tail"].concat());
            assert_eq!(unpacked(&second), b"small");
            assert!(first.len() < 201_000);
        }
    }
}
