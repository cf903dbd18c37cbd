//! What is archived of an answer, and where?
//!
//! Answers go to the archive of the crawl's folder as they came. A payload that was archived before is not archived again: a
//! `revisit` record says where it is. How far the archive goes is noted in the same batch as what came of the URL; what a
//! crash left beyond that is cut off when the crawl goes on, so that a page that is asked for again is not in the archive
//! twice.

use std::path::{Path, PathBuf};

use trodden_archive::WarcWriter;
use trodden_archive::cdxj::{SORT_BYTES, sort_index};
use trodden_archive::warc::write::{
    FILE_BYTES, IdSource, LEVEL, Message, Metadata, Original as WarcOriginal, RecordId, RecordNames, Repeat, Truncated,
    WarcExchange, WarcSettings, Written,
};
use trodden_archive::warc::{Digest, WarcDate};
use trodden_session::{ArchivePlace, Records};

use super::index::{Index, IndexMark};
use super::notes::{ARCHIVE_FILE, Archived, DIGEST, Original};
use super::prepare::PreparedRecords;
use super::{Crawl, Error};
use crate::client::{BodyCut, Exchange, HttpAnswer};
use crate::outcome::OutcomeKind;

/// A payload that is shorter is archived again rather than noted.
const SMALL_PAYLOAD: usize = 64;

/// How answers are archived.
#[derive(Clone, Debug)]
pub struct ArchiveSettings {
    /// How hard records are packed, from 1 to 9.
    pub gzip: u32,
    /// A new file after so many bytes.
    pub file_bytes: u64,
    /// What the crawler calls itself.
    pub user_agent: String,
    /// Whom to write to.
    pub contact: Option<String>,
    /// Where the names of records come from.
    pub ids: Ids,
}

impl ArchiveSettings {
    /// How hard records are packed by default.
    pub const DEFAULT_GZIP: u32 = LEVEL;
    /// The size of files by default.
    pub const DEFAULT_FILE_BYTES: u64 = FILE_BYTES;

    /// As the archive has them.
    pub(super) fn warc(&self) -> WarcSettings {
        WarcSettings {
            file_bytes: self.file_bytes,
            level: self.gzip,
            user_agent: Some(self.user_agent.clone()),
            operator: self.contact.clone(),
            ..WarcSettings::default()
        }
    }
}

/// Names of records: a seed that was drawn at random, and a count, mixed.
#[derive(Clone, Debug)]
pub struct Ids {
    seed: u128,
    count: u64,
}

impl Ids {
    /// From sixteen random bytes.
    #[must_use]
    pub fn seeded(seed: [u8; 16]) -> Self {
        Self { seed: u128::from_le_bytes(seed), count: 0 }
    }
}

impl IdSource for Ids {
    fn bytes(&mut self) -> [u8; 16] {
        self.count += 1;
        let mut input = [0; 24];
        input[..16].copy_from_slice(&self.seed.to_le_bytes());
        input[16..].copy_from_slice(&self.count.to_le_bytes());
        let mut id = [0; 16];
        id.copy_from_slice(&Digest::of(&input).as_bytes()[..16]);
        id
    }
}

/// The archive of a crawl.
pub(super) struct CrawlArchive {
    folder: PathBuf,
    writer: WarcWriter<Ids>,
    index: Index,
    /// The file that is written, and its number; none before the first.
    current: Option<(u32, String)>,
}

/// What was archived of an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct ArchivedAnswer {
    /// The record that others may refer to.
    pub(super) original: Option<Original>,
    /// Where it is.
    pub(super) place: Option<ArchivePlace>,
}

impl CrawlArchive {
    /// Opens the archive, which is what is known of it ([`integrity`](super::integrity)).
    pub(super) fn open(folder: &Path, warc: WarcSettings, ids: Ids, records: Records<'_>) -> Result<Self, Error> {
        let mut last: Option<(u32, String)> = None;
        records.each_driver_note(ARCHIVE_FILE, |key, archived: Archived| {
            last = key.try_into().ok().map(|key| (u32::from_be_bytes(key), archived.file));
            Ok(())
        })?;
        let writer = WarcWriter::open(folder, warc, ids)?;
        Ok(Self { index: Index::of(folder)?, folder: folder.to_owned(), writer, current: last })
    }

    fn mark_index(&mut self) -> Result<IndexMark, Error> {
        let last = self.current.as_ref().map_or("", |(_, name)| name.as_str());
        self.index.mark(&self.folder, last)
    }

    /// Makes what was archived safe; what the index is then.
    pub(super) fn sync(&mut self) -> Result<IndexMark, Error> {
        self.writer.sync()?;
        self.mark_index()
    }

    /// Names for the records of a page that will be asked for.
    pub(super) fn names(&mut self) -> RecordNames {
        self.writer.names()
    }

    /// The number of a file that is being written.
    fn number(&mut self, file: &str) -> u32 {
        let number = match &self.current {
            Some((number, current)) if current == file => return *number,
            Some((number, _)) => number + 1,
            None => 0,
        };
        self.current = Some((number, file.to_owned()));
        number
    }

