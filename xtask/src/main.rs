//! The tasks around the code: `cargo xtask tidy`, `bench`, `soak` and `experiments`.
//!
//! `tidy` is here. The others need the crates, so they are a program of their own (`bench/`), which is built in the
//! dist profile when it is asked for. Nobody waits for it who only wants to know whether the house is in order.
//! Arguments are read by hand for the same reason.

// This is a command line tool: printing is what it does, and it has no other way to answer.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod task;
mod tidy;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use task::{Task, USAGE};

fn main() -> ExitCode {
    let done = match Task::read(std::env::args_os().skip(1)) {
        Ok(Task::Help) => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        Ok(Task::Tidy) => root().and_then(|root| tidy::run(&root)).map(|tidy| ExitCode::from(u8::from(!tidy))),
        Ok(Task::Bench(arguments)) => root().and_then(|root| bench(&root, &arguments)),
        Err(wrong) => {
            eprint!("error: {wrong}\n\n{USAGE}");
            Ok(ExitCode::from(2))
        }
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// The root of the workspace. xtask is always built from it, one level down.
fn root() -> Result<PathBuf> {
    let here =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    Ok(here.parent().context("xtask has no parent folder")?.to_path_buf())
}

/// Builds the program of `bench/`, runs it, and exits as it did. In the dist profile, which is measured; a single chapter of the
/// experiments in the release profile, which is built sooner: its results are the same.
fn bench(root: &Path, arguments: &[OsString]) -> Result<ExitCode> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--profile", profile(arguments), "--locked", "--package", "trodden-bench"])
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"))
        .arg("--")
        .args(arguments)
        .status()
        .context("could not start cargo; is it on the PATH?")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// What speed is measured in, or what is built sooner.
fn profile(arguments: &[OsString]) -> &'static str {
    let is = |argument: &OsString, name: &str| argument.to_string_lossy().split('=').next() == Some(name);
    let is_chapter = arguments.first().is_some_and(|task| task == "experiments");
    if is_chapter && arguments.iter().any(|argument| is(argument, "--only")) { "release" } else { "dist" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_only_what_is_not_measured_is_built_in_haste() {
        let of = |line: &str| profile(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("experiments --only mdn"), "release");
        assert_eq!(of("experiments --only=mdn --reuse"), "release");
        assert_eq!(of("experiments"), "dist");
        assert_eq!(of("bench logs --only speed"), "dist");
    }
}
