//! `trodden report`: the page of a crawl or an experiment, made again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use trodden_lab::report;
use trodden_lab::result::Comparison;

use super::crawl;
use crate::args::ReportArgs;
use crate::browser;
use crate::config::Config;
use crate::output::data;

/// What an experiment leaves.
const RESULT: &str = "result.json";
/// Larger results are a mistake: thirty policies come to a few megabytes.
const MAX_RESULT_BYTES: u64 = 1 << 30;

/// Makes the page.
pub(crate) fn run(args: &ReportArgs) -> Result<()> {
    let page = match &args.folder {
        folder if crawl::is_in(folder) => crawl::report::again(folder, &Config::load(&args.settings)?)?,
        folder if folder.join(RESULT).is_file() => experiment(folder)?,
        folder => bail!("{} holds neither a crawl (crawl -o) nor an experiment (simulate -o)", folder.display()),
    };
    data(&format!("{}\n", page.display()))?;
    if args.open {
        browser::open(&page)?;
    }
    Ok(())
}

/// The page of an experiment, by its result.
fn experiment(folder: &Path) -> Result<PathBuf> {
    let path = folder.join(RESULT);
    let named = || format!("cannot read {}", path.display());
    if fs::metadata(&path).with_context(named)?.len() > MAX_RESULT_BYTES {
        bail!("{} is too large to be the result of an experiment", path.display());
    }
    let text = fs::read_to_string(&path).with_context(named)?;
    let result: Comparison = serde_json::from_str(&text)
        .with_context(|| format!("{} is not the result of an experiment", path.display()))?;
    report::write_page(folder, &result).with_context(|| format!("cannot write to {}", folder.display()))
}