    /// Closes the last file, and sorts the index; what that is then.
    pub(super) fn close(&mut self) -> Result<IndexMark, Error> {
        self.writer.close()?;
        sort_index(&self.folder, SORT_BYTES)?;
        self.index = Index::of(&self.folder)?;
        self.mark_index()
    }
}

/// What an archive can tell of an answer beside what the server said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Provenance<'a> {
    /// The page that led there.
    pub(super) via: Option<&'a str>,
    /// Links from a seed.
    pub(super) hops: Option<u32>,
    /// What was archived when it was asked for last: if it has not changed, that is referred to.
    pub(super) before: Option<&'a Original>,
}

impl Crawl {
    /// Archives an answer, if there is one and answers are archived.
    pub(super) fn archive_answer(
        &mut self,
        url: &str,
        exchange: &Exchange,
        provenance: &Provenance<'_>,
        prepared: Option<&PreparedRecords>,
    ) -> Result<ArchivedAnswer, Error> {
        let (Some(archive), Ok(answer)) = (&mut self.archive, &exchange.answer) else {
            return Ok(ArchivedAnswer::default());
        };
        let head = answer.archived_head();
        let digest = match prepared {
            Some(prepared) => prepared.payload_digest,
            None => payload_digest(answer),
        };
        let before = match &digest {
            Some(digest) => self.session.records().driver_note::<Original>(DIGEST, digest.as_bytes())?,
            None => None,
        };
        let date = prepared.map_or_else(|| date_of(exchange), |prepared| prepared.date);
        let unchanged = provenance.before.filter(|_| OutcomeKind::of_status(answer.status) == OutcomeKind::NotModified);
        let repeat = match (&before, unchanged) {
            (Some(before), _) => Repeat::SamePayload(before.referred_to(digest)),
            (None, Some(unchanged)) => Repeat::NotModified(unchanged.referred_to(None)),
            (None, None) => Repeat::No,
        };
        let kept = WarcExchange { repeat, ..exchange_of(url, exchange, answer, &head, date, digest, provenance) };
        let Written { file, offset, end, hash, record, .. } = match prepared {
            Some(prepared) => archive.writer.write_packed(&kept, &prepared.packed)?,
            None => archive.writer.write(&kept)?,
        };
        let archived = Archived { file: file.to_string(), length: end, hash };
        let place = ArchivePlace { file: archive.number(&archived.file), start: offset, end };
        let original =
            Original { url: url.to_owned(), date_ms: date.unix_ms(), record: *record.as_bytes(), place: place.clone() };
        match (digest, &before) {
            (Some(digest), None) => self.session.driver_notes().put(DIGEST, digest.as_bytes(), &original)?,
            (_, Some(_)) => self.tally.repeated += 1,
            (None, None) => {}
        }
        self.session.driver_notes().put(ARCHIVE_FILE, &place.file.to_be_bytes(), &archived)?;
        let original = before.or_else(|| unchanged.cloned()).unwrap_or(original);
        Ok(ArchivedAnswer { original: Some(original), place: Some(place) })
    }
}

/// The digest of a payload that is long enough to be referred to.
pub(super) fn payload_digest(answer: &HttpAnswer) -> Option<Digest> {
    (answer.body.len() >= SMALL_PAYLOAD).then(|| Digest::of(&answer.body))
}

/// When an answer that has just come was asked for.
pub(super) fn date_of(exchange: &Exchange) -> WarcDate {
    WarcDate::from_unix_ms(super::wall_clock().0.saturating_sub(took_ms(exchange)))
}

fn took_ms(exchange: &Exchange) -> u64 {
    u64::try_from(exchange.took.whole.as_millis()).unwrap_or(u64::MAX)
}

/// An answer as the archive has it, if nothing has the same payload.
pub(super) fn exchange_of<'a>(
    url: &'a str,
    exchange: &'a Exchange,
    answer: &'a HttpAnswer,
    head: &'a [u8],
    date: WarcDate,
    payload_digest: Option<Digest>,
    provenance: &Provenance<'a>,
) -> WarcExchange<'a> {
    let (via, hops) = (provenance.via, provenance.hops);
    WarcExchange {
        ip: exchange.address,
        protocols: &exchange.protocols,
        request: Some(Message { head: &exchange.request, payload: &[] }),
        payload_digest,
        truncated: answer.cut.map(|cut| match cut {
            BodyCut::Length => Truncated::Length,
            BodyCut::Time => Truncated::Time,
            BodyCut::Disconnect => Truncated::Disconnect,
            BodyCut::Damaged => Truncated::Unspecified,
        }),
        metadata: Metadata { fetch_ms: Some(took_ms(exchange)), via, hops, more: &[] },
        ..WarcExchange::new(url, date, Message { head, payload: &answer.body })
    }
}

impl Original {
    /// As the archive refers to it.
    fn referred_to(&self, payload_digest: Option<Digest>) -> WarcOriginal<'_> {
        WarcOriginal {
            target: &self.url,
            date: WarcDate::from_unix_ms(self.date_ms),
            record: Some(RecordId::from_random(self.record)),
            payload_digest,
        }
    }
}
