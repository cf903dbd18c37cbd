//! `trodden explain`: why a URL stands where it stands.
//!
//! The URL is made canonical and its site's model found; [`facts`] walks down the tree with it and gathers what the
//! model knows, [`uncovered`] says why it is in no pattern, [`words`] writes it all down.

mod facts;
mod flows;
mod uncovered;
mod words;

use std::path::Path;

use anyhow::{Context, Result, bail};
use trodden_mining::{ModelSet, SiteModel};
use trodden_urls::{Aliases, Canonicalizer, HostKey, SiteGrouping, SiteKeys};

use crate::args::{ExplainArgs, TableFormat};
use crate::model_file;
use crate::output::data;
use crate::screen;
use facts::Facts;

/// Explains one URL.
pub(crate) fn run(args: &ExplainArgs) -> Result<()> {
    let (goal, order) = args.rank.checked()?;
    let set = model_file::open(&args.model)?;
    let asked = Asked::parse(&args.url, &set)?;
    let model = model_of(&set, &asked.host, &args.model)?;
    let facts = Facts::of(&model, &asked, goal, order);
    match args.format {
        TableFormat::Table => data(&words::text(&facts, goal, screen::of_stdout())),
        TableFormat::Json => data(&(serde_json::to_string_pretty(&facts)? + "\n")),
    }
}

/// The URL that is asked for, canonical, as models write it.
pub(super) struct Asked {
    pub(super) host: HostKey,
    pub(super) path_and_query: String,
}

impl Asked {
    /// From a URL with or without a scheme, or from a path if there is one site only.
    fn parse(text: &str, set: &ModelSet) -> Result<Self> {
        let text = text.trim();
        let only_site = if set.len() == 1 { set.sites().next() } else { None };
        let full = match only_site {
            Some(site) if text.starts_with('/') && !text.starts_with("//") => format!("http://{site}{text}"),
            _ if text.contains("://") => text.to_owned(),
            _ => format!("http://{}", text.trim_start_matches('/')),
        };
        let url = Canonicalizer::default().absolute(full.as_bytes());
        let url = url.with_context(|| format!("{text:?} is no URL of a page"))?;
        Ok(Self { host: HostKey::of(&url), path_and_query: url.path_and_query().to_owned() })
    }

    /// `host/path?query`.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.host, self.path_and_query)
    }
}

/// The model of a host, or of the registrable domain that it belongs to.
fn model_of(set: &ModelSet, host: &HostKey, path: &Path) -> Result<SiteModel> {
    let domain = SiteKeys::new(SiteGrouping::RegistrableDomain, Aliases::none()).site_of(host);
    let Some(at) = set.find(host.as_str()).or_else(|| set.find(domain.as_str())) else {
        let word = if set.len() == 1 { "site" } else { "sites" };
        bail!("{host} has no model in {}; its {word}: {}", path.display(), model_file::sites(set));
    };
    set.model(at).with_context(|| format!("cannot read the model of {host} in {}", path.display()))
}

#[cfg(test)]
mod tests;
