//! From stored visits to site tables: de-duplicated, exactly, within a bound of memory.
//!
//! Two readings. The first looks at sites and times only: it finds the first day and how many visits each site has.
//! Sites are then taken together in batches that fit; the second reading, one for each batch, sorts its visits by
//! site, user and window (on disk, if need be) and counts each triple once. A batch holds the URLs of its sites in
//! memory, as mining needs them; one site is never cut.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use trodden_mining::{DedupWindow, Entrance, From, SiteTable, SiteTableBuilder, Triple};
use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKey, SiteKeys};

use crate::error::Error;
use crate::input::{Input, find};
use crate::referrer::ReferrerClass;
use crate::spool::{Fixed, ScratchDir, Sorter};
use crate::visits::{StoredUser, Visit, directory_grouping, read_visits};

/// How visits become tables.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// Length of the de-duplication window, in days.
    pub window_days: u32,
    /// Bytes of memory to stay within; a single site may need more for its URLs.
    pub memory: u64,
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
    origins: FxHashMap<String, String>,
}

impl FilledTable {
    /// A URL as it is fetched: `https://www.example.org/path`.
    pub fn url(&self, id: u32) -> String {
        let text = self.table.url(id);
        let (host, path) = text.split_at(text.find('/').unwrap_or(text.len()));
        format!("{}{path}", self.origins.get(host).map_or("http://", String::as_str))
    }
}

/// A visit in numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    site: u32,
    user: u64,
    /// Tells apart users of their own.
    nobody: u32,
    target: u32,
    window: u32,
    from: u32,
}

impl Fixed for Row {
    const BYTES: usize = 28;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.user.to_le_bytes());
        for n in [self.site, self.nobody, self.target, self.window, self.from] {
            out.extend_from_slice(&n.to_le_bytes());
        }
    }
    fn get(b: &[u8]) -> Self {
        let n = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        Self { user: u64::get(&b[..8]), site: n(8), nobody: n(12), target: n(16), window: n(20), from: n(24) }
    }
}

/// Longest URL that is read back: more than any that is written.
const MAX_STORED_URL: usize = 1 << 16;

/// Numbers from here up are entrances, not pages.
const ENTRANCES_FROM: u32 = u32::MAX - 3;

/// What a visit may cost in memory while its site is counted: a URL of its own, twice, and its counts.
const BYTES_PER_VISIT: u64 = 256;

/// Reads directories and files of visits and hands on one table a site, in the order of their names.
///
/// # Errors
/// If a file cannot be read or is not one of visits.
pub fn fill_site_tables(
    paths: &[String],
    settings: &TableSettings,
    mut each: impl FnMut(FilledTable),
) -> Result<(), Error> {
    let files = parquet_files(paths)?;
    let grouping = one_grouping(paths)?;
    let mut sites: FxHashMap<String, u64> = FxHashMap::default();
    let mut first = i64::MAX;
    let namer = SiteNamer::new(grouping);
    for file in &files {
        read_visits(file, |visit| {
            if let Some((visit, site)) = visit.and_then(|v| Some((v, namer.site(&v)?))) {
                first = first.min(visit.time_ms);
                *sites.entry_ref_or_default(&site) += 1;
            }
            Ok(())
        })?;
    }
    let mut sites: Vec<(String, u64)> = sites.into_iter().collect();
    sites.sort_unstable();
    let window = DedupWindow::new(settings.window_days, first.min(i64::MAX - 1));
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
        fill_batch(&files, batch, window, grouping, settings, &mut each)?;
        rest = others;
    }
    Ok(())
}

/// The files that were named, and those of visits below the directories that were.
fn parquet_files(paths: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        let is_folder = Path::new(path).is_dir();
        for input in find(std::slice::from_ref(path))? {
            if let Input::File(file) = input
                && (!is_folder || file.extension().is_some_and(|e| e == "parquet"))
            {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn one_grouping(paths: &[String]) -> Result<SiteGrouping, Error> {
    let mut groupings = paths.iter().map(|p| directory_grouping(Path::new(p)));
    let first = groupings.next().unwrap_or(Ok(SiteGrouping::Host))?;
    for other in groupings {
        if other? != first {
            return Err(Error::MixedSites { names: paths.join(", ") });
        }
    }
    Ok(first)
}

fn fill_batch(
    files: &[PathBuf],
    sites: &[(String, u64)],
    window: DedupWindow,
    grouping: SiteGrouping,
    settings: &TableSettings,
    each: &mut impl FnMut(FilledTable),
) -> Result<(), Error> {
    let mut batch = Batch::new(sites, grouping);
    let bytes = usize::try_from(settings.memory / 4).unwrap_or(usize::MAX);
    let mut rows = Sorter::new(bytes, ScratchDir::below(settings.scratch.clone()));
    for file in files {
        read_visits(file, |visit| match visit.and_then(|v| batch.row(&v, window)) {
            Some(row) => rows.push(row).map_err(Error::Scratch),
            None => Ok(()),
        })?;
    }
    let mut last: Option<Row> = None;
    rows.drain(|row| {
        let builder = &mut batch.tables[row.site as usize].0;
        let same_reader =
            last.is_some_and(|l| (l.site, l.user, l.nobody, l.target) == (row.site, row.user, row.nobody, row.target));
        if !same_reader {
            builder.add_user(row.target);
        }
        if last.replace(row) != Some(row) {
            let from = row
                .from
                .checked_sub(ENTRANCES_FROM)
                .map_or(From::Page(row.from), |e| From::Outside(Entrance::ALL[e as usize]));
            builder.add(Triple { from, target: row.target });
        }
    })
    .map_err(Error::Scratch)?;
    for ((builder, origins), (site, visits)) in batch.tables.into_iter().zip(sites) {
        each(FilledTable { table: builder.finish(site.clone()), visits: *visits, origins: most_written(origins) });
    }
    Ok(())
}

/// How often each host was written in each way.
type Origins = FxHashMap<String, FxHashMap<String, u64>>;

fn most_written(origins: Origins) -> FxHashMap<String, String> {
    let most = |ways: FxHashMap<String, u64>| {
        ways.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0))).map(|(way, _)| way)
    };
    origins.into_iter().filter_map(|(host, ways)| Some((host, most(ways)?))).collect()
}

