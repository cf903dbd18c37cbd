//! What does the page of a crawl say, and in which order?
//!
//! What came of it in a sentence; how much of what people read it got, and when; which parts of the site it fetched; what
//! went wrong, with examples and where they were linked from; slow hosts, large and slow pages; what waits; the settings.
//!
//! It is made of one plain value ([`CrawlReport`]), which whoever crawled fills in, under these caps: a site decides how many
//! hosts, patterns and errors there are, and how long its URLs are. As the page of an experiment, it is one well-formed file
//! that fetches nothing, and the same value gives the same bytes.

mod charts;
mod tables;
#[cfg(test)]
mod tests;
mod words;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use trodden_report::file::write_whole;
use trodden_report::page::{end, head, unbroken};
use trodden_report::text::Escaped;

use crate::result::Curve;

/// Patterns or sections that are shown.
pub const MAX_GROUPS: usize = 40;
/// Hosts that are shown.
pub const MAX_HOSTS: usize = 20;
/// Large or slow pages that are shown.
pub const MAX_PAGES: usize = 10;
/// Examples of an outcome.
pub const MAX_EXAMPLES: usize = 3;
/// Points of a curve.
pub const MAX_POINTS: usize = 500;
/// Characters of a URL or a setting that are shown.
const MAX_CHARS: usize = 300;

/// A crawl, as it is told of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrawlReport {
    /// What was crawled.
    pub name: String,
    /// The order.
    pub policy: String,
    /// Version of the program.
    pub version: String,
    /// Pages and documents fetched.
    pub pages: u64,
    /// Bytes of bodies, as sent.
    pub bytes: u64,
    /// Milliseconds that it ran, in all runs.
    pub elapsed_ms: u64,
    /// URLs known.
    pub known: u64,
    /// What people read, if logs are known.
    pub traffic: Option<CrawlTraffic>,
    /// Share of the time, share of the pages.
    pub pace: Curve,
    /// Milliseconds from the first answer to the last.
    pub span_ms: u64,
    /// What groups are.
    pub grouped_by: GroupedBy,
    /// Parts of what was fetched, the largest first.
    pub groups: Shown<Group>,
    /// By kind, the most frequent first.
    pub outcomes: Vec<OutcomeCount>,
    /// Tries that failed and were put off, to be made again, by kind, the most frequent first.
    pub put_off: Vec<(String, u64)>,
    /// The slowest first.
    pub hosts: Shown<HostPace>,
    /// The largest pages.
    pub largest: Vec<FetchedPage>,
    /// The slowest pages.
    pub slowest: Vec<FetchedPage>,
    /// URLs that wait, by host, the most first.
    pub waiting: Shown<(String, u64)>,
    /// All of them.
    pub waiting_in_all: u64,
    /// Name and value.
    pub settings: Vec<(String, String)>,
}

/// As many as are shown, and how many are not.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown<T> {
    /// Those that are.
    pub rows: Vec<T>,
    /// How many are not.
    pub left_out: u64,
}

impl<T> Default for Shown<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), left_out: 0 }
    }
}

impl<T> Shown<T> {
    /// The first of so many.
    #[must_use]
    pub fn first(mut rows: Vec<T>, most: usize) -> Self {
        let left_out = rows.len().saturating_sub(most) as u64;
        rows.truncate(most);
        Self { rows, left_out }
    }
}

/// How much of what people read was fetched, as far as logs know. Curves: share of the pages fetched, share of the traffic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrawlTraffic {
    /// Visits that the logs know.
    pub visits: f64,
    /// Those of URLs that were fetched.
    pub fetched: f64,
    /// As it went.
    pub curve: Curve,
    /// As the order expected it: the same end, by what it expected of each page when it was fetched. Empty if the order
    /// expects nothing.
    pub expected: Curve,
    /// The same pages, the most visited first.
    pub best: Curve,
}

/// What a group of pages is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupedBy {
    /// A pattern of a model.
    Pattern,
    /// The first segment of a path.
    #[default]
    Section,
}

/// A group of pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The pattern, or the beginning of the path.
    pub name: String,
    /// Pages fetched.
    pub pages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Visits of what was fetched.
    pub visits: f64,
}

/// What came of requests.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeCount {
    /// Its name.
    pub kind: String,
    /// How often.
    pub count: u64,
    /// Whether the server gave what was asked for.
    pub is_success: bool,
    /// Some of them, and where each was linked from; of failures only.
    pub examples: Vec<(String, Option<String>)>,
}

/// How a host answered.
#[derive(Clone, Debug, PartialEq)]
pub struct HostPace {
    /// Which.
    pub host: String,
    /// Requests that came to something.
    pub requests: u64,
    /// Mean of the time that an answer took.
    pub mean_ms: u64,
    /// 95 of 100 took no longer.
    pub most_ms: u64,
    /// From an answer to the next request, by our settings and by robots.txt.
    pub delay_ms: u64,
    /// Requests without success.
    pub errors: u64,
}

/// A page.
#[derive(Clone, Debug, PartialEq)]
pub struct FetchedPage {
    /// Which.
    pub url: String,
    /// Bytes of the body, as sent.
    pub bytes: u64,
    /// Time that it took.
    pub took_ms: u64,
}

/// The page.
#[must_use]
pub fn crawl_html(of: &CrawlReport) -> String {
    let mut out = String::new();
    let title = format!("Crawl of {}", cut(&of.name));
    head(&mut out, &title);
    let _ = write!(
        out,
        "<h1>{}</h1>\n<p class=\"of\">in the order of {}; trodden {}</p>\n<p class=\"conclusion\">{}</p>\n",
        Escaped(&title),
        Escaped(&of.policy),
        Escaped(&of.version),
        Escaped(&unbroken(&words::headline(of)))
    );
    charts::push(&mut out, of);
    tables::push_groups(&mut out, of);
    tables::push_outcomes(&mut out, of);
    tables::push_hosts(&mut out, of);
    tables::push_pages(&mut out, of);
    tables::push_waiting(&mut out, of);
    tables::push_settings(&mut out, of);
    end(&mut out);
    out
}

/// Writes `report.html` into a folder; it is there as a whole or as it was before.
///
/// # Errors
/// If it cannot be written.
pub fn write_crawl_report(dir: &Path, of: &CrawlReport) -> io::Result<PathBuf> {
    write_whole(dir, "report.html", &crawl_html(of))
}

/// As much of a text as is shown.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
