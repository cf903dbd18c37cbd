//! `bench lab`: virtual crawls, and what is computed about them. Five questions:
//!
//! - *crawl*: how long does a real graph of 325,557 pages take, in every order that goes by links?
//! - *pagerank*: how many times the speed of the fastest library that solves PageRank of that graph?
//! - *large*: how much memory do ten million pages with a hundred million links take?
//! - *demo*: how long does the whole story take on the built-in site?
//! - *simulate*: and on a real one?
//!
//! Crawls and PageRank are library calls in this process; the large crawl is a child of it, for its memory; the last two
//! are the program.

mod crawl;
mod graph;
pub(super) mod large;
mod made_up;
mod pagerank;
mod peers;
mod program;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::table::{self, Bar};
use crate::repo;
use graph::Loaded;
use program::Program;

/// Arguments of `bench lab`.
#[derive(clap::Args)]
pub(crate) struct LabArguments {
    /// Pages of the large graph.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pages: u32,
    /// Its links.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    links: u32,
    /// Keep reports here.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Measure this program instead of building one, for example that of an earlier version (demo and simulate only).
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// One question instead of all five.
    #[arg(long)]
    only: Option<Question>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Question {
    Crawl,
    Pagerank,
    Large,
    Demo,
    Simulate,
}

/// Runs what was asked; false when a bar was missed.
pub(super) fn run(arguments: &LabArguments) -> Result<bool> {
    let asked = |question| arguments.only.is_none_or(|only| only == question);
    let store = repo::target_dir()?.join("bench");
    std::fs::create_dir_all(&store)?;
    let temporary = tempfile::tempdir_in(&store)?;
    let folder = arguments.keep.clone().unwrap_or_else(|| temporary.path().to_owned());
    std::fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;

    println!("# bench lab\n");
    let mut bars = Vec::new();
    if asked(Question::Crawl) || asked(Question::Pagerank) {
        let loaded = Loaded::load()?;
        println!("{}\n", loaded.told());
        if asked(Question::Crawl) {
            bars.extend(crawl::run(&loaded)?);
        }
        if asked(Question::Pagerank) {
            bars.extend(pagerank::run(&loaded, &folder, &store)?);
        }
    }
    if asked(Question::Large) {
        bars.extend(large::run(arguments.pages, arguments.links, &folder)?);
    }
    if asked(Question::Demo) || asked(Question::Simulate) {
        let file = arguments.program.clone().map_or_else(repo::build_trodden, Ok)?;
        let program = Program { file, folder };
        if asked(Question::Demo) {
            bars.push(program.demo()?);
        }
        if asked(Question::Simulate) {
            program.simulate()?;
        }
    }
    if !bars.is_empty() {
        println!("## Bars\n\n{}", table::bars(&bars));
    }
    Ok(bars.iter().all(Bar::is_met))
}