/// The site of a row: as the file says, else by the host of its target.
struct SiteNamer {
    canonicalizer: Canonicalizer,
    keys: SiteKeys,
}

impl SiteNamer {
    fn new(grouping: SiteGrouping) -> Self {
        // What is stored is canonical already, by the rules of whoever stored it: nothing more may be taken from it.
        let canonicalizer = Canonicalizer::new(Rules::whatwg()).with_max_bytes(MAX_STORED_URL);
        Self { canonicalizer, keys: SiteKeys::new(grouping, Aliases::none()) }
    }

    fn site<'v>(&self, visit: &Visit<'v>) -> Option<Cow<'v, str>> {
        if let Some(site) = visit.site {
            return Some(Cow::Borrowed(site));
        }
        let url = self.canonicalizer.absolute(visit.target.as_bytes()).ok()?;
        Some(Cow::Owned(self.keys.site_of(&HostKey::of(&url)).as_str().to_owned()))
    }
}

struct Batch {
    numbers: FxHashMap<String, u32>,
    tables: Vec<(SiteTableBuilder, Origins)>,
    namer: SiteNamer,
    nobody: u32,
}

impl Batch {
    fn new(sites: &[(String, u64)], grouping: SiteGrouping) -> Self {
        Self {
            numbers: (0..).zip(sites).map(|(i, (site, _))| (site.clone(), i)).collect(),
            tables: sites.iter().map(|_| Default::default()).collect(),
            namer: SiteNamer::new(grouping),
            nobody: 0,
        }
    }

    fn row(&mut self, visit: &Visit<'_>, window: DedupWindow) -> Option<Row> {
        let name = self.namer.site(visit)?;
        let site = *self.numbers.get(&*name)?;
        let target = self.url(site, visit.target)?;
        let from = match visit.referrer {
            None => ENTRANCES_FROM + Entrance::Direct as u32,
            Some(referrer) => self.from(site, &name, referrer),
        };
        let (user, nobody) = match visit.user {
            StoredUser::Hash(hash) => (hash.cast_unsigned(), 0),
            // Only told apart from each other here, never stored.
            StoredUser::Raw(id) => (xxhash_rust::xxh3::xxh3_64(id.as_bytes()), 0),
            StoredUser::Nobody => {
                self.nobody += 1;
                (0, self.nobody)
            }
        };
        Some(Row { site, user, nobody, target, window: window.of(visit.time_ms), from })
    }

    fn from(&mut self, site: u32, site_name: &str, referrer: &str) -> u32 {
        let host = self.namer.canonicalizer.absolute(referrer.as_bytes()).ok().map(|url| HostKey::of(&url));
        let own = host.as_ref().is_some_and(|h| self.namer.keys.site_of(h) == SiteKey::named(site_name));
        if let (true, Some(page)) = (own, self.url(site, referrer)) {
            return page;
        }
        let class = host.map_or(ReferrerClass::OtherSite, |h| ReferrerClass::of_host(h.as_str()));
        let entrance = match class {
            ReferrerClass::Search => Entrance::Search,
            ReferrerClass::Social => Entrance::Social,
            ReferrerClass::OtherSite => Entrance::OtherSite,
        };
        ENTRANCES_FROM + entrance as u32
    }

    fn url(&mut self, site: u32, text: &str) -> Option<u32> {
        let url = self.namer.canonicalizer.absolute(text.as_bytes()).ok()?;
        let host = HostKey::of(&url);
        let (builder, origins) = &mut self.tables[site as usize];
        let path = url.path_and_query();
        let origin = &url.as_str()[..url.as_str().len() - path.len()];
        let ways = origins.entry_ref_or_default(host.as_str());
        match ways.get_mut(origin) {
            Some(n) => *n += 1,
            None => {
                ways.insert(origin.to_owned(), 1);
            }
        }
        Some(builder.url(&format!("{host}{path}")))
    }
}

/// A map that is asked with borrowed text, and owns it only when new.
trait EntryRef<V> {
    fn entry_ref_or_default(&mut self, key: &str) -> &mut V;
}

impl<V: Default> EntryRef<V> for FxHashMap<String, V> {
    fn entry_ref_or_default(&mut self, key: &str) -> &mut V {
        if !self.contains_key(key) {
            self.insert(key.to_owned(), V::default());
        }
        self.get_mut(key).expect("inserted just above")
    }
}
