//! The past and the future of a log.
//!
//! Visits before the cut are training, the others are test. By share, the cut is the time of the visit at that place in
//! time order; visits at the very time of the cut are all test, so that the split does not depend on the order of rows.
//!
//! Each test visit knows whether it repeats another: the same reader, referrer and URL in the same window of thirty days, the
//! windows tiling the test period from its first day on. So traffic can be counted as the browsing-behavior paper counts it
//! (F_in) and visit by visit.
//!
//! A hidden URL is one that training must not know: visits to it are left out, and where it is a referrer the visit is
//! kept without one. What people read there later is *cold* traffic, as is that of URLs which nobody read before the cut.

use std::path::Path;

use rustc_hash::FxHashSet;
use trodden_logs::referrer::ReferrerClass;
use trodden_logs::visits::{CameFrom, Keep, SiteVisit, StoredVisits, VisitsDir};
use trodden_mining::DedupWindow;
use trodden_ordering::chance;
use trodden_urls::Interner;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;

/// Where training ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SplitAt {
    /// After this share of the visits.
    Share(f64),
    /// At this time, in milliseconds since 1970.
    Until(i64),
}

/// URLs that training must not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hidden {
    /// This share of all, by chance.
    pub share: f64,
    /// All whose path begins so.
    pub sections: Vec<String>,
    /// Of the chance.
    pub seed: u64,
}

impl Hidden {
    /// Whether a URL (host and path) is hidden. The same for all visits to it, whoever asks.
    pub fn hides(&self, url: &str) -> bool {
        let path = url.find('/').map_or("/", |at| &url[at..]);
        self.sections.iter().any(|section| path.starts_with(section.as_str()))
            || (self.share > 0.0 && chance::unit(self.seed, xxh3_64(url.as_bytes())) < self.share)
    }

    /// Whether it hides nothing.
    pub fn is_nothing(&self) -> bool {
        self.share <= 0.0 && self.sections.is_empty()
    }
}

/// A visit of the test period.
#[derive(Clone, Copy, Debug)]
pub struct TestVisit {
    /// Its URL, by number in [`Split::urls`].
    pub url: u32,
    /// Who: a number that tells two apart. Readers are numbered by what they read and when, so that the number does not
    /// depend on any key.
    pub reader: u32,
    /// Whether it came from a search engine.
    pub from_search: bool,
    /// Whether the same reader came from the same referrer to the same URL before, in the same window.
    pub is_repeat: bool,
}

/// What came of a split.
#[derive(Debug)]
pub struct Split {
    /// URLs of the test period, without scheme and `www.`.
    pub urls: Interner,
    /// Visits of the test period.
    pub test: Vec<TestVisit>,
    /// Visits of the training period that were kept.
    pub training_visits: u64,
    /// Those that were hidden.
    pub hidden_visits: u64,
    /// Where the cut is, in milliseconds since 1970.
    pub cut_ms: i64,
    /// Fingerprints of what training knows visits to.
    trained: FxHashSet<u64>,
}

impl Split {
    /// How long the test period is beside the training period, both measured in visits: 1 for two halves.
    pub fn exposure(&self) -> f64 {
        self.test.len() as f64 / (self.training_visits + self.hidden_visits).max(1) as f64
    }

    /// Whether training knows no visit to a URL (without scheme and `www.`).
    pub fn is_cold(&self, url: &str) -> bool {
        !self.trained.contains(&xxh3_64(url.as_bytes()))
    }
}

/// More visits of the test period than fit in the memory of a usual machine: some gigabytes.
const MOST_TEST_VISITS: u64 = 1 << 26;

/// Splits visits at the cut. The training part goes to `dir`, which must be new.
///
/// # Errors
/// If the visits cannot be read or the directory cannot be written, if there are none, or none before the cut.
pub fn split(visits: &StoredVisits, cut: SplitAt, hidden: &Hidden, dir: &Path) -> Result<Split, Error> {
    let cut_ms = cut_time(visits, cut)?;
    let (urls, rows) = rows_from(visits, cut_ms)?;
    let dir = VisitsDir::open_or_create(dir, visits.grouping())?;
    let mut trained = FxHashSet::default();
    let mut hidden_visits = 0;
    let training_visits = visits.copy_to(&dir, |visit: &SiteVisit<'_>| {
        if visit.time_ms >= cut_ms {
            return Keep::Nothing;
        }
        if hidden.hides(visit.url) {
            hidden_visits += 1;
            return Keep::Nothing;
        }
        trained.insert(xxh3_64(visit.url.as_bytes()));
        match visit.from {
            CameFrom::Page(from) if hidden.hides(from) => Keep::WithoutReferrer,
            CameFrom::Page(_) | CameFrom::Elsewhere(_) | CameFrom::Nowhere => Keep::Whole,
        }
    })?;
    if training_visits == 0 {
        return Err(Error::NoTrainingVisits);
    }
    let test = number_readers(rows, &urls);
    Ok(Split { urls, test, training_visits, hidden_visits, cut_ms, trained })
}

