//! What does a crawl note beside its frontier? All of it is in the frontier's own store, and in the same batch as what it
//! belongs to: after a crash either both are there or neither is.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use trodden_frontier::{DiskFrontier, Error as FrontierError, NoteKind, QueueId, Time};

use super::Error;
use crate::client::Validators;
use crate::outcome::OutcomeKind;
use crate::robots::{Access, ROBOTS_LIFE};

/// Steps since the engine was saved: number of the step → [`Step`](super::journal::Step).
pub(super) const JOURNAL: NoteKind = NoteKind(1);
/// URL → [`Fetched`].
pub(super) const OUTCOME: NoteKind = NoteKind(2);
/// Origin → [`Robots`].
pub(super) const ROBOTS: NoteKind = NoteKind(3);
/// URL → [`About`].
pub(super) const ABOUT: NoteKind = NoteKind(4);
/// URL → how often it was asked for in vain.
pub(super) const TRIES: NoteKind = NoteKind(5);
/// Payload digest → [`Original`].
pub(super) const DIGEST: NoteKind = NoteKind(6);
/// URL → [`ListingKind`]: it is no page but a list of URLs.
pub(super) const LISTING: NoteKind = NoteKind(7);
/// Single facts.
pub(super) const STATE: NoteKind = NoteKind(8);

/// Queue → [`Listed`](super::listing::Listed).
pub(super) const LISTED: NoteKind = NoteKind(9);

/// Which step of the journal comes after what was saved.
pub(super) const SAVED: &[u8] = b"saved";
/// How long the crawl has run, in milliseconds.
pub(super) const ELAPSED: &[u8] = b"elapsed";
/// How many tries were put off, by outcome.
pub(super) const PUT_OFF: &[u8] = b"put-off";
/// Which model the crawl goes by.
pub(super) const MODEL: &[u8] = b"model";
/// How far the archive is committed.
pub(super) const ARCHIVED: &[u8] = b"archived";

/// What came of a URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fetched {
    /// The how-many-eth it was.
    pub order: u64,
    /// Milliseconds since 1970.
    pub time_ms: u64,
    /// What it came to.
    pub kind: OutcomeKind,
    /// The status; 0 without an answer.
    pub status: u16,
    /// Bytes of the body, as sent.
    pub bytes: u64,
    /// Milliseconds it took.
    pub took_ms: u32,
    /// Its queue.
    pub queue: u32,
    /// Visits a day that the policy expected of it.
    pub expected: f32,
    /// To ask whether it has changed.
    pub etag: Option<String>,
    /// To ask whether it has changed.
    pub last_modified: Option<String>,
    /// Whether it asks not to be shown.
    pub is_noindex: bool,
}

impl Fetched {
    /// Nobody was asked.
    pub(super) fn nothing(kind: OutcomeKind, queue: QueueId, order: u64, now: Time) -> Self {
        let (status, bytes, took_ms, expected) = (0, 0, 0, 0.0);
        let (etag, last_modified, is_noindex) = (None, None, false);
        let (time_ms, queue) = (now.0, queue.0);
        Self { order, time_ms, kind, status, bytes, took_ms, queue, expected, etag, last_modified, is_noindex }
    }
}

/// A robots.txt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Robots {
    pub(super) access: Access,
    /// When it was asked for.
    pub(super) time_ms: u64,
    /// When it was last read: before, if it could not be had since.
    pub(super) read_ms: u64,
    /// To ask whether it has changed.
    pub(super) validators: Option<Validators>,
    /// Where it is in the archive.
    pub(super) kept: Option<Original>,
}

impl Robots {
    /// Whether it may still be gone by.
    pub(super) fn is_fresh(&self, now: Time) -> bool {
        Time(self.time_ms) + ROBOTS_LIFE > now
    }
}

/// Where a URL comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) from: Option<u32>,
    pub(super) depth: u16,
    pub(super) redirects: u8,
}

/// A record of the archive that others refer to: the first with its payload, or what a server says has not changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Original {
    pub(super) url: String,
    pub(super) date_ms: u64,
    pub(super) record: [u8; 16],
}

/// A URL that is no page but a list of URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ListingKind {
    /// A sitemap, or an index of such.
    Sitemap,
    /// RSS, Atom, JSON Feed.
    Feed,
}

/// How far the archive is committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Archived {
    pub(super) file: String,
    pub(super) length: u64,
}

/// Notes something.
pub(super) fn put<T: Serialize>(
    frontier: &mut DiskFrontier,
    kind: NoteKind,
    key: &[u8],
    value: &T,
) -> Result<(), FrontierError> {
    let bytes = postcard::to_stdvec(value).expect("notes are plain values in memory");
    frontier.note(kind, key, &bytes)
}

/// Reads a note.
pub(super) fn get<T: DeserializeOwned>(
    frontier: &DiskFrontier,
    kind: NoteKind,
    key: &[u8],
) -> Result<Option<T>, Error> {
    frontier.note_of(kind, key)?.map(|bytes| read(&bytes)).transpose()
}

/// What a note says.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    postcard::from_bytes(bytes).map_err(|_| Error::OddNote)
}
