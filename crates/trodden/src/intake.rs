//! From what was typed, logs or visits, to visits.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use trodden_logs::clean::ClientField;
use trodden_logs::format::{Field, Format, Hints};
use trodden_logs::input::FileKind;
use trodden_logs::ledger::Ledger;
use trodden_logs::visits::{VisitsDir, is_visits_dir};
use trodden_logs::{FileNote, Ingest, IngestNote, IngestProgress, NamedSite, OwnSite, Report, SpaceFor, ingest};
use trodden_urls::Aliases;

use crate::args::{Client, LogArgs, LogReading, Resources};
use crate::command::crawl::agent::known_agents;
use crate::config::Config;
use crate::exports;
use crate::machine;
use crate::output::{counted, percent, say, thousands};
use crate::progress::Watch;

/// Formats that a file's own header or first line completes: a name alone says too little to be checked here.
const HEADER_FORMATS: [&str; 5] = ["csv", "tsv", "w3c", "json", exports::FORMAT];

/// Where visits are; those of logs go when this goes.
pub(crate) struct Visits {
    /// Directories and files of visits.
    pub(crate) paths: Vec<String>,
    _made: Option<tempfile::TempDir>,
}

/// Whether this is visits already.
pub(crate) fn is_visits(path: &str) -> bool {
    let path = Path::new(path);
    is_visits_dir(path) || path.extension().is_some_and(|e| e == "parquet")
}

/// Whether these are files of a format that logs have.
pub(crate) fn are_logs(paths: &[String], reading: &LogReading) -> Result<bool> {
    let hints = hints(reading)?;
    Ok(paths.iter().all(|path| matches!(FileKind::of(Path::new(path), &hints), Ok(FileKind::Log(_)))))
}

/// The visits that were named, or those of the logs that were.
pub(crate) fn visits(args: &LogArgs, resources: &Resources, config: &Config) -> Result<Visits> {
    if let Some(files) = exports::named(args, config)? {
        let (made, place) = scratch_visits(resources)?;
        exports::take_in(&files, args, resources, config, &place)?;
        return Ok(Visits { paths: vec![place.to_string_lossy().into_owned()], _made: Some(made) });
    }
    match args.logs.iter().filter(|path| is_visits(path)).count() {
        0 => {}
        n if n == args.logs.len() => return Ok(Visits { paths: args.logs.clone(), _made: None }),
        _ => bail!("logs and visits are mixed; take the logs in first: trodden ingest LOG -o VISITS"),
    }
    let (made, place) = scratch_visits(resources)?;
    let parent = scratch_parent(resources);
    let mut job = job(args, resources, config, Some(&place)).map_err(|e| as_scratch(e, &parent))?;
    job.site_must_be_clear = true;
    let report = watched(&job).map_err(|e| as_scratch(e, &parent))?;
    notes(&report).iter().for_each(|note| say(note));
    say(&account(&report.ledger));
    if report.ledger.lines == 0 {
        bail!("there are no visits in {}: not a line is in it", args.logs.join(", "));
    }
    if report.ledger.visits == 0 {
        bail!("there are no visits in {}; trodden ingest shows what its lines are", args.logs.join(", "));
    }
    if matches!(report.own_site, OwnSite::Unknown) {
        bail!("the log has paths only and no referrer that tells their site; say it with --site URL");
    }
    Ok(Visits { paths: vec![place.to_string_lossy().into_owned()], _made: Some(made) })
}

fn scratch_parent(resources: &Resources) -> PathBuf {
    resources.scratch.clone().unwrap_or_else(std::env::temp_dir)
}

/// A place for visits that only this run needs, which goes when the first of the two goes.
pub(crate) fn scratch_visits(resources: &Resources) -> Result<(tempfile::TempDir, PathBuf)> {
    let parent = scratch_parent(resources);
    let made = tempfile::Builder::new().prefix("trodden-visits-").tempdir_in(&parent);
    let made = made.with_context(|| format!("cannot make a scratch folder in {}", parent.display()))?;
    let place = made.path().join("visits");
    Ok((made, place))
}

/// Visits that only this run needs lie where scratch files do: whoever has no space for them must choose another place for
/// those.
fn as_scratch(error: anyhow::Error, parent: &Path) -> anyhow::Error {
    match error.downcast::<trodden_logs::Error>() {
        Ok(trodden_logs::Error::NoSpace { source, .. }) => {
            let folder = parent.display().to_string();
            trodden_logs::Error::NoSpace { folder, what: SpaceFor::Scratch, source }.into()
        }
        Ok(error) => error.into(),
        Err(error) => error,
    }
}

/// So many reasons for dropping lines are named; the ledger has all.
const REASONS_SAID: usize = 3;

/// What became of the lines, in one line.
fn account(ledger: &Ledger) -> String {
    let mut text = format!("{} are {}", counted(ledger.lines, "line"), counted(ledger.visits, "visit"));
    let mut dropped: Vec<(&str, u64)> = ledger.dropped.iter().map(|(reason, n)| (*reason, *n)).collect();
    dropped.sort_by_key(|(reason, n)| (Reverse(*n), *reason));
    if !dropped.is_empty() {
        let all = dropped.iter().map(|(_, n)| n).sum();
        let mut reasons: Vec<String> = dropped
            .iter()
            .take(REASONS_SAID)
            .map(|(reason, n)| format!("{reason} {}", percent(*n, ledger.lines)))
            .collect();
        if dropped.len() > REASONS_SAID {
            reasons.push("…".to_owned());
        }
        let _ = write!(text, "; dropped {} ({})", percent(all, ledger.lines), reasons.join(", "));
    }
    let bad: Vec<String> = ledger
        .bad
        .iter()
        .map(|(reason, n)| {
            let place = ledger.places.iter().find(|place| place.reason == *reason);
            let place = place.map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
            format!("{reason} {}{place}", thousands(*n))
        })
        .collect();
    if !bad.is_empty() {
        let all = ledger.bad.values().sum();
        let _ = write!(
            text,
            "; could not be read: {} ({}), {}",
            thousands(all),
            percent(all, ledger.lines),
            bad.join(", ")
        );
    }
    text
}

