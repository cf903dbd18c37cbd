//! How is a stream kept from ruling a terminal?
//!
//! What is printed may come from outside: from logs, model files, URLs to be scored, settings. [`Clean`] stands before a
//! stream: control characters but tab and line end become `?`.

use std::io::{self, Write};

/// A stream without control characters.
#[derive(Debug)]
pub struct Clean<W: Write> {
    out: W,
    /// Whether the last byte begins a character of two bytes, among which are the control characters from U+0080 to U+009F.
    pending: bool,
}

/// The first byte of U+0080 to U+00BF.
const LATIN_LEAD: u8 = 0xC2;

impl<W: Write> Clean<W> {
    /// Before that stream.
    pub fn new(out: W) -> Self {
        Self { out, pending: false }
    }
}

fn rules_terminal(byte: u8) -> bool {
    byte == LATIN_LEAD || byte == 0x7F || (byte < b' ' && byte != b'\n' && byte != b'\t')
}

impl<W: Write> Write for Clean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.pending) {
                let is_control = (0x80..0xA0).contains(&first);
                self.out.write_all(if is_control { b"?" } else { &[LATIN_LEAD] })?;
                if is_control {
                    rest = &rest[1..];
                }
                continue;
            }
            let plain = rest.iter().position(|byte| rules_terminal(*byte)).unwrap_or(rest.len());
            self.out.write_all(&rest[..plain])?;
            rest = &rest[plain..];
            if let Some((byte, after)) = rest.split_first() {
                self.pending = *byte == LATIN_LEAD;
                if !self.pending {
                    self.out.write_all(b"?")?;
                }
                rest = after;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(pieces: &[&[u8]]) -> Vec<u8> {
        let mut out = Clean::new(Vec::new());
        pieces.iter().for_each(|piece| out.write_all(piece).unwrap());
        out.out
    }

    #[test]
    fn ours_no_text_from_outside_rules_the_terminal() {
        assert_eq!(cleaned(&[b"\x1b[31mred\x07 \x7f\ttab\nline\r\n"]), b"?[31mred? ?\ttab\nline?\n");
        assert_eq!(cleaned(&["a\u{9b}31m\u{80}\u{9f}z".as_bytes()]), b"a?31m??z");
        for text in ["\u{a0}\u{a9}\u{bf}ß é 产品 خرید", "plain", ""] {
            assert_eq!(cleaned(&[text.as_bytes()]), text.as_bytes());
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(cleaned(&bytes), text.as_bytes(), "in pieces");
        }
        assert_eq!(cleaned(&[b"\xC2", b"\x9b", b"x\xC2", b"\xC2\x85"]), b"?x\xC2?", "also across pieces");
    }
}
