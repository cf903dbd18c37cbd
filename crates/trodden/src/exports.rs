//! Page-view exports among what was typed: found, made visits that count, and told about.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use trodden_logs::NamedSite;
use trodden_logs::input::Input;
use trodden_logs::views::{Export, ExportReport, RowFault, ViewsTable, export};
use trodden_logs::visits::{VisitsDir, is_visits_dir};
use trodden_urls::Aliases;

use crate::args::{LogArgs, Resources, TableFormat};
use crate::config::Config;
use crate::intake::scratch_visits;
use crate::machine;
use crate::output::{counted, data, percent, say, thousands};

/// The name of the format on the command line.
pub(crate) const FORMAT: &str = "views";

/// The exports that were named; none if logs or visits were.
pub(crate) fn named(args: &LogArgs, config: &Config) -> Result<Option<Vec<PathBuf>>> {
    let is_said = match args.reading.log_format.as_deref().map(str::trim) {
        Some(FORMAT) => true,
        Some(_) => return Ok(None),
        None => false,
    };
    if !is_said && args.logs.iter().any(|path| is_visits_dir(Path::new(path)) || path == "-") {
        return Ok(None);
    }
    let inputs = trodden_logs::input::find(&args.logs)?;
    let mut exports = Vec::new();
    let mut others = Vec::new();
    for input in &inputs {
        let Some(path) = input.path() else {
            bail!("page views cannot be read from a pipe; name the file");
        };
        let is_pipe = std::fs::metadata(path).is_ok_and(|about| !about.is_file());
        let is_export = !is_pipe && matches!(ViewsTable::recognize(path, &config.caps), Ok(Some(_)));
        match (is_export || is_said, matches!(input, Input::Found(_))) {
            (true, _) => exports.push(path.to_owned()),
            // Whatever else lies in a folder.
            (false, true) => {}
            (false, false) => others.push(path.display().to_string()),
        }
    }
    match (exports.is_empty(), others.first()) {
        (true, _) => Ok(None),
        (false, None) => Ok(Some(exports)),
        (false, Some(other)) => {
            bail!("{} is a table of page views and {other} is none; read them one by one", exports[0].display())
        }
    }
}

/// Makes visits of exports in a directory that is not there yet.
pub(crate) fn take_in(
    files: &[PathBuf],
    args: &LogArgs,
    resources: &Resources,
    config: &Config,
    place: &Path,
) -> Result<ExportReport> {
    let grouping = args.reading.grouping(config);
    let aliases = config.sites.aliases.iter().chain(&args.reading.aliases);
    let job = Export {
        files,
        site: args.reading.site.as_deref().map(NamedSite::parse).transpose()?,
        aliases: Aliases::parse(aliases.map(String::as_str)).context("--alias")?,
        grouping,
        rules: config.urls.clone(),
        caps: config.caps.clone(),
        memory: resources.memory.map_or_else(machine::half_of_memory, |m| m.0),
    };
    let dir = VisitsDir::create_for_views(place, grouping)?;
    let report = export(&job, &dir)?;
    notes(&report).iter().for_each(|note| say(note));
    Ok(report)
}

/// What the operator should know, a line each.
fn notes(report: &ExportReport) -> Vec<String> {
    let mut notes: Vec<String> = report.files.iter().map(|(file, what)| format!("{file}: {what}")).collect();
    notes.push(format!(
        "{} are {} of {} on {}",
        counted(report.rows, "row"),
        counted(report.views, "view"),
        counted(report.pages, "page"),
        counted(report.sites.len() as u64, "site"),
    ));
    let left_out: Vec<String> = report
        .faults
        .iter()
        .map(|(fault, n)| {
            let place = report.places.get(fault).map(|(file, line)| format!(" ({file}:{line})")).unwrap_or_default();
            format!("{} {}{place}", fault.as_str(), thousands(*n))
        })
        .collect();
    if !left_out.is_empty() {
        notes.push(format!("rows that do not count: {}", left_out.join(", ")));
    }
    if let Some(scaled) = report.scaled {
        notes.push(format!(
            "the numbers are weights, not counts: scaled so that the smallest{} is one view, {} in all",
            if scaled.times > 1 { " of each time" } else { "" },
            counted(scaled.views, "view")
        ));
    }
    notes.push(
        "an export has no ways between pages: patterns are cut by visits only, and nothing is known of who leads where"
            .to_owned(),
    );
    if !report.has_dates {
        notes.push("some rows have no date: new and old views cannot be told apart".to_owned());
    }
    if !report.has_users {
        notes.push(
            "some files have no users: none of their URLs is named unless you say that they are public (mine --public)"
                .to_owned(),
        );
    }
    notes
}

/// What `ingest` prints of exports.
pub(crate) fn ingest(
    args: &LogArgs,
    files: &[PathBuf],
    output: Option<&Path>,
    format: TableFormat,
    resources: &Resources,
    config: &Config,
) -> Result<()> {
    let (_made, scratch) = scratch_visits(resources)?;
    let place = output.map_or(scratch, Path::to_owned);
    let report = take_in(files, args, resources, config, &place)?;
    match format {
        TableFormat::Json => data(&(serde_json::to_string_pretty(&Json::of(&report))? + "\n"))?,
        TableFormat::Table => data(&table(&report))?,
    }
    if let Some(output) = output {
        let place = output.display();
        say(&format!("the views are in {place}; next: trodden mine {place} -o site.model"));
    }
    Ok(())
}

/// The ledger of an export: rows = visits + dropped + bad, as of a log.
#[derive(Serialize)]
struct Json {
    lines: u64,
    /// Rows that count.
    visits: u64,
    views: u64,
    sites: u64,
    urls: u64,
    dropped: std::collections::BTreeMap<&'static str, u64>,
    bad: std::collections::BTreeMap<&'static str, u64>,
    has_users: bool,
    has_dates: bool,
}

impl Json {
    fn of(report: &ExportReport) -> Self {
        let of_kind = |dropped: bool| {
            let faults = report.faults.iter().filter(|(fault, _)| is_dropped(**fault) == dropped);
            faults.map(|(fault, n)| (fault.as_str(), *n)).collect()
        };
        Self {
            lines: report.rows,
            visits: report.counted,
            views: report.views,
            sites: report.sites.len() as u64,
            urls: report.pages,
            dropped: of_kind(true),
            bad: of_kind(false),
            has_users: report.has_users,
            has_dates: report.has_dates,
        }
    }
}

/// Rows that are sound, but not what is counted.
fn is_dropped(fault: RowFault) -> bool {
    matches!(fault, RowFault::Total | RowFault::Others | RowFault::OtherSite | RowFault::Asset)
}

fn table(report: &ExportReport) -> String {
    let mut out = String::new();
    let mut row = |name: &str, n: u64, of: u64| {
        out.push_str(format!("{name:<16} {:>14} {:>8}", thousands(n), percent(n, of)).trim_end());
        out.push('\n');
    };
    row("rows", report.rows, report.rows);
    row("  that count", report.counted, report.rows);
    for (fault, n) in &report.faults {
        row(&format!("  {}", fault.as_str()), *n, report.rows);
    }
    row("views", report.views, report.views);
    for (site, views) in report.sites.iter().take(5).filter(|_| report.has_users) {
        row(&format!("  {site}"), *views, report.views);
    }
    out
}
