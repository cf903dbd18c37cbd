//! One measured run of `trodden ingest`.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use super::corpus::Corpus;
use super::generator::{self, Written};
use crate::child::{Measured, Usage};

/// The lines are of three sites that write paths only; one of them lends its name to all.
const SITE: &str = "https://www.zanbil.ir";

/// The program and where its files go.
pub(super) struct Ingest {
    pub(super) program: PathBuf,
    pub(super) folder: PathBuf,
    /// Runs so far. Each writes to a folder of its own: a file system that just deleted hundreds of files makes new ones
    /// slowly for some seconds, and that would be measured.
    pub(super) runs: Cell<u32>,
}

impl Ingest {
    /// Reads a stored log of `lines` lines.
    pub(super) fn file(&self, log: &Path, lines: u64, options: &[&str]) -> Result<Usage> {
        let usage = self.start(log.as_os_str().to_owned(), options, Stdio::null())?.finish()?;
        self.check(lines)?;
        Ok(usage)
    }

    /// Reads `size` bytes from a pipe; they are made while it reads.
    pub(super) fn stream(&self, corpus: &Corpus, size: u64, options: &[&str]) -> Result<(Usage, Written)> {
        let mut measured = self.start("-".into(), options, Stdio::piped())?;
        let mut pipe = measured.stdin().context("the pipe was not opened")?;
        let written = generator::write(corpus, size, &mut pipe);
        drop(pipe);
        // A broken pipe is only the echo of a child that failed: let it say why first.
        let usage = measured.finish()?;
        let written = written.context("trodden stopped reading before the end of the stream")?;
        self.check(written.lines)?;
        Ok((usage, written))
    }

    fn start(&self, input: OsString, options: &[&str], stdin: Stdio) -> Result<Measured> {
        self.runs.set(self.runs.get() + 1);
        let visits = self.folder.join(format!("visits-{}", self.runs.get()));
        if visits.exists() {
            std::fs::remove_dir_all(&visits)?;
        }
        let mut arguments: Vec<OsString> = vec!["ingest".into(), input];
        arguments.extend(["--site", SITE, "--format", "json", "-o"].map(Into::into));
        arguments.push(visits.into());
        arguments.extend(options.iter().map(Into::into));
        Measured::start(self.program.as_os_str(), &arguments, &[], stdin, &self.ledger())
    }

    /// The sum must hold and no line may be missing, or the speed means nothing.
    fn check(&self, lines: u64) -> Result<()> {
        let ledger: serde_json::Value = serde_json::from_reader(BufReader::new(File::open(self.ledger())?))
            .context("trodden ingest wrote no JSON on stdout")?;
        if ledger["lines"].as_u64() != Some(lines) {
            bail!("trodden counted {} of {lines} lines", ledger["lines"]);
        }
        Ok(())
    }

    fn ledger(&self) -> PathBuf {
        self.folder.join("ingest.json")
    }
}
