//! `trodden urls`: what to fetch first, by a model or by visits.

mod of_model;
mod of_visits;
mod sitemap;

use std::path::Path;

use anyhow::{Result, bail};

use crate::args::UrlsArgs;
use crate::model_file;

/// Prints the first URLs.
pub(crate) fn run(args: &UrlsArgs) -> Result<()> {
    let models = args.inputs.iter().filter(|path| model_file::is_one(Path::new(path))).count();
    match models {
        0 => of_visits::run(args),
        n if n == args.inputs.len() => of_model::run(args),
        _ => bail!("models and visits are mixed, and they count differently; ask for the URLs of each"),
    }
}
