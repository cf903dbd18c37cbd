//! What does a second core bring?
//!
//! The encyclopedia is crawled to WARC twice: with crawler and nginx pinned to one core together, and with both free to run on every core.
//! Pages a second are compared. The runs alternate, so that a change of the machine's speed meets both.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::nginx::Nginx;
use super::peer::{Peer, Ready};
use super::{Bar, Good, Row, once};

/// How many times the pages a second of one core two have.
const TWO_TO_ONE: f64 = 1.6;

/// Where a program may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cores {
    /// On the first core only (`taskset`).
    First,
    /// Wherever the system likes.
    All,
}

impl Cores {
    const FIRST: [&'static str; 3] = ["taskset", "-c", "0"];

    /// Starts a program there. The process is the program's own.
    pub(super) fn command(self, program: &str) -> Command {
        match self {
            Self::All => Command::new(program),
            Self::First => {
                let [taskset, rest @ ..] = Self::FIRST;
                let mut command = Command::new(taskset);
                command.args(rest).arg(program);
                command
            }
        }
    }

    /// The same, for a program that is measured.
    pub(super) fn words(self, program: &Path, arguments: Vec<OsString>) -> (OsString, Vec<OsString>) {
        match self {
            Self::All => (program.into(), arguments),
            Self::First => {
                let [taskset, rest @ ..] = Self::FIRST.map(OsString::from);
                let words = rest.into_iter().chain([program.into()]).chain(arguments);
                (taskset, words.collect())
            }
        }
    }
}

fn pages_a_second(row: &Row) -> f64 {
    row.pages as f64 / row.usage.wall.as_secs_f64()
}

/// Crawls a folder on one core and on all.
pub(super) fn run(folder: &Path, start: &str, ready: &Ready, scratch: &Path, runs: u32) -> Result<Option<Bar>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores < 2 {
        println!("This machine has one core: nothing to compare.\n");
        return Ok(None);
    }
    let mut rates = [Vec::new(), Vec::new()];
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..runs {
        for (at, cores) in [Cores::First, Cores::All].into_iter().enumerate() {
            let server = Nginx::serve(folder, &scratch.join(format!("nginx-cores-{at}")), cores)?;
            let row = once(Peer::TroddenWarc, ready, &server, &server.url(start), scratch, cores)?;
            eprintln!("{cores:?}: {:.0} pages a second", pages_a_second(&row));
            rates[at].push(pages_a_second(&row));
            costs[at].push(row.cost());
        }
    }
    let median = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().context("there was no run")
    };
    let [one, all] = &mut rates;
    let (one, all) = (median(one)?, median(all)?);
    let [one_cost, all_cost] = &mut costs;
    println!("To WARC, crawler and nginx together; the middle of {runs} runs in turns.\n");
    println!("| cores | pages a second | CPU ms a page of the crawler |\n|--:|--:|--:|");
    println!("| 1 | {one:.0} | {:.3} |\n| {cores} | {all:.0} | {:.3} |\n", median(one_cost)?, median(all_cost)?);
    let what = "pages a second to WARC, all cores : one";
    Ok(Some(Bar { what, good: Good::AtLeast, bar: TWO_TO_ONE, aim: None, unit: "×", measured: all / one }))
}