/// Takes in logs under a bar; Ctrl-C stops it cleanly.
pub(crate) fn watched(job: &Ingest) -> Result<Report> {
    let progress = Arc::new(IngestProgress::default());
    let stopped = progress.clone();
    crate::interrupt::on_interrupt(move || stopped.stop())?;
    let watch = Watch::logs(progress.clone());
    let report = ingest(job, &progress);
    drop(watch);
    Ok(report?)
}

/// Arguments as typed → the job.
pub(crate) fn job(args: &LogArgs, resources: &Resources, config: &Config, output: Option<&Path>) -> Result<Ingest> {
    let grouping = args.reading.grouping(config);
    let mut cleaning = config.cleaning.clone();
    if let Some(client) = args.reading.client_field {
        cleaning.client_field = match client {
            Client::Auto => ClientField::Auto,
            Client::Peer => ClientField::Peer,
            Client::Forwarded => ClientField::Forwarded,
        };
    }
    let aliases = config.sites.aliases.iter().chain(&args.reading.aliases);
    let inputs = trodden_logs::input::find(&args.logs)?;
    let hints = hints(&args.reading)?;
    Ok(Ingest {
        inputs,
        hints,
        site: args.reading.site.as_deref().map(NamedSite::parse).transpose()?,
        grouping,
        aliases: Aliases::parse(aliases.map(String::as_str)).context("--alias")?,
        rules: config.urls.clone(),
        cleaning,
        own_agents: known_agents(),
        caps: config.caps.clone(),
        threads: resources.threads.unwrap_or_else(machine::cores),
        memory: resources.memory.map_or_else(machine::half_of_memory, |m| m.0),
        scratch: resources.scratch.clone(),
        output: output.map(|path| VisitsDir::open_or_create(path, grouping)).transpose()?,
        replace: false,
        min_users: config.privacy.min_users,
        site_insisted: args.reading.force,
        site_must_be_clear: false,
    })
}

fn hints(reading: &LogReading) -> Result<Hints> {
    let field = |text: &String| -> Result<(Field, String)> {
        let (name, path) = text.split_once('=').with_context(|| format!("--field {text:?}: write it as FIELD=PATH"))?;
        Ok((name.parse().with_context(|| format!("--field {text:?}"))?, path.to_owned()))
    };
    let hints =
        Hints { json_map: reading.fields.iter().map(field).collect::<Result<_>>()?, spec: reading.log_format.clone() };
    if let Some(spec) = hints.spec.as_deref().filter(|s| !HEADER_FORMATS.contains(s)) {
        Format::named(spec).context("--log-format")?;
    }
    Ok(hints)
}

/// So many files are named that are no logs.
const FILES_SAID: usize = 5;

/// What lay in a folder beside the logs.
fn passed_over(report: &Report) -> Option<String> {
    let files: Vec<&FileNote> = report.files.iter().filter(|file| file.passed_over).collect();
    let what = |file: &&FileNote| {
        let kind = file.kind.as_ref().map_or_else(|| "unknown".to_owned(), FileKind::in_words);
        format!("{} ({kind})", file.name)
    };
    let mut named: Vec<String> = files.iter().take(FILES_SAID).map(what).collect();
    if let Some(more @ 1..) = files.len().checked_sub(FILES_SAID) {
        named.push(format!("{} more", thousands(more as u64)));
    }
    let all = counted(files.len() as u64, "file");
    let are = if files.len() == 1 { "is" } else { "are" };
    (!files.is_empty()).then(|| format!("passed over: {all} that {are} no log: {}", named.join(", ")))
}

/// What the operator should know, a line each.
pub(crate) fn notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    let mut formats: Vec<(String, Vec<&str>)> = Vec::new();
    for file in report.files.iter().filter(|file| !file.passed_over) {
        let format = match (&file.format, &file.kind) {
            (Some(format), _) => format.clone(),
            (None, Some(FileKind::Text | FileKind::Binary)) => "unknown format, left out".to_owned(),
            (None, Some(kind)) => format!("{}, left out", kind.in_words()),
            (None, None) => "cannot be read, left out".to_owned(),
        };
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
    notes.extend(passed_over(report));
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
            IngestNote::BehindProxy { share, clients_known: true } => {
                format!("one address has {:.0} % of all lines: the log was written behind a proxy; the forwarded clients count", share * 100.0)
            }
            IngestNote::BehindProxy { share, clients_known: false } => format!(
                "warning: one address has {:.0} % of all lines: the log was written behind a proxy and names no clients; users cannot be told apart well, and the rule on groups is left out",
                share * 100.0
            ),
            IngestNote::NoClock { dates } => format!(
                "warning: most lines have no {}; the rules that need it are left out (embedded{})",
                if *dates { "time of day" } else { "time" },
                if *dates { ", lines a minute" } else { ", groups" },
            ),
            IngestNote::Spilled(runs) => format!("more than the memory: {runs} sorted runs went through scratch files"),
        });
    }
    notes
}
