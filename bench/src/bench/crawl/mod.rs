//! `bench crawl`: what does a page cost, from the request to its place in the frontier, and who does it cheaper?
//!
//! A real site lies in a folder, nginx serves it, and every crawler ([`peer`]) fetches the whole of it from the same page.
//! nginx's log says what each of them really asked for; the kernel says what it cost. Then a large made-up site is crawled by
//! ours alone, to see how much memory it takes.

mod broad;
mod cores;
mod nginx;
mod peer;
mod site;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::cores::Cores;
use self::nginx::Nginx;
use self::peer::{Peer, Ready};
use self::site::Site;
use super::table::{self, Bar, Good};
use crate::child::{Measured, Usage};
use crate::repo;

/// Pages of the made-up site are at least so long.
const SMALL_PAGE: usize = 1_000;
/// Megabytes of a crawl of the made-up site.
const MEMORY_BAR: f64 = 200.0;

/// Arguments of `bench crawl`.
#[derive(clap::Args)]
pub(crate) struct CrawlArguments {
    /// Runs of each crawler, in turns; the middle one counts.
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: u32,
    /// Pages of the made-up site; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pages: usize,
    /// Only our own crawler.
    #[arg(long)]
    alone: bool,
    /// Only this part.
    #[arg(long, value_name = "PART")]
    only: Option<Part>,
    /// Measures this program instead of building one.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Hosts have numbers of up to so many digits: 4 for 11,110 hosts, 5 for 111,110.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(3..=5))]
    digits: u32,
}

/// A part of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// An encyclopedia by every crawler.
    Site,
    /// A manual with many links a page.
    Manual,
    /// One core against all.
    Cores,
    /// Memory of a crawl of many pages.
    Memory,
    /// Many hosts.
    Broad,
}

/// What one crawler did.
struct Row {
    peer: Peer,
    pages: u64,
    requests: u64,
    usage: Usage,
}

impl Row {
    /// Milliseconds of CPU time a page.
    fn cost(&self) -> f64 {
        self.usage.cpu.as_secs_f64() * 1e3 / self.pages.max(1) as f64
    }

    fn print(&self, ours: f64, pages: u64) {
        let Self { peer, requests, usage, .. } = self;
        let (cpu, wall) = (usage.cpu.as_secs_f64(), usage.wall.as_secs_f64());
        let same = if self.pages == pages { String::new() } else { format!(" (ours: {pages})") };
        println!(
            "| {} | {}{same} | {requests} | {cpu:.2} | {:.3} | {wall:.1} | {:.0} | {:.2} × |",
            peer.name(),
            self.pages,
            self.cost(),
            megabytes(usage),
            self.cost() / ours
        );
    }
}

fn megabytes(usage: &Usage) -> f64 {
    usage.peak_bytes as f64 / 1e6
}

/// Runs the bench; false when a bar was missed.
pub(super) fn run(arguments: &CrawlArguments) -> Result<bool> {
    let store = repo::target_dir()?.join("bench");
    fs::create_dir_all(&store)?;
    let scratch = tempfile::tempdir_in(&store)?;
    let trodden = match &arguments.program {
        Some(program) => program.clone(),
        None => repo::build_trodden()?,
    };
    let bench = CrawlBench { arguments, store: &store, scratch: scratch.path(), trodden: &trodden };
    println!("# bench crawl\n");
    let mut bars = Vec::new();
    let is_wanted = |part| arguments.only.is_none_or(|only| only == part);
    if is_wanted(Part::Site) || is_wanted(Part::Cores) {
        let folder = scratch.path().join("site");
        let site = site::real(&folder)?;
        if is_wanted(Part::Site) {
            bars.extend(bench.compare(&folder, &site, &Peer::ALL)?);
        }
        if is_wanted(Part::Cores) {
            let ready = Peer::TroddenWarc.prepare(&store, &trodden)?;
            bars.extend(cores::run(&folder, site.start, &ready, scratch.path(), bench.runs())?);
        }
        fs::remove_dir_all(&folder)?;
    }
    if is_wanted(Part::Manual)
        && let Some((folder, site)) = site::manual()
    {
        let peers = [Peer::Trodden, Peer::TroddenBreadthFirst, Peer::TroddenWarc, Peer::Spider];
        bars.extend(bench.compare(folder, &site, &peers)?);
    }
    if is_wanted(Part::Memory) && arguments.pages > 0 {
        bars.extend(memory(arguments.pages, &store, scratch.path(), &trodden)?);
    }
    if is_wanted(Part::Broad) {
        bars.extend(broad::run(&trodden, scratch.path(), arguments.digits, bench.runs())?);
    }
    println!("## Bars\n\n{}", table::bars(&bars));
    Ok(bars.iter().all(Bar::is_met))
}

/// What the comparisons share.
struct CrawlBench<'a> {
    arguments: &'a CrawlArguments,
    store: &'a Path,
    scratch: &'a Path,
    trodden: &'a Path,
}

