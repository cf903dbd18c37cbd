//! A row for every URL of a crawl, whatever came of it: what was fetched, what waits, what may not be asked for.
//!
//! URLs that only a log or a model names, and that were never offered to the crawl, have no row: they are what people read, not what the
//! crawl found, and some may tell who read them (PRIVACY.md).

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;

use trodden_archive::warc::WarcDate;
use trodden_frontier::{Frontier, UrlId, UrlState};
use trodden_ordering::OutcomeKind;
use trodden_report::file::FileReaders;
use trodden_report::table::{ColumnKind, TableCell, TableColumn, TableFile, TableTime};

use super::links::InLinks;
use super::visits::CrawlKnowledge;
use crate::crawl::notes::{ARCHIVE_FILE, Archived};
use crate::crawl::{CrawlRecord, Error};

const fn column(name: &'static str, kind: ColumnKind) -> TableColumn {
    TableColumn { name, kind }
}

/// The columns of the list of URLs, as docs/formats/urls.md explains them.
pub const URL_COLUMNS: &[TableColumn] = &[
    column("url", ColumnKind::Text),
    column("state", ColumnKind::Text),
    column("outcome", ColumnKind::Text),
    column("status", ColumnKind::Count),
    column("order", ColumnKind::Count),
    column("time", ColumnKind::Time),
    column("took_ms", ColumnKind::Count),
    column("bytes", ColumnKind::Count),
    column("media_type", ColumnKind::Text),
    column("fetches", ColumnKind::Count),
    column("depth", ColumnKind::Count),
    column("referrer", ColumnKind::Text),
    column("in_links", ColumnKind::Count),
    column("pattern", ColumnKind::Text),
    column("expected_visits", ColumnKind::Real),
    column("known_visits", ColumnKind::Count),
    column("warc_file", ColumnKind::Text),
    column("warc_offset", ColumnKind::Count),
];

/// What a URL is doing, as the list names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlPhase {
    /// Something came of it.
    Settled,
    /// It waits for its turn.
    Waiting,
    /// It waits for a time.
    Deferred,
    /// It was out when the crawl was cut off.
    Out,
    /// The order did not want it.
    Rejected,
}

impl UrlPhase {
    /// In small letters.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Waiting => "waiting",
            Self::Deferred => "deferred",
            Self::Out => "out",
            Self::Rejected => "rejected",
        }
    }
}

/// What came of one URL.
#[derive(Clone, Debug, PartialEq)]
pub struct UrlRow<'r> {
    /// Its number, in the order of first sight.
    pub key: UrlId,
    /// The URL.
    pub url: Cow<'r, str>,
    /// What it is doing.
    pub state: UrlPhase,
    /// What asking for it came to.
    pub outcome: Option<OutcomeKind>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The how-many-eth URL it was to be settled, from 0.
    pub order: Option<u64>,
    /// When it was last settled.
    pub time: Option<TableTime>,
    /// Milliseconds from the request to the end of the answer.
    pub took_ms: Option<u32>,
    /// Bytes of the body, as sent.
    pub bytes: Option<u64>,
    /// The media type that the server gave.
    pub media_type: Option<String>,
    /// How often it was settled.
    pub fetches: Option<u32>,
    /// Links from a seed.
    pub depth: u16,
    /// The page on which it was first found.
    pub referrer: Option<Cow<'r, str>>,
    /// Pages fetched that link to it; none if there is no archive to read that from.
    pub in_links: Option<u32>,
    /// The pattern that covers it.
    pub pattern: Option<Cow<'r, str>>,
    /// Visits a day that the order expected of it when it was settled.
    pub expected: Option<f32>,
    /// Visits that the log or model of the crawl may name.
    pub known_visits: Option<u64>,
    /// The file of the archive that has it.
    pub warc_file: Option<Cow<'r, str>>,
    /// Where its response or revisit starts there.
    pub warc_offset: Option<u64>,
}

impl UrlRow<'_> {
    /// The cells of [`URL_COLUMNS`].
    #[must_use]
    pub fn cells(&self) -> [TableCell<'_>; URL_COLUMNS.len()] {
        [
            TableCell::Text(&self.url),
            TableCell::Text(self.state.name()),
            TableCell::text(self.outcome.map(OutcomeKind::name)),
            TableCell::count(self.status),
            TableCell::count(self.order),
            self.time.as_ref().map_or(TableCell::Empty, TableCell::Time),
            TableCell::count(self.took_ms),
            TableCell::count(self.bytes),
            TableCell::text(self.media_type.as_deref()),
            TableCell::count(self.fetches),
            TableCell::Count(self.depth.into()),
            TableCell::text(self.referrer.as_deref()),
            TableCell::count(self.in_links),
            TableCell::text(self.pattern.as_deref()),
            self.expected.map_or(TableCell::Empty, |expected| TableCell::Real(shortest(expected))),
            TableCell::count(self.known_visits),
            TableCell::text(self.warc_file.as_deref()),
            TableCell::count(self.warc_offset),
        ]
    }
}

