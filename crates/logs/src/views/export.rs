//! From page-view exports to visits that count.
//!
//! Rows of one page and time are added up: an export by title, device or country has a page several times. Their users may
//! be the same people, so of those the largest number counts. Weights, as of a column `weight` or `popularity`, are no
//! counts **\[ours\]**: those of one time are scaled so that the smallest is one view, the least that all of them as whole
//! numbers can say; the same is done with views that are mostly fractions.
//!
//! What is written has no user and no referrer: a [`Many`] a page and time. So nothing can be learnt of who reads what and
//! of ways between pages; and the floor of privacy can only ask each page by itself how many users it has.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use trodden_urls::{Aliases, Canonicalizer, HostKey, Interner, Rules, SiteGrouping, SiteKeys};

use super::column::ViewsColumn;
use super::row::{RowFault, ViewsRow, When};
use super::table::ViewsTable;
use super::without_views::WithoutViews;
use crate::clean::{Kind, kind_of_path};
use crate::error::Error;
use crate::hosts::NamedSite;
use crate::input::InputCaps;
use crate::privacy::without_secrets;
use crate::visits::{Many, StoredUser, Visit, VisitWriter, VisitsDir};

/// What to make visits of, and how.
#[derive(Debug)]
pub struct Export<'a> {
    /// The tables.
    pub files: &'a [PathBuf],
    /// The site of paths; where rows name hosts, the only site that counts.
    pub site: Option<NamedSite>,
    /// Hosts that stand for others.
    pub aliases: Aliases,
    /// What a site is.
    pub grouping: SiteGrouping,
    /// What makes URLs canonical.
    pub rules: Rules,
    /// What is too long.
    pub caps: InputCaps,
    /// Bytes of memory to stay within.
    pub memory: u64,
}

/// How weights became views.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    /// Times that were scaled, each by itself.
    pub times: usize,
    /// The views that all of them come to.
    pub views: u64,
}

/// What came of exports.
#[derive(Clone, Debug, Default)]
pub struct ExportReport {
    /// Rows of all files.
    pub rows: u64,
    /// Rows that count.
    pub counted: u64,
    /// Pages, and pages by time.
    pub pages: u64,
    /// Rows that are written: pages by time.
    pub written: u64,
    /// Views of all.
    pub views: u64,
    /// Views by site, most first.
    pub sites: Vec<(String, u64)>,
    /// Rows that do not count, by reason.
    pub faults: BTreeMap<RowFault, u64>,
    /// Where the first row of each reason is: file and line.
    pub places: BTreeMap<RowFault, (String, u64)>,
    /// What each file is.
    pub files: Vec<(String, String)>,
    /// Whether all files tell users.
    pub has_users: bool,
    /// Whether all files tell dates.
    pub has_dates: bool,
    /// How weights became views, if there are any.
    pub scaled: Option<Scaled>,
}

/// What is known of a page at a time.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    views: f64,
    users: u64,
    is_weight: bool,
}

/// About what a page and time takes in memory, besides the text of the page.
const BYTES_A_ROW: u64 = 96;

/// Reads exports and writes their visits to a directory that holds nothing yet.
///
/// # Errors
/// If a file is no table of views or cannot be read, if no row counts, if it does not fit, or the directory cannot be written.
pub fn export(job: &Export<'_>, dir: &VisitsDir) -> Result<ExportReport, Error> {
    let mut reader = Reader {
        canonicalizer: Canonicalizer::new(job.rules.clone()).with_max_bytes(job.caps.url_bytes),
        keys: SiteKeys::new(job.grouping, job.aliases.clone()),
        job,
        pages: Interner::new(),
        sums: FxHashMap::default(),
        text_bytes: 0,
        report: ExportReport { has_users: true, has_dates: true, ..ExportReport::default() },
    };
    for path in job.files {
        reader.file(path)?;
    }
    if reader.sums.is_empty() {
        return Err(Error::NoViews { names: names(job.files), why: reader.why_nothing() });
    }
    reader.finish(dir)
}

fn names(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

struct Reader<'a> {
    canonicalizer: Canonicalizer,
    keys: SiteKeys,
    job: &'a Export<'a>,
    /// URLs.
    pages: Interner,
    /// By page and time.
    sums: FxHashMap<(u32, i64), Sum>,
    text_bytes: u64,
    report: ExportReport,
}

