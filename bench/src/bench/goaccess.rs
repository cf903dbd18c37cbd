//! The peer that reads logs: GoAccess, an analyzer written in C.
//!
//! It parses the same lines and counts visitors, files, referrers and more; it does not clean or store visits. Its rate
//! per line falls with the size of the log, because its tables grow. So it may be given the head of the log only, and
//! the report says how many lines each program read: this favors the peer.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::child::{Measured, Usage};
use crate::repo;

/// Installs GoAccess from the Debian archive unless it is there.
pub(super) fn install() -> Result<()> {
    if repo::on_path("goaccess") {
        return Ok(());
    }
    eprintln!("goaccess is not installed: running apt-get install -y goaccess");
    for arguments in [&["update"][..], &["install", "-y", "goaccess"]] {
        // apt-get talks on stdout; that is talk, so it goes to stderr.
        let status = Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(std::io::stderr())
            .status()
            .context("could not start apt-get; install GoAccess by hand")?;
        if !status.success() && arguments[0] == "install" {
            bail!("apt-get could not install goaccess; install it by hand");
        }
    }
    Ok(())
}

/// Its version, for the report.
pub(super) fn version() -> String {
    let output = Command::new("goaccess").arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("GoAccess").trim_end_matches('.').to_owned()
}

/// Copies the first lines of a log; returns how many there were.
pub(super) fn head(log: &Path, lines: u64, to: &Path) -> Result<u64> {
    let mut from = BufReader::with_capacity(1 << 20, File::open(log)?);
    let mut to = BufWriter::with_capacity(1 << 20, File::create(to)?);
    let mut line = Vec::new();
    let mut count = 0;
    while count < lines && from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        line.clear();
        count += 1;
    }
    to.flush()?;
    Ok(count)
}

/// Reads `log`, which has `lines` lines; its report goes to `folder`.
pub(super) fn run(log: &Path, lines: u64, folder: &Path) -> Result<Usage> {
    let report = folder.join("goaccess.json");
    let mut arguments = vec![log.as_os_str().to_owned()];
    arguments.extend(["--log-format=COMBINED", "--no-global-config", "--no-progress", "-o"].map(Into::into));
    arguments.push(report.as_os_str().to_owned());
    // Month names are English; a pipe on stdin would be taken for a second log.
    let environment = [("LC_ALL", "C"), ("LC_TIME", "C")];
    let stdout = folder.join("goaccess.out");
    let usage = Measured::start(OsStr::new("goaccess"), &arguments, &environment, Stdio::null(), &stdout)?.finish()?;
    let report: serde_json::Value =
        serde_json::from_reader(BufReader::new(File::open(&report)?)).context("GoAccess wrote no readable report")?;
    let total = report["general"]["total_requests"].as_u64().unwrap_or(0);
    // It cuts very long lines into several and counts each piece, so the sum may be a little high.
    if total.abs_diff(lines) * 100 > lines {
        bail!("GoAccess read {total} of {lines} lines; its rate would mean nothing");
    }
    Ok(usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let (log, head_of_it) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&log, "1\n2\n3\n").unwrap();
        assert_eq!(head(&log, 2, &head_of_it).unwrap(), 2);
        assert_eq!(std::fs::read_to_string(&head_of_it).unwrap(), "1\n2\n");
        assert_eq!(head(&log, 9, &head_of_it).unwrap(), 3);
    }
}
