//! `trodden ingest`: logs → clean visits, and the ledger of what became of every line.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use trodden_logs::clean::{ClientField, DropReason};
use trodden_logs::format::{Field, Format, Hints};
use trodden_logs::ledger::Ledger;
use trodden_logs::visits::VisitsDir;
use trodden_logs::{Ingest, NamedSite, Note, OwnSite, Progress, Report, SiteVisits, ingest};
use trodden_urls::{Aliases, SiteGrouping};

use crate::args::{Client, IngestArgs, SiteBy, TableFormat};
use crate::config::Config;
use crate::machine;
use crate::output::{data, percent, say, thousands};
use crate::progress::Watch;

/// Formats that a file's own header or first line completes: a name alone says too little to be checked here.
const HEADER_FORMATS: [&str; 4] = ["csv", "tsv", "w3c", "json"];

/// Takes in logs and prints the ledger.
pub(crate) fn run(args: IngestArgs) -> Result<()> {
    let (format, output) = (args.format, args.output.clone());
    let job = job(args)?;
    let progress = Arc::new(Progress::default());
    let stopped = progress.clone();
    crate::interrupt::on_interrupt(move || stopped.stop())?;
    let watch = Watch::new(progress.clone());
    let start = Instant::now();
    let report = ingest(&job, &progress);
    drop(watch);
    let report = report?;
    let seconds = start.elapsed().as_secs_f64();
    notes(&report).iter().for_each(|note| say(note));
    match format {
        TableFormat::Json => data(&json(&report)?)?,
        TableFormat::Table => data(&table(&report, seconds))?,
    }
    if let Some(output) = output {
        let days = if report.days == 1 { "1 day".to_owned() } else { format!("{} days", report.days) };
        let place = output.display();
        say(&format!("visits of {days} are in {place}; next: trodden urls {place} --top 20"));
    }
    Ok(())
}

/// Arguments as typed → the job.
fn job(args: IngestArgs) -> Result<Ingest> {
    let config = Config::load(&args.settings)?;
    let grouping = match args.site_by {
        Some(SiteBy::Host) => SiteGrouping::Host,
        Some(SiteBy::Domain) => SiteGrouping::RegistrableDomain,
        None => config.sites.by,
    };
    let mut cleaning = config.cleaning;
    if let Some(client) = args.client_field {
        cleaning.client_field = match client {
            Client::Auto => ClientField::Auto,
            Client::Peer => ClientField::Peer,
            Client::Forwarded => ClientField::Forwarded,
        };
    }
    let aliases = config.sites.aliases.iter().chain(&args.aliases);
    let inputs = trodden_logs::input::find(&args.logs)?;
    let hints = hints(&args)?;
    Ok(Ingest {
        inputs,
        hints,
        site: args.site.as_deref().map(NamedSite::parse).transpose()?,
        grouping,
        aliases: Aliases::parse(aliases.map(String::as_str)).context("--alias")?,
        rules: config.urls,
        cleaning,
        caps: config.caps,
        threads: args.resources.threads.unwrap_or_else(machine::cores),
        memory: args.resources.memory.map_or_else(machine::half_of_memory, |m| m.0),
        scratch: args.resources.scratch,
        output: args.output.as_deref().map(|path| VisitsDir::open_or_create(path, grouping)).transpose()?,
        min_users: config.privacy.min_users,
        site_must_be_clear: false,
    })
}

fn hints(args: &IngestArgs) -> Result<Hints> {
    let field = |text: &String| -> Result<(Field, String)> {
        let (name, path) = text.split_once('=').with_context(|| format!("--field {text:?}: write it as FIELD=PATH"))?;
        Ok((name.parse().with_context(|| format!("--field {text:?}"))?, path.to_owned()))
    };
    let hints =
        Hints { json_map: args.fields.iter().map(field).collect::<Result<_>>()?, spec: args.log_format.clone() };
    if let Some(spec) = hints.spec.as_deref().filter(|s| !HEADER_FORMATS.contains(s)) {
        Format::named(spec).context("--log-format")?;
    }
    Ok(hints)
}

