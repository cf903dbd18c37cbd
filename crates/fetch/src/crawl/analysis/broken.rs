//! Which links lead nowhere, and on which pages are they?
//!
//! A URL is [broken](OutcomeKind::is_broken) if a reader who follows a link to it gets no page. Each page with such a link is a row of its
//! own; so is a redirect that leads there. A broken URL that no link leads to (a seed, one of a sitemap, of a header or of a page that is not
//! in the archive) has one row, with the page on which it was found if there is one.

use std::path::Path;

use rustc_hash::FxHashMap;
use trodden_frontier::UrlId;
use trodden_ordering::OutcomeKind;
use trodden_report::file::FileReaders;
use trodden_report::table::{ColumnKind, TableCell, TableColumn, TableFile};

use super::links::LinkForm;
use crate::crawl::{CrawlRecord, Error};

const fn text(name: &'static str) -> TableColumn {
    TableColumn { name, kind: ColumnKind::Text }
}

/// The columns of the list of broken links.
pub const BROKEN_COLUMNS: &[TableColumn] = &[
    text("url"),
    text("outcome"),
    TableColumn { name: "status", kind: ColumnKind::Count },
    text("page"),
    // `link`, `redirect`, `found`, or empty if nothing leads there.
    text("form"),
];

/// A broken URL, and a page that leads there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenLink<'b> {
    /// Where it leads.
    pub url: &'b str,
    /// What asking for that came to.
    pub outcome: OutcomeKind,
    /// The status; none without an answer.
    pub status: Option<u16>,
    /// The page.
    pub page: Option<&'b str>,
    /// By what it leads there; none if the URL was found in another way.
    pub form: Option<LinkForm>,
}

impl BrokenLink<'_> {
    /// The cells of [`BROKEN_COLUMNS`].
    #[must_use]
    pub fn cells(&self) -> [TableCell<'_>; BROKEN_COLUMNS.len()] {
        let form = match (self.form, self.page) {
            (Some(LinkForm::Link), _) => Some("link"),
            (Some(LinkForm::Redirect), _) => Some("redirect"),
            (None, page) => page.map(|_| "found"),
        };
        [
            TableCell::Text(self.url),
            TableCell::Text(self.outcome.name()),
            TableCell::count(self.status),
            TableCell::text(self.page),
            TableCell::text(form),
        ]
    }
}

/// A broken URL and how many lead there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenUrl {
    /// Its number.
    pub key: UrlId,
    /// What asking for it came to.
    pub outcome: OutcomeKind,
    /// The status; 0 without an answer.
    pub status: u16,
    /// Pages and redirects that lead there.
    pub pages: u64,
    /// The first of them, by number.
    pub examples: Vec<UrlId>,
}

impl BrokenUrl {
    /// One that nothing is known to lead to.
    pub(in crate::crawl) fn unlinked(key: UrlId, outcome: OutcomeKind, status: u16) -> Self {
        Self { key, outcome, status, pages: 0, examples: Vec::new() }
    }
}

/// The broken URLs of a crawl.
#[derive(Clone, Debug, Default)]
pub struct BrokenUrls {
    by_key: FxHashMap<UrlId, BrokenUrl>,
    most_examples: usize,
}

impl BrokenUrls {
    /// All that a crawl met; of each, so many pages that lead there will be kept.
    ///
    /// # Errors
    /// If the records cannot be read.
    pub fn of(record: &CrawlRecord<'_>, most_examples: usize) -> Result<Self, Error> {
        let mut by_key = FxHashMap::default();
        record.each(|key, fetched| {
            if fetched.kind.is_broken() {
                by_key.insert(key, BrokenUrl::unlinked(key, fetched.kind, fetched.status));
            }
        })?;
        Ok(Self { by_key, most_examples })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Takes note of where a page leads; tells each broken URL among that.
    ///
    /// # Errors
    /// If whoever is told fails.
    pub fn note(
        &mut self,
        page: UrlId,
        to: &[UrlId],
        mut tell: impl FnMut(&BrokenUrl) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for key in to {
            if let Some(broken) = self.by_key.get_mut(key) {
                broken.pages += 1;
                if broken.examples.len() < self.most_examples {
                    broken.examples.push(page);
                }
                tell(broken)?;
            }
        }
        Ok(())
    }

    /// All, those with the most pages first, then in the order of first sight.
    #[must_use]
    pub fn most_linked_first(self) -> Vec<BrokenUrl> {
        let mut all: Vec<BrokenUrl> = self.by_key.into_values().collect();
        all.sort_unstable_by_key(|broken| (std::cmp::Reverse(broken.pages), broken.key));
        all
    }

    /// Those that nothing was seen to lead to, in the order of first sight.
    fn unlinked(&self) -> Vec<&BrokenUrl> {
        let mut all: Vec<&BrokenUrl> = self.by_key.values().filter(|broken| broken.pages == 0).collect();
        all.sort_unstable_by_key(|broken| broken.key);
        all
    }
}

/// A file of broken links that is being written.
pub struct BrokenFile<'r> {
    record: &'r CrawlRecord<'r>,
    table: TableFile,
    path: &'r Path,
}

impl<'r> BrokenFile<'r> {
    /// Begins the list, in the form that its name ends with.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn create(record: &'r CrawlRecord<'r>, path: &'r Path, readers: FileReaders) -> Result<Self, Error> {
        let table = TableFile::create(path, BROKEN_COLUMNS, readers);
        Ok(Self { record, table: table.map_err(|why| Error::File { path: path.to_owned(), why })?, path })
    }

    /// Adds a page and the broken URL that it leads to.
    ///
    /// # Errors
    /// If the records cannot be read or the file cannot be written.
    pub fn add(&mut self, broken: &BrokenUrl, page: Option<UrlId>, form: Option<LinkForm>) -> Result<(), Error> {
        let url = self.record.url(broken.key)?;
        let page = page.map(|page| self.record.url(page)).transpose()?;
        let status = Some(broken.status).filter(|status| *status != 0);
        let link = BrokenLink { url: &url, outcome: broken.outcome, status, page: page.as_deref(), form };
        self.table.row(&link.cells()).map_err(|why| Error::File { path: self.path.to_owned(), why })
    }

    /// Adds those that nothing leads to, and ends the list; how many rows it has.
    ///
    /// # Errors
    /// If the records cannot be read or the file cannot be written.
    pub fn finish(mut self, all: &BrokenUrls) -> Result<u64, Error> {
        for broken in all.unlinked() {
            let from = self.record.records().source(broken.key)?.from;
            self.add(broken, from, None)?;
        }
        self.table.finish().map_err(|why| Error::File { path: self.path.to_owned(), why })
    }
}