impl Reader<'_> {
    fn file(&mut self, path: &Path) -> Result<(), Error> {
        let name = path.display().to_string();
        let unreadable = |source: io::Error| Error::Unreadable { name: name.clone(), source };
        let Some(table) = ViewsTable::recognize(path, &self.job.caps).map_err(unreadable)? else {
            return Err(Error::NotViews { name });
        };
        self.report.files.push((name.clone(), table.in_words()));
        self.report.has_users &= table.has(ViewsColumn::Users);
        let (end, are_weights) = (table.end(), table.has(ViewsColumn::Weight));
        self.report.has_dates &= table.has(ViewsColumn::Date) || end.is_some();
        let mut is_full = false;
        let read = table.each(|line, row| {
            self.report.rows += 1;
            match row.and_then(|row| self.row(&row, end, are_weights)) {
                Ok(()) => self.report.counted += 1,
                Err(fault) => {
                    *self.report.faults.entry(fault).or_default() += 1;
                    self.report.places.entry(fault).or_insert_with(|| (name.clone(), line));
                }
            }
            is_full |= self.sums.len() as u64 * BYTES_A_ROW + self.text_bytes > self.job.memory;
        });
        if is_full {
            let urls = self.pages.len() as u64;
            return Err(Error::TooLarge { urls, megabytes: (self.job.memory / 500_000).max(2) });
        }
        read.map_err(unreadable)
    }

    fn row(&mut self, row: &ViewsRow<'_>, end: Option<i64>, is_weight: bool) -> Result<(), RowFault> {
        let time = match row.when {
            When::Time(ms) => ms,
            When::Bin(_) | When::Unknown => end.unwrap_or(0),
        };
        let written = absolute(row, self.job.site.as_ref())?;
        let url = self.canonicalizer.absolute(written.as_bytes()).map_err(|_| RowFault::NotAUrl)?;
        let host = HostKey::of(&url);
        let alias = self.job.aliases.resolve(&host);
        if self.job.site.as_ref().is_some_and(|site| self.keys.site_of(site.host()) != self.keys.site_of(alias)) {
            return Err(RowFault::OtherSite);
        }
        let path = without_secrets(url.path_and_query());
        if kind_of_path(&path) == Kind::Asset {
            return Err(RowFault::Asset);
        }
        let origin = match *alias == host {
            true => url.as_str()[..url.as_str().len() - url.path_and_query().len()].to_owned(),
            false => format!("{}://{}", url.scheme().as_str(), alias.as_str()),
        };
        let before = self.pages.len();
        let page = self.pages.intern(&format!("{origin}{path}"));
        if self.pages.len() > before {
            self.text_bytes += (origin.len() + path.len() + 16) as u64;
        }
        let sum = self.sums.entry((page, time)).or_default();
        sum.views = (sum.views + row.views).min(ViewsRow::MOST_VIEWS);
        sum.users = sum.users.max(row.users.unwrap_or(0));
        sum.is_weight |= is_weight;
        Ok(())
    }

    /// What stood in the way most often.
    fn why_nothing(&self) -> WithoutViews {
        let most = self.report.faults.iter().max_by_key(|(fault, n)| (**n, **fault)).map(|(fault, _)| *fault);
        most.map_or(WithoutViews::NoRow, WithoutViews::Fault)
    }

    fn finish(self, dir: &VisitsDir) -> Result<ExportReport, Error> {
        let Self { pages, sums, mut report, keys, canonicalizer, .. } = self;
        let mut rows: Vec<(&str, i64, Sum)> =
            sums.iter().map(|((page, time), sum)| (pages.text(*page), *time, *sum)).collect();
        rows.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let scales = scales(&rows);
        let mut by_site: BTreeMap<String, u64> = BTreeMap::new();
        let mut writer = VisitWriter::create(dir);
        let mut scaled = 0;
        for (page, time_ms, sum) in &rows {
            let scale = scales.get(time_ms).copied();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts are at most 10^12")]
            let views = (sum.views * scale.unwrap_or(1.0)).round().min(ViewsRow::MOST_VIEWS) as u64;
            if views == 0 {
                continue;
            }
            scaled += scale.map_or(0, |_| views);
            // What is written came from this very canonicalizer.
            let Ok(url) = canonicalizer.absolute(page.as_bytes()) else { continue };
            let site = keys.site_of(&HostKey::of(&url));
            let user = StoredUser::Many(Many { views, users: sum.users });
            let visit = Visit { time_ms: *time_ms, site: None, user, target: page, referrer: None };
            writer.write(&visit, site.as_str())?;
            report.views = report.views.saturating_add(views);
            report.written += 1;
            *by_site.entry(site.as_str().to_owned()).or_default() += views;
        }
        writer.finish()?;
        report.pages = pages.len() as u64;
        report.scaled = (!scales.is_empty()).then_some(Scaled { times: scales.len(), views: scaled });
        report.sites = by_site.into_iter().collect();
        report.sites.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(report)
    }
}

/// By what the weights of each time are multiplied: the smallest becomes one. Times whose numbers are counts are left out.
fn scales(rows: &[(&str, i64, Sum)]) -> FxHashMap<i64, f64> {
    let mut times: FxHashMap<i64, (u64, u64, f64)> = FxHashMap::default();
    for (_, time, sum) in rows.iter().filter(|(_, _, sum)| sum.views > 0.0) {
        let (all, weights, least) = times.entry(*time).or_insert((0, 0, f64::INFINITY));
        *all += 1;
        *weights += u64::from(sum.is_weight || sum.views.fract() != 0.0);
        *least = least.min(sum.views);
    }
    let are_weights = times.into_iter().filter(|(_, (all, weights, _))| 2 * weights > *all);
    are_weights.map(|(time, (_, _, least))| (time, 1.0 / least)).collect()
}

/// The page as a whole URL.
pub(super) fn absolute(row: &ViewsRow<'_>, site: Option<&NamedSite>) -> Result<String, RowFault> {
    let page = row.page;
    if page.contains("://") {
        return Ok(page.to_owned());
    }
    let host = match (row.host, site) {
        (Some(host), _) if host.contains("://") => host.trim_end_matches('/').to_owned(),
        (Some(host), _) => format!("https://{host}"),
        // `example.org/path`, as some tools name pages; a first segment with a dot may be a file, so only where no site is named.
        (None, None) if !page.starts_with('/') => {
            let first = page.split(['/', '?']).next().unwrap_or(page);
            return if HostKey::parse(first).is_ok() && first.contains('.') {
                Ok(format!("https://{page}"))
            } else {
                Err(RowFault::NoSite)
            };
        }
        (None, None) => return Err(RowFault::NoSite),
        (None, Some(site)) => site.origin(),
    };
    let slash = if page.starts_with('/') { "" } else { "/" };
    Ok(format!("{host}{slash}{page}"))
}

#[cfg(test)]
mod tests;
