//! How fast and how small, against which peer?
//!
//! Each bench is a folder-level verb (`bench logs`), runs the peer in the same run, and prints Markdown on stdout:
//! first what was measured, then a table of bars. A missed bar makes the exit code 1.

mod corpus;
mod date;
mod generator;
mod goaccess;
mod ingest;
mod logs;
mod mining;
mod table;

use anyhow::Result;
use clap::Subcommand;

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Reading logs: speed against GoAccess, use of threads, memory on a long stream.
    Logs(logs::LogsArguments),
    /// Mining and scoring: a large site, growth, many sites, os-urlpattern and regular expressions.
    Mining(mining::MiningArguments),
}

/// Runs the bench; false when a bar was missed.
pub(crate) fn run(bench: &Bench) -> Result<bool> {
    match bench {
        Bench::Logs(arguments) => logs::run(arguments),
        Bench::Mining(arguments) => mining::run(arguments),
    }
}
