//! Long repetitions with random input. `./test` runs a few of each kind; this runs as many as you have time for.
//!
//! Every round is fixed by the seed and its number, so that a failing one can be run again alone.

mod crawl;
mod damage;
mod fuzz;
mod ingest;
mod program;

use anyhow::Result;
use clap::Subcommand;

/// What to repeat.
#[derive(Subcommand)]
pub(crate) enum Soak {
    /// Damaged logs: does `trodden ingest` end well, lose no line, and answer the same for any number of threads?
    Ingest(ingest::IngestArguments),
    /// Crawls that are killed: is anything lost, or kept twice?
    Crawl(crawl::CrawlArguments),
    /// Parsers of outside bytes under libFuzzer: does any input break one?
    Fuzz(fuzz::FuzzArguments),
}

/// Runs the repetitions; false when a round failed.
pub(crate) fn run(soak: &Soak) -> Result<bool> {
    match soak {
        Soak::Ingest(arguments) => ingest::run(arguments),
        Soak::Crawl(arguments) => crawl::run(arguments),
        Soak::Fuzz(arguments) => fuzz::run(arguments),
    }
}