/// What the operator should know, a line each.
fn notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    let mut formats: Vec<(&str, Vec<&str>)> = Vec::new();
    for file in &report.files {
        let format = file.format.as_deref().unwrap_or("unknown format, left out");
        match formats.iter_mut().find(|(f, _)| *f == format) {
            Some((_, files)) => files.push(&file.name),
            None => formats.push((format, vec![&file.name])),
        }
    }
    for (format, files) in formats {
        notes.push(match files[..] {
            [file] => format!("{file}: {format}"),
            [first, ..] => format!("{first} and {} more: {format}", files.len() - 1),
            [] => continue,
        });
    }
    match &report.own_site {
        OwnSite::FromReferrers { site, lines, rivals } if rivals.is_empty() => {
            notes.push(format!("the log has paths only; by its own referrers they are of {site} ({} lines name it). If not: --site URL", thousands(*lines)));
        }
        OwnSite::FromReferrers { site, lines, rivals } => {
            let rivals: Vec<String> = rivals.iter().map(|(site, n)| format!("{site} {}", thousands(*n))).collect();
            notes.push(format!(
                "warning: the log has paths only, and its referrers name several sites: taken for {site} ({} lines), but also {}. Say which with --site URL",
                thousands(*lines),
                rivals.join(", ")
            ));
        }
        OwnSite::Unknown => notes.push(
            "warning: the log has paths only and no referrer says whose they are; say it with --site URL".to_owned(),
        ),
        OwnSite::NotNeeded | OwnSite::Named => {}
    }
    for note in &report.notes {
        notes.push(match note {
            Note::BehindProxy { share, clients_known: true } => {
                format!("one address has {:.0} % of all lines: the log was written behind a proxy; the forwarded clients count", share * 100.0)
            }
            Note::BehindProxy { share, clients_known: false } => format!(
                "warning: one address has {:.0} % of all lines: the log was written behind a proxy and names no clients; users cannot be told apart well, and the rule on groups is left out",
                share * 100.0
            ),
            Note::NoClock { dates } => format!(
                "warning: most lines have no {}; the rules that need it are left out (embedded{})",
                if *dates { "time of day" } else { "time" },
                if *dates { ", lines a minute" } else { ", groups" },
            ),
            Note::Spilled(runs) => format!("more than the memory: {runs} sorted runs went through scratch files"),
        });
    }
    notes
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    ledger: &'a Ledger,
    site_visits: &'a [SiteVisits],
    formats: Vec<FileFormat<'a>>,
}

#[derive(Serialize)]
struct FileFormat<'a> {
    file: &'a str,
    format: Option<&'a str>,
}

fn json(report: &Report) -> Result<String> {
    let json = Json {
        ledger: &report.ledger,
        site_visits: &report.sites,
        formats: report.files.iter().map(|f| FileFormat { file: &f.name, format: f.format.as_deref() }).collect(),
    };
    Ok(serde_json::to_string_pretty(&json)? + "\n")
}

fn table(report: &Report, seconds: f64) -> String {
    let ledger = &report.ledger;
    let mut out = String::new();
    let mut row = |name: &str, n: u64, words: &str| {
        let line = format!("{name:<16} {:>14} {:>8}  {words}", thousands(n), percent(n, ledger.lines));
        out.push_str(line.trim_end());
        out.push('\n');
    };
    row("lines", ledger.lines, "");
    row("visits", ledger.visits, "people reading pages");
    row("dropped", ledger.dropped.values().sum(), "");
    let mut dropped: Vec<_> =
        DropReason::ALL.iter().filter_map(|r| Some((ledger.dropped.get(r.as_str())?, r))).collect();
    dropped.sort_by_key(|(n, r)| (std::cmp::Reverse(**n), **r));
    for (n, reason) in dropped {
        row(&format!("  {}", reason.as_str()), *n, reason.in_words());
    }
    row("bad", ledger.bad.values().sum(), "");
    for (reason, n) in &ledger.bad {
        let places: Vec<String> =
            ledger.places.iter().filter(|p| p.reason == *reason).map(|p| format!("{}:{}", p.file, p.line)).collect();
        row(&format!("  {reason}"), *n, &places.join(", "));
    }
    let _ =
        writeln!(out, "\n{} users read {} URLs of {}", thousands(ledger.users), thousands(ledger.urls), sites(report));
    #[expect(clippy::cast_precision_loss, reason = "shown without decimals")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is positive and below 2^53")]
    let rate = (ledger.lines as f64 / seconds.max(1e-9)) as u64;
    let _ = writeln!(out, "{} lines in {seconds:.2} s: {} lines a second", thousands(ledger.lines), thousands(rate));
    out
}

/// The sites in words: the first three that may be named, and how many more.
fn sites(report: &Report) -> String {
    let names: Vec<&str> = report.sites.iter().take(3).map(|s| s.site.as_str()).collect();
    let others = report.ledger.sites - names.len() as u64;
    let sites = |n: u64| if n == 1 { "1 site".to_owned() } else { format!("{} sites", thousands(n)) };
    match (names.is_empty(), others) {
        (true, 0) => "no site".to_owned(),
        (true, n) => sites(n),
        (false, 0) => names.join(", "),
        (false, n) => format!("{} and {} more", names.join(", "), sites(n)),
    }
}
