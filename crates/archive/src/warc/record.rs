//! What is one record?

use std::fmt;

use super::RecordKind;
use crate::Headers;

/// Why a record is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortened {
    /// It is longer than [`Caps::record_bytes`](crate::Caps::record_bytes): the body is its beginning.
    Cap,
    /// The file is damaged, or ends, inside it: the body is what could be read.
    Damage,
}

/// One record of a WARC file.
///
/// `Debug` shows neither the target nor the values of headers: a URL may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct WarcRecord {
    /// What kind it is.
    pub kind: RecordKind,
    /// `WARC-Target-URI` as it is written, without the angle brackets that some tools put around it. It need not be
    /// an http URL.
    pub target: Option<String>,
    /// `WARC-Date` as it is written.
    pub date: Option<String>,
    /// All headers.
    pub headers: Headers,
    /// The block: for a response, the HTTP message.
    pub body: Vec<u8>,
    /// How long the block is, as its head says.
    pub length: u64,
    /// Why the body is not whole, if it is not.
    pub cut: Option<Shortened>,
}

impl WarcRecord {
    /// From a head that says `length`; the body comes later.
    pub(super) fn from_head(headers: Headers, length: u64) -> Self {
        let target = headers.get("WARC-Target-URI").map(without_brackets).filter(|t| !t.is_empty());
        Self {
            kind: headers.get("WARC-Type").map_or(RecordKind::Other, RecordKind::named),
            target: target.map(str::to_owned),
            date: headers.get("WARC-Date").map(str::to_owned),
            headers,
            body: Vec::new(),
            length,
            cut: None,
        }
    }

    /// The media type of the block, in lower case and without parameters.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        self.headers.get("Content-Type").map(crate::http::essence)
    }
}

impl fmt::Debug for WarcRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("kind", &self.kind)
            .field("date", &self.date)
            .field("headers", &self.headers)
            .field("length", &self.length)
            .field("cut", &self.cut)
            .finish_non_exhaustive()
    }
}

/// WARC 1.0's grammar wants `<uri>`, its examples have none, and tools do either.
fn without_brackets(target: &str) -> &str {
    target.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(target).trim()
}
