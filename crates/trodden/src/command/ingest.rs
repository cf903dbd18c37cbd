//! `trodden ingest`: logs → clean visits, and the ledger of what became of every line.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use trodden_logs::clean::DropReason;
use trodden_logs::input::FileKind;
use trodden_logs::ledger::Ledger;
use trodden_logs::{FileNote, Report, SiteVisits};

use crate::args::{IngestArgs, TableFormat};
use crate::config::Config;
use crate::exports;
use crate::intake::{job, notes, watched};
use crate::output::{counted, data, percent, say, thousands};
use crate::outputs;

/// Takes in logs and prints the ledger.
pub(crate) fn run(args: IngestArgs) -> Result<()> {
    let IngestArgs { logs, output, replace, format, resources, settings } = args;
    if let Some(output) = &output {
        outputs::keep_apart(output, &logs.logs)?;
    }
    let config = Config::load(&settings)?;
    if let Some(files) = exports::named(&logs, &config)? {
        return exports::ingest(&logs, &files, output.as_deref(), format, &resources, &config);
    }
    let mut job = job(&logs, &resources, &config, output.as_deref())?;
    job.replace = replace;
    let start = Instant::now();
    let report = watched(&job)?;
    let seconds = start.elapsed().as_secs_f64();
    notes(&report).iter().for_each(|note| say(note));
    match format {
        TableFormat::Json => data(&json(&report)?)?,
        TableFormat::Table => data(&table(&report, seconds))?,
    }
    if let Some(output) = output {
        let days = counted(report.days as u64, "day");
        let place = output.display();
        if report.replaced > 0 {
            say(&format!(
                "replaced: {} of visits that were made of the same log",
                counted(report.replaced as u64, "file")
            ));
        }
        say(&format!("visits of {days} are in {place}; next: trodden urls {place} --top 20"));
    }
    Ok(())
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
    /// What it is, if it is no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

impl<'a> FileFormat<'a> {
    fn of(file: &'a FileNote) -> Self {
        let kind = file.kind.as_ref().filter(|_| file.format.is_none()).map(FileKind::in_words);
        Self { file: &file.name, format: file.format.as_deref(), kind }
    }
}

fn json(report: &Report) -> Result<String> {
    let json = Json {
        ledger: &report.ledger,
        site_visits: &report.sites,
        formats: report.files.iter().map(FileFormat::of).collect(),
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
        writeln!(out, "\n{} read {} of {}", counted(ledger.users, "user"), counted(ledger.urls, "URL"), sites(report));
    #[expect(clippy::cast_precision_loss, reason = "shown without decimals")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is positive and below 2^53")]
    let rate = (ledger.lines as f64 / seconds.max(1e-9)) as u64;
    let _ = writeln!(out, "{} in {seconds:.2} s: {} a second", counted(ledger.lines, "line"), counted(rate, "line"));
    out
}

/// The sites in words: the first three that may be named, and how many more.
fn sites(report: &Report) -> String {
    let names: Vec<&str> = report.sites.iter().take(3).map(|s| s.site.as_str()).collect();
    let others = report.ledger.sites - names.len() as u64;
    let sites = |n: u64| counted(n, "site");
    match (names.is_empty(), others) {
        (true, 0) => "no site".to_owned(),
        (true, n) => sites(n),
        (false, 0) => names.join(", "),
        (false, n) => format!("{} and {} more", names.join(", "), sites(n)),
    }
}
