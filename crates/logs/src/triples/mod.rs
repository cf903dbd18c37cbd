//! From visits to site tables: de-duplicated, exactly, within a bound of memory.
//!
//! Two readings. The first (`tally`) looks at sites and times only: it finds the first day and how many visits each site
//! has. Sites are then taken together in batches that fit (`budget`); the second reading, one for each batch, numbers its
//! URLs and users, and what is left of a visit is sixteen bytes (`rows`). A batch holds the URLs of its sites in memory, as
//! mining needs them; one site is never cut, but its rows go to disk if they alone do not fit. A site whose URLs do not fit
//! is left out, and counted.
//!
//! The life of a visit in the second reading:
//!
//! 1. A worker takes a group of rows of a file (`parts`), unpacks it, and finds the site of each row and the
//!    fingerprints of its URLs, which are the same for all ways to write one URL (`spelling`, `steps`).
//! 2. The thread that has its site (`batch`, `share`) gives its URLs numbers (`urls`). Only a text that was never seen is
//!    parsed.
//! 3. When all is read, users are numbered (`users`), and the rows of a site are sorted by target and user, and counted.
//!
//! The result does not depend on the order of rows: texts and users get their final numbers by sorting.

mod batch;
mod budget;
mod counted;
mod parts;
mod rows;
mod seen;
mod share;
mod slices;
mod spelling;
mod steps;
mod tally;
mod urls;
mod users;

use std::path::PathBuf;

use trodden_mining::{DedupWindow, SiteTable};
use trodden_urls::UrlGlobs;

use crate::error::Error;
use crate::visits::VisitSource;
use batch::{Batched, Plan, fill_batch};
pub use budget::{TableBudget, TableUse, TooLarge, known_bytes};
use spelling::{KnownUrl, Namer};

/// How visits become tables.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// Length of the de-duplication window, in days.
    pub window_days: u32,
    /// Only visits of the last so many days (UTC), the day of the last visit included; all, if none is given.
    pub last_days: Option<u32>,
    /// How many readers of each URL are told apart: see [`SiteTable::readers`].
    pub kept_readers: u32,
    /// URLs that exist, visited or not: absolute, by the same canonical rules as the visits were taken in by.
    pub known: Vec<String>,
    /// Every URL that was visited is known, too: whoever gives the visits says that their URLs are public.
    pub are_public: bool,
    /// URLs that are in no table. A visit to one does not count; one from there comes from nowhere.
    pub exclude: UrlGlobs,
    /// Bytes of memory to stay within, the program itself included; sites that need more are left out.
    pub memory: u64,
    /// What becomes of the tables.
    pub table_use: TableUse,
    /// Threads that unpack files.
    pub threads: usize,
    /// Where scratch files go.
    pub scratch: PathBuf,
}

/// A site's table, and how its hosts are written.
#[derive(Debug)]
pub struct FilledTable {
    /// The table; its URLs are host and path.
    pub table: SiteTable,
    /// Visits before de-duplication.
    pub visits: u64,
    /// When the first of them was, in milliseconds since 1970; 0 if there is none.
    pub first_ms: i64,
    /// When the last of them was.
    pub last_ms: i64,
    /// By host.
    origins: Vec<(String, String)>,
}

impl FilledTable {
    /// A URL as it is fetched: `https://www.example.org/path`.
    pub fn url(&self, id: u32) -> String {
        let text = self.table.url(id);
        let (host, path) = text.split_at(text.find('/').unwrap_or(text.len()));
        match self.origins.binary_search_by(|(key, _)| key.as_str().cmp(host)) {
            Ok(place) => format!("{}{path}", self.origins[place].1),
            Err(_) => format!("http://{text}"),
        }
    }

    /// Every host of the table with its origin as most visits write it (`example.org`, `https://www.example.org`), by
    /// host.
    pub fn origins(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.origins.iter().map(|(host, origin)| (host.as_str(), origin.as_str()))
    }
}

