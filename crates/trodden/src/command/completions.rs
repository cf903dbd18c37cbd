//! `trodden completions SHELL`: for the shell's own folder of completions.

use anyhow::Result;
use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::output::data;

/// Prints the completions.
pub(crate) fn run(args: &CompletionsArgs) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "trodden", &mut text);
    data(&String::from_utf8_lossy(&text))
}
