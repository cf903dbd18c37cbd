//! What did a process use? CPU time, wall time and peak memory of one child, exactly.
//!
//! The kernel adds up what *all* finished children of a process used (`getrusage`), and keeps the largest peak
//! memory among them. So each measured command gets a parent of its own: this program starts itself as
//! `bench measured REPORT -- COMMAND…`, which runs the one command, waits, asks for the sum over its children, and
//! writes it as JSON. Polling `/proc` was tried first: it misses what happens between two looks.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde::{Deserialize, Serialize};

/// Arguments of the hidden task.
#[derive(clap::Args)]
pub(crate) struct MeasuredArguments {
    /// Where to write what the command used.
    report: PathBuf,
    /// The command and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// CPU time of this process so far.
pub(crate) fn own_cpu() -> Result<Duration> {
    let own = getrusage(UsageWho::RUSAGE_SELF).context("the kernel gave no resource usage")?;
    Ok(duration(own.user_time()) + duration(own.system_time()))
}

/// Resident memory of this process; 0 where the kernel has no `/proc`.
pub(crate) fn own_memory() -> Result<u64> {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return Ok(0) };
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS in /proc/self/status")?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().context("VmRSS is no number")?;
    Ok(kib * 1024)
}

/// What one command used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// User and system time of all its threads and children.
    pub(crate) cpu: Duration,
    /// From start to end.
    pub(crate) wall: Duration,
    /// Largest resident memory.
    pub(crate) peak_bytes: u64,
    /// Did it exit with 0?
    pub(crate) success: bool,
}

/// The hidden task: run the command, write the report, exit as it did.
pub(crate) fn run_measured(arguments: &MeasuredArguments) -> Result<bool> {
    let (program, rest) = arguments.command.split_first().context("no command to measure")?;
    let start = Instant::now();
    let status =
        Command::new(program).args(rest).status().with_context(|| format!("could not start {}", program.display()))?;
    let wall = start.elapsed();
    let sum = getrusage(UsageWho::RUSAGE_CHILDREN).context("the kernel gave no resource usage")?;
    let usage = Usage {
        cpu: duration(sum.user_time()) + duration(sum.system_time()),
        wall,
        peak_bytes: peak_bytes(sum.max_rss()),
        success: status.success(),
    };
    serde_json::to_writer(File::create(&arguments.report)?, &usage)?;
    Ok(status.success())
}

fn duration(time: TimeVal) -> Duration {
    let micros = u64::try_from(time.tv_usec()).unwrap_or(0);
    Duration::from_secs(u64::try_from(time.tv_sec()).unwrap_or(0)) + Duration::from_micros(micros)
}

/// Linux counts in KiB, macOS in bytes.
fn peak_bytes(max_rss: i64) -> u64 {
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    u64::try_from(max_rss).unwrap_or(0) * unit
}

/// A measured command under way. Feed its standard input, then [`Measured::finish`].
pub(crate) struct Measured {
    child: Child,
    report: PathBuf,
    what: String,
}

impl Measured {
    /// Starts `program`, its standard output going to `stdout`. The report is written beside that file.
    pub(crate) fn start(
        program: &OsStr,
        arguments: &[OsString],
        environment: &[(&str, &str)],
        stdin: Stdio,
        stdout: &Path,
    ) -> Result<Self> {
        let output = File::create(stdout).with_context(|| format!("could not write {}", stdout.display()))?;
        Self::start_with(program, arguments, environment, stdin, output.into(), stdout.with_extension("usage.json"))
    }

    /// Starts `program` with its standard output thrown away.
    pub(crate) fn start_silent(program: &OsStr, arguments: &[OsString], report: PathBuf) -> Result<Self> {
        Self::start_with(program, arguments, &[], Stdio::null(), Stdio::null(), report)
    }

    fn start_with(
        program: &OsStr,
        arguments: &[OsString],
        environment: &[(&str, &str)],
        stdin: Stdio,
        stdout: Stdio,
        report: PathBuf,
    ) -> Result<Self> {
        let child = Command::new(std::env::current_exe()?)
            .arg("measured")
            .arg(&report)
            .arg("--")
            .arg(program)
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(stdin)
            .stdout(stdout)
            .spawn()
            .context("could not start this program again")?;
        Ok(Self { child, report, what: program.display().to_string() })
    }

    /// The standard input, if it was piped.
    pub(crate) fn stdin(&mut self) -> Option<std::process::ChildStdin> {
        self.child.stdin.take()
    }

    /// Waits for the end. A command that failed is an error: its numbers would mean nothing.
    pub(crate) fn finish(self) -> Result<Usage> {
        let what = self.what.clone();
        let usage = self.finish_anyhow()?;
        if !usage.success {
            bail!("{what} failed; its messages are above");
        }
        Ok(usage)
    }

    /// Waits for the end, be it a failure: for commands that call a job failed that was done.
    pub(crate) fn finish_anyhow(mut self) -> Result<Usage> {
        let status = self.child.wait()?;
        let report = File::open(&self.report)
            .with_context(|| format!("{} left no report ({status}); run it alone to see why", self.what))?;
        Ok(serde_json::from_reader(report)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(script: &str) -> Usage {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("usage.json");
        let command = ["/bin/sh", "-c", script].map(Into::into).to_vec();
        run_measured(&MeasuredArguments { report: report.clone(), command }).unwrap();
        serde_json::from_reader(File::open(&report).unwrap()).unwrap()
    }

    #[test]
    fn work_takes_time_and_memory() {
        let usage = measure("i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done");
        assert!(usage.success && usage.cpu > Duration::ZERO && usage.wall > Duration::ZERO);
        assert!(usage.peak_bytes > 100_000, "{usage:?}");
    }

    #[test]
    fn failure_is_reported() {
        assert!(!measure("exit 1").success);
    }
}
