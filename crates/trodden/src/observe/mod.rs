//! What can be seen of a run from outside: its events (`-v`, `-vv`) and its metrics (`--metrics FILE`).
//!
//! Both are off unless somebody asks. Libraries only name what happens, through the crates `tracing` and `metrics`; here it is decided who hears
//! it.

mod metrics_file;
mod trace;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};

use metrics_file::MetricsFile;

/// What is told of a run, on every command.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ObserveArgs {
    /// Write events to standard error: -v milestones, -vv also every URL
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Observing")]
    pub(crate) verbose: u8,
    /// Format of these events
    #[arg(long, global = true, value_enum, value_name = "FORM", default_value = "text", help_heading = "Observing")]
    pub(crate) trace_format: TraceFormat,
    /// Write the metrics of the run to this file, in the text format of Prometheus: every ten seconds and at the end
    #[arg(long, global = true, value_name = "FILE", help_heading = "Observing")]
    pub(crate) metrics: Option<PathBuf>,
}

/// How events are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceFormat {
    /// One line for people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// Whoever observes a run, until it ends.
pub(crate) struct Observers {
    metrics: Option<MetricsFile>,
    started: Instant,
    command: &'static str,
}

impl Observers {
    /// Begins to observe.
    ///
    /// # Errors
    /// If the file of metrics cannot be written.
    pub(crate) fn begin(args: &ObserveArgs, command: &'static str) -> Result<Self> {
        if args.verbose > 0 {
            trace::install(args.verbose, args.trace_format);
        }
        let metrics = args.metrics.as_deref().map(MetricsFile::begin).transpose()?;
        tracing::info!(name: "command.run.started", command, version = env!("CARGO_PKG_VERSION"));
        Ok(Self { metrics, started: Instant::now(), command })
    }

    /// The run is over.
    ///
    /// # Errors
    /// If the file of metrics cannot be written.
    pub(crate) fn end(self, is_well: bool) -> Result<()> {
        let seconds = self.started.elapsed().as_secs_f64();
        tracing::info!(name: "command.run.ended", command = self.command, seconds, is_well);
        self.metrics.map_or(Ok(()), MetricsFile::end)
    }
}
