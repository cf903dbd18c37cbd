//! `trodden explain`: why a URL stands where it stands.
//!
//! The URL is made canonical and its site's model found; [`trodden_mining::explain`] gathers what the model knows, [`words`]
//! writes it all down.

mod words;

use std::path::Path;

use anyhow::{Context, Result, bail};
use trodden_mining::explain::Explanation;
use trodden_mining::model::find_by_host;
use trodden_mining::{ModelSet, SiteModel};
use trodden_urls::{CanonicalUrl, Canonicalizer, HostKey};

use crate::args::{ExplainArgs, TableFormat};
use crate::model_file;
use crate::output::data;
use crate::screen;

/// Explains one URL.
pub(crate) fn run(args: &ExplainArgs) -> Result<()> {
    let (goal, order) = args.rank.checked()?;
    let set = model_file::open(&args.model)?;
    let url = asked(&args.url, &set)?;
    let model = model_of(&set, &HostKey::of(&url), &args.model)?;
    let facts = Explanation::of(&model, &url, goal, order);
    match args.format {
        TableFormat::Table => data(&words::text(&facts, goal, screen::of_stdout())),
        TableFormat::Json => data(&(serde_json::to_string_pretty(&facts)? + "\n")),
    }
}

/// The URL that is asked for: with or without a scheme, or a path if there is one site only.
fn asked(text: &str, set: &ModelSet) -> Result<CanonicalUrl<'static>> {
    let text = text.trim();
    let only_site = if set.len() == 1 { set.sites().next() } else { None };
    let full = match only_site {
        Some(site) if text.starts_with('/') && !text.starts_with("//") => format!("http://{site}{text}"),
        _ if text.contains("://") => text.to_owned(),
        _ => format!("http://{}", text.trim_start_matches('/')),
    };
    let canonicalizer = Canonicalizer::default();
    let url = canonicalizer.absolute(full.as_bytes()).with_context(|| format!("{text:?} is no URL of a page"))?;
    Ok(url.into_owned())
}

/// The model of a host, or of the registrable domain that it belongs to.
fn model_of(set: &ModelSet, host: &HostKey, path: &Path) -> Result<SiteModel> {
    let Some(at) = find_by_host(host, |name| set.find(name)) else {
        let word = if set.len() == 1 { "site" } else { "sites" };
        bail!("{host} has no model in {}; its {word}: {}", path.display(), model_file::sites(set));
    };
    set.model(at).with_context(|| format!("cannot read the model of {host} in {}", path.display()))
}

#[cfg(test)]
mod tests;
