//! The words an operator types.
//!
//! Arguments as typed ([`args`]) → configuration as needed ([`config`]) → run (one file a command, in [`command`]).
//! Results go to standard output, talk to standard error; 0 done, 1 failed, 2 usage.

mod advice;
mod args;
mod browser;
mod command;
mod config;
mod exports;
mod intake;
mod interrupt;
mod known;
mod labels;
mod machine;
mod model_file;
mod observe;
mod output;
mod outputs;
mod pattern_table;
mod pattern_tree;
mod progress;
#[cfg(test)]
mod sample;
mod screen;
mod size;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use observe::Observers;
use output::say;

/// A crawl asks for memory of all sizes at once, and gives it back page by page: the system's allocator took a quarter of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let Cli { observe, command } = Cli::parse();
    let observers = match Observers::begin(&observe, command.name()) {
        Ok(observers) => observers,
        Err(error) => return failed(&error),
    };
    let done = match command {
        Command::Demo(args) => command::demo::run(&args),
        Command::Ingest(args) => command::ingest::run(args),
        Command::Mine(args) => command::mine::run(&args),
        Command::Patterns(args) => command::patterns::run(&args),
        Command::Urls(args) => command::urls::run(&args),
        Command::Score(args) => command::score::run(&args),
        Command::Explain(args) => command::explain::run(&args),
        Command::Quality(args) => command::quality::run(&args),
        Command::Crawl(args) => command::crawl::run(&args),
        Command::Report(args) => command::report::run(&args),
        Command::Simulate(args) => command::simulate::run(&args),
        Command::Temporal(args) => command::temporal::run(&args),
        Command::Check(args) => command::check::run(&args),
        Command::Completions(args) => command::completions::run(&args),
        Command::Man(args) => command::man::run(&args),
    };
    let observed = observers.end(done.is_ok());
    match done.and(observed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &anyhow::Error) -> ExitCode {
    let advice = advice::advice(error).map_or_else(String::new, |advice| format!("; {advice}"));
    say(&format!("trodden: {error:#}{advice}"));
    ExitCode::FAILURE
}
