//! What happened, line by line, for whoever wants to know: `events.jsonl.zst`.
//!
//! One JSON object a line ([`line`]), in the order in which things happened. Lines are packed together and written as a frame of their
//! own, every few seconds and with each checkpoint. How far the file goes, and which step that is, is noted in the crawl's own store:
//! when a crawl is resumed, what is beyond it is cut off, and what happened since is told again by the journal. So every event is there
//! once, whenever the crawl was cut off.
//!
//! The engine tells which URL, when and what ([`Event`]); what else a line says is noted when the URL is settled ([`FetchFacts`]), or
//! read from its record when the journal tells it again.

mod line;
mod read;
#[cfg(test)]
mod tests;

pub use line::{EVENTS_VERSION, EventLine, EventName};
pub use read::read_events;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trodden_frontier::UrlId;
use trodden_ordering::standing::PatternNames;
use trodden_ordering::{Event, OutcomeKind};
use trodden_session::{Session, UrlRecord};
use xxhash_rust::xxh3::Xxh3;

use self::line::Head;
use super::Error;

/// Bytes of lines that make a frame.
const FRAME_BYTES: usize = 1 << 20;
/// How hard they are packed.
const LEVEL: i32 = 3;
/// A frame unpacks to no more: one of our own is little over [`FRAME_BYTES`].
const MAX_FRAME_BYTES: usize = 64 << 20;

/// How far the file goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EventMark {
    /// Its length.
    pub(super) length: u64,
    /// XXH3-64 of so many bytes.
    pub(super) hash: u64,
    /// The first step of the session whose events are not in it.
    pub(super) step: u64,
}

/// The file, and lines that are not in it yet.
pub(super) struct EventFile {
    file: File,
    path: PathBuf,
    length: u64,
    hash: Xxh3,
    lines: Vec<u8>,
    /// Of URLs that were settled, and whose events were not heard yet, in their order: that of an event is the first, or near it.
    facts: VecDeque<FetchFacts>,
    patterns: Option<PatternNames>,
}

/// What a line says of an answer, beside what the engine knows.
struct FetchFacts {
    key: UrlId,
    url: String,
    outcome: OutcomeKind,
    status: u16,
    bytes: u64,
    took_ms: u32,
    media_type: Option<String>,
    expected: f32,
}

impl FetchFacts {
    fn of(key: UrlId, url: String, record: &UrlRecord) -> Self {
        Self {
            key,
            url,
            outcome: record.kind,
            status: record.status,
            bytes: record.bytes,
            took_ms: record.took_ms,
            media_type: record.media_type.clone(),
            expected: record.expected,
        }
    }
}

