//! The URLs of visits: what is read most ([`trodden_logs::listing`]).

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use trodden_logs::NamedSite;
use trodden_logs::listing::{ListSettings, most_read};
use trodden_logs::triples::{TableSettings, TableUse};
use trodden_logs::visits::VisitSource;
use trodden_urls::UrlGlobs;

use super::sitemap::sitemap;
use crate::args::{UrlFormat, UrlsArgs};
use crate::machine;
use crate::output::{counted, data, say};

/// Users that a URL must have to be listed.
const MIN_USERS: u64 = 5;

/// Prints the most visited URLs.
pub(super) fn run(args: &UrlsArgs) -> Result<()> {
    let tables = TableSettings {
        window_days: args.dedup_days,
        last_days: None,
        kept_readers: 0,
        known: Vec::new(),
        are_public: false,
        exclude: UrlGlobs::default(),
        threads: machine::cores(),
        memory: args.memory.map_or_else(machine::half_of_memory, |m| m.0),
        table_use: TableUse::Counted,
        scratch: std::env::temp_dir(),
    };
    let list = ListSettings {
        top: args.top,
        min_users: args.min_users.unwrap_or(MIN_USERS),
        only: args.site.as_deref().map(NamedSite::parse).transpose()?,
        exclude: UrlGlobs::new(&args.exclude).context("--exclude")?,
    };
    let found = most_read(VisitSource::find(&args.inputs)?, &tables, &list)?;
    if found.urls == 0 {
        bail!("there are no visits in {}; make some with: trodden ingest LOG -o VISITS", args.inputs.join(", "));
    }
    let mut out = String::new();
    match args.format {
        UrlFormat::List => found.rows.iter().for_each(|row| {
            let _ = writeln!(out, "{:>10} {:>10}  {}", row.visits, row.users, row.url.0);
        }),
        UrlFormat::Sitemap => out = sitemap(found.rows.into_iter().map(|row| row.url.0))?,
        UrlFormat::Json => out = serde_json::to_string_pretty(&found.rows)? + "\n",
    }
    if args.format == UrlFormat::List {
        say("    visits      users  url");
    }
    data(&out)?;
    say(&format!(
        "{} are {} after de-duplication in {}, to {}",
        counted(found.visits, "visit"),
        counted(found.triples, "triple"),
        counted(args.dedup_days.into(), "day"),
        counted(found.urls, "URL")
    ));
    if found.excluded > 0 {
        say(&format!("not listed: {} that --exclude fits", counted(found.excluded, "URL")));
    }
    if found.rare > 0 {
        say(&format!(
            "not listed: {} that fewer than {} visited (--min-users 1 lists all)",
            counted(found.rare, "URL"),
            counted(list.min_users, "user")
        ));
    }
    if found.hidden > 0 {
        say(&format!(
            "not listed: {} that held a token, which was removed, so that nothing can be fetched",
            counted(found.hidden, "URL")
        ));
    }
    Ok(())
}
