//! `trodden report` of a crawl, and the report at its end: which files, and what is said. What they hold is found out by
//! `trodden_fetch::crawl` (`analysis`, `report`) and `trodden_lab::judgment`.

mod judged;
mod lists;
mod settings;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use trodden_fetch::crawl::CrawlRecord;
use trodden_fetch::crawl::analysis::{BrokenUrl, CrawlKnowledge};
use trodden_fetch::crawl::report::{CrawlReport, ReportSources, write_crawl_report};
use trodden_lab::judgment::{Judgment, section};

use super::knowledge::Known;
use super::request::Request;
use crate::args::ReportArgs;
use crate::config::Config;
use lists::Lists;

/// What was made of a crawl that is over.
pub(crate) struct Made {
    /// The page.
    pub(crate) page: PathBuf,
    /// How good its order was, if there was a log to judge by.
    pub(crate) judgment: Option<Judgment>,
}

/// Writes the page of a crawl that is over, and lists; judges it.
pub(crate) fn again(args: &ReportArgs, config: &Config) -> Result<Made> {
    let folder = args.folder.as_path();
    let lists = Lists { urls: args.urls.as_deref(), broken: args.broken.as_deref() };
    lists.check()?;
    let request = Request::kept(folder)?;
    let known = Known::read(&request.sources(folder)?, config, folder)?;
    let record = CrawlRecord::open(folder)?;
    let judgment = judged::judged(args, config, &record)?;
    let mut knowledge = known.in_crawl(&record);
    let broken = lists::write(folder, lists, &request, &mut knowledge, &record)?;
    let report =
        CrawlReport { judged: judgment.as_ref().map(section), ..report(&request, knowledge, &record, Some(&broken))? };
    Ok(Made { page: write_page(folder, &report)?, judgment })
}

/// Writes the page of a crawl that has just ended; to which file. The archive is not read again for it: of what is broken the page names
/// where it was found first.
pub(super) fn write(folder: &Path, request: &Request, known: &Known, record: &CrawlRecord<'_>) -> Result<PathBuf> {
    write_page(folder, &report(request, known.in_crawl(record), record, None)?)
}

fn report(
    request: &Request,
    mut knowledge: CrawlKnowledge,
    record: &CrawlRecord<'_>,
    broken: Option<&[BrokenUrl]>,
) -> Result<CrawlReport> {
    let sources = ReportSources { knowledge: &mut knowledge, broken, delay_ms: request.crawl.delay_ms };
    Ok(CrawlReport {
        name: settings::name(request),
        policy: request.policy.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: settings::settings(request)?,
        ..CrawlReport::of(record, sources)?
    })
}

fn write_page(folder: &Path, report: &CrawlReport) -> Result<PathBuf> {
    write_crawl_report(folder, report).with_context(|| format!("cannot write to {}", folder.display()))
}
