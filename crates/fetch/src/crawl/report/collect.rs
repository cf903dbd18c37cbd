//! From what a crawl wrote down to what its page says.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use trodden_frontier::UrlId;

use super::{
    BrokenRow, CrawlReport, FetchedPage, MAX_BROKEN, MAX_EXAMPLES, MAX_HOSTS, MAX_PAGES, OutcomeCount, Shown, curves,
    groups, hosts,
};
use crate::crawl::analysis::{BrokenUrl, CrawlKnowledge};
use crate::crawl::{CrawlRecord, Error};
use crate::outcome::OutcomeKind;

/// What a report needs beside the record of a crawl.
pub struct ReportSources<'s> {
    /// What models and logs know of its URLs.
    pub knowledge: &'s mut CrawlKnowledge,
    /// Its broken URLs, those with the most links first. None: those of its records, with the page on which each was found first.
    pub broken: Option<&'s [BrokenUrl]>,
    /// From an answer to the next request, by the settings.
    pub delay_ms: u64,
}

/// What is kept of a URL that came to something.
#[derive(Clone, Copy)]
pub(super) struct SettledUrl {
    pub(super) order: u64,
    pub(super) time_ms: u64,
    pub(super) key: UrlId,
    pub(super) kind: OutcomeKind,
    pub(super) status: u16,
    pub(super) bytes: u64,
    pub(super) took_ms: u32,
    pub(super) queue: u32,
    pub(super) expected: f32,
}

impl SettledUrl {
    pub(super) fn is_page(&self) -> bool {
        self.kind.is_page()
    }
}

impl CrawlReport {
    /// Of a crawl. Its name, order, version and settings, and whether it was any good, are left for the caller to say.
    ///
    /// # Errors
    /// If the records cannot be read.
    pub fn of(record: &CrawlRecord<'_>, sources: ReportSources<'_>) -> Result<Self, Error> {
        let ReportSources { knowledge, broken, delay_ms } = sources;
        let settled = settled(record)?;
        let broken = broken.map_or_else(|| Cow::Owned(broken_of(&settled)), Cow::Borrowed);
        let pages: Vec<&SettledUrl> = settled.iter().filter(|url| url.is_page()).collect();
        let mut waiting: Vec<(String, u64)> =
            record.waiting().filter(|(_, n)| *n > 0).map(|(queue, n)| (record.host(queue).to_owned(), n)).collect();
        waiting.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let (grouped_by, groups) = groups::groups(&pages, knowledge, record)?;
        let (pace, span_ms) = curves::pace(&pages);
        Ok(Self {
            pages: pages.len() as u64,
            bytes: settled.iter().map(|url| url.bytes).sum(),
            elapsed_ms: record.elapsed_ms()?,
            known: record.known(),
            traffic: curves::traffic(&settled, &knowledge.visits),
            pace,
            span_ms,
            grouped_by,
            groups,
            outcomes: outcomes(&settled, record)?,
            put_off: put_off(record)?,
            broken: broken_rows(&broken, record)?,
            hosts: hosts::hosts(&settled, delay_ms, record)?,
            largest: most(&pages, record, |url| url.bytes)?,
            slowest: most(&pages, record, |url| u64::from(url.took_ms))?,
            waiting_in_all: waiting.iter().map(|(_, n)| n).sum(),
            waiting: Shown::first(waiting, MAX_HOSTS),
            ..Self::default()
        })
    }
}

/// What came of what, in the order in which it first did.
fn settled(record: &CrawlRecord<'_>) -> Result<Vec<SettledUrl>, Error> {
    let mut settled = Vec::new();
    record.each(|key, fetched| {
        settled.push(SettledUrl {
            order: fetched.order,
            time_ms: fetched.time_ms,
            key,
            kind: fetched.kind,
            status: fetched.status,
            bytes: fetched.bytes,
            took_ms: fetched.took_ms,
            queue: fetched.queue,
            expected: fetched.expected,
        });
    })?;
    settled.sort_unstable_by_key(|url| url.order);
    Ok(settled)
}

/// By kind, with the first examples of what went wrong.
fn outcomes(settled: &[SettledUrl], record: &CrawlRecord<'_>) -> Result<Vec<OutcomeCount>, Error> {
    let mut kinds: BTreeMap<OutcomeKind, (u64, Vec<UrlId>)> = BTreeMap::new();
    for url in settled {
        let (count, examples) = kinds.entry(url.kind).or_default();
        *count += 1;
        if !url.kind.is_success() && examples.len() < MAX_EXAMPLES {
            examples.push(url.key);
        }
    }
    let mut outcomes = Vec::new();
    for (kind, (count, keys)) in kinds {
        let examples = keys.into_iter().map(|key| Ok((record.url(key)?, record.linked_from(key)?)));
        let examples = examples.collect::<Result<Vec<_>, Error>>()?;
        outcomes.push(OutcomeCount { kind: kind.name().to_owned(), count, is_success: kind.is_success(), examples });
    }
    outcomes.sort_by_key(|outcome| Reverse(outcome.count));
    Ok(outcomes)
}

/// Broken URLs, in the order of their numbers.
fn broken_of(settled: &[SettledUrl]) -> Vec<BrokenUrl> {
    let broken = settled.iter().filter(|url| url.kind.is_broken());
    let mut broken: Vec<BrokenUrl> = broken.map(|url| BrokenUrl::unlinked(url.key, url.kind, url.status)).collect();
    broken.sort_unstable_by_key(|url| url.key);
    broken
}

/// Broken URLs, with pages that lead there.
fn broken_rows(broken: &[BrokenUrl], record: &CrawlRecord<'_>) -> Result<Shown<BrokenRow>, Error> {
    let mut rows = Vec::new();
    for url in broken.iter().take(MAX_BROKEN) {
        let mut pages = url.examples.iter().map(|page| record.url(*page)).collect::<Result<Vec<_>, _>>()?;
        if pages.is_empty() {
            pages.extend(record.linked_from(url.key)?);
        }
        rows.push(BrokenRow {
            url: record.url(url.key)?,
            outcome: url.outcome.name().to_owned(),
            status: url.status,
            linked: (url.pages > 0).then_some(url.pages),
            pages,
        });
    }
    let left_out = broken.len().saturating_sub(rows.len()) as u64;
    Ok(Shown { rows, left_out })
}

/// What was tried in vain and is tried again, the most frequent first.
fn put_off(record: &CrawlRecord<'_>) -> Result<Vec<(String, u64)>, Error> {
    let mut kinds: Vec<(OutcomeKind, u64)> = record.put_off()?.into_iter().collect();
    kinds.sort_by_key(|(kind, n)| (Reverse(*n), *kind));
    Ok(kinds.into_iter().map(|(kind, n)| (kind.name().to_owned(), n)).collect())
}

/// The pages with the most of something.
fn most(
    pages: &[&SettledUrl],
    record: &CrawlRecord<'_>,
    of: impl Fn(&SettledUrl) -> u64,
) -> Result<Vec<FetchedPage>, Error> {
    let mut pages: Vec<&&SettledUrl> = pages.iter().collect();
    pages.sort_by_key(|url| (Reverse(of(url)), url.order));
    let shown = pages.into_iter().take(MAX_PAGES);
    shown
        .map(|url| Ok(FetchedPage { url: record.url(url.key)?, bytes: url.bytes, took_ms: u64::from(url.took_ms) }))
        .collect()
}
