//! Where results may go: not over what is read, nor over what is something else.

use std::path::Path;

use anyhow::{Context, Result, bail};
use trodden_logs::format::Hints;
use trodden_logs::input::{FileKind, reading};

/// Refuses an output that is one of the inputs, or that lies where the next run would read it as one. Links and other
/// spellings of the same place count.
pub(crate) fn keep_apart(output: &Path, inputs: &[String]) -> Result<()> {
    let Some(input) = reading(inputs, output) else { return Ok(()) };
    let output = output.display();
    if Path::new(input).is_file() {
        bail!("-o {output} is the input {input}, which would be lost; name another place for the output");
    }
    bail!(
        "-o {output} lies in the input {input}: it would be read with it, and count twice; name a place outside of it"
    )
}

/// Refuses to replace what is there and is no model, unless it is insisted on. Only files are ever replaced.
pub(crate) fn may_hold_model(output: &Path, insisted: bool) -> Result<()> {
    let shown = output.display();
    let Ok(there) = output.metadata() else { return Ok(()) };
    if there.is_dir() {
        bail!("{shown} is a folder; give the name of a file");
    }
    if !there.is_file() {
        bail!("{shown} is no file that a model can replace; name another with -o");
    }
    if insisted {
        return Ok(());
    }
    match FileKind::of(output, &Hints::default()).with_context(|| format!("cannot read {shown}"))? {
        FileKind::Model | FileKind::Empty => Ok(()),
        FileKind::Visits => {
            bail!("{shown} holds visits, not a model; name another file with -o, or replace it with --force")
        }
        other => {
            bail!("{shown} is {}, not a model; name another file with -o, or replace it with --force", other.in_words())
        }
    }
}
