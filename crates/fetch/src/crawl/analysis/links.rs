//! Which page links to which URL? Read from the archive, where the pages are as the crawl last saw them.
//!
//! - A *link* is an `a` or `area` with `href` on a page of HTML that was fetched, with `rel=nofollow` or without: readers can follow it. A page
//!   links to a URL once, and never to itself.
//! - A *redirect* leads from a URL to where its answer sends the reader.
//!
//! Only links to URLs that the crawl knows count. Pages are read in the order in which they lie in the archive. A page whose payload was
//! there before is read where it was first kept. What cannot be read costs one entry of the [`ReadTally`].

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use trodden_archive::http::Response;
use trodden_archive::page::read_answer;
use trodden_archive::warc::Digest;
use trodden_archive::{Caps, RecordKind, Want, WarcReader, WarcRecord};
use trodden_frontier::UrlId;
use trodden_ordering::OutcomeKind;
use trodden_session::ArchivePlace;
use trodden_urls::Canonicalizer;
use url::Url;

use crate::crawl::join::Base;
use crate::crawl::notes::{ARCHIVE_FILE, Archived, DIGEST, Original};
use crate::crawl::{CrawlRecord, Error, canonicalizer};

/// What leads from one URL to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkForm {
    /// A page links to it.
    Link,
    /// An answer sends the reader there.
    Redirect,
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadTally {
    /// Pages whose links were read.
    pub pages: u64,
    /// Pages and redirects that were fetched and are not in the archive: their owners asked for that, or none was kept.
    pub not_archived: u64,
    /// Those that are there and cannot be read.
    pub unreadable: u64,
}

/// How many pages link to each URL, by its number.
#[derive(Clone, Debug, Default)]
pub struct InLinks(Vec<u32>);

impl InLinks {
    /// For so many URLs.
    #[must_use]
    pub fn of(known: u64) -> Self {
        Self(vec![0; usize::try_from(known).unwrap_or(0)])
    }

    /// Counts the links of one page.
    pub fn count(&mut self, to: &[UrlId]) {
        for key in to {
            if let Some(count) = self.0.get_mut(key.index()) {
                *count += 1;
            }
        }
    }

    /// Pages that link to a URL.
    #[must_use]
    pub fn to(&self, key: UrlId) -> u32 {
        self.0.get(key.index()).copied().unwrap_or(0)
    }
}

/// Where a page lies in the archive: 32 bytes, as [`analysis`](super) promises.
struct Place {
    file: u32,
    start: u64,
    end: u64,
    key: UrlId,
    is_redirect: bool,
}

const _: () = assert!(size_of::<Place>() == 32, "analysis and docs/report.md say so");

/// Tells which URLs each page leads to, by their numbers in rising order.
///
/// # Errors
/// If the records of the crawl cannot be read, or whoever is told fails.
pub fn read_links(
    record: &CrawlRecord<'_>,
    folder: &Path,
    mut tell: impl FnMut(UrlId, LinkForm, &[UrlId]) -> Result<(), Error>,
) -> Result<ReadTally, Error> {
    let mut tally = ReadTally::default();
    let mut places = places(record, &mut tally)?;
    places.sort_unstable_by_key(|place| (place.file, place.start));
    let mut reader = PageReader::new(record, folder)?;
    let mut to = Vec::new();
    for place in &places {
        to.clear();
        let form = if place.is_redirect { LinkForm::Redirect } else { LinkForm::Link };
        let url = record.url(place.key)?;
        let archived = ArchivePlace { file: place.file, start: place.start, end: place.end };
        if reader.leads(&archived, form, &url, &mut to)?.is_none() {
            tally.unreadable += 1;
            continue;
        }
        tally.pages += u64::from(form == LinkForm::Link);
        to.sort_unstable();
        to.dedup();
        to.retain(|key| *key != place.key);
        tell(place.key, form, &to)?;
    }
    Ok(tally)
}

