//! Records and cells of CSV and TSV.
//!
//! A record of CSV may go over several lines, within quotes (RFC 4180); one of TSV is a line. Lines that begin with `#` are
//! comments: GA4 writes some before the header.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

/// What stands between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Tab,
    Comma,
    Semicolon,
}

impl Separator {
    pub(super) const ALL: [Self; 3] = [Self::Tab, Self::Comma, Self::Semicolon];

    fn character(self) -> char {
        match self {
            Self::Tab => '\t',
            Self::Comma => ',',
            Self::Semicolon => ';',
        }
    }

    /// Cells of TSV are taken as they stand.
    fn quotes(self) -> bool {
        self != Self::Tab
    }

    /// `csv` or `tsv`.
    pub(super) fn name(self) -> &'static str {
        if self == Self::Tab { "TSV" } else { "CSV" }
    }
}

/// Lines of a file, one after the other, none longer than a cap.
pub(super) struct Lines<R> {
    inner: BufReader<R>,
    cap: usize,
    line: Vec<u8>,
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(inner: R, cap: usize) -> Self {
        Self { inner: BufReader::with_capacity(1 << 16, inner), cap, line: Vec::new(), number: 0 }
    }

    /// The number of the last line, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line without its end; none at the end of the file. Of a line beyond the cap comes what is within it.
    pub(super) fn next(&mut self) -> io::Result<Option<Cow<'_, str>>> {
        self.line.clear();
        let mut taken = 0;
        loop {
            let bytes = self.inner.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', bytes);
            let n = end.map_or(bytes.len(), |end| end + 1);
            taken += n;
            let room = self.cap.saturating_sub(self.line.len());
            self.line.extend_from_slice(&bytes[..end.unwrap_or(n).min(room)]);
            self.inner.consume(n);
            if end.is_some() {
                break;
            }
        }
        if taken == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(Some(String::from_utf8_lossy(&self.line)))
    }

    /// Adds lines to a record for as long as a quote is open; false if the file or the cap ends before the quote.
    pub(super) fn complete(&mut self, record: &mut String, separator: Separator) -> io::Result<bool> {
        while separator.quotes() && has_open_quote(record) {
            let cap = self.cap;
            let Some(line) = self.next()? else { return Ok(false) };
            record.push('\n');
            record.push_str(&line);
            if record.len() > cap {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether a line is a comment.
pub(super) fn is_comment(line: &str) -> bool {
    line.trim_start().trim_start_matches('"').starts_with('#')
}

/// An odd number of quotes: doubled ones are two.
fn has_open_quote(record: &str) -> bool {
    memchr::memchr_iter(b'"', record.as_bytes()).count() % 2 == 1
}

/// The cells of a record.
pub(super) fn cells(record: &str, separator: Separator) -> Vec<Cow<'_, str>> {
    let mut cells = Vec::new();
    let mut rest = Some(record);
    while let Some(text) = rest {
        let (cell, after) = match text.strip_prefix('"').filter(|_| separator.quotes()).map(quoted) {
            Some((cell, after)) => (cell, after.split_once(separator.character()).map(|(_, rest)| rest)),
            None => match text.split_once(separator.character()) {
                Some((cell, after)) => (Cow::Borrowed(cell), Some(after)),
                None => (Cow::Borrowed(text), None),
            },
        };
        cells.push(cell);
        rest = after;
    }
    cells
}

/// A cell after its opening quote, and what follows the closing one.
fn quoted(text: &str) -> (Cow<'_, str>, &str) {
    let bytes = text.as_bytes();
    let mut from = 0;
    let mut doubled = false;
    while let Some(at) = memchr::memchr(b'"', &bytes[from..]) {
        let end = from + at;
        if bytes.get(end + 1) != Some(&b'"') {
            let cell = &text[..end];
            let cell = if doubled { Cow::Owned(cell.replace("\"\"", "\"")) } else { Cow::Borrowed(cell) };
            return (cell, &text[end + 1..]);
        }
        doubled = true;
        from = end + 2;
    }
    (Cow::Borrowed(text), "")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rfc4180_cells_may_be_quoted_and_go_over_lines() {
        let text = "# about\n\"a, b\",\"say \"\"so\"\"\nand on\",3\r\nplain,,\n";
        let mut lines = Lines::new(text.as_bytes(), 1_000);
        assert!(is_comment(&lines.next().unwrap().unwrap()));
        let mut record = lines.next().unwrap().unwrap().into_owned();
        assert!(lines.complete(&mut record, Separator::Comma).unwrap());
        assert_eq!(cells(&record, Separator::Comma), ["a, b", "say \"so\"\nand on", "3"]);
        let record = lines.next().unwrap().unwrap().into_owned();
        assert_eq!(cells(&record, Separator::Comma), ["plain", "", ""]);
        assert_eq!(lines.number(), 4);
        assert!(lines.next().unwrap().is_none());
        assert_eq!(cells("\"a\"\tb", Separator::Tab), ["\"a\"", "b"]);
    }

    #[test]
    fn ours_lines_and_records_meet_a_cap() {
        let long = format!("{}\nnext\n", "x".repeat(100));
        let mut lines = Lines::new(long.as_bytes(), 10);
        assert_eq!(lines.next().unwrap().unwrap().len(), 10);
        assert_eq!(lines.next().unwrap().unwrap(), "next");
        let open = format!("\"{}", "never closed\n".repeat(100));
        let mut lines = Lines::new(open.as_bytes(), 50);
        let mut record = lines.next().unwrap().unwrap().into_owned();
        assert!(!lines.complete(&mut record, Separator::Comma).unwrap());
        assert!(record.len() < 100);
    }

    proptest! {
        #[test]
        fn rfc4180_what_was_quoted_comes_back(values in prop::collection::vec("[a-z,\"; ]{0,8}", 1..6)) {
            let record: Vec<String> = values.iter().map(|v| format!("\"{}\"", v.replace('"', "\"\""))).collect();
            let record = record.join(",");
            prop_assert_eq!(cells(&record, Separator::Comma), values);
        }
    }
}
