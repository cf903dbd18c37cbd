//! `trodden urls`: what to fetch first, by a model or by visits.

mod of_model;
mod of_visits;
mod sitemap;

use std::path::Path;

use anyhow::{Result, bail};

use trodden_logs::format::Hints;
use trodden_logs::input::FileKind;

use crate::args::UrlsArgs;
use crate::{intake, model_file};

/// Prints the first URLs.
pub(crate) fn run(args: &UrlsArgs) -> Result<()> {
    let models = args.inputs.iter().filter(|path| model_file::is_one(Path::new(path))).count();
    match models {
        0 => {
            check_visits(&args.inputs)?;
            of_visits::run(args)
        }
        n if n == args.inputs.len() => of_model::run(args),
        _ => bail!("models and visits are mixed, and they count differently; ask for the URLs of each"),
    }
}

/// Names what is neither visits nor a model, and what to do with it.
fn check_visits(inputs: &[String]) -> Result<()> {
    for path in inputs.iter().filter(|path| !intake::is_visits(path)) {
        let kind = FileKind::of(Path::new(path), &Hints::default());
        if !matches!(kind, Err(_) | Ok(FileKind::Visits | FileKind::Folder)) {
            bail!(model_file::instead(Path::new(path)).unwrap_or_else(|| format!(
                "{path} is neither a model nor visits; make one with: trodden mine LOG -o site.model"
            )));
        }
    }
    Ok(())
}
