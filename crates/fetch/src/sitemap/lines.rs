//! Which URLs are in this list? One a line; empty lines and those that start with `#` say nothing.

use std::io::{self, BufRead};

use memchr::memchr;

/// One line that says something.
pub(super) enum ListLine<'a> {
    Text(&'a str),
    TooLong,
}

/// Tells `each` of every line until it answers false. Holds no more than `cap` bytes of a line.
pub(super) fn read(mut input: impl BufRead, cap: usize, mut each: impl FnMut(ListLine<'_>) -> bool) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let ready = input.fill_buf()?;
        let is_end = ready.is_empty();
        let (part, used) = match memchr(b'\n', ready) {
            Some(at) => (&ready[..at], at + 1),
            None => (ready, ready.len()),
        };
        // White space at the start is not held: a line of blanks may be of any length.
        let part = if line.is_empty() { part.trim_ascii_start() } else { part };
        line.extend_from_slice(&part[..part.len().min((cap + 1).saturating_sub(line.len()))]);
        let is_whole = is_end || used > 0 && ready[used - 1] == b'\n';
        input.consume(used);
        if is_whole {
            // The cap may cut a character, so the length is asked first.
            let text = line.trim_ascii();
            let goes_on = match std::str::from_utf8(text) {
                _ if text.is_empty() || text.starts_with(b"#") => true,
                Ok(text) if line.len() <= cap => each(ListLine::Text(text)),
                _ => each(ListLine::TooLong),
            };
            line.clear();
            if is_end || !goes_on {
                return Ok(());
            }
        }
    }
}
