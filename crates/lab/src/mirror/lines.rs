//! Which fields has a line of an edge list?
//!
//! Files are read in blocks, packed or not, and lines are handed on without copying. A line over the cap is handed on as
//! such; damage ends the file, and what came before it counts.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;

use memchr::{memchr, memchr_iter};
use trodden_logs::input::{InputCaps, unpacked};

use super::{LINE_BYTES, MirrorNotes};
use crate::error::Error;

/// Bytes read at a time; more than a line may have.
const BLOCK_BYTES: usize = 1 << 20;

/// A line with something in it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Line<'a> {
    /// As it is, without its end.
    Text(&'a [u8]),
    /// Over the cap.
    TooLong,
}

/// The name of a file, as notes and errors show it.
pub(super) fn shown(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Hands every line of a file to `each` with its number, from 1. Comments (`#`, `%`) and blank lines are counted only.
pub(crate) fn each_line(
    path: &Path,
    notes: &mut MirrorNotes,
    mut each: impl FnMut(&mut MirrorNotes, u64, Line<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |source| Error::Unreadable { name: path.display().to_string(), source };
    let (mut input, _) = unpacked(path, &InputCaps::default()).map_err(unreadable)?;
    let mut block = vec![0; BLOCK_BYTES];
    let mut filled = 0;
    let mut number = 0;
    let is_skipping = Cell::new(false);
    loop {
        let read = match input.read(&mut block[filled..]) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_end = !matches!(read, Ok(n) if n > 0);
        filled += *read.as_ref().unwrap_or(&0);
        let mut start = 0;
        let mut one = |notes: &mut MirrorNotes, line: &[u8]| {
            number += 1;
            if is_skipping.take() {
                return each(notes, number, Line::TooLong);
            }
            match without_end(line) {
                _ if line.len() > LINE_BYTES => each(notes, number, Line::TooLong),
                [] | [b'#' | b'%', ..] => {
                    notes.comments += 1;
                    Ok(())
                }
                text => each(notes, number, Line::Text(text)),
            }
        };
        for end in memchr_iter(b'\n', &block[..filled]) {
            one(notes, &block[start..end])?;
            start = end + 1;
        }
        match read {
            Ok(_) if is_end => {
                if start < filled || is_skipping.get() {
                    one(notes, &block[start..filled])?;
                }
                return Ok(());
            }
            Ok(_) => {}
            Err(source) if number == 0 => return Err(unreadable(source)),
            // A torn line at the end is a part of the damage.
            Err(source) => {
                notes.damaged_files.push(format!("{}: {source}", shown(path)));
                return Ok(());
            }
        }
        block.copy_within(start..filled, 0);
        filled -= start;
        if filled > LINE_BYTES && start == 0 && filled == block.len() {
            is_skipping.set(true);
            filled = 0;
        }
    }
}

/// Without the blanks at its ends.
fn without_end(line: &[u8]) -> &[u8] {
    match line {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => line,
        line => line.trim_ascii(),
    }
}

/// The first two fields: parted by a tab if there is one, else by blanks, else by a comma before something that starts like
/// the first field (commas may stand in a URL).
pub(super) fn fields(line: &[u8]) -> (&[u8], Option<&[u8]>) {
    let blank = |text: &[u8]| text.iter().position(u8::is_ascii_whitespace);
    let split: &dyn Fn(&[u8]) -> Option<usize> = if memchr(b'\t', line).is_some() {
        &|text| memchr(b'\t', text)
    } else if blank(line).is_some() {
        &blank
    } else {
        &comma
    };
    let Some(at) = split(line) else { return (line, None) };
    let rest = &line[at + 1..];
    // Several blanks part as one does; two tabs have an empty field between them.
    let rest = if line[at] == b'\t' { rest } else { rest.trim_ascii_start() };
    let second = &rest[..split(rest).unwrap_or(rest.len())];
    let first = line[..at].trim_ascii_end();
    // `1, 2` is parted by its blank.
    (first.strip_suffix(b",").unwrap_or(first), Some(second.trim_ascii()))
}

fn comma(line: &[u8]) -> Option<usize> {
    let is_number = line.first().is_some_and(u8::is_ascii_digit);
    memchr_iter(b',', line).find(|&at| {
        let rest = &line[at + 1..];
        if is_number { rest.first().is_some_and(|b| !b.is_ascii_alphabetic()) || is_url(rest) } else { is_url(rest) }
    })
}

/// Whether it starts like an http or https URL.
pub(super) fn is_url(text: &[u8]) -> bool {
    let starts = |scheme: &[u8]| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    starts(b"http://") || starts(b"https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_fields_are_parted_by_tabs_else_blanks_else_commas() {
        let split = |line: &'static str| {
            let (first, second) = fields(line.as_bytes());
            (std::str::from_utf8(first).unwrap(), second.map(|s| std::str::from_utf8(s).unwrap()))
        };
        assert_eq!(split("a b\tc d\te"), ("a b", Some("c d")));
        assert_eq!(split("1\t2\t9"), ("1", Some("2")));
        assert_eq!(split("1 \t 2"), ("1", Some("2")));
        assert_eq!(split("1,2,0.5"), ("1", Some("2")));
        assert_eq!(split("1, 2"), ("1", Some("2")));
        assert_eq!(split("http://a/x,y"), ("http://a/x,y", None));
        assert_eq!(split("http://a/x,y,https://b/"), ("http://a/x,y", Some("https://b/")));
        assert_eq!(split("http://a/x,y http://b/,"), ("http://a/x,y", Some("http://b/,")));
        assert_eq!(split("7,http://a/"), ("7", Some("http://a/")));
        assert_eq!(split("7\t\thttp://a/"), ("7", Some("")));
        assert_eq!(split("7  8"), ("7", Some("8")));
        assert_eq!(split("7"), ("7", None));
    }
}
