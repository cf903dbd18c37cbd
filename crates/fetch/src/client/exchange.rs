//! What was said, by us and by the server? As it went over the wire, since that is what an archive keeps.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use super::{FetchFault, Validators};

/// The name under which an archive keeps a `Transfer-Encoding` that is undone.
const KEPT_TRANSFER_ENCODING: &[u8] = b"X-Crawler-Transfer-Encoding";
/// And that of a `Content-Length` that such a message must not have had.
const KEPT_CONTENT_LENGTH: &[u8] = b"X-Crawler-Content-Length";

/// One request and what came of it.
///
/// `Debug` shows neither heads nor body: they hold URLs and cookies.
pub struct Exchange {
    /// The head that was sent, in the form of HTTP/1.1 also where HTTP/2 was spoken, and as the server is asked
    /// also where a proxy was; empty if none was made. Values that are secret (credentials, headers of the settings) are
    /// `***`, as archives are passed on.
    pub request: Vec<u8>,
    /// Whom we spoke to: the address of the connection. Behind a proxy, the proxy's.
    pub address: Option<IpAddr>,
    /// `http/1.0`, `http/1.1` or `h2`, and `tls/1.2` or `tls/1.3`, as `WARC-Protocol` has them.
    pub protocols: Vec<&'static str>,
    /// The answer, or why there is none.
    pub answer: Result<HttpAnswer, FetchFault>,
    /// How long it took.
    pub took: Took,
    /// Whether the connection was there before.
    pub reused: bool,
}

/// How long each step took; `None` if there was no such step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Took {
    /// Resolving the name.
    pub dns: Option<Duration>,
    /// Connecting, with proxy and TLS.
    pub connect: Option<Duration>,
    /// From the request until the complete head of the answer arrived, however long it then waited to be read.
    pub first_byte: Option<Duration>,
    /// Waiting for the turn of the address: it counts for nothing else.
    pub turn: Duration,
    /// Everything but that.
    pub whole: Duration,
}

/// An answer with a good head.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpAnswer {
    /// 200, 404 and so on.
    pub status: u16,
    /// The head, with the blank line that ends it: under HTTP/1 the very bytes that came, under HTTP/2 what they would
    /// have been.
    pub head: Vec<u8>,
    /// The body: chunks undone, compression not.
    pub body: Vec<u8>,
    /// Why the body may not be all.
    pub cut: Option<BodyCut>,
    /// Whether the body came in chunks, so that `head` tells another form than `body` has.
    pub is_chunked: bool,
}

/// Why a body ends before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyCut {
    /// It is longer than [`Ask::max_body`](super::Ask::max_body).
    Length,
    /// It took too long, or came too slowly.
    Time,
    /// The connection was closed or reset; also closed without the farewell of TLS, where only the end of the connection
    /// tells the end of the body: it may be whole then, but nothing says so.
    Disconnect,
    /// A chunk was damaged.
    Damaged,
}

impl BodyCut {
    /// The word of WARC 1.1 for it (`WARC-Truncated`).
    #[must_use]
    pub fn warc_truncated(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Time => "time",
            Self::Disconnect => "disconnect",
            Self::Damaged => "unspecified",
        }
    }
}

impl HttpAnswer {
    /// The first value of a header, if it is UTF-8. Names are compared without regard to case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(values(&self.head, name).next()?).ok()
    }

    /// Its media type, in lower case and without parameters; none if the server names none.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let named = self.header("Content-Type")?.split(';').next().unwrap_or_default().trim();
        (!named.is_empty()).then(|| named.to_ascii_lowercase())
    }

    /// What to say when it is asked for again; none if the server said nothing of the kind.
    #[must_use]
    pub fn validators(&self) -> Option<Validators> {
        let header = |name| self.header(name).map(str::to_owned);
        let validators = Validators { etag: header("ETag"), last_modified: header("Last-Modified") };
        (validators != Validators::default()).then_some(validators)
    }

    /// The head that an archive keeps beside [`body`](Self::body).
    ///
    /// A reader of an archive undoes the transfer coding that the head names; that of this body is undone already. So
    /// the header is kept under another name, as other crawlers do, and a `Content-Length` says how long the body is.
    /// All other bytes are as they came. Without chunks this is [`head`](Self::head).
    #[must_use]
    pub fn archived_head(&self) -> Cow<'_, [u8]> {
        if !self.is_chunked {
            return Cow::Borrowed(&self.head);
        }
        let mut head = Vec::with_capacity(self.head.len() + 64);
        for line in lines(&self.head) {
            let renamed = [("Transfer-Encoding", KEPT_TRANSFER_ENCODING), ("Content-Length", KEPT_CONTENT_LENGTH)];
            match renamed.iter().find(|(name, _)| is_named(line, name.as_bytes())) {
                Some((name, kept)) => {
                    head.extend_from_slice(kept);
                    head.extend_from_slice(&line[name.len()..]);
                }
                None if line.trim_ascii().is_empty() => {
                    head.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
                    head.extend_from_slice(line);
                }
                None => head.extend_from_slice(line),
            }
        }
        Cow::Owned(head)
    }
}

/// All values of a header of a head.
pub(super) fn values<'h>(head: &'h [u8], name: &str) -> impl Iterator<Item = &'h [u8]> {
    lines(head).filter(move |line| is_named(line, name.as_bytes())).map(value_of)
}

/// The lines of a head with their ends.
fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split_inclusive(|&byte| byte == b'\n')
}

fn is_named(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && line[name.len()..].trim_ascii_start().starts_with(b":")
}

fn value_of(line: &[u8]) -> &[u8] {
    memchr::memchr(b':', line).map_or(&[][..], |colon| line[colon + 1..].trim_ascii())
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("address", &self.address)
            .field("protocols", &self.protocols)
            .field("answer", &self.answer)
            .field("took", &self.took)
            .field("reused", &self.reused)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for HttpAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("head_bytes", &self.head.len())
            .field("body_bytes", &self.body.len())
            .field("cut", &self.cut)
            .field("is_chunked", &self.is_chunked)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(head: &str, body: &str, is_chunked: bool) -> HttpAnswer {
        HttpAnswer { status: 200, head: head.into(), body: body.into(), cut: None, is_chunked }
    }

    #[test]
    fn warc11_a_kept_head_agrees_with_the_kept_body() {
        let chunked = "HTTP/1.1 200 OK\r\nX: y\r\ntransfer-encoding : chunked\nContent-Length: 7\r\n\r\n";
        assert_eq!(
            &*answer(chunked, "four", true).archived_head(),
            b"HTTP/1.1 200 OK\r\nX: y\r\nX-Crawler-Transfer-Encoding : chunked\n\
              X-Crawler-Content-Length: 7\r\nContent-Length: 4\r\n\r\n"
        );
        let plain = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";
        assert!(
            matches!(answer(plain, "four", false).archived_head(), Cow::Borrowed(head) if head == plain.as_bytes())
        );
    }

    #[test]
    fn ours_a_header_is_found_by_name() {
        let answer = answer("HTTP/1.1 301 M\r\nLocation-X: a\r\nlocation:  /b \r\nLocation: /c\r\n\r\n", "", false);
        assert_eq!(answer.header("Location"), Some("/b"));
        assert_eq!(answer.header("Loc"), None);
    }
}
