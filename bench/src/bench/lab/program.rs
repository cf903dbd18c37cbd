//! How long do `trodden demo` and `trodden simulate` take, as whole processes?

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::Result;

use crate::bench::table::{Bar, Good};
use crate::child::{Measured, Usage};
use crate::repo;

/// Seconds of wall time.
const DEMO_BAR: f64 = 15.0;
const RUNS: usize = 3;

const LINKS: &str = "wikispeedia/links.tsv.gz";
const VISITS: &str = "wikispeedia/visits.tsv.gz";
const START: &str = "http://wikispeedia.test/index.htm";

const HEAD: &str = "| command | wall s | CPU s | peak MiB |\n|---|--:|--:|--:|";

/// The program and where its files go.
pub(super) struct Program {
    pub(super) file: PathBuf,
    pub(super) folder: PathBuf,
}

impl Program {
    /// The whole story on the built-in site.
    pub(super) fn demo(&self) -> Result<Bar> {
        eprintln!("demo");
        let mut best: Option<Usage> = None;
        for run in 1..=RUNS {
            let folder = self.folder.join(format!("demo-{run}"));
            let usage = self.run("demo", &["demo".into(), "-o".into(), folder.into()])?;
            best = best.into_iter().chain([usage]).min_by_key(|usage| usage.wall);
        }
        let usage = best.expect("it ran at least once");
        println!("## Demo\n\n{HEAD}\n{}\n\nBest of {RUNS} by wall time.\n", row("trodden demo", &usage));
        let measured = usage.wall.as_secs_f64();
        Ok(Bar { what: "trodden demo", good: Good::Below, bar: DEMO_BAR, aim: None, unit: "s", measured })
    }

    /// All policies on a real site with real visits.
    pub(super) fn simulate(&self) -> Result<()> {
        println!("## Simulate\n");
        let (Some(links), Some(visits)) = (repo::real_data(LINKS)?, repo::real_data(VISITS)?) else {
            println!("{LINKS} and {VISITS} are neither at ../shared/data nor at $TRODDEN_DATA: not measured.\n");
            return Ok(());
        };
        eprintln!("simulate");
        let mut words: Vec<OsString> = vec!["simulate".into(), links.into(), "--log".into(), visits.into()];
        words.extend(["--start", START, "--importance", "backlinks", "--importance", "pagerank", "-o"].map(Into::into));
        words.push(self.folder.join("simulate").into());
        let usage = self.run("simulate", &words)?;
        println!("{HEAD}\n{}\n", row("trodden simulate, wikispeedia, every policy", &usage));
        Ok(())
    }

    fn run(&self, name: &str, words: &[OsString]) -> Result<Usage> {
        let stdout = self.folder.join(format!("{name}.txt"));
        Measured::start(self.file.as_os_str(), words, &[], Stdio::null(), &stdout)?.finish()
    }
}

fn row(what: &str, usage: &Usage) -> String {
    let (wall, cpu) = (usage.wall.as_secs_f64(), usage.cpu.as_secs_f64());
    format!("| {what} | {wall:.2} | {cpu:.2} | {:.0} |", usage.peak_bytes as f64 / f64::from(1 << 20))
}