/// All visits, as if all of them were the test; and the URLs by number.
///
/// # Errors
/// If the visits cannot be read, or are too many.
pub fn read_visits(visits: &StoredVisits) -> Result<(Interner, Vec<TestVisit>), Error> {
    let (urls, rows) = rows_from(visits, i64::MIN)?;
    let read = number_readers(rows, &urls);
    Ok((urls, read))
}

/// The visits from a time on.
fn rows_from(visits: &StoredVisits, cut_ms: i64) -> Result<(Interner, Vec<Row>), Error> {
    let (mut urls, mut referrers) = (Interner::default(), Interner::default());
    let mut rows: Vec<Row> = Vec::new();
    let mut nobodies = 0_u64;
    let mut is_too_much = false;
    visits.each(|visit| {
        if visit.time_ms >= cut_ms {
            let from = match visit.from {
                CameFrom::Nowhere => From::Nowhere,
                CameFrom::Elsewhere(class) => From::Elsewhere(class),
                CameFrom::Page(page) => From::Page(referrers.intern(page)),
            };
            let url = urls.intern(visit.url);
            // A row of a page-view export is as many visits as it counts, each by somebody else.
            let room = MOST_TEST_VISITS.saturating_sub(rows.len() as u64);
            is_too_much |= visit.views > room;
            for _ in 0..visit.views.min(room) {
                let reader = visit.reader.map_or_else(|| Reader::Nobody(next(&mut nobodies)), Reader::Somebody);
                rows.push(Row { reader, time_ms: visit.time_ms, url, from });
            }
        }
    })?;
    if is_too_much {
        return Err(Error::TooManyTestVisits { most: MOST_TEST_VISITS });
    }
    Ok((urls, rows))
}

fn next(counter: &mut u64) -> u64 {
    *counter += 1;
    *counter
}

/// The time at which training ends.
fn cut_time(visits: &StoredVisits, cut: SplitAt) -> Result<i64, Error> {
    let mut times = Vec::new();
    visits.each(|visit| times.push((visit.time_ms, visit.views)))?;
    if times.is_empty() {
        return Err(Error::NoVisits);
    }
    Ok(match cut {
        SplitAt::Until(time) => time,
        SplitAt::Share(share) => {
            let all: u64 = times.iter().map(|(_, views)| views).sum();
            let place = ((all as f64 * share.clamp(0.0, 1.0)) as u64).min(all);
            times.sort_unstable();
            let mut before = 0;
            let at = times.iter().find(|(_, views)| {
                before += views;
                before > place
            });
            at.map_or(i64::MAX, |(time, _)| *time)
        }
    })
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reader {
    Somebody(trodden_logs::visits::ReaderHash),
    Nobody(u64),
}

struct Row {
    reader: Reader,
    time_ms: i64,
    url: u32,
    from: From,
}

/// A referrer, as triples tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum From {
    Nowhere,
    Elsewhere(ReferrerClass),
    Page(u32),
}

impl Row {
    fn is_from_search(&self) -> bool {
        self.from == From::Elsewhere(ReferrerClass::Search)
    }
}

/// Numbers readers by what they read and when: hashes differ from run to run, what was read does not.
fn number_readers(mut rows: Vec<Row>, urls: &Interner) -> Vec<TestVisit> {
    // URLs in the order of their texts, which does not depend on the order of rows.
    let mut by_text: Vec<u32> = (0..urls.len() as u32).collect();
    by_text.sort_unstable_by_key(|url| urls.text(*url));
    let mut place = vec![0_u32; by_text.len()];
    (0..).zip(by_text).for_each(|(at, url)| place[url as usize] = at);
    let key = |row: &Row| (row.time_ms, place[row.url as usize], row.is_from_search());
    rows.sort_unstable_by(|a, b| a.reader.cmp(&b.reader).then_with(|| key(a).cmp(&key(b))));
    let window = DedupWindow::new(DedupWindow::DEFAULT_DAYS, rows.iter().map(|row| row.time_ms).min().unwrap_or(0));
    let mut readers: Vec<&[Row]> = rows.chunk_by(|a, b| a.reader == b.reader).collect();
    readers.sort_by(|a, b| a.iter().map(key).cmp(b.iter().map(key)));
    let mut test = Vec::with_capacity(rows.len());
    let mut counted = FxHashSet::default();
    for (reader, visits) in (0..).zip(readers) {
        counted.clear();
        test.extend(visits.iter().map(|row| TestVisit {
            url: row.url,
            reader,
            from_search: row.is_from_search(),
            is_repeat: !counted.insert((row.url, row.from, window.of(window.minute(row.time_ms)))),
        }));
    }
    test
}
