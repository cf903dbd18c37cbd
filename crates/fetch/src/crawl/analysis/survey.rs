//! Who links where, and which of these links are broken? One reading of the archive answers both.

use std::path::Path;

use trodden_report::file::FileReaders;

use super::broken::{BrokenFile, BrokenUrl, BrokenUrls};
use super::links::{InLinks, LinkForm, ReadTally, read_links};
use crate::crawl::{CrawlRecord, Error};

/// What is wanted of a survey.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurveyRequest<'s> {
    /// Whether links to each URL are to be counted.
    pub in_links: bool,
    /// The file for a list of broken links, and who may read it.
    pub broken: Option<(&'s Path, FileReaders)>,
    /// Pages that are remembered of a broken URL.
    pub most_examples: usize,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct LinkSurvey {
    /// How many pages link to each URL, if that was wanted and there is an archive.
    pub in_links: Option<InLinks>,
    /// Broken URLs, those with the most links first.
    pub broken: Vec<BrokenUrl>,
    /// Rows of the list of broken links, if one was wanted.
    pub broken_rows: Option<u64>,
    /// What was read.
    pub tally: ReadTally,
}

/// Reads the links of a crawl from the archive in its folder. A crawl where nothing is broken and nobody wants links counted is not read.
///
/// # Errors
/// If the records cannot be read, or the list cannot be written.
pub fn survey_links(record: &CrawlRecord<'_>, folder: &Path, request: SurveyRequest<'_>) -> Result<LinkSurvey, Error> {
    let mut broken = BrokenUrls::of(record, request.most_examples)?;
    let mut file = match request.broken {
        Some((path, readers)) => Some(BrokenFile::create(record, path, readers)?),
        None => None,
    };
    let mut survey = LinkSurvey::default();
    if record.has_archive()? && (request.in_links || !broken.is_empty()) {
        let mut in_links = InLinks::of(record.known());
        survey.tally = read_links(record, folder, |page, form, to| {
            if form == LinkForm::Link {
                in_links.count(to);
            }
            broken.note(page, to, |url| match &mut file {
                Some(file) => file.add(url, Some(page), Some(form)),
                None => Ok(()),
            })
        })?;
        survey.in_links = request.in_links.then_some(in_links);
    }
    survey.broken_rows = file.map(|file| file.finish(&broken)).transpose()?;
    survey.broken = broken.most_linked_first();
    Ok(survey)
}
