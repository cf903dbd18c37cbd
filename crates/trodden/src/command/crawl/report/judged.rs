//! The order of a crawl, judged by a log.

use std::path::Path;

use anyhow::{Context, Result, bail};
use trodden_fetch::crawl::CrawlRecord;
use trodden_lab::judgment::{CrawlOrder, Identities, Judgment, judge};
use trodden_logs::visits::StoredVisits;
use trodden_urls::Aliases;

use crate::args::{LogArgs, ReportArgs};
use crate::command::crawl::request::Request;
use crate::config::Config;
use crate::intake;

/// Of the chance by which readers are drawn anew: the same log gives the same interval.
const SEED: u64 = 1;

/// Judges a crawl, and the one beside it, by the log that was named; none if none was.
pub(super) fn judged(args: &ReportArgs, config: &Config, record: &CrawlRecord<'_>) -> Result<Option<Judgment>> {
    if args.logs.is_empty() {
        if args.beside.is_some() {
            bail!("--beside needs a log to judge by; say it with --log LOG");
        }
        return Ok(None);
    }
    let mut orders = vec![order(&args.folder, record)?];
    if let Some(beside) = &args.beside {
        if !Request::is_in(beside) {
            bail!("--beside {}: it holds no crawl (crawl -o)", beside.display());
        }
        orders.push(order(beside, &CrawlRecord::open(beside)?)?);
    }
    let logs = LogArgs { logs: args.logs.clone(), reading: args.reading.clone() };
    let visits = intake::visits(&logs, &args.resources, config)?;
    let visits = StoredVisits::find(&visits.paths)?;
    judge(&orders, &visits, SEED).map(Some).context("cannot judge by the log")
}

/// The pages of a crawl, in the order in which they were fetched, by the names that visits have for them.
fn order(folder: &Path, record: &CrawlRecord<'_>) -> Result<CrawlOrder> {
    let request = Request::kept(folder)?;
    let identities = Identities::new(Aliases::parse(&request.aliases).context("the aliases of the crawl")?);
    let mut pages = Vec::new();
    for key in record.pages_in_order()? {
        pages.extend(identities.of(&record.url(key)?));
    }
    let name = folder.file_name().map_or_else(|| "crawl".to_owned(), |name| name.to_string_lossy().into_owned());
    Ok(CrawlOrder { name, pages })
}
