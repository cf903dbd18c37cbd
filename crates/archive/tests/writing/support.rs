//! Exchanges to write, and what was written.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use trodden_archive::warc::WarcDate;
use trodden_archive::warc::write::{Message, Metadata, Original, Repeat, WarcExchange, WarcSettings, Written};
use trodden_archive::{Caps, WarcReader, WarcRecord, WarcWriter};

/// 2026-11-16T15:04:05.123Z
pub(crate) const DATE_MS: u64 = 1_794_841_445_123;

/// Ids by a small generator: the same seed, the same ids.
pub(crate) fn ids(seed: u64) -> impl FnMut() -> [u8; 16] {
    let mut state = u128::from(seed) << 64 | 0x9e37_79b9_7f4a_7c15;
    move || {
        state ^= state << 25;
        state ^= state >> 61;
        state ^= state << 17;
        state.to_le_bytes()
    }
}

pub(crate) fn date(second: u64) -> WarcDate {
    WarcDate::from_unix_ms(DATE_MS + 1_000 * second)
}

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn writer(&self) -> WarcWriter<impl FnMut() -> [u8; 16]> {
        self.writer_with(WarcSettings::default())
    }

    pub(crate) fn writer_with(&self, settings: WarcSettings) -> WarcWriter<impl FnMut() -> [u8; 16]> {
        WarcWriter::open(self.path(), settings, ids(7)).unwrap()
    }

    /// Names of the files, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    /// The archives, open or closed.
    pub(crate) fn archives(&self) -> Vec<PathBuf> {
        self.names().iter().filter(|n| n.contains(".warc.gz")).map(|n| self.path().join(n)).collect()
    }

    /// All records of all archives; none may be damaged.
    pub(crate) fn records(&self) -> Vec<WarcRecord> {
        let mut all = Vec::new();
        for path in self.archives() {
            let mut reader = WarcReader::open(&path, Caps::default()).unwrap();
            all.extend(reader.by_ref().map(Result::unwrap));
            assert_eq!(reader.tally().damaged(), 0, "{}", path.display());
        }
        all
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }
}

pub(crate) const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=utf-8\r\nServer: x\r\n\r\n";
pub(crate) const NOT_MODIFIED: &[u8] = b"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n";
pub(crate) const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: trodden\r\n\r\n";

pub(crate) fn response(payload: &[u8]) -> Message<'_> {
    Message { head: HEAD, payload }
}

/// An exchange with all its records.
pub(crate) fn full<'a>(target: &'a str, second: u64, payload: &'a [u8]) -> WarcExchange<'a> {
    WarcExchange {
        ip: Some("192.0.2.7".parse().unwrap()),
        protocols: &["h2", "tls/1.3"],
        request: Some(Message { head: REQUEST, payload: b"" }),
        metadata: Metadata { fetch_ms: Some(12), via: Some("http://example.org/"), hops: Some(1), more: &[] },
        ..WarcExchange::new(target, date(second), response(payload))
    }
}

pub(crate) fn original<'a>(target: &'a str, second: u64, written: &Written) -> Original<'a> {
    Original { target, date: date(second), record: Some(written.record), payload_digest: written.payload_digest }
}

fn payload(i: u32) -> Vec<u8> {
    let noise = (0..i * 97 % 1_500).map(|k| (k.wrapping_mul(2_654_435_761) >> 21) as u8);
    b"<html><a href=/>".repeat(i as usize % 5).into_iter().chain(noise).collect()
}

fn target(i: u32) -> String {
    format!("https://www.example.org/{}?b={i}&a", "Page/".repeat(i as usize % 3))
}

/// Some pages of different size and packing, pages with the payload of the second, and some that say not to have
/// changed since.
pub(crate) fn write_some(writer: &mut WarcWriter<impl FnMut() -> [u8; 16]>, count: u32) -> Vec<Written> {
    let mut all: Vec<Written> = Vec::new();
    let (second_target, second_payload) = (target(1), payload(1));
    for i in 0..count {
        let (target, payload) = (target(i), payload(i));
        let mut exchange = full(&target, u64::from(i), &payload);
        if i % 3 == 1 {
            exchange.request = None;
        }
        if i % 4 == 2 {
            exchange.metadata = Metadata::default();
        }
        if let Some(second) = all.get(1) {
            let original = original(&second_target, 1, second);
            if i % 5 == 3 {
                exchange.response = response(&second_payload);
                exchange.repeat = Repeat::SamePayload(original);
            }
            if i % 7 == 4 {
                exchange.response = Message { head: NOT_MODIFIED, payload: b"" };
                exchange.repeat = Repeat::NotModified(original);
            }
        }
        all.push(writer.write(&exchange).unwrap());
    }
    all
}