fn places(record: &CrawlRecord<'_>, tally: &mut ReadTally) -> Result<Vec<Place>, Error> {
    let mut places = Vec::new();
    record.each(|key, fetched| {
        let is_redirect = fetched.kind == OutcomeKind::Redirect;
        // What was not modified is in the archive as it was before, and that is not where the record says.
        if !is_redirect && !matches!(fetched.kind, OutcomeKind::Page | OutcomeKind::NotModified) {
            return;
        }
        match &fetched.archived {
            Some(ArchivePlace { file, start, end }) if fetched.kind != OutcomeKind::NotModified => {
                places.push(Place { file: *file, start: *start, end: *end, key, is_redirect });
            }
            _ => tally.not_archived += 1,
        }
    })?;
    Ok(places)
}

/// Reads single answers of an archive.
struct PageReader<'r> {
    record: &'r CrawlRecord<'r>,
    /// By number.
    names: Vec<PathBuf>,
    open: Option<(u32, File)>,
    caps: Caps,
    canonicalizer: Canonicalizer,
}

impl<'r> PageReader<'r> {
    fn new(record: &'r CrawlRecord<'r>, folder: &Path) -> Result<Self, Error> {
        let mut names = Vec::new();
        let archive = folder.join("archive");
        record.records().each_driver_note(ARCHIVE_FILE, |_, archived: Archived| {
            let path = archive.join(&archived.file);
            // The last file of a crawl that was killed still has the name of one that is written.
            let open = archive.join(format!("{}.open", archived.file));
            names.push(if path.is_file() { path } else { open });
            Ok(())
        })?;
        Ok(Self { record, names, open: None, caps: Caps::default(), canonicalizer: canonicalizer() })
    }

    /// The answer at a place; none if it cannot be read.
    fn answer(&mut self, place: &ArchivePlace) -> Option<WarcRecord> {
        if self.open.as_ref().is_none_or(|(number, _)| *number != place.file) {
            self.open = Some((place.file, File::open(self.names.get(place.file as usize)?).ok()?));
        }
        let (_, file) = self.open.as_mut()?;
        file.seek(SeekFrom::Start(place.start)).ok()?;
        let packed = file.take(place.end.saturating_sub(place.start));
        // The first of a file is what the file is about.
        let mut records = WarcReader::new(packed, self.caps.clone()).filter_map(Result::ok);
        records.find(|record| matches!(record.kind, RecordKind::Response | RecordKind::Revisit))
    }

    /// Adds where an answer leads; none if it cannot be read.
    fn leads(
        &mut self,
        place: &ArchivePlace,
        form: LinkForm,
        url: &str,
        to: &mut Vec<UrlId>,
    ) -> Result<Option<()>, Error> {
        let Some(mut answer) = self.answer(place) else { return Ok(None) };
        let payload = answer.headers.get("WARC-Payload-Digest").and_then(Digest::parse);
        if let (RecordKind::Revisit, LinkForm::Link, Some(digest)) = (answer.kind, form, payload) {
            let original: Option<Original> = self.record.records().driver_note(DIGEST, digest.as_bytes())?;
            let Some(first) = original.and_then(|original| self.answer(&original.place)) else { return Ok(None) };
            answer = first;
        }
        let (Ok(response), Ok(page)) = (Response::parse(&answer.body, &self.caps), Url::parse(url)) else {
            return Ok(None);
        };
        match form {
            LinkForm::Redirect => {
                let base = Base::new(page, &self.canonicalizer);
                to.extend(response.headers.get("Location").and_then(|href| self.find(&base, href, &mut String::new())));
            }
            LinkForm::Link => {
                let content = read_answer(&response, Want::Hrefs, &self.caps).content;
                let base = Base::new(content.base_url(&page), &self.canonicalizer);
                let mut text = String::new();
                to.extend(content.links.iter().filter_map(|link| self.find(&base, &link.href, &mut text)));
            }
        }
        Ok(Some(()))
    }

    /// The number of the URL that a link leads to, if the crawl knows it.
    fn find(&self, base: &Base, href: &str, text: &mut String) -> Option<UrlId> {
        if base.plain(href, text).is_some() {
            return self.record.find(text);
        }
        let url = base.any(href)?;
        self.record.find(self.canonicalizer.absolute(url.as_str().as_bytes()).ok()?.as_str())
    }
}
