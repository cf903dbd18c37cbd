//! `bench mining`: from visits to models, and from models to scores. Five questions:
//!
//! - *size*: how long does a site of 1.7 million URLs take, and how much memory?
//! - *growth*: does the time grow like `n log n`?
//! - *peer*: how many times the speed of os-urlpattern on the pages of a real shop?
//! - *score*: how many URLs a second, beside regular expressions and bare parsing?
//! - *sites*: how many small sites a second?
//!
//! Input is made up by [`urls`] and [`people`], written by [`visits`], and kept below the target folder.

mod growth;
mod mine;
mod peer;
mod people;
mod regexes;
mod score;
mod sites;
mod urls;
mod visits;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::table::{self, Bar};
use crate::repo;
use mine::Mining;

/// Arguments of `bench mining`.
#[derive(clap::Args)]
pub(crate) struct MiningArguments {
    /// URLs of the largest site.
    #[arg(long, value_name = "N", default_value_t = 1_700_000)]
    urls: u32,
    /// Small sites.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    sites: u32,
    /// URLs to score.
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    scored: u32,
    /// Keep models and reports here.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Measure this program instead of building one, for example that of an earlier version.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// One question instead of all five.
    #[arg(long)]
    only: Option<Question>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Question {
    Size,
    Growth,
    Peer,
    Score,
    Sites,
}

/// Runs what was asked; false when a bar was missed.
pub(super) fn run(arguments: &MiningArguments) -> Result<bool> {
    let asked = |question| arguments.only.is_none_or(|only| only == question);
    let store = repo::target_dir()?.join("bench");
    std::fs::create_dir_all(&store)?;
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => repo::build_trodden()?,
    };
    let temporary = tempfile::tempdir_in(&store)?;
    let folder = arguments.keep.clone().unwrap_or_else(|| temporary.path().to_owned());
    std::fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let mining = Mining { program, folder, store, runs: std::cell::Cell::new(0) };

    println!("# bench mining\n");
    let mut bars = Vec::new();
    if asked(Question::Size) {
        bars.extend(growth::size(&mining, arguments.urls)?);
    }
    if asked(Question::Growth) {
        bars.push(growth::growth(&mining, arguments.urls)?);
    }
    if asked(Question::Peer) {
        bars.push(peer::run(&mining)?);
    }
    if asked(Question::Score) {
        bars.push(score::run(&mining, arguments.scored)?);
    }
    if asked(Question::Sites) {
        bars.push(sites::run(&mining, arguments.sites)?);
    }
    println!("## Bars\n\n{}", table::bars(&bars));
    Ok(bars.iter().all(Bar::is_met))
}
