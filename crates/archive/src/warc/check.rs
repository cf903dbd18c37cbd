//! Is this file what it should be?
//!
//! Every record is read, and every digest that it carries is compared with its bytes: of the block, and of the payload,
//! which is what follows the head of an HTTP message (or the whole block of a resource). Some tools take the digest of a
//! payload whose chunks are undone: that counts too. A revisit has no payload of its own.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use super::{Digest, RecordKind, Shortened, WarcReader, WarcRecord};
use crate::http::{Response, undo_chunks};
use crate::{Caps, Error, WarcTally};

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file is damaged in it, or before it.
    Damage,
    /// A header that every record must have is missing or cannot be read.
    MissingHeader(&'static str),
    /// The block is not what its digest says.
    BlockDigest,
    /// The payload is not what its digest says.
    PayloadDigest,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Records by kind.
    pub records: BTreeMap<RecordKind, u64>,
    /// Digests that were compared and hold.
    pub digests_verified: u64,
    /// Digests that were not compared: of another algorithm, of a record over a cap, of the payload of a revisit.
    pub digests_skipped: u64,
    /// How many faults there are.
    pub faults: u64,
    /// The first of them, with the number of its record, from 1.
    pub first_fault: Option<(u64, Fault)>,
    /// What the reader met.
    pub tally: WarcTally,
}

impl CheckReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults == 0
    }

    fn fault(&mut self, fault: Fault) {
        self.faults += 1;
        self.first_fault.get_or_insert((self.number(), fault));
    }

    /// Of the record that was read last.
    fn number(&self) -> u64 {
        self.records.values().sum()
    }

    /// Counts what the reader has met since.
    fn met(&mut self, tally: &WarcTally) {
        let spots = tally.damaged() - self.tally.damaged();
        if spots > 0 {
            self.fault(Fault::Damage);
            self.faults += spots - 1;
        }
        self.tally = *tally;
    }

    fn compare(&mut self, says: Option<&str>, fault: Fault, holds: impl FnOnce(Digest) -> Option<bool>) {
        let Some(says) = says else { return };
        match Digest::parse(says).and_then(holds) {
            Some(true) => self.digests_verified += 1,
            Some(false) => self.fault(fault),
            None => self.digests_skipped += 1,
        }
    }

    fn take(&mut self, record: &WarcRecord, caps: &Caps) {
        *self.records.entry(record.kind).or_default() += 1;
        for name in ["WARC-Type", "WARC-Record-ID", "WARC-Date"] {
            if record.headers.get(name).is_none() {
                self.fault(Fault::MissingHeader(name));
            }
        }
        let is_whole = record.cut.is_none();
        if record.cut == Some(Shortened::Damage) {
            // It is counted with what the reader met.
            self.first_fault.get_or_insert((self.number(), Fault::Damage));
        }
        let block = |digest| is_whole.then(|| Digest::of(&record.body) == digest);
        self.compare(record.headers.get("WARC-Block-Digest"), Fault::BlockDigest, block);
        let payload = |digest| if is_whole { payload_holds(record, digest, caps) } else { None };
        self.compare(record.headers.get("WARC-Payload-Digest"), Fault::PayloadDigest, payload);
    }
}

/// Reads a whole file, plain or packed in any way, and compares its digests.
///
/// # Errors
/// [`Error::Unreadable`]. What is wrong with the file is in the report.
pub fn check(path: &Path, caps: &Caps) -> Result<CheckReport, Error> {
    let mut reader = WarcReader::open(path, caps.clone())?;
    let mut report = CheckReport::default();
    while let Some(record) = reader.next() {
        report.take(&record?, caps);
        report.met(reader.tally());
    }
    report.met(reader.tally());
    Ok(report)
}

/// Whether the payload has this digest. None: it has no payload that could be compared.
fn payload_holds(record: &WarcRecord, digest: Digest, caps: &Caps) -> Option<bool> {
    if record.kind == RecordKind::Revisit {
        return None;
    }
    if record.media_type().as_deref() != Some("application/http") {
        return Some(Digest::of(&record.body) == digest);
    }
    let payload = payload_of(&record.body);
    if Digest::of(payload) == digest {
        return Some(true);
    }
    let response = Response::parse(&record.body, caps).ok();
    let undone = response.map_or(Cow::Borrowed(payload), |r| undo_chunks(&r));
    Some(Digest::of(&undone) == digest)
}

/// What follows the first empty line.
fn payload_of(message: &[u8]) -> &[u8] {
    let mut start = 0;
    while let Some(end) = memchr::memchr(b'\n', &message[start..]) {
        let line = &message[start..start + end];
        start += end + 1;
        if line.is_empty() || line == b"\r" {
            return &message[start..];
        }
    }
    b""
}
