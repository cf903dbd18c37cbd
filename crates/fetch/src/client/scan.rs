//! Is the head of an answer complete, and is it one? Looks at every byte once, however slowly they come.

use memchr::memchr;

use super::{ClientCaps, FetchFault, HeadFault};

const START: &[u8] = b"HTTP/1.";
const SWITCHING_PROTOCOLS: u16 = 101;

/// How far the bytes of a head were looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scan {
    /// Where the head begins: blank lines before it do not count (RFC 9112 §2.2 allows them for requests; servers
    /// that count their bytes wrong leave them before answers).
    from: usize,
    /// Where the line begins that is not complete.
    line: usize,
    /// Before here there is no line end that was not seen.
    searched: usize,
    lines: usize,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scanned {
    /// More bytes are needed.
    Unfinished,
    /// A whole head of an answer before the answer; it ends before `to`.
    Interim { to: usize },
    /// The head.
    Final { from: usize, to: usize },
}

impl Scan {
    /// Goes on. `data` begins with what it began with before.
    pub(super) fn step(&mut self, data: &[u8], caps: &ClientCaps) -> Result<Scanned, FetchFault> {
        while let Some(at) = memchr(b'\n', &data[self.searched..]) {
            let end = self.searched + at;
            let line = &data[self.line..end];
            (self.line, self.searched) = (end + 1, end + 1);
            if !matches!(line, [] | b"\r") {
                self.lines += 1;
                if self.lines == 1 && !line.starts_with(START) {
                    return Err(FetchFault::Malformed(HeadFault::NotHttp));
                }
                if self.lines > caps.header_count.saturating_add(1) {
                    return Err(FetchFault::TooManyHeaders);
                }
            } else if self.lines == 0 {
                self.from = end + 1;
            } else {
                self.within(end + 1, caps)?;
                return Ok(match status_of(&data[self.from..end]) {
                    Some(100..200) => Scanned::Interim { to: end + 1 },
                    _ => Scanned::Final { from: self.from, to: end + 1 },
                });
            }
        }
        self.searched = data.len();
        if self.lines == 0 {
            let begun = &data[self.line..];
            let n = begun.len().min(START.len());
            if begun[..n] != START[..n] && begun != b"\r" {
                return Err(FetchFault::Malformed(HeadFault::NotHttp));
            }
        }
        self.within(data.len(), caps)?;
        Ok(Scanned::Unfinished)
    }

    fn within(&self, to: usize, caps: &ClientCaps) -> Result<(), FetchFault> {
        if to > caps.head_bytes { Err(FetchFault::HeadTooLong) } else { Ok(()) }
    }
}

/// The status, if it is one that only comes before others.
fn status_of(head: &[u8]) -> Option<u16> {
    let digits = head.get(START.len() + 2..START.len() + 5)?;
    let status = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (status != SWITCHING_PROTOCOLS).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(data: &[u8]) -> Result<Scanned, FetchFault> {
        let caps = ClientCaps { head_bytes: 60, header_count: 2, ..ClientCaps::default() };
        let whole = Scan::default().step(data, &caps);
        // Byte by byte the end is found at the same place, or the fault earlier.
        let mut drip = Scan::default();
        let found =
            (1..=data.len()).map(|n| drip.step(&data[..n], &caps)).find(|step| *step != Ok(Scanned::Unfinished));
        assert_eq!(found.unwrap_or(Ok(Scanned::Unfinished)), whole);
        whole
    }

    #[test]
    fn rfc9112_a_head_ends_at_its_first_blank_line() {
        assert_eq!(scan(b"HTTP/1.1 200 OK\r\na: b\r\n\r\n\r\nc"), Ok(Scanned::Final { from: 0, to: 25 }));
        assert_eq!(scan(b"\r\n\nHTTP/1.0 200\n\nx"), Ok(Scanned::Final { from: 3, to: 17 }));
        assert_eq!(scan(b"HTTP/1.1 100 Continue\r\n\r\nHTTP"), Ok(Scanned::Interim { to: 25 }));
        assert_eq!(scan(b"HTTP/1.1 101 S\r\n\r\n"), Ok(Scanned::Final { from: 0, to: 18 }));
        assert_eq!(scan(b"HTTP/1.1 200 OK\r\na: b\r\n"), Ok(Scanned::Unfinished));
    }

    proptest::proptest! {
        #[test]
        fn ours_any_bytes_come_to_the_same_in_pieces(words in proptest::collection::vec(
            proptest::sample::select(vec!["HTTP/1.1 200 OK", "HTTP/1.", "\r\n", "\n", "a: b", "x", "HTTP/1.0 100 "]), 0..12,
        ), piece in 1_usize..9) {
            let caps = ClientCaps { head_bytes: 60, header_count: 2, ..ClientCaps::default() };
            let data = words.concat().into_bytes();
            let whole = Scan::default().step(&data, &caps);
            let mut drip = Scan::default();
            let ends = (0..data.len()).step_by(piece).map(|n| (n + piece).min(data.len()));
            let found = ends.map(|n| drip.step(&data[..n], &caps)).find(|step| *step != Ok(Scanned::Unfinished));
            let found = found.unwrap_or(Ok(Scanned::Unfinished));
            // Which of two caps is met first depends on the pieces.
            proptest::prop_assert!(found == whole || (found.is_err() && whole.is_err()), "{found:?} {whole:?}");
        }
    }

    #[test]
    fn ours_what_is_no_head_or_too_much_of_one_is_told_at_once() {
        for garbage in [&b"S"[..], b"SSH-2.0-x\r\n", b"<html>", b"HTTP/2 200\r\n", b"HTTQ", b"\0\0\0\0"] {
            assert_eq!(scan(garbage), Err(FetchFault::Malformed(HeadFault::NotHttp)));
        }
        assert_eq!(scan(b"HTTP/1.1 200 OK\r\na:\r\nb:\r\nc:\r\n"), Err(FetchFault::TooManyHeaders));
        assert_eq!(scan(&[&b"HTTP/1.1 200 "[..], &[b'x'; 80]].concat()), Err(FetchFault::HeadTooLong));
        assert_eq!(scan(&b"\n".repeat(80)), Err(FetchFault::HeadTooLong));
    }
}
