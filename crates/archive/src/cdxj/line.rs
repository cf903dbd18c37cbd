//! What does a line of the index say?

use std::io::Write;

use serde::Deserialize;
use trodden_urls::surt;

use crate::http::Response;
use crate::warc::member::Member;
use crate::warc::{Digest, digits_of, plain_uri};
use crate::{Caps, Headers, RecordKind};

/// One line: a SURT key, fourteen digits of time, and the rest as JSON.
pub(crate) struct Line<'a> {
    pub(crate) target: &'a str,
    /// `yyyyMMddHHmmss`.
    pub(crate) digits: &'a str,
    /// `warc/revisit` for a revisit.
    pub(crate) mime: &'a str,
    /// None for a revisit: that of the original counts.
    pub(crate) status: Option<u16>,
    pub(crate) digest: Option<Digest>,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) file: &'a str,
}

/// Where a line says that its record is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Place {
    pub(crate) filename: String,
    #[serde(deserialize_with = "number")]
    pub(crate) offset: u64,
    #[serde(deserialize_with = "number")]
    pub(crate) length: u64,
}

impl Line<'_> {
    /// Appends the line and its end. Numbers are texts, as the tools of the field have them.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let url = plain_uri(self.target).to_string();
        write!(out, "{} {} {{\"url\": ", surt(&url), self.digits).expect("a Vec takes everything");
        text(out, &url);
        out.extend_from_slice(b", \"mime\": ");
        text(out, self.mime);
        if let Some(status) = self.status {
            write!(out, ", \"status\": \"{status}\"").expect("a Vec takes everything");
        }
        if let Some(digest) = self.digest {
            write!(out, ", \"digest\": \"{}\"", digest.base32()).expect("a Vec takes everything");
        }
        let Self { length, offset, .. } = self;
        write!(out, ", \"length\": \"{length}\", \"offset\": \"{offset}\", \"filename\": ")
            .expect("a Vec takes everything");
        text(out, self.file);
        out.extend_from_slice(b"}\n");
    }
}

impl Place {
    /// Of a line without its end. None: the line is torn, or none of ours.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let json = memchr::memchr(b'{', line)?;
        serde_json::from_slice(&line[json..]).ok()
    }
}

/// The line of a record that was met in a file. None: an index does not list such records.
pub(crate) fn line_of(member: &Member, file: &str, out: &mut Vec<u8>) -> Option<()> {
    let headers = &member.headers;
    let is_http = headers.get("Content-Type").is_some_and(|t| crate::http::essence(t) == "application/http");
    let (mime, status) = match member.kind {
        RecordKind::Revisit => answer_facts(member.kind, b""),
        RecordKind::Response if is_http => answer_facts(member.kind, &member.block),
        RecordKind::Response | RecordKind::Resource => (mime_of(headers), None),
        _ => return None,
    };
    let line = Line {
        target: headers.get("WARC-Target-URI")?.trim_start_matches('<').trim_end_matches('>'),
        digits: &digits_of(headers.get("WARC-Date")?)?,
        mime: &mime,
        status,
        digest: headers.get("WARC-Payload-Digest").and_then(Digest::parse),
        offset: member.offset,
        length: member.length,
        file,
    };
    line.write(out);
    Some(())
}

/// What stands for the type of a revisit.
const REVISIT: &str = "warc/revisit";
/// The type of what says none.
const UNKNOWN: &str = "unk";

/// Type and status of an answer, by its head.
pub(crate) fn answer_facts(kind: RecordKind, head: &[u8]) -> (String, Option<u16>) {
    if kind == RecordKind::Revisit {
        return (REVISIT.to_owned(), None);
    }
    match Response::parse(head, &Caps::default()) {
        Ok(response) => (mime_of(&response.headers), Some(response.status)),
        Err(_) => (UNKNOWN.to_owned(), None),
    }
}

fn mime_of(headers: &Headers) -> String {
    let mime = headers.get("Content-Type").map(crate::http::essence).unwrap_or_default();
    if mime.is_empty() { UNKNOWN.to_owned() } else { mime }
}

fn text(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("a text is JSON, and a Vec takes everything");
}

/// `"12"` or `12`.
fn number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number<'a> {
        Plain(u64),
        Text(#[serde(borrow)] std::borrow::Cow<'a, str>),
    }
    match Number::deserialize(from)? {
        Number::Plain(n) => Ok(n),
        Number::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_line_is_as_pywb_reads_it_and_tells_its_place() {
        let line = Line {
            target: "https://www.example.org/A?b \"",
            digits: "20261116150405",
            mime: "text/html",
            status: Some(200),
            digest: Some(Digest::of(b"")),
            offset: 12,
            length: 345,
            file: "a-1.warc.gz",
        };
        let mut out = Vec::new();
        line.write(&mut out);
        let text = String::from_utf8(out.clone()).unwrap();
        let expected = r#"org,example)/a?b%20" 20261116150405 {"url": "https://www.example.org/A?b%20%22", "mime": "text/html", "status": "200", "digest": "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "length": "345", "offset": "12", "filename": "a-1.warc.gz"}"#;
        assert_eq!(text.trim_end(), expected);
        let place = Place { filename: "a-1.warc.gz".to_owned(), offset: 12, length: 345 };
        assert_eq!(Place::of(text.trim_end().as_bytes()), Some(place.clone()));
        assert_eq!(Place::of(br#"k 1 {"offset": 12, "length": 345, "filename": "a-1.warc.gz"}"#), Some(place));
        for cut in 0..out.len() - 2 {
            assert_eq!(Place::of(&out[..cut]), None, "{cut}");
        }
    }
}
