//! From what a crawl noted to what its page says.
//!
//! Everything is read once, in the order in which it was fetched ([`Row`]); of a page a few numbers are kept in memory, and its
//! URL only where it is shown.

mod curves;
mod groups;
mod hosts;
mod settings;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use trodden_fetch::crawl::{CrawlRecord, canonicalizer};
use trodden_fetch::outcome::OutcomeKind;
use trodden_frontier::UrlId;
use trodden_lab::report::crawl::{
    CrawlReport, FetchedPage, MAX_EXAMPLES, MAX_HOSTS, MAX_PAGES, OutcomeCount, Shown, write_crawl_report,
};

use super::knowledge::{Known, VisitedUrl};
use super::request::Request;
use crate::config::Config;

/// What is kept of a URL that came to something.
#[derive(Clone, Copy)]
struct Row {
    order: u64,
    time_ms: u64,
    key: UrlId,
    kind: OutcomeKind,
    bytes: u64,
    took_ms: u32,
    queue: u32,
    expected: f32,
}

impl Row {
    fn is_page(&self) -> bool {
        self.kind.is_page()
    }
}

/// Writes the page of a crawl that is over; to which file.
pub(crate) fn again(folder: &Path, config: &Config) -> Result<PathBuf> {
    let request = Request::kept(folder)?;
    let known = Known::read(&request.sources(folder)?, config, folder)?;
    write(folder, &request, &known, &CrawlRecord::open(folder)?)
}

/// Writes the page of a crawl; to which file.
pub(super) fn write(folder: &Path, request: &Request, known: &Known, record: &CrawlRecord<'_>) -> Result<PathBuf> {
    let report = collect(request, known, record)?;
    write_crawl_report(folder, &report).with_context(|| format!("cannot write to {}", folder.display()))
}

fn collect(request: &Request, known: &Known, record: &CrawlRecord<'_>) -> Result<CrawlReport> {
    let rows = rows(record)?;
    let visits = visits(known, record)?;
    let pages: Vec<&Row> = rows.iter().filter(|row| row.is_page()).collect();
    let mut waiting: Vec<(String, u64)> =
        record.waiting().filter(|(_, n)| *n > 0).map(|(queue, n)| (record.host(queue).to_owned(), n)).collect();
    waiting.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let (grouped_by, groups) = groups::groups(&pages, known, &visits.by_key, record)?;
    let (pace, span_ms) = curves::pace(&pages);
    Ok(CrawlReport {
        name: settings::name(request),
        policy: request.policy.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        pages: pages.len() as u64,
        bytes: rows.iter().map(|row| row.bytes).sum(),
        elapsed_ms: record.elapsed_ms()?,
        known: record.known(),
        traffic: curves::traffic(&rows, &visits),
        pace,
        span_ms,
        grouped_by,
        groups,
        outcomes: outcomes(&rows, record)?,
        put_off: put_off(record)?,
        hosts: hosts::hosts(&rows, request, record)?,
        largest: most(&pages, record, |row| row.bytes)?,
        slowest: most(&pages, record, |row| u64::from(row.took_ms))?,
        waiting_in_all: waiting.iter().map(|(_, n)| n).sum(),
        waiting: Shown::first(waiting, MAX_HOSTS),
        settings: settings::settings(request)?,
    })
}

/// What came of what, in the order in which it did.
fn rows(record: &CrawlRecord<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    record.each(|key, fetched| {
        rows.push(Row {
            order: fetched.order,
            time_ms: fetched.time_ms,
            key,
            kind: fetched.kind,
            bytes: fetched.bytes,
            took_ms: fetched.took_ms,
            queue: fetched.queue,
            expected: fetched.expected,
        });
    })?;
    rows.sort_by_key(|row| row.order);
    Ok(rows)
}

/// What the logs know.
struct Visits {
    /// Of all URLs.
    total: f64,
    /// Of those that the crawl knows.
    by_key: FxHashMap<UrlId, f64>,
}

fn visits(known: &Known, record: &CrawlRecord<'_>) -> Result<Visits> {
    let canonicalizer = canonicalizer();
    let mut visits = Visits { total: 0.0, by_key: FxHashMap::default() };
    for VisitedUrl { url, slices, .. } in &known.urls {
        let Ok(url) = canonicalizer.absolute(url.as_bytes()) else { continue };
        let sum: f64 = slices.iter().map(|slice| f64::from(*slice)).sum();
        visits.total += sum;
        if let Some(key) = record.find(url.as_str()) {
            *visits.by_key.entry(key).or_default() += sum;
        }
    }
    Ok(visits)
}

/// By kind, with the first examples of what went wrong.
fn outcomes(rows: &[Row], record: &CrawlRecord<'_>) -> Result<Vec<OutcomeCount>> {
    let mut kinds: BTreeMap<OutcomeKind, (u64, Vec<UrlId>)> = BTreeMap::new();
    for row in rows {
        let (count, examples) = kinds.entry(row.kind).or_default();
        *count += 1;
        if !row.kind.is_success() && examples.len() < MAX_EXAMPLES {
            examples.push(row.key);
        }
    }
    let mut outcomes = Vec::new();
    for (kind, (count, keys)) in kinds {
        let examples = keys.into_iter().map(|key| Ok((record.url(key)?, record.linked_from(key)?)));
        let examples = examples.collect::<Result<Vec<_>>>()?;
        outcomes.push(OutcomeCount { kind: kind.name().to_owned(), count, is_success: kind.is_success(), examples });
    }
    outcomes.sort_by_key(|outcome| Reverse(outcome.count));
    Ok(outcomes)
}

/// What was tried in vain and is tried again, the most frequent first.
fn put_off(record: &CrawlRecord<'_>) -> Result<Vec<(String, u64)>> {
    let mut kinds: Vec<(OutcomeKind, u64)> = record.put_off()?.into_iter().collect();
    kinds.sort_by_key(|(kind, n)| (Reverse(*n), *kind));
    Ok(kinds.into_iter().map(|(kind, n)| (kind.name().to_owned(), n)).collect())
}

/// The pages with the most of something.
fn most(pages: &[&Row], record: &CrawlRecord<'_>, of: impl Fn(&Row) -> u64) -> Result<Vec<FetchedPage>> {
    let mut pages: Vec<&&Row> = pages.iter().collect();
    pages.sort_by_key(|row| (Reverse(of(row)), row.order));
    let shown = pages.into_iter().take(MAX_PAGES);
    shown
        .map(|row| Ok(FetchedPage { url: record.url(row.key)?, bytes: row.bytes, took_ms: u64::from(row.took_ms) }))
        .collect()
}
