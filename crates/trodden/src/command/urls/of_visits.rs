//! The URLs of visits: what is read most.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use trodden_logs::NamedSite;
use trodden_logs::privacy::has_removed_values;
use trodden_logs::triples::{TableSettings, TableUse, fill_site_tables};
use trodden_logs::visits::VisitSource;
use trodden_urls::UrlGlobs;

use super::sitemap::sitemap;
use crate::args::{UrlFormat, UrlsArgs};
use crate::machine;
use crate::output::{counted, data, say};

/// Users that a URL must have to be listed.
const MIN_USERS: u64 = 5;

/// One URL of the list. The order of the fields is the order of the list: visits, readers, then URL.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Row {
    visits: u64,
    users: u64,
    referrals: u64,
    url: Reverse<String>,
}

/// Prints the most visited URLs.
pub(super) fn run(args: &UrlsArgs) -> Result<()> {
    let settings = TableSettings {
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
    let min_users = args.min_users.unwrap_or(MIN_USERS);
    let only = args.site.as_deref().map(NamedSite::parse).transpose()?;
    let exclude = UrlGlobs::new(&args.exclude).context("--exclude")?;
    let mut top: BinaryHeap<Reverse<Row>> = BinaryHeap::new();
    let (mut triples, mut visits, mut urls, mut hidden, mut rare) = (0, 0, 0_u64, 0_u64, 0_u64);
    let mut excluded = 0_u64;
    let all = fill_site_tables(VisitSource::find(&args.inputs)?, &settings, |filled| -> Result<()> {
        if only.as_ref().is_some_and(|o| o.host().as_str() != filled.table.site()) {
            return Ok(());
        }
        visits += filled.visits;
        triples += filled.table.visits();
        for id in 0..u32::try_from(filled.table.len()).unwrap_or(u32::MAX) {
            let counts = filled.table.counts(id);
            if counts.visits == 0 {
                continue;
            }
            urls += 1;
            if exclude.matches_text(filled.table.url(id)) {
                excluded += 1;
                continue;
            }
            if has_removed_values(filled.table.url(id)) {
                hidden += 1;
                continue;
            }
            if counts.users < min_users {
                rare += 1;
                continue;
            }
            let row = Row {
                visits: counts.visits,
                users: counts.users,
                referrals: counts.referrals,
                url: Reverse(filled.url(id)),
            };
            if top.len() < args.top || top.peek().is_some_and(|least| row > least.0) {
                top.push(Reverse(row));
                if top.len() > args.top {
                    top.pop();
                }
            }
        }
        Ok(())
    })?;
    all.all_fit()?;
    if urls == 0 {
        bail!("there are no visits in {}; make some with: trodden ingest LOG -o VISITS", args.inputs.join(", "));
    }
    let rows = top.into_sorted_vec().into_iter().map(|Reverse(row)| row);
    let mut out = String::new();
    match args.format {
        UrlFormat::List => rows.for_each(|row| {
            let _ = writeln!(out, "{:>10} {:>10}  {}", row.visits, row.users, row.url.0);
        }),
        UrlFormat::Sitemap => out = sitemap(rows.map(|row| row.url.0))?,
        UrlFormat::Json => out = serde_json::to_string_pretty(&rows.collect::<Vec<_>>())? + "\n",
    }
    if args.format == UrlFormat::List {
        say("    visits      users  url");
    }
    data(&out)?;
    say(&format!(
        "{} are {} after de-duplication in {}, to {}",
        counted(visits, "visit"),
        counted(triples, "triple"),
        counted(args.dedup_days.into(), "day"),
        counted(urls, "URL")
    ));
    if excluded > 0 {
        say(&format!("not listed: {} that --exclude fits", counted(excluded, "URL")));
    }
    if rare > 0 {
        say(&format!(
            "not listed: {} that fewer than {} visited (--min-users 1 lists all)",
            counted(rare, "URL"),
            counted(min_users, "user")
        ));
    }
    if hidden > 0 {
        say(&format!(
            "not listed: {} that held a token, which was removed, so that nothing can be fetched",
            counted(hidden, "URL")
        ));
    }
    Ok(())
}
