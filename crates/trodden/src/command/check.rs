//! `trodden check`: is everything there that a crawl wrote?

use anyhow::{Result, bail};
use serde::Serialize;
use trodden_fetch::crawl::{Checked, check};

use super::crawl;
use crate::args::{CheckArgs, TableFormat};
use crate::output::{counted, data, say};

/// A part that was checked, as `--format json` prints it.
#[derive(Serialize)]
struct CheckedRow<'c> {
    part: &'c str,
    is_whole: bool,
    found: &'c str,
    fault: Option<&'c str>,
}

/// Checks a crawl; an error if something is wrong.
pub(crate) fn run(args: &CheckArgs) -> Result<()> {
    if !crawl::is_in(&args.folder) {
        bail!("{} holds no crawl (crawl -o)", args.folder.display());
    }
    let checked = check(&args.folder)?;
    let faults = checked.iter().filter(|part| part.fault.is_some()).count() as u64;
    match args.format {
        TableFormat::Table => table(&checked)?,
        TableFormat::Json => {
            let rows: Vec<CheckedRow<'_>> = checked.iter().map(row).collect();
            data(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?;
        }
    }
    if faults > 0 {
        bail!(
            "{} of the crawl damaged; put back a copy, or see what can be fetched again with: trodden crawl -o {} --mend",
            counted(faults, "part"),
            crate::output::shell_word(&args.folder.to_string_lossy()),
        );
    }
    say("everything is there, and as it was written");
    Ok(())
}

fn row(checked: &Checked) -> CheckedRow<'_> {
    let Checked { part, found, fault } = checked;
    CheckedRow { part, is_whole: fault.is_none(), found, fault: fault.as_deref() }
}

fn table(checked: &[Checked]) -> Result<()> {
    let width = checked.iter().map(|part| part.part.len()).max().unwrap_or(0);
    for Checked { part, found, fault } in checked {
        let (word, what) = match fault {
            Some(fault) => ("DAMAGED", fault),
            None => ("whole", found),
        };
        data(&format!("{part:width$}  {word:7}  {what}\n"))?;
    }
    Ok(())
}
