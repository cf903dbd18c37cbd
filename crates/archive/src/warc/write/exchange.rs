//! What is kept of one question and its answer?

use std::fmt;
use std::net::IpAddr;

use super::RecordId;
use crate::warc::{Digest, WarcDate};

/// One HTTP message: its head as sent, with the empty line that ends it, and its payload. A record holds exactly these
/// bytes, one after the other.
///
/// Chunks are the caller's business: a payload whose chunks are undone should go with a head that does not promise
/// them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Message<'a> {
    /// First line, headers, empty line.
    pub head: &'a [u8],
    /// What follows.
    pub payload: &'a [u8],
}

/// Why the payload is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncated {
    /// It was longer than allowed.
    Length,
    /// It took longer than allowed.
    Time,
    /// The connection broke.
    Disconnect,
    /// Something else.
    Unspecified,
}

impl Truncated {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Time => "time",
            Self::Disconnect => "disconnect",
            Self::Unspecified => "unspecified",
        }
    }
}

/// The record that holds the payload already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Original<'a> {
    /// Its target.
    pub target: &'a str,
    /// Its date.
    pub date: WarcDate,
    /// Its id, if known.
    pub record: Option<RecordId>,
    /// Its payload's digest, if known; an answer 304 has no payload to take one from.
    pub payload_digest: Option<Digest>,
}

/// Whether the payload is new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat<'a> {
    /// It is: a `response` record is written.
    #[default]
    No,
    /// An earlier record has the same payload: a `revisit` record is written, with the head alone.
    SamePayload(Original<'a>),
    /// The server answered 304 Not Modified: a `revisit` record is written.
    NotModified(Original<'a>),
}

/// What a `metadata` record tells beside the messages. Without any field no such record is written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Metadata<'a> {
    /// How long the exchange took (`fetchTimeMs`).
    pub fetch_ms: Option<u64>,
    /// The page that linked here (`via`).
    pub via: Option<&'a str>,
    /// Links from a seed (`hops`).
    pub hops: Option<u32>,
    /// Further fields, by name.
    pub more: &'a [(&'a str, &'a str)],
}

impl Metadata<'_> {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// One exchange: it becomes a `response` or `revisit`, a `request` and a `metadata` record, in this order.
///
/// Neither this nor its parts show URLs or messages in `Debug`: they may hold passwords and cookies.
#[derive(Clone, Copy)]
pub struct WarcExchange<'a> {
    /// The URL that was asked for.
    pub target: &'a str,
    /// When the question was sent.
    pub date: WarcDate,
    /// The address that answered.
    pub ip: Option<IpAddr>,
    /// What was spoken, for `WARC-Protocol`: `http/1.1`, `h2`, `tls/1.3`.
    pub protocols: &'a [&'a str],
    /// The question, if it is to be kept.
    pub request: Option<Message<'a>>,
    /// The answer.
    pub response: Message<'a>,
    /// The digest of the answer's payload, if the caller has it already; it is believed.
    pub payload_digest: Option<Digest>,
    /// Whether the payload is new.
    pub repeat: Repeat<'a>,
    /// Why the payload is not whole, if it is not.
    pub truncated: Option<Truncated>,
    /// The media type that the payload itself shows, whatever the server said.
    pub identified_type: Option<&'a str>,
    /// What else is told.
    pub metadata: Metadata<'a>,
}

impl<'a> WarcExchange<'a> {
    /// The least that can be kept: an answer to a URL.
    #[must_use]
    pub fn new(target: &'a str, date: WarcDate, response: Message<'a>) -> Self {
        Self {
            target,
            date,
            ip: None,
            protocols: &[],
            request: None,
            response,
            payload_digest: None,
            repeat: Repeat::No,
            truncated: None,
            identified_type: None,
            metadata: Metadata::default(),
        }
    }
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({} + {} bytes)", self.head.len(), self.payload.len())
    }
}

impl fmt::Debug for Original<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Original").field("date", &self.date).field("record", &self.record).finish_non_exhaustive()
    }
}

impl fmt::Debug for Metadata<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metadata").field("fetch_ms", &self.fetch_ms).field("hops", &self.hops).finish_non_exhaustive()
    }
}

impl fmt::Debug for WarcExchange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("date", &self.date)
            .field("response", &self.response)
            .field("repeat", &self.repeat)
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}
