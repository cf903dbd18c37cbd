//! How fast and how small, against which peer?
//!
//! Each bench is a folder-level verb (`bench logs`), runs the peer in the same run, and prints Markdown on stdout:
//! first what was measured, then a table of bars. A missed bar makes the exit code 1.

mod collaborative;
mod corpus;
mod crawl;
mod date;
mod frontier;
mod generator;
mod goaccess;
mod ingest;
mod lab;
mod logs;
mod mining;
mod python;
mod revisit;
mod swap;
mod table;

use anyhow::{Result, bail};
use clap::Subcommand;

pub(crate) use self::lab::large::{CrawlArguments, run_crawl};

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Reading logs: speed against GoAccess, use of threads, memory on a long stream.
    Logs(logs::LogsArguments),
    /// Mining and scoring: a large site, growth, many sites, os-urlpattern and regular expressions.
    Mining(mining::MiningArguments),
    /// Virtual crawls: a real graph in every order, PageRank against other libraries, ten million pages, the demo.
    Lab(lab::LabArguments),
    /// The frontier on disk: new URLs, memory and disk as it grows, hand-outs, and opening it again.
    Frontier(frontier::FrontierArguments),
    /// Dividing a budget of revisits among ten million pages.
    Revisit(revisit::RevisitArguments),
    /// A crawl with millions of URLs waiting goes by another model.
    Swap(swap::SwapArguments),
    /// A topic looked for in the trace of many users: cost of a page, memory.
    Collaborative(collaborative::CollaborativeArguments),
    /// A real site on loopback: our crawler beside wget, wget2, spider and Scrapy; memory of a large one.
    Crawl(crawl::CrawlArguments),
}

/// Runs the bench; false when a bar was missed.
pub(crate) fn run(bench: &Bench) -> Result<bool> {
    // Much of what is measured runs in this process, peers too.
    if cfg!(debug_assertions) {
        bail!(
            "this is a debug build, whose numbers mean nothing; run `cargo xtask bench …`, which builds the dist profile"
        );
    }
    match bench {
        Bench::Logs(arguments) => logs::run(arguments),
        Bench::Mining(arguments) => mining::run(arguments),
        Bench::Lab(arguments) => lab::run(arguments),
        Bench::Frontier(arguments) => frontier::run(arguments),
        Bench::Revisit(arguments) => revisit::run(arguments),
        Bench::Swap(arguments) => swap::run(arguments),
        Bench::Collaborative(arguments) => collaborative::run(arguments),
        Bench::Crawl(arguments) => crawl::run(arguments),
    }
}
