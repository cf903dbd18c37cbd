//! Peers that are written in Python, each in an environment of its own below the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A file that says which packages an environment was made for.
const DONE: &str = "packages.txt";

/// Installs packages into an environment, unless they are there; returns the folder of its programs.
pub(super) fn environment(folder: &Path, packages: &[&str]) -> Result<PathBuf> {
    let programs = folder.join("bin");
    let list = packages.join(" ");
    if std::fs::read_to_string(folder.join(DONE)).is_ok_and(|done| done == list) {
        return Ok(programs);
    }
    eprintln!("not installed: {list}; making a Python environment for it");
    talk(
        Command::new("python3").args(["-m", "venv"]).arg(folder),
        "python3 makes no environment; install Python 3 with its module venv",
    )?;
    talk(
        Command::new(programs.join("pip")).args(["install", "--quiet"]).args(packages),
        &format!("pip could not install {list}; is there a network?"),
    )?;
    std::fs::write(folder.join(DONE), list)?;
    Ok(programs)
}

/// pip talks on stdout; that is talk, so it goes to stderr.
fn talk(command: &mut Command, hint: &str) -> Result<()> {
    let status = command.stdout(std::io::stderr()).status().with_context(|| hint.to_owned())?;
    if !status.success() {
        bail!("{hint}");
    }
    Ok(())
}
