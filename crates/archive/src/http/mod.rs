//! What did the server answer? A response record as status, headers and body.
//!
//! A record holds the message as it came over the wire, so its body may be in chunks and packed; or as some tools leave
//! it, unpacked under headers that still say otherwise. [`Response::decoded`] undoes what the bytes themselves confirm,
//! under caps, and says what it could not undo. The message's own `Content-Length` is not believed: the record says
//! where the body ends.

mod chunked;
mod coding;

use std::borrow::Cow;

use memchr::memchr;

use crate::{Caps, Headers};

/// Why bytes are no HTTP response that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpFault {
    /// They do not start with `HTTP/` and a status.
    NotHttp,
    /// The head is over a cap.
    HeadTooLong,
}

/// One response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response<'a> {
    /// 200, 404 and so on; three digits.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
    /// The body as it was sent.
    pub body: &'a [u8],
}

/// A body whose codings are undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The bytes of the page, image or whatever it is.
    pub body: Cow<'a, [u8]>,
    /// Why they may not be all, or not what they should be.
    pub fault: Option<BodyFault>,
}

/// What was wrong with a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyFault {
    /// Longer than [`Caps::body_bytes`], or more than [`Caps::ratio`] times what it came from: the beginning is given.
    TooLong,
    /// A chunk or packed data is damaged, or stops: the beginning is given.
    Damaged,
    /// Packed in a way that we cannot undo, or in too many layers: it is given as it came.
    UnknownCoding,
}

impl<'a> Response<'a> {
    /// Splits the block of a response record. Interim answers (100 to 199) before the final one are passed over.
    ///
    /// # Errors
    /// [`HttpFault`] if it is no HTTP response.
    pub fn parse(block: &'a [u8], caps: &Caps) -> Result<Self, HttpFault> {
        let mut response = Self::parse_one(block, caps)?;
        while (100..200).contains(&response.status)
            && let Ok(next) = Self::parse_one(response.body, caps)
        {
            response = next;
        }
        Ok(response)
    }

    fn parse_one(block: &'a [u8], caps: &Caps) -> Result<Self, HttpFault> {
        let mut lines = Lines { rest: block, left: caps.head_bytes };
        let status = lines.next()?.and_then(status_of).ok_or(HttpFault::NotHttp)?;
        let mut headers = Headers::default();
        let mut count = 0;
        while let Some(line) = lines.next()?.filter(|line| !line.is_empty()) {
            count += 1;
            if count > caps.header_count {
                return Err(HttpFault::HeadTooLong);
            }
            // Servers send odd lines, and browsers pass over them.
            headers.push_line(line);
        }
        Ok(Self { status, headers, body: lines.rest })
    }

    /// The media type, in lower case and without parameters.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        self.headers.get("Content-Type").map(essence)
    }

    /// Undoes the chunks and the packing of the body. Borrows where there is nothing to undo.
    #[must_use]
    pub fn decoded(&self, caps: &Caps) -> Decoded<'a> {
        let mut decoded = Decoded { body: Cow::Borrowed(self.body), fault: None };
        if list(&self.headers, "Transfer-Encoding").any(|coding| coding == "chunked") {
            decoded = chunked::undo(self.body);
        }
        let codings: Vec<String> =
            list(&self.headers, "Content-Encoding").chain(list(&self.headers, "Transfer-Encoding")).collect();
        coding::undo(&mut decoded, &codings, caps);
        if decoded.body.len() > caps.body_bytes {
            decoded.fault = decoded.fault.or(Some(BodyFault::TooLong));
            match &mut decoded.body {
                Cow::Borrowed(body) => *body = &body[..caps.body_bytes],
                Cow::Owned(body) => body.truncate(caps.body_bytes),
            }
        }
        decoded
    }
}

/// The body of a response without its chunks, if it has any; its other codings stay.
pub(crate) fn undo_chunks<'a>(response: &Response<'a>) -> Cow<'a, [u8]> {
    if list(&response.headers, "Transfer-Encoding").any(|coding| coding == "chunked") {
        return chunked::undo(response.body).body;
    }
    Cow::Borrowed(response.body)
}

/// A media type in lower case and without its parameters: `Text/HTML; charset=x` is `text/html`.
pub(crate) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The words of a header that is a list, in lower case.
fn list<'a>(headers: &'a Headers, name: &'a str) -> impl Iterator<Item = String> + 'a {
    let words = headers.all(name).flat_map(|value| value.split(','));
    words.map(essence).filter(|word| !word.is_empty())
}

