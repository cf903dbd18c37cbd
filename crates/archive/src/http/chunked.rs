//! Which body do these chunks hold? (RFC 9112, section 7.1)
//!
//! Many archives keep the header and not the chunks. So a body whose first line is no chunk size is given as it is, and
//! that is no fault.

use std::borrow::Cow;

use memchr::memchr;

use super::{BodyFault, Decoded};

/// The longest line before a chunk, with extensions.
const SIZE_LINE_BYTES: usize = 1 << 12;

pub(super) fn undo(body: &[u8]) -> Decoded<'_> {
    let mut joined = Vec::new();
    let mut rest = body;
    let mut first = true;
    loop {
        let Some((size, after)) = size_line(rest) else {
            if first {
                return Decoded { body: Cow::Borrowed(body), fault: None };
            }
            return Decoded { body: Cow::Owned(joined), fault: Some(BodyFault::Damaged) };
        };
        if size == 0 {
            return Decoded { body: Cow::Owned(joined), fault: None };
        }
        let Some((chunk, after)) = usize::try_from(size).ok().and_then(|size| after.split_at_checked(size)) else {
            if first && size > u64::from(u32::MAX) {
                // Text that happens to look like hexadecimal digits.
                return Decoded { body: Cow::Borrowed(body), fault: None };
            }
            joined.extend_from_slice(after);
            return Decoded { body: Cow::Owned(joined), fault: Some(BodyFault::Damaged) };
        };
        joined.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).unwrap_or(after);
        first = false;
    }
}

/// The size of a chunk and what comes after its line.
fn size_line(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = memchr(b'\n', &bytes[..bytes.len().min(SIZE_LINE_BYTES)])?;
    let size = bytes[..end].split(|b| *b == b';').next()?.trim_ascii();
    let is_hex = (1..=16).contains(&size.len()) && size.iter().all(u8::is_ascii_hexdigit);
    let size = is_hex.then(|| u64::from_str_radix(std::str::from_utf8(size).ok()?, 16).ok())??;
    Some((size, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &[u8]) -> (Vec<u8>, Option<BodyFault>) {
        let decoded = undo(body);
        (decoded.body.into_owned(), decoded.fault)
    }

    #[test]
    fn rfc9112_chunks_are_joined_extensions_and_trailers_dropped() {
        let body = b"4;a=b\r\nWiki\r\n5 \r\npedia\r\n0\r\nTrailer: x\r\n\r\n";
        assert_eq!(of(body), (b"Wikipedia".to_vec(), None));
        assert_eq!(of(b"3\nabc\n0\n\n"), (b"abc".to_vec(), None));
    }

    #[test]
    fn ours_a_body_that_is_not_chunked_is_left_alone() {
        for body in [&b"<html>\r\n"[..], b"", b"no line", b"ffffffffffff\nx", b"-1\r\nx"] {
            assert_eq!(of(body), (body.to_vec(), None));
        }
    }

    #[test]
    fn ours_chunks_that_stop_give_what_is_there() {
        assert_eq!(of(b"3\r\nabc\r\n5\r\nde"), (b"abcde".to_vec(), Some(BodyFault::Damaged)));
        assert_eq!(of(b"3\r\nabc\r\n"), (b"abc".to_vec(), Some(BodyFault::Damaged)));
        assert_eq!(of(b"3\r\nabc\r\nzz\r\n"), (b"abc".to_vec(), Some(BodyFault::Damaged)));
    }
}
