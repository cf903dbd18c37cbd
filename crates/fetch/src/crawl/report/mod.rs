//! What came of a crawl, as one value and as a page.
//!
//! [`CrawlReport::of`] reads a record of a crawl once, in the order in which URLs were settled; of each it keeps a few numbers, and its URL only
//! where it is shown. Caps bound all lists: a site decides how many hosts, patterns and errors there are. [`crawl_html`] draws the value. What only the
//! caller knows (what the crawl is called, its settings, a judgment) is left to be filled in.

mod collect;
mod curves;
mod groups;
mod hosts;
mod page;

pub use collect::ReportSources;
pub use hosts::host_of;
pub use page::{crawl_html, write_crawl_report};

/// Patterns or sections that are shown.
pub const MAX_GROUPS: usize = 40;
/// Hosts that are shown.
pub const MAX_HOSTS: usize = 20;
/// Large or slow pages that are shown.
pub const MAX_PAGES: usize = 10;
/// Examples of an outcome.
pub const MAX_EXAMPLES: usize = 3;
/// Broken URLs that are shown.
pub const MAX_BROKEN: usize = 50;
/// Points of a curve.
pub const MAX_POINTS: usize = 500;
/// Pages of a broken link that are named.
pub const MAX_BROKEN_PAGES: usize = 5;

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
    /// How good the order was, if a log judged it: a part of the page. Who judges knows logs, and draws it.
    pub judged: Option<String>,
    /// Share of the time, share of the pages.
    pub pace: Vec<[f64; 2]>,
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
    /// Broken URLs, those with the most links first.
    pub broken: Shown<BrokenRow>,
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
    pub curve: Vec<[f64; 2]>,
    /// As the order expected it: the same end, by what it expected of each page when it was fetched. Empty if the order
    /// expects nothing.
    pub expected: Vec<[f64; 2]>,
    /// The same pages, the most visited first.
    pub best: Vec<[f64; 2]>,
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

/// A URL that readers get no page from.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenRow {
    /// Which.
    pub url: String,
    /// What asking for it came to.
    pub outcome: String,
    /// The status; 0 without an answer.
    pub status: u16,
    /// How many pages lead there, if that was counted.
    pub linked: Option<u64>,
    /// Some of them.
    pub pages: Vec<String>,
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
