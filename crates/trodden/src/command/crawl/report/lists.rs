//! Lists of what a crawl found: every URL, and every broken link with its page.

use std::path::Path;

use anyhow::{Result, bail};
use trodden_fetch::crawl::CrawlRecord;
use trodden_fetch::crawl::analysis::{BrokenUrl, CrawlKnowledge, SurveyRequest, survey_links, write_urls};
use trodden_fetch::crawl::report::MAX_BROKEN_PAGES;
use trodden_report::file::FileReaders;
use trodden_report::table::TableForm;

use crate::command::crawl::request::Request;
use crate::output::{counted, say};

/// Which lists are wanted, and where.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lists<'l> {
    pub(super) urls: Option<&'l Path>,
    pub(super) broken: Option<&'l Path>,
}

impl Lists<'_> {
    /// Refuses what cannot be written before anything is read.
    pub(super) fn check(&self) -> Result<()> {
        for (flag, path) in [("--urls", self.urls), ("--broken", self.broken)] {
            if let Some(path) = path.filter(|path| TableForm::of(path).is_none()) {
                bail!("{flag} {}: the name must end in .csv, .jsonl or .parquet", path.display());
            }
        }
        Ok(())
    }
}

/// Writes the lists; the broken URLs, those with the most links first.
pub(super) fn write(
    folder: &Path,
    lists: Lists<'_>,
    request: &Request,
    knowledge: &mut CrawlKnowledge,
    record: &CrawlRecord<'_>,
) -> Result<Vec<BrokenUrl>> {
    // The order of a crawl that goes by visits tells of URLs that few people visited.
    let readers = if request.visits.is_empty() { FileReaders::Everybody } else { FileReaders::Owner };
    let wanted = SurveyRequest {
        in_links: lists.urls.is_some(),
        broken: lists.broken.map(|path| (path, readers)),
        most_examples: MAX_BROKEN_PAGES,
    };
    let survey = survey_links(record, folder, wanted)?;
    let unread = survey.tally.not_archived + survey.tally.unreadable;
    if unread > 0 {
        let n = counted(unread, "page");
        say(&format!("the links of {n} are not counted: they are not in the archive, or cannot be read there"));
    }
    if let (Some(rows), Some(path)) = (survey.broken_rows, lists.broken) {
        say(&format!("{} in {}", counted(rows, "broken link"), path.display()));
    }
    if let Some(path) = lists.urls {
        let rows = write_urls(record, knowledge, survey.in_links.as_ref(), path, readers)?;
        say(&format!("{} in {}", counted(rows, "URL"), path.display()));
    }
    Ok(survey.broken)
}
