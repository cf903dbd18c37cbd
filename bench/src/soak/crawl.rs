//! `soak crawl`: does a crawl that is killed again and again, or whose files are damaged, lose anything without a word?
//!
//! The tests `killed` and `damaged` of the program do a few rounds of it; this asks them for as many as you have time for. What
//! must hold is written there.

use std::process::Command;

use anyhow::{Context, Result};

use crate::repo;

/// Arguments of `soak crawl`.
#[derive(clap::Args)]
pub(crate) struct CrawlArguments {
    /// How often crawls are killed.
    #[arg(long, value_name = "N", default_value_t = 100)]
    kills: u64,
    /// How often every kind of file is damaged in every way, at rest and after a kill.
    #[arg(long, value_name = "N", default_value_t = 20)]
    damages: u64,
    /// Fixes when.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Kills; false when something was lost.
pub(super) fn run(arguments: &CrawlArguments) -> Result<bool> {
    let status = Command::new("cargo")
        .current_dir(repo::root()?)
        // Modules and tests of that name: also those that are killed while they change models.
        .args(["test", "-p", "trodden", "--test", "crawl", "--", "killed", "damaged"])
        .env("TRODDEN_KILLS", arguments.kills.to_string())
        .env("TRODDEN_DAMAGES", arguments.damages.to_string())
        .env("TRODDEN_KILL_SEED", arguments.seed.to_string())
        .status()
        .context("could not start cargo")?;
    Ok(status.success())
}