impl EventFile {
    /// Opens the file as far as it is known to go; whether it is not what it was.
    pub(super) fn open(path: &Path, mark: EventMark) -> Result<(Self, bool), Error> {
        let opened = || -> std::io::Result<(File, u64, Xxh3, bool)> {
            let mut file = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path)?;
            let found = file.metadata()?.len();
            let (mut length, mut hash) = (mark.length, hash_of(&mut file, mark.length)?);
            let is_damaged = found < mark.length || (mark.length > 0 && hash.digest() != mark.hash);
            if is_damaged {
                // What is left is cut to whole frames.
                length = whole_frames(&mut file)?.min(mark.length);
                hash = hash_of(&mut file, length)?;
            }
            if length < found {
                file.set_len(length)?;
            }
            file.seek(SeekFrom::Start(length))?;
            Ok((file, length, hash, is_damaged))
        };
        let (file, length, hash, is_damaged) = opened().map_err(|why| Error::File { path: path.to_owned(), why })?;
        let mut events = Self {
            file,
            path: path.to_owned(),
            length,
            hash,
            lines: Vec::new(),
            facts: VecDeque::new(),
            patterns: None,
        };
        if length == 0 {
            events.push(&Head { trodden_events: EVENTS_VERSION });
        }
        Ok((events, is_damaged))
    }

    /// Says which patterns lines name from here on.
    pub(super) fn name_patterns(&mut self, patterns: Option<PatternNames>) {
        self.patterns = patterns;
    }

    /// Notes what came of a URL: its event is heard next.
    pub(super) fn note(&mut self, key: UrlId, url: &str, record: &UrlRecord) {
        self.facts.push_back(FetchFacts::of(key, url.to_owned(), record));
    }

    /// Adds the lines of what happened in a session since it was last asked. It is cheapest before the texts of new URLs are committed.
    pub(super) fn hear(&mut self, session: &mut Session) -> Result<(), Error> {
        for event in session.take_events() {
            self.record(&event, session)?;
        }
        self.facts.clear();
        Ok(())
    }

    /// Adds a line.
    fn record(&mut self, event: &Event, session: &Session) -> Result<(), Error> {
        let url = |key: UrlId| session.url(key).map(Cow::Owned);
        let line = match *event {
            Event::Seeded { key, at } => EventLine::new(EventName::Seeded, at.0, key, url(key)?),
            Event::Explored { key, at } => EventLine::new(EventName::Explored, at.0, key, url(key)?),
            Event::Evicted { key, at } => EventLine::new(EventName::Evicted, at.0, key, url(key)?),
            Event::Discovered { key, from, at } => {
                EventLine { from: Some(from), ..EventLine::new(EventName::Discovered, at.0, key, url(key)?) }
            }
            Event::Refused { key, at } => {
                let facts = self.facts_of(key, at.0, session)?;
                let is_list = facts.as_ref().is_some_and(|facts| facts.outcome == OutcomeKind::Listing);
                let name = if is_list { EventName::Listed } else { EventName::Refused };
                self.answered(name, at.0, key, facts, session)?
            }
            Event::Fetched { key, at, kind, change, bytes } => {
                let facts = self.facts_of(key, at.0, session)?;
                let line = self.answered(EventName::Fetched, at.0, key, facts, session)?;
                EventLine { outcome: Some(kind), change: Some(change), bytes: Some(bytes), ..line }
            }
        };
        let line = serde_json::to_vec(&line).map_err(|why| Error::File { path: self.path.clone(), why: why.into() })?;
        self.lines.extend_from_slice(&line);
        self.lines.push(b'\n');
        Ok(())
    }

    /// What is known of an answer: noted when it was settled, or from the record if that is of this very time. After a crash a URL may
    /// have been settled again since; then nobody knows.
    fn facts_of(&mut self, key: UrlId, at: u64, session: &Session) -> Result<Option<FetchFacts>, Error> {
        if let Some(place) = self.facts.iter().position(|facts| facts.key == key) {
            return Ok(self.facts.remove(place));
        }
        let record = session.records().record(key)?.filter(|record| record.time_ms == at);
        record.map(|record| Ok(FetchFacts::of(key, session.url(key)?, &record))).transpose()
    }

    fn answered(
        &mut self,
        event: EventName,
        at: u64,
        key: UrlId,
        facts: Option<FetchFacts>,
        session: &Session,
    ) -> Result<EventLine<'static>, Error> {
        let Some(facts) = facts else { return Ok(EventLine::new(event, at, key, Cow::Owned(session.url(key)?))) };
        let pattern = self.patterns.as_mut().and_then(|patterns| patterns.name(&facts.url));
        let has_answer = facts.status != 0;
        Ok(EventLine {
            outcome: Some(facts.outcome),
            status: has_answer.then_some(facts.status),
            bytes: has_answer.then_some(facts.bytes),
            took_ms: Some(facts.took_ms),
            media_type: facts.media_type.map(Cow::Owned),
            pattern: pattern.map(|pattern| Cow::Owned(pattern.to_owned())),
            expected: Some(facts.expected).filter(|expected| *expected > 0.0),
            ..EventLine::new(event, at, key, Cow::Owned(facts.url))
        })
    }

    fn push(&mut self, line: &impl Serialize) {
        // A plain number always has a JSON.
        if serde_json::to_writer(&mut self.lines, line).is_ok() {
            self.lines.push(b'\n');
        }
    }

    /// Whether a frame is full.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= FRAME_BYTES
    }

    /// Writes what is not in the file yet, as a frame; how far it goes then, up to this step.
    pub(super) fn flush(&mut self, step: u64) -> Result<EventMark, Error> {
        if !self.lines.is_empty() {
            let written = pack(&self.lines).and_then(|frame| {
                self.file.write_all(&frame)?;
                self.length += frame.len() as u64;
                self.hash.update(&frame);
                self.file.sync_data()
            });
            written.map_err(|why| Error::File { path: self.path.clone(), why })?;
            self.lines.clear();
        }
        Ok(EventMark { length: self.length, hash: self.hash.digest(), step })
    }
}

/// A frame of lines. Its checksum tells a frame in which bits were flipped from a whole one: most unpack to something.
fn pack(lines: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packer = zstd::bulk::Compressor::new(LEVEL)?;
    packer.include_checksum(true)?;
    packer.compress(lines)
}

/// The hash of the first bytes of a file.
fn hash_of(file: &mut File, length: u64) -> std::io::Result<Xxh3> {
    let (mut hash, mut buffer) = (Xxh3::new(), vec![0; 1 << 16]);
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = file.take(length);
    loop {
        match bytes.read(&mut buffer)? {
            0 => return Ok(hash),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// Bytes of whole frames at the beginning.
fn whole_frames(file: &mut File) -> std::io::Result<u64> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let mut at = 0;
    while let Ok(size) = zstd::zstd_safe::find_frame_compressed_size(&bytes[at..])
        && size > 0
        && zstd::bulk::decompress(&bytes[at..at + size], MAX_FRAME_BYTES).is_ok()
    {
        at += size;
    }
    Ok(at as u64)
}
