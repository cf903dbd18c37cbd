//! What did a crawl find, URL by URL? For a list that can be filtered and sorted, and for the owner of a site who wants to mend links.
//!
//! Everything is read from what the crawl wrote: the records of its session say what came of each URL, the archive says which pages link
//! to which. A crawl does not keep links while it runs; they are read again from the archive when somebody asks ([`survey_links`]), each page once,
//! in the order of the files.
//!
//! Memory, beside the frontier's own: 4 bytes a URL for the count of links to it, 32 a page for where it lies in the archive, and of each broken URL
//! a few numbers. Rows are handed out one by one.

mod broken;
mod links;
mod rows;
mod survey;
mod visits;

pub use broken::{BROKEN_COLUMNS, BrokenFile, BrokenLink, BrokenUrl, BrokenUrls};
pub use links::{InLinks, LinkForm, ReadTally, read_links};
pub use rows::{URL_COLUMNS, UrlPhase, UrlRow, each_url, write_urls};
pub use survey::{LinkSurvey, SurveyRequest, survey_links};
pub use visits::{CrawlKnowledge, UrlVisits, VisitCounts};
