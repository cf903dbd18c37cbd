//! Standard output is data, standard error is talk. The only place that prints.
//!
//! What is printed may come from outside: from logs, model files, URLs to be scored, settings. [`Clean`] stands before both
//! streams, so that no text from outside rules a terminal: control characters but tab and line end become `?`. Nothing
//! that this program means to print has any.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use indicatif::MultiProgress;
pub(crate) use trodden_lab::report::{counted, thousands};

/// A stream without control characters.
pub(crate) struct Clean<W: Write> {
    out: W,
    /// Whether the last byte begins a character of two bytes, among which are the control characters from U+0080 to U+009F.
    pending: bool,
}

/// The first byte of U+0080 to U+00BF.
const LATIN_LEAD: u8 = 0xC2;

impl<W: Write> Clean<W> {
    pub(crate) fn new(out: W) -> Self {
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

/// Standard output, for much data in small pieces.
pub(crate) fn stream() -> Clean<BufWriter<StdoutLock<'static>>> {
    Clean::new(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
}

/// Writes data to standard output.
pub(crate) fn data(text: &str) -> Result<()> {
    let mut out = Clean::new(io::stdout().lock());
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// What to do where a disk is full, unless the error says it itself.
pub(crate) fn about_space(error: &anyhow::Error) -> Option<&'static str> {
    let is_said = error.chain().any(|cause| cause.to_string().contains("no space is left"));
    let is_full = error.chain().any(trodden_logs::is_disk_full);
    (is_full && !is_said)
        .then_some("no space is left on that disk: free some, or choose another (-o, --scratch or TMPDIR)")
}

/// Lines of a terminal that change; what is said goes above them.
static LIVE: Mutex<Option<MultiProgress>> = Mutex::new(None);

/// Says a line on standard error. If nobody listens, nothing is lost.
pub(crate) fn say(line: &str) {
    let print = || {
        // One piece, so that lines of two threads do not mix.
        let _ = Clean::new(io::stderr().lock()).write_all(format!("{line}\n").as_bytes());
    };
    match &*LIVE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(lines) => lines.suspend(print),
        None => print(),
    }
}

/// Keeps what is said from being mixed up with lines that change, until it is dropped.
pub(crate) struct Live;

impl Live {
    pub(crate) fn begin(lines: &MultiProgress) -> Self {
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(lines.clone());
        Self
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Whether an error only means that the reader of our output went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// A word as a shell takes it.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"_-./:=@%+,".contains(&b);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A share in percent, as `12.3 %`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    if part > 0 && share < 0.05 { "<0.1 %".to_owned() } else { format!("{share:.1} %") }
}

/// A number with so many digits that count.
pub(crate) fn number(score: f64, digits: i32) -> String {
    /// More decimals tell nothing: that is a visit in three million years.
    const MOST: i32 = 9;
    if score <= 0.0 {
        return "0".to_owned();
    }
    let decimals = (digits - 1 - score.log10().floor() as i32).clamp(0, MOST);
    format!("{score:.*}", decimals as usize)
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

    #[test]
    fn ours_a_word_with_spaces_or_quotes_is_quoted() {
        assert_eq!(["c", "a b", "it's", ""].map(shell_word), ["c", "'a b'", "'it'\\''s'", "''"]);
    }

    #[test]
    fn ours_shares_are_printed_as_people_read_them() {
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(percent(1, 100_000), "<0.1 %");
        assert_eq!(percent(0, 0), "0.0 %");
    }

    #[test]
    fn ours_numbers_are_printed_with_the_digits_that_count() {
        let printed = [0.0, 1.0, 12.345_678, 98_765.4, 0.000_123_456, 1e-12].map(|n| number(n, 4));
        assert_eq!(printed.join(" "), "0 1.000 12.35 98765 0.0001235 0.000000000");
    }
}
