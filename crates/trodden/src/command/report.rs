//! `trodden report`: the page of a crawl or an experiment, made again; lists of what a crawl found; and whether its order was any good.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use trodden_lab::judgment::{Judgment, conclusion, table};
use trodden_lab::report;
use trodden_lab::result::Comparison;
use trodden_report::text::wrapped;

use super::crawl;
use super::crawl::report::Made;
use crate::args::{ReportArgs, TableFormat};
use crate::browser;
use crate::config::Config;
use crate::output::data;
use crate::screen;

/// What an experiment leaves.
const RESULT: &str = "result.json";
/// Larger results are a mistake: thirty policies come to a few megabytes.
const MAX_RESULT_BYTES: u64 = 1 << 30;

/// What came of it, as `--format json` prints it.
#[derive(Serialize)]
struct Printed<'p> {
    report: &'p Path,
    judgment: Option<&'p Judgment>,
    conclusion: Option<String>,
}

/// Makes the page.
pub(crate) fn run(args: &ReportArgs) -> Result<()> {
    let is_of_crawl = args.urls.is_some() || args.broken.is_some() || !args.logs.is_empty() || args.beside.is_some();
    let made = match &args.folder {
        folder if crawl::is_in(folder) => crawl::report::again(args, &Config::load(&args.settings)?)?,
        folder if is_of_crawl => {
            bail!("{} holds no crawl (crawl -o): --urls, --broken, --log and --beside are about one", folder.display())
        }
        folder if folder.join(RESULT).is_file() => Made { page: experiment(folder)?, judgment: None },
        folder => bail!("{} holds neither a crawl (crawl -o) nor an experiment (simulate -o)", folder.display()),
    };
    print(&made, args.format)?;
    if args.open {
        browser::open(&made.page)?;
    }
    Ok(())
}

fn print(made: &Made, format: TableFormat) -> Result<()> {
    let judgment = made.judgment.as_ref();
    match format {
        TableFormat::Json => {
            let conclusion = judgment.map(conclusion);
            let printed = Printed { report: &made.page, judgment, conclusion };
            data(&format!("{}\n", serde_json::to_string_pretty(&printed)?))
        }
        TableFormat::Table => {
            let width = screen::of_stdout().width;
            let judged =
                judgment.map(|it| format!("\n{}\n\n{}\n", table(it, width), wrapped(&conclusion(it), width, 0)));
            data(&format!("{}\n{}", made.page.display(), judged.unwrap_or_default()))
        }
    }
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
