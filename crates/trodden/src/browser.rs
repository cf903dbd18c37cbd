//! Showing a page in the browser of the machine.

use std::path::Path;
use std::process::{Command as Process, Stdio};

use anyhow::{Result, bail};

/// Shows a page.
pub(crate) fn open(page: &Path) -> Result<()> {
    let programs: [(&str, &[&str]); 4] =
        [("xdg-open", &[]), ("open", &[]), ("wslview", &[]), ("cmd", &["/C", "start", ""])];
    for (program, before) in programs {
        let quiet = || Stdio::null();
        let mut process = Process::new(program);
        if process.args(before).arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok() {
            return Ok(());
        }
    }
    bail!("no browser could be started; open {} yourself", page.display())
}
