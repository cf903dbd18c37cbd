//! One measured run of `trodden mine`, and what it reported.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::child::{Measured, Usage};

/// The program and where its files go.
pub(super) struct Mining {
    pub(super) program: PathBuf,
    /// For models, reports and lists of this run.
    pub(super) folder: PathBuf,
    /// For made-up input that later runs find again.
    pub(super) store: PathBuf,
    pub(super) runs: Cell<u32>,
}

/// What a run used and said.
pub(super) struct Mined {
    pub(super) usage: Usage,
    pub(super) report: Report,
    pub(super) model: PathBuf,
}

/// What `mine --format json` prints.
#[derive(Deserialize)]
pub(super) struct Report {
    pub(super) sites: u64,
    pub(super) urls: u64,
    pub(super) visits: u64,
    pub(super) patterns: u64,
    #[serde(default)]
    pub(super) skipped: BTreeMap<String, u64>,
    pub(super) seconds: Seconds,
}

/// The parts of a run: taking in logs (none here), reading visits to tables, and tree, cuts, ranks and the model.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Seconds {
    pub(super) reading: f64,
    pub(super) mining: f64,
}

impl Mining {
    /// Mines a folder of visits.
    pub(super) fn run(&self, visits: &Path, options: &[&str]) -> Result<Mined> {
        self.runs.set(self.runs.get() + 1);
        let model = self.folder.join(format!("{}.model", self.runs.get()));
        let mut arguments: Vec<OsString> = vec!["mine".into(), visits.into(), "-o".into(), model.clone().into()];
        arguments.extend(["--format", "json"].iter().chain(options).map(Into::into));
        let stdout = self.folder.join("mine.json");
        let usage = Measured::start(self.program.as_os_str(), &arguments, &[], Stdio::null(), &stdout)?.finish()?;
        let report = serde_json::from_reader(BufReader::new(File::open(&stdout)?))
            .context("trodden mine wrote no report that can be read")?;
        Ok(Mined { usage, report, model })
    }

    /// The run with the least seconds of mining; the models of the others are deleted.
    pub(super) fn best(&self, runs: usize, visits: &Path, options: &[&str]) -> Result<Mined> {
        let mut best = self.run(visits, options)?;
        for _ in 1..runs {
            let next = self.run(visits, options)?;
            let faster = next.report.seconds.mining < best.report.seconds.mining;
            let other = if faster { std::mem::replace(&mut best, next) } else { next };
            std::fs::remove_file(&other.model)?;
            // Memory is no matter of luck: the most counts.
            best.usage.peak_bytes = best.usage.peak_bytes.max(other.usage.peak_bytes);
        }
        Ok(best)
    }
}

impl Mined {
    /// All of the input must have been mined, or the speed means nothing.
    pub(super) fn check(&self, sites: u64, urls: u64, visits: u64) -> Result<()> {
        let report = &self.report;
        if (report.sites, report.urls, report.visits) != (sites, urls, visits) {
            let (s, u, v) = (report.sites, report.urls, report.visits);
            bail!(
                "trodden mined {s} of {sites} sites, {u} of {urls} URLs, {v} of {visits} visits; left out: {:?}",
                report.skipped
            );
        }
        Ok(())
    }

    pub(super) fn mib(&self) -> f64 {
        self.usage.peak_bytes as f64 / f64::from(1 << 20)
    }
}

/// The head of a table of runs; rows by [`row`].
pub(super) const RUNS: &str = "| run | sites | URLs | triples | patterns | mining s | reading s | wall s | CPU s | peak MiB |\n\
     |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// One run as a row.
pub(super) fn row(what: &str, mined: &Mined) -> String {
    let Report { sites, urls, visits, patterns, seconds, .. } = &mined.report;
    let (wall, cpu) = (mined.usage.wall.as_secs_f64(), mined.usage.cpu.as_secs_f64());
    format!(
        "| {what} | {sites} | {urls} | {visits} | {patterns} | {:.3} | {:.3} | {wall:.2} | {cpu:.2} | {:.0} |",
        seconds.mining,
        seconds.reading,
        mined.mib()
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn mined() -> Mined {
        let report = r#"{"sites": 1, "urls": 20, "visits": 300, "patterns": 4, "skipped": {},
            "seconds": {"ingest": 0.0, "reading": 0.25, "mining": 0.5}}"#;
        let second = Duration::from_secs(1);
        Mined {
            usage: Usage { cpu: 2 * second, wall: second, peak_bytes: 3 << 20, success: true },
            report: serde_json::from_str(report).unwrap(),
            model: PathBuf::new(),
        }
    }

    #[test]
    fn the_report_of_the_program_is_read() {
        assert_eq!(row("x", &mined()), "| x | 1 | 20 | 300 | 4 | 0.500 | 0.250 | 1.00 | 2.00 | 3 |");
    }

    #[test]
    fn a_run_that_left_something_out_does_not_count() {
        assert!(mined().check(1, 20, 300).is_ok());
        let error = mined().check(1, 21, 300).unwrap_err().to_string();
        assert!(error.contains("20 of 21 URLs"), "{error}");
    }
}
