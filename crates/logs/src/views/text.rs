//! UTF-8, whatever the file is in: some tools export UTF-16 with a byte order mark.

use std::io::{self, Read};

/// What a byte order mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Units {
    /// UTF-8, or near enough: bytes go through as they are.
    Bytes,
    Little,
    Big,
}

/// Bytes taken from the file at a time.
const CHUNK: usize = 1 << 16;

/// A reader that gives UTF-8 without a byte order mark.
pub(super) struct Utf8<R> {
    inner: R,
    /// None until the first bytes are there.
    units: Option<Units>,
    /// UTF-8 that was not given yet, from `at` on.
    ready: Vec<u8>,
    at: usize,
    /// Bytes of a unit or pair that is not whole yet.
    torn: Vec<u8>,
}

impl<R: Read> Utf8<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, units: None, ready: Vec::new(), at: 0, torn: Vec::new() }
    }

    /// Makes more ready; false at the end.
    fn refill(&mut self) -> io::Result<bool> {
        let mut chunk = vec![0; CHUNK];
        let n = self.inner.read(&mut chunk)?;
        chunk.truncate(n);
        let mut bytes = std::mem::take(&mut self.torn);
        bytes.append(&mut chunk);
        self.ready.clear();
        self.at = 0;
        // A mark has two or three bytes, and a reader may give one at a time.
        if self.units.is_none() && bytes.len() < 3 && n > 0 {
            self.torn = bytes;
            return Ok(true);
        }
        let units = *self.units.get_or_insert_with(|| {
            let (units, mark) = match bytes[..] {
                [0xff, 0xfe, ..] => (Units::Little, 2),
                [0xfe, 0xff, ..] => (Units::Big, 2),
                [0xef, 0xbb, 0xbf, ..] => (Units::Bytes, 3),
                _ => (Units::Bytes, 0),
            };
            bytes.drain(..mark);
            units
        });
        match units {
            Units::Bytes => self.ready = bytes,
            Units::Little | Units::Big => self.decode(&bytes, units, n == 0),
        }
        Ok(n > 0 || !self.ready.is_empty())
    }

    fn decode(&mut self, bytes: &[u8], units: Units, at_end: bool) {
        let pairs = bytes.chunks_exact(2);
        let mut rest = pairs.remainder().to_vec();
        let mut code: Vec<u16> = pairs
            .map(|pair| {
                let pair = [pair[0], pair[1]];
                if units == Units::Little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            })
            .collect();
        // The first half of a pair of surrogates waits for the second.
        if !at_end && let Some(last) = code.pop_if(|unit| (0xd800..0xdc00).contains(unit)) {
            let last = if units == Units::Little { last.to_le_bytes() } else { last.to_be_bytes() };
            rest.splice(..0, last);
        }
        let mut utf8 = [0; 4];
        for character in char::decode_utf16(code) {
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.ready.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
        }
        self.torn = rest;
        if at_end {
            self.torn.clear();
        }
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.ready.len() {
            if !self.refill()? {
                return Ok(0);
            }
        }
        let n = out.len().min(self.ready.len() - self.at);
        out[..n].copy_from_slice(&self.ready[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives a few bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(out.len());
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn read(bytes: &[u8], drip: usize) -> Vec<u8> {
        let mut out = Vec::new();
        Utf8::new(Drip(bytes, drip)).read_to_end(&mut out).unwrap();
        out
    }

    proptest! {
        #[test]
        fn ours_utf16_of_either_order_and_utf8_say_the_same(text: String, drip in 1_usize..9) {
            prop_assume!(!text.starts_with('\u{feff}'));
            let marked = format!("\u{feff}{text}");
            let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for bytes in [marked.as_bytes(), &little, &big] {
                prop_assert_eq!(&read(bytes, drip), text.as_bytes());
            }
        }

        #[test]
        fn ours_torn_or_broken_utf16_ends_and_does_not_panic(bytes: Vec<u8>, drip in 1_usize..9) {
            for mark in [&b"\xff\xfe"[..], b"\xfe\xff", b""] {
                let all = [mark, &bytes].concat();
                let got = read(&all, drip);
                prop_assert!(got.len() <= 3 * all.len());
            }
        }
    }
}
