//! The request line: `METHOD SP target SP HTTP/x`.
//!
//! Servers write what the client sent, so the line may lack the protocol (HTTP/0.9), hold spaces inside the target
//! (kept: everything between the first and the last space), or be a TLS handshake met on a plain port.

use super::entry::LineFault;

/// The longest method name believed.
const METHOD_LIMIT: usize = 20;

/// Splits a request line into method and target, escapes still in place.
#[inline]
pub(super) fn split(line: &[u8]) -> Result<(&[u8], &[u8]), LineFault> {
    let end = method_length(line);
    if end == 0 || line.get(end) != Some(&b' ') {
        return Err(LineFault::BadRequest);
    }
    let target = without_protocol(&line[end + 1..]);
    if target.is_empty() || target == b"-" {
        return Err(LineFault::BadRequest);
    }
    Ok((&line[..end], target))
}

/// Whether the bytes can be the name of a method.
pub(super) fn is_method(name: &[u8]) -> bool {
    !name.is_empty() && method_length(name) == name.len()
}

/// How many leading bytes are a method name; 0 if they are too many.
#[inline]
fn method_length(line: &[u8]) -> usize {
    let window = &line[..line.len().min(METHOD_LIMIT + 1)];
    let end = window.iter().position(|byte| !matches!(byte, b'A'..=b'Z' | b'-' | b'_')).unwrap_or(window.len());
    // A lone dash is how an empty request is written.
    if end > METHOD_LIMIT || (end == 1 && line[0] == b'-') { 0 } else { end }
}

/// Cuts ` HTTP/x` off the end, if it is there.
#[inline]
fn without_protocol(rest: &[u8]) -> &[u8] {
    /// ` HTTP/1.1`, the length of nearly every protocol seen.
    const USUAL: usize = 9;
    if let Some(at) = rest.len().checked_sub(USUAL)
        && rest[at..].starts_with(b" HTTP/")
    {
        return rest[..at].trim_ascii_end();
    }
    match memchr::memrchr(b' ', rest) {
        Some(at) if rest[at + 1..].starts_with(b"HTTP/") => rest[..at].trim_ascii_end(),
        None if rest.starts_with(b"HTTP/") => &[],
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_request_lines_split_at_the_first_and_last_space() {
        let cases: [(&[u8], &[u8], &[u8]); 8] = [
            (b"GET / HTTP/1.1", b"GET", b"/"),
            (b"GET /a b c HTTP/1.0", b"GET", b"/a b c"),
            (b"GET /old", b"GET", b"/old"),
            (b"GET /q HTTP/2", b"GET", b"/q"),
            (b"GET /HTTP/1.1", b"GET", b"/HTTP/1.1"),
            (b"M-SEARCH * HTTP/1.1", b"M-SEARCH", b"*"),
            (b"VERSION_CONTROL /x HTTP/1.1", b"VERSION_CONTROL", b"/x"),
            (b"CONNECT example.com:443 HTTP/1.1", b"CONNECT", b"example.com:443"),
        ];
        for (line, method, target) in cases {
            assert_eq!(split(line), Ok((method, target)));
        }
    }

    #[test]
    fn ours_what_is_no_request_is_said_to_be_none() {
        let cases: [&[u8]; 11] = [
            b"",
            b"-",
            b"- -",
            b"GET",
            b"GET ",
            b"GET  HTTP/1.1",
            b"GET HTTP/1.1",
            b"get / HTTP/1.1",
            b"\\x16\\x03\\x01",
            b"\x16\x03\x01\x02",
            b"ABCDEFGHIJKLMNOPQRSTU / HTTP/1.1",
        ];
        for line in cases {
            assert_eq!(split(line), Err(LineFault::BadRequest));
        }
    }
}