/// `HTTP/1.1 200 OK`, `HTTP/2 200`; some tools write `HTTP 200`.
fn status_of(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP")?;
    let digits = rest[memchr(b' ', rest)?..].trim_ascii_start();
    let status = std::str::from_utf8(digits.get(..3)?).ok()?.parse().ok()?;
    let ends = digits.get(3).is_none_or(u8::is_ascii_whitespace);
    (ends && (100..1000).contains(&status)).then_some(status)
}

/// Lines that end in `\r\n` or `\n`, of a head that is not longer than `left`.
struct Lines<'a> {
    rest: &'a [u8],
    left: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<Option<&'a [u8]>, HttpFault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let seen = &self.rest[..self.rest.len().min(self.left)];
        let (line, used) = match memchr(b'\n', seen) {
            Some(at) => (&seen[..at], at + 1),
            None if seen.len() == self.rest.len() => (seen, seen.len()),
            None => return Err(HttpFault::HeadTooLong),
        };
        self.rest = &self.rest[used..];
        self.left -= used;
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(block: &[u8]) -> Result<Response<'_>, HttpFault> {
        Response::parse(block, &Caps::default())
    }

    #[test]
    fn rfc9112_a_response_is_split_into_status_headers_and_body() {
        let response = parse(b"HTTP/1.1 404 Not Found\r\nContent-Type: Text/HTML; charset=x\r\n\r\n\r\nbody").unwrap();
        assert_eq!(response.status, 404);
        assert_eq!(response.media_type().as_deref(), Some("text/html"));
        assert_eq!(response.body, b"\r\nbody");
    }

    #[test]
    fn ours_a_wrong_or_missing_length_changes_nothing() {
        for length in ["Content-Length: 1\r\n", "Content-Length: 99999\r\n", "Content-Length: x\r\n", ""] {
            let block = format!("HTTP/1.1 200 OK\r\n{length}\r\nwhole");
            assert_eq!(parse(block.as_bytes()).unwrap().decoded(&Caps::default()).body, &b"whole"[..]);
        }
    }

    #[test]
    fn ours_heads_of_odd_tools_are_read() {
        for (block, status) in [
            (&b"HTTP/1.0 200\n\nx"[..], 200),
            (b"HTTP/2 301 \r\nodd line\r\n\r\nx", 301),
            (b"HTTP/1.1 200 OK", 200),
            (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 No\r\n\r\nx", 500),
        ] {
            assert_eq!(parse(block).unwrap().status, status);
        }
    }

    #[test]
    fn ours_what_is_no_response_is_told() {
        for block in [&b""[..], b"<html>", b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n", b"HTTP/1.1 2000 OK\r\n"] {
            assert_eq!(parse(block), Err(HttpFault::NotHttp));
        }
        let long = [b"HTTP/1.1 200 OK\r\na: ".to_vec(), vec![b'x'; 1 << 17]].concat();
        assert_eq!(parse(&long), Err(HttpFault::HeadTooLong));
        let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(600));
        assert_eq!(parse(many.as_bytes()), Err(HttpFault::HeadTooLong));
    }

    #[test]
    fn ours_a_body_over_the_cap_is_cut_and_told() {
        let caps = Caps { body_bytes: 3, ..Caps::default() };
        let decoded = Response::parse(b"HTTP/1.1 200 OK\r\n\r\nabcdef", &caps).unwrap().decoded(&caps);
        assert_eq!((&*decoded.body, decoded.fault), (&b"abc"[..], Some(BodyFault::TooLong)));
    }

    proptest::proptest! {
        #[test]
        fn ours_any_body_under_any_coding_is_decoded_within_the_caps(
            body in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..2_000),
            coding in proptest::sample::select(vec!["gzip", "deflate", "br", "zstd", "gzip, br", "deflate, zstd"]),
            chunked in proptest::prelude::any::<bool>(),
        ) {
            let caps = Caps { body_bytes: 1 << 16, ..Caps::default() };
            let chunks = if chunked { "Transfer-Encoding: chunked\r\n" } else { "" };
            let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n{chunks}\r\n");
            let block = [head.as_bytes(), &body].concat();
            proptest::prop_assert!(Response::parse(&block, &caps).unwrap().decoded(&caps).body.len() <= 1 << 16);
            let _ = Response::parse(&body, &caps);
        }
    }
}
