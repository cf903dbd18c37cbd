//! What came of each URL, and where does it come from?

use serde::{Deserialize, Serialize};
use trodden_frontier::{DiskFrontier, Frontier, Note, NoteKind, UrlId};
use trodden_ordering::{Change, OutcomeKind};

use crate::error::Error;
use crate::notes::{self, RECORD, SOURCE};

/// Bytes of a media type that are kept: the longest that is registered has 90.
pub const MAX_MEDIA_TYPE: usize = 127;

/// What came of a URL, as it was last settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UrlRecord {
    /// The how-many-eth of all settled URLs it was, when it was first settled.
    pub order: u64,
    /// When, in milliseconds since 1970.
    pub time_ms: u64,
    /// What it came to.
    pub kind: OutcomeKind,
    /// The status; 0 without an answer.
    pub status: u16,
    /// Bytes of the body, as sent.
    pub bytes: u64,
    /// The media type that the server gave, in lower case and without parameters; cut at [`MAX_MEDIA_TYPE`].
    pub media_type: Option<String>,
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
    /// A hash of its content: two that differ are of different contents.
    pub digest: Option<u64>,
    /// Where the archive has it.
    pub archived: Option<ArchivePlace>,
    /// How often it was settled.
    pub fetches: u32,
    /// How often it was another than the time before.
    pub changes: u32,
}

/// A place in the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivePlace {
    /// The number of the file.
    pub file: u32,
    /// Where the response or revisit starts in it.
    pub start: u64,
    /// Where the last record of the exchange ends.
    pub end: u64,
}

impl UrlRecord {
    /// Whether this answer is what the record has.
    #[must_use]
    pub fn change(&self, kind: OutcomeKind, digest: Option<u64>) -> Change {
        if !self.kind.is_page() {
            return Change::First;
        }
        let is_same = kind == OutcomeKind::NotModified || (digest.is_some() && digest == self.digest);
        if is_same { Change::Unchanged } else { Change::Changed }
    }
}

/// Where a URL comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UrlSource {
    /// The page it was first found on; none for a seed.
    pub from: Option<UrlId>,
    /// Links from a seed.
    pub depth: u16,
    /// Redirects that led there, one after the other.
    pub redirects: u8,
}

/// The records of a session, to be read.
#[derive(Clone, Copy)]
pub struct Records<'s>(pub(crate) &'s DiskFrontier);

impl<'s> Records<'s> {
    /// Of a frontier that no session is open on.
    #[must_use]
    pub fn of(frontier: &'s DiskFrontier) -> Self {
        Self(frontier)
    }

    /// What came of a URL.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn record(&self, key: UrlId) -> Result<Option<UrlRecord>, Error> {
        notes::get(self.0, RECORD, &key.to_be_bytes())
    }

    /// Where a URL comes from.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn source(&self, key: UrlId) -> Result<UrlSource, Error> {
        Ok(notes::get(self.0, SOURCE, &key.to_be_bytes())?.unwrap_or_default())
    }

    /// Tells what came of each URL, by its number.
    ///
    /// # Errors
    /// If the records cannot be read, or whoever is told fails.
    pub fn each<E: From<Error>>(&self, mut tell: impl FnMut(UrlId, &UrlRecord) -> Result<(), E>) -> Result<(), E> {
        let mut failed = Ok(());
        notes::each(self.0, RECORD, &[], |key, value| {
            if failed.is_ok() {
                failed = tell(notes::number_of(key)?, &notes::read(value)?);
            }
            Ok(())
        })?;
        failed
    }

    /// What came of URLs that are asked for in rising order: as quick as [`each`](Self::each).
    #[must_use]
    pub fn in_order(&self) -> InOrder<'s, UrlRecord> {
        InOrder::new(self.0, RECORD)
    }

    /// The same for where they come from.
    #[must_use]
    pub fn sources_in_order(&self) -> InOrder<'s, UrlSource> {
        InOrder::new(self.0, SOURCE)
    }

    /// The text of a URL.
    ///
    /// # Errors
    /// If it cannot be read, or there is no such number.
    pub fn url(&self, key: UrlId) -> Result<String, Error> {
        self.0.text(key)?.ok_or(Error::Damaged("a record names a URL that is not there"))
    }

    /// Something that whoever drives the session wrote.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn driver_note<T: serde::de::DeserializeOwned>(&self, kind: u8, key: &[u8]) -> Result<Option<T>, Error> {
        notes::get(self.0, NoteKind(kind), key)
    }

    /// All of one kind that whoever drives the session wrote, by key.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each_driver_note<T: serde::de::DeserializeOwned>(
        &self,
        kind: u8,
        mut tell: impl FnMut(&[u8], T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        notes::each(self.0, NoteKind(kind), &[], |key, value| tell(key, notes::read(value)?))
    }

    /// The frontier.
    #[must_use]
    pub fn frontier(&self) -> &'s DiskFrontier {
        self.0
    }
}

/// Something of every URL, for whoever asks in rising order: read some thousand at a time.
pub struct InOrder<'s, T> {
    frontier: &'s DiskFrontier,
    kind: NoteKind,
    ready: std::vec::IntoIter<Note>,
    /// Where the next portion begins; none after the last.
    from: Option<Vec<u8>>,
    next: Option<(UrlId, T)>,
}

impl<'s, T: serde::de::DeserializeOwned> InOrder<'s, T> {
    fn new(frontier: &'s DiskFrontier, kind: NoteKind) -> Self {
        Self { frontier, kind, ready: Vec::new().into_iter(), from: Some(Vec::new()), next: None }
    }

    /// That of a URL, which must not be before the last one that was asked for.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn at(&mut self, key: UrlId) -> Result<Option<T>, Error> {
        while self.next.as_ref().is_none_or(|(next, _)| *next < key) {
            let Some(note) = self.note()? else {
                self.next = None;
                return Ok(None);
            };
            self.next = Some((notes::number_of(&note.key)?, notes::read(&note.value)?));
        }
        Ok(self.next.take_if(|(next, _)| *next == key).map(|(_, value)| value))
    }

    fn note(&mut self) -> Result<Option<Note>, Error> {
        if let Some(note) = self.ready.next() {
            return Ok(Some(note));
        }
        let Some(from) = self.from.take() else { return Ok(None) };
        let portion = self.frontier.notes(self.kind, &from, notes::PORTION)?;
        self.from = portion.last().map(|last| notes::after(last.key.clone()));
        self.ready = portion.into_iter();
        Ok(self.ready.next())
    }
}
