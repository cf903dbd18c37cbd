//! Which text do these bytes mean?
//!
//! A byte order mark decides, else the declaration of an XML document, else it is UTF-8. What the charset does not allow
//! becomes U+FFFD, so that one bad byte does not end the reading.

use std::io::{self, BufRead, Read};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes looked at to tell the charset.
const HEAD_BYTES: usize = 1 << 10;
const STEP_BYTES: usize = 1 << 14;

/// A reader that gives UTF-8 only.
pub(crate) struct Utf8<R> {
    input: R,
    decoder: Decoder,
    /// Bytes that wait for the decoder.
    raw: Vec<u8>,
    raw_at: usize,
    /// Text that is ready.
    text: Vec<u8>,
    text_at: usize,
    ended: bool,
    done: bool,
    /// Met in the first bytes; told once they are given.
    fault: Option<io::Error>,
}

impl<R: Read> Utf8<R> {
    pub(crate) fn new(mut input: R) -> Self {
        let mut raw = Vec::new();
        let fault = input.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut raw).err();
        let decoder = charset_of(&raw).new_decoder_with_bom_removal();
        Self { input, decoder, raw, raw_at: 0, text: Vec::new(), text_at: 0, ended: false, done: false, fault }
    }

    fn decode(&mut self) -> io::Result<()> {
        self.text_at = 0;
        self.text.clear();
        while self.text.is_empty() && !self.done {
            if self.raw_at == self.raw.len() && !self.ended {
                if let Some(fault) = self.fault.take() {
                    return Err(fault);
                }
                self.raw_at = 0;
                self.raw.resize(STEP_BYTES, 0);
                let read = self.input.read(&mut self.raw);
                self.raw.truncate(*read.as_ref().unwrap_or(&0));
                self.ended = read? == 0;
            }
            self.text.resize(STEP_BYTES * 3, 0);
            let (result, taken, given, _) =
                self.decoder.decode_to_utf8(&self.raw[self.raw_at..], &mut self.text, self.ended);
            self.raw_at += taken;
            self.text.truncate(given);
            self.done = self.ended && result == CoderResult::InputEmpty;
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let n = ready.len().min(out.len());
        out[..n].copy_from_slice(&ready[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: Read> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.text_at == self.text.len() {
            self.decode()?;
        }
        Ok(&self.text[self.text_at..])
    }

    fn consume(&mut self, n: usize) {
        self.text_at = (self.text_at + n).min(self.text.len());
    }
}

fn charset_of(head: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return encoding;
    }
    match head {
        [0, b'<', 0, ..] => UTF_16BE,
        [b'<', 0, _, 0, ..] => UTF_16LE,
        _ => declared(head).filter(|e| *e != UTF_16BE && *e != UTF_16LE).unwrap_or(UTF_8),
    }
}

/// `<?xml version="1.0" encoding="x"?>`.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    let end = memchr::memchr(b'>', declaration)?;
    let text = String::from_utf8_lossy(&declaration[..end]);
    let value = text.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Encoding::for_label(value[1..].split(quote).next()?.as_bytes())
}