/// The double that is written as the single is.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| value.into())
}

fn moment(ms: u64) -> TableTime {
    TableTime { ms, text: WarcDate::from_unix_ms(ms).to_string() }
}

/// Tells a row for every URL, in the order of first sight.
///
/// # Errors
/// If the records cannot be read, or whoever is told fails.
pub fn each_url(
    record: &CrawlRecord<'_>,
    knowledge: &mut CrawlKnowledge,
    in_links: Option<&InLinks>,
    mut tell: impl FnMut(&UrlRow<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let (records, frontier) = (record.records(), record.frontier());
    let (mut settled, mut sources) = (records.in_order(), records.sources_in_order());
    let mut files: HashMap<u32, String> = HashMap::new();
    records.each_driver_note(ARCHIVE_FILE, |key, archived: Archived| {
        files.extend(key.try_into().ok().map(|key| (u32::from_be_bytes(key), archived.file)));
        Ok(())
    })?;
    // Links of one page come together.
    let mut last: Option<(UrlId, String)> = None;
    for key in (0..frontier.numbered()).map(UrlId) {
        let fetched = settled.at(key)?;
        let source = sources.at(key)?.unwrap_or_default();
        let state = match (&fetched, frontier.state(key)?) {
            // Waiting to be fetched again is told as what came of it.
            (Some(_), _) => UrlPhase::Settled,
            (None, Some(UrlState::Waiting)) => UrlPhase::Waiting,
            (None, Some(UrlState::Deferred(_))) => UrlPhase::Deferred,
            (None, Some(UrlState::Out(_))) => UrlPhase::Out,
            (None, Some(UrlState::Done)) => UrlPhase::Rejected,
            (None, None) => continue,
        };
        let url = record.url(key)?;
        if let Some(from) = source.from
            && last.as_ref().is_none_or(|(known, _)| *known != from)
        {
            last = Some((from, record.url(from)?));
        }
        let has_answer = fetched.as_ref().is_some_and(|fetched| fetched.status != 0);
        let of = |value: u64| has_answer.then_some(value);
        let archived = fetched.as_ref().and_then(|fetched| fetched.archived.as_ref());
        let row = UrlRow {
            key,
            state,
            outcome: fetched.as_ref().map(|it| it.kind),
            status: fetched.as_ref().map(|it| it.status).filter(|status| *status != 0),
            order: fetched.as_ref().map(|it| it.order),
            time: fetched.as_ref().map(|it| moment(it.time_ms)),
            took_ms: fetched.as_ref().map(|it| it.took_ms).filter(|took| has_answer || *took > 0),
            bytes: fetched.as_ref().and_then(|it| of(it.bytes)),
            media_type: fetched.as_ref().and_then(|it| it.media_type.clone()),
            fetches: fetched.as_ref().map(|it| it.fetches),
            depth: source.depth,
            referrer: source.from.and(last.as_ref()).map(|(_, text)| Cow::Borrowed(text.as_str())),
            in_links: in_links.map(|links| links.to(key)),
            pattern: knowledge.patterns.as_mut().and_then(|it| it.name(&url)).map(|it| Cow::Owned(it.to_owned())),
            expected: fetched.as_ref().map(|it| it.expected).filter(|expected| *expected > 0.0),
            known_visits: knowledge.visits.told(key),
            warc_file: archived.and_then(|place| files.get(&place.file)).map(|file| Cow::Borrowed(file.as_str())),
            warc_offset: archived.map(|place| place.start),
            url: Cow::Owned(url),
        };
        tell(&row)?;
    }
    Ok(())
}

/// Writes the list of URLs to a file, by the ending of its name; how many rows it has.
///
/// # Errors
/// If the records cannot be read or the file cannot be written.
pub fn write_urls(
    record: &CrawlRecord<'_>,
    knowledge: &mut CrawlKnowledge,
    in_links: Option<&InLinks>,
    path: &Path,
    readers: FileReaders,
) -> Result<u64, Error> {
    let failed = |why: io::Error| Error::File { path: path.to_owned(), why };
    let mut table = TableFile::create(path, URL_COLUMNS, readers).map_err(failed)?;
    each_url(record, knowledge, in_links, |row| table.row(&row.cells()).map_err(failed))?;
    table.finish().map_err(failed)
}
