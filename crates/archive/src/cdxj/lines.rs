//! Which lines has this file, none longer than a cap?

use std::io::{self, BufRead, Read};

/// The longest line of an index. A head of 64 KiB bounds its URL, which is written twice and may grow threefold once.
pub(crate) const LINE_BYTES: usize = 5 << 16;

/// Puts the next line, with its end, into `line`. False: there is none. A line that is too long is passed over; one
/// that the file ends in is given without its end.
pub(crate) fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        line.clear();
        let read = input.by_ref().take(LINE_BYTES as u64).read_until(b'\n', line)?;
        if read < LINE_BYTES || line.ends_with(b"\n") {
            return Ok(!line.is_empty());
        }
        input.skip_until(b'\n')?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_lines_that_are_too_long_are_passed_over() {
        let text = [b"a\n".to_vec(), vec![b'x'; 3 * LINE_BYTES], b"\nb\nc".to_vec()].concat();
        let (mut input, mut line, mut lines) = (text.as_slice(), Vec::new(), Vec::new());
        while next_line(&mut input, &mut line).unwrap() {
            lines.push(String::from_utf8(line.clone()).unwrap());
        }
        assert_eq!(lines, ["a\n", "b\n", "c"]);
    }
}
