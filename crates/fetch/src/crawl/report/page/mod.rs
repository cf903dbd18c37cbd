//! What does the page of a crawl say, and in which order?
//!
//! What came of it in a sentence; how much of what people read it got, and when; which parts of the site it fetched; what
//! went wrong, with examples and where they were linked from; slow hosts, large and slow pages; what waits; the settings.
//!
//! It is one well-formed file that fetches nothing, and the same value gives the same bytes.

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

use super::CrawlReport;

/// Characters of a URL or a setting that are shown.
const MAX_CHARS: usize = 300;

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
    out.push_str(of.judged.as_deref().unwrap_or_default());
    tables::push_groups(&mut out, of);
    tables::push_outcomes(&mut out, of);
    tables::push_broken(&mut out, of);
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
