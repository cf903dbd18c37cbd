//! How fast, how good and how robust is it? `cargo xtask bench`, `experiments` and `soak`.
//!
//! None of this ships. It may start processes, read clocks and write below the target folder (`experiments` also
//! below `docs`); the crates stay free of all that. stdout is data (tables, findings), stderr is talk.
//!
//! Measurements of what runs in this process mean something in the dist profile only, so `cargo xtask` starts it so.

// This is a command line tool: printing is what it does, and it has no other way to answer.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod child;
mod experiments;
mod random;
mod repo;
mod soak;
mod synthetic;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measurements, experiments and long repetitions of the trodden workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measure, with the peer beside us in the same run.
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Repeat with random input, far longer than the tests do.
    #[command(subcommand)]
    Soak(soak::Soak),
    /// Make docs/experiments.md and its pictures again, from real data.
    Experiments(experiments::ExperimentsArguments),
    /// Run one command and write what it used; the bench starts itself with this.
    #[command(hide = true)]
    Measured(child::MeasuredArguments),
    /// Make up a large graph and crawl it; the bench starts itself with this.
    #[command(hide = true)]
    LargeCrawl(bench::CrawlArguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.task {
        Task::Bench(bench) => bench::run(bench),
        Task::Soak(soak) => soak::run(soak),
        Task::Experiments(experiments) => experiments::run(experiments),
        Task::Measured(measured) => child::run_measured(measured),
        Task::LargeCrawl(crawl) => bench::run_crawl(crawl),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
