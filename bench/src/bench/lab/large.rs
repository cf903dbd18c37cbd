//! How much memory do ten million pages take? A made-up mirror with URLs, links both ways, and a crawl over it, in a
//! process of its own.
//!
//! What the mirror takes is the growth of the process' resident memory from before it was made until links are there both
//! ways; its budget is 8 bytes a link, 16 a page, and the text of the URLs.

use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use trodden_lab::Mirror;
use trodden_lab::crawl::{Progress, crawl};
use trodden_ordering::Limits;

use super::crawl::Order;
use super::made_up;
use crate::bench::table::{Bar, Good};
use crate::child::{Measured, Usage, own_cpu, own_memory};

/// Gigabytes of the whole process.
const MEMORY_BAR: f64 = 6.0;
/// Of the mirror's budget.
const BUDGET_BAR: f64 = 1.0;
const LINK_BYTES: u64 = 8;
const PAGE_BYTES: u64 = 16;

const ORDERS: [Order; 2] = [Order::BreadthFirst, Order::Backlink];

/// Arguments of the hidden task.
#[derive(clap::Args)]
pub(crate) struct CrawlArguments {
    pages: u32,
    links: u32,
    #[arg(value_enum)]
    order: Order,
}

/// What the child says.
#[derive(Serialize, Deserialize)]
struct Report {
    links: u64,
    fetched: u64,
    making: f64,
    wall: f64,
    cpu: f64,
    url_bytes: u64,
    /// Resident memory that came with the mirror.
    mirror_bytes: u64,
}

/// The hidden task: makes the mirror, crawls it, and says what that took.
pub(crate) fn run_crawl(arguments: &CrawlArguments) -> Result<bool> {
    let (started, before) = (Instant::now(), own_memory()?);
    let mirror = made_up::mirror(arguments.pages, arguments.links)?;
    mirror.graph.backward();
    let mirror_bytes = own_memory()?.saturating_sub(before);
    let making = started.elapsed().as_secs_f64();
    let (started, cpu) = (Instant::now(), own_cpu()?);
    let policy = arguments.order.policy(arguments.pages);
    let log = crawl(&mirror, &[0], policy, Limits::default(), &Progress::default())?;
    let report = Report {
        links: mirror.graph.links(),
        fetched: log.order.len() as u64,
        making,
        wall: started.elapsed().as_secs_f64(),
        cpu: (own_cpu()? - cpu).as_secs_f64(),
        url_bytes: url_bytes(&mirror),
        mirror_bytes,
    };
    println!("{}", serde_json::to_string(&report)?);
    Ok(true)
}

fn url_bytes(mirror: &Mirror) -> u64 {
    (0..mirror.pages()).map(|page| mirror.urls.get(page).len() as u64).sum()
}

/// Crawls the large graph in each order.
pub(super) fn run(pages: u32, links: u32, folder: &Path) -> Result<[Bar; 2]> {
    println!("## Large\n\nA made-up graph of {pages} pages and {links} links, crawled from page 0.\n");
    println!(
        "| order | fetched | making s | crawl s | CPU s of it | ns per link | peak GB | mirror GB | without URL text |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let (mut peak, mut of_budget): (f64, f64) = (0.0, 0.0);
    for order in ORDERS {
        eprintln!("large: {} on {pages} pages", order.name());
        let (report, usage) = child(pages, links, order, folder)?;
        let Report { fetched, making, wall, cpu, .. } = report;
        let (most, mirror) = (usage.peak_bytes as f64 / 1e9, report.mirror_bytes as f64 / 1e9);
        let bare = report.mirror_bytes.saturating_sub(report.url_bytes) as f64;
        let budget = (LINK_BYTES * report.links + PAGE_BYTES * u64::from(pages)) as f64;
        println!(
            "| {} | {fetched} | {making:.1} | {wall:.2} | {cpu:.2} | {:.0} | {most:.2} | {mirror:.2} | {:.2} |",
            order.name(),
            cpu * 1e9 / report.links as f64,
            bare / 1e9
        );
        peak = peak.max(most);
        of_budget = of_budget.max(bare / budget);
    }
    println!(
        "\nMirror: resident memory, links both ways. By its tables it is 8 bytes a link and 12 a page, and the text of"
    );
    println!("URLs; the budget is {LINK_BYTES} a link and {PAGE_BYTES} a page, and the text.\n");
    let bar = |what, bar, unit, measured| Bar { what, good: Good::Below, bar, aim: None, unit, measured };
    Ok([
        bar("large graph: peak memory of mirror and crawl", MEMORY_BAR, "GB", peak),
        bar("large graph: mirror ÷ its budget", BUDGET_BAR, "×", of_budget),
    ])
}

fn child(pages: u32, links: u32, order: Order, folder: &Path) -> Result<(Report, Usage)> {
    let words = ["large-crawl".to_owned(), pages.to_string(), links.to_string(), order.name().to_owned()];
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    let stdout = folder.join(format!("large-{}.json", order.name()));
    let program = std::env::current_exe()?;
    let usage = Measured::start(program.as_os_str(), &words, &[], Stdio::null(), &stdout)?.finish()?;
    let report = serde_json::from_reader(BufReader::new(File::open(&stdout)?)).context("the crawl left no report")?;
    Ok((report, usage))
}