impl CrawlBench<'_> {
    fn runs(&self) -> u32 {
        self.arguments.runs.max(1)
    }

    /// Crawls a site by each of these.
    fn compare(&self, folder: &Path, site: &Site, peers: &[Peer]) -> Result<Vec<Bar>> {
        let peers: Vec<Peer> = peers.iter().copied().filter(|peer| !self.arguments.alone || peer.is_ours()).collect();
        let ready = peers.iter().map(|peer| peer.prepare(self.store, self.trodden)).collect::<Result<Vec<_>>>()?;
        let mut runs: Vec<Vec<Row>> = peers.iter().map(|_| Vec::new()).collect();
        {
            let server = Nginx::serve(folder, &self.scratch.join("nginx"), Cores::All)?;
            let url = server.url(site.start);
            // Taking turns, since a machine is quicker at one time than at another.
            for run in 0..self.runs() {
                for ((peer, ready), runs) in peers.iter().zip(&ready).zip(&mut runs) {
                    // What takes minutes is steady enough to be measured once.
                    if run > 0 && *peer == Peer::Scrapy {
                        continue;
                    }
                    let row = once(*peer, ready, &server, &url, self.scratch, Cores::All)?;
                    eprintln!("{}: {} pages, {:.2} CPU s", peer.name(), row.pages, row.usage.cpu.as_secs_f64());
                    runs.push(row);
                }
            }
        }
        let rows: Vec<Row> = runs.into_iter().filter_map(middle).collect();
        let first = rows.first().context("our own crawler is first")?;
        let (ours, pages) = (first.cost(), first.pages);
        println!("{}, from {}, served by nginx on loopback.\n", site.what, site.start);
        println!("| crawler | pages | requests | CPU s | CPU ms a page | wall s | peak MB | to ours |");
        println!("|---|--:|--:|--:|--:|--:|--:|--:|");
        rows.iter().for_each(|row| row.print(ours, pages));
        println!();
        Ok(bars(&rows))
    }
}

/// The bars of the comparison, as far as the peers ran.
fn bars(rows: &[Row]) -> Vec<Bar> {
    let cost = |peer: Peer| rows.iter().find(|row| row.peer == peer).map(Row::cost);
    let bar = |what, ours, theirs, bar, aim| {
        let measured = cost(ours)? / cost(theirs)?;
        Some(Bar { what, good: Good::Below, bar, aim, unit: "×", measured })
    };
    let bars = [
        bar("CPU a page, no archive : spider", Peer::Trodden, Peer::Spider, 1.0, Some(0.5)),
        bar("CPU a page, no archive : wget2", Peer::Trodden, Peer::Wget2, 2.0, Some(1.0)),
        bar("CPU a page, WARC : wget's WARC", Peer::TroddenWarc, Peer::WgetWarc, 1.0, None),
        bar("CPU a page, WARC : spider without", Peer::TroddenWarc, Peer::Spider, 2.0, Some(1.0)),
    ];
    bars.into_iter().flatten().collect()
}

/// The run that is neither cheap nor dear.
fn middle(mut runs: Vec<Row>) -> Option<Row> {
    runs.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    let middle = runs.len() / 2;
    runs.into_iter().nth(middle)
}

fn once(peer: Peer, ready: &Ready, server: &Nginx, url: &str, scratch: &Path, cores: Cores) -> Result<Row> {
    let folder = scratch.join("crawl");
    fs::create_dir_all(&folder)?;
    server.asked()?;
    let arguments = ready.arguments(peer, url, &folder);
    let report = scratch.join("usage.json");
    // Some crawlers fail when a single page of the site is missing.
    let (program, arguments) = cores.words(ready.program(), arguments);
    let usage = Measured::start_silent(&program, &arguments, report)?.finish_anyhow()?;
    let asked = server.asked()?;
    fs::remove_dir_all(&folder)?;
    if asked.pages.is_empty() {
        bail!("{} fetched nothing; run it alone to see why", peer.name());
    }
    Ok(Row { peer, pages: asked.pages.len() as u64, requests: asked.requests, usage })
}

/// Memory of a crawl of many pages.
fn memory(pages: usize, store: &Path, scratch: &Path, trodden: &Path) -> Result<Vec<Bar>> {
    let folder = scratch.join("large");
    let site = site::made_up(&folder, pages, SMALL_PAGE)?;
    let server = Nginx::serve(&folder, &scratch.join("nginx-large"), Cores::All)?;
    println!("{}.\n\n| crawler | pages | CPU ms a page | wall s | peak MB |\n|---|--:|--:|--:|--:|", site.what);
    let mut bars = Vec::new();
    for (peer, what) in [(Peer::Trodden, "memory, no archive"), (Peer::TroddenWarc, "memory, WARC")] {
        let ready = peer.prepare(store, trodden)?;
        let row = once(peer, &ready, &server, &server.url(site.start), scratch, Cores::All)?;
        let (cost, wall, peak) = (row.cost(), row.usage.wall.as_secs_f64(), megabytes(&row.usage));
        println!("| {} | {} | {cost:.3} | {wall:.1} | {peak:.0} |", peer.name(), row.pages);
        bars.push(Bar { what, good: Good::Below, bar: MEMORY_BAR, aim: None, unit: "MB", measured: peak });
    }
    println!();
    Ok(bars)
}
