//! `trodden man FOLDER`: one manual page a command.

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::args::{Cli, ManArgs};
use crate::output::say;

/// Writes the pages.
pub(crate) fn run(args: &ManArgs) -> Result<()> {
    std::fs::create_dir_all(&args.folder).with_context(|| format!("cannot make {}", args.folder.display()))?;
    clap_mangen::generate_to(Cli::command(), &args.folder)
        .with_context(|| format!("cannot write to {}", args.folder.display()))?;
    say(&format!(
        "manual pages are in {}; read one with: man -l {}",
        args.folder.display(),
        args.folder.join("trodden.1").display()
    ));
    Ok(())
}