/// What became of all that was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Tables handed on.
    pub sites: u64,
    /// Visits in them, before de-duplication.
    pub visits_used: u64,
    /// Places in [`TableSettings::known`] of URLs whose site nobody visited: they are in no table.
    pub known_elsewhere: Vec<usize>,
    /// Places in [`TableSettings::known`] of texts that are no URLs.
    pub known_faulty: Vec<usize>,
    /// How many of [`TableSettings::known`] are excluded.
    pub known_excluded: usize,
    /// Visits to URLs that are excluded.
    pub visits_excluded: u64,
    /// Sites that are in no table, as they do not fit in the memory.
    pub too_large: Vec<TooLarge>,
}

impl Filled {
    /// For whoever needs all sites.
    ///
    /// # Errors
    /// If one was left out.
    pub fn all_fit(&self) -> Result<(), Error> {
        let Some(largest) = TooLarge::largest(&self.too_large) else { return Ok(()) };
        Err(Error::TooLarge { urls: largest.urls, megabytes: largest.memory.div_ceil(1_000_000) })
    }
}

/// What a visit may cost in memory while its site is read: its row, and a URL or two that nobody else has seen.
const BYTES_PER_VISIT: u64 = 512;

/// Reads visits, from files or from memory, and hands on one table a site, in the order of their names.
///
/// With [`TableSettings::last_days`], a file in a folder `day=YYYY-MM-DD` is taken to hold that day.
///
/// # Errors
/// If a file cannot be read or is not one of visits, or if `each` fails.
pub fn fill_site_tables<E: From<Error>>(
    source: impl Into<VisitSource>,
    settings: &TableSettings,
    mut each: impl FnMut(FilledTable) -> Result<(), E>,
) -> Result<Filled, E> {
    let source = source.into();
    let namer = Namer::new(source.grouping());
    let (parts, span) = parts::within(source, settings.last_days, &namer, settings.threads)?;
    let tally = tally::tally(&parts, span, &namer, settings.threads)?;
    let first = tally.first;
    let sites = tally.into_sites();
    let mut filled = Filled::default();
    budget::list_fits(sites.len(), settings.memory)?;
    let mut known = namer.known(&settings.known, &sites, &mut filled);
    let before = known.len();
    known.retain(|url| settings.exclude.is_empty() || !settings.exclude.matches_any_spelling(&url.host, &url.path));
    filled.known_excluded = before - known.len();
    let window = DedupWindow::new(settings.window_days, first.min(i64::MAX - 1));
    let given = settings.known.iter().map(|url| known_bytes(url)).sum();
    let budget = TableBudget::new(settings.memory, settings.threads, sites.len(), settings.table_use).beside(given);
    let plan = Plan { parts: &parts, span, window, namer: &namer, settings, budget };
    let fits = settings.memory / BYTES_PER_VISIT;
    let mut rest = &sites[..];
    while !rest.is_empty() {
        let mut visits = 0;
        let taken = rest
            .iter()
            .take_while(|(_, n)| {
                visits += n;
                visits <= fits
            })
            .count()
            .max(1);
        let (batch, others) = rest.split_at(taken);
        // The last of these is the next.
        let mut batches = vec![batch];
        while let Some(batch) = batches.pop() {
            let done = fill_batch(&plan, batch, known_of(&known, batch), |table| {
                filled.sites += 1;
                filled.visits_used += table.visits;
                each(table)
            })?;
            match done {
                Batched::Done { excluded } => filled.visits_excluded += excluded,
                Batched::TooLarge(site) => filled.too_large.push(site),
                Batched::TooMuch => {
                    let (first, second) = batch.split_at(batch.len() / 2);
                    batches.extend([second, first]);
                }
            }
        }
        rest = others;
    }
    Ok(filled)
}

/// The known URLs of some sites; both are in the order of sites.
fn known_of<'k>(known: &'k [KnownUrl], sites: &[(String, u64)]) -> &'k [KnownUrl] {
    let (Some((first, _)), Some((last, _))) = (sites.first(), sites.last()) else { return &[] };
    let start = known.partition_point(|url| *url.site < **first);
    let end = known.partition_point(|url| *url.site <= **last);
    &known[start..end.max(start)]
}

#[cfg(test)]
mod tests;
