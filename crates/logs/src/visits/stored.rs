//! Stored visits as mining names them: site, `host/path?query`, time, who, and from where.
//!
//! For whoever counts visits as they are, or wants some of them apart. De-duplicated ones are in
//! [`triples`](crate::triples).

use std::fmt;
use std::path::{Path, PathBuf};

use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKeys};

use super::write::VisitWriter;
use super::{StoredUser, Visit, VisitsDir, directory_grouping, read_visits};
use crate::error::Error;
use crate::input::{Input, find};
use crate::referrer::ReferrerClass;

/// Longest URL that is read back: more than any that is written.
const MAX_STORED_URL: usize = 1 << 16;

/// Who made a visit: a hash that tells two apart, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReaderHash(u64);

impl ReaderHash {
    /// A number that tells two apart.
    pub(crate) fn for_counting(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for ReaderHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReaderHash(…)")
    }
}

/// Where a visit came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameFrom<'a> {
    /// Nothing says so.
    Nowhere,
    /// Another site.
    Elsewhere(ReferrerClass),
    /// A page of the same site, without scheme and `www.`.
    Page(&'a str),
}

/// What a copy keeps of a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of it.
    Whole,
    /// All but where it came from.
    WithoutReferrer,
    /// Nothing.
    Nothing,
}

/// A visit to a URL of a site.
#[derive(Clone, Copy, Debug)]
pub struct SiteVisit<'a> {
    /// The site: as the file says, else by the host of the URL.
    pub site: &'a str,
    /// The URL without scheme and `www.`.
    pub url: &'a str,
    /// Milliseconds since 1970, UTC.
    pub time_ms: i64,
    /// Who; none is a reader of its own.
    pub reader: Option<ReaderHash>,
    /// Where from.
    pub from: CameFrom<'a>,
    /// How many visits this row stands for: more than one in a page-view export.
    pub views: u64,
}

/// Directories and files of visits, to be read as often as needed.
#[derive(Clone, Debug)]
pub struct StoredVisits {
    files: Vec<PathBuf>,
    grouping: SiteGrouping,
}

impl StoredVisits {
    /// Finds the files that were named, and those of visits below the directories that were.
    ///
    /// # Errors
    /// If a name fits nothing, or the directories have different ideas of what a site is.
    pub fn find(paths: &[String]) -> Result<Self, Error> {
        let mut files = Vec::new();
        let mut grouping = None;
        for path in paths {
            let is_folder = Path::new(path).is_dir();
            let own = directory_grouping(Path::new(path))?;
            if *grouping.get_or_insert(own) != own {
                return Err(Error::MixedSites { names: paths.join(", ") });
            }
            let found = match find(std::slice::from_ref(path)) {
                // A directory of visits without a visit: nothing, not a mistake.
                Err(Error::NoSuchInput { .. }) if is_folder => Vec::new(),
                found => found?,
            };
            let ours = |file: &&Path| !is_folder || file.extension().is_some_and(|e| e == "parquet");
            files.extend(found.iter().filter_map(Input::path).filter(ours).map(Path::to_owned));
        }
        Ok(Self { files, grouping: grouping.unwrap_or_default() })
    }

    /// What a site is in them.
    pub fn grouping(&self) -> SiteGrouping {
        self.grouping
    }

    /// The files, in the order in which they are read.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The files, given away.
    pub(crate) fn into_files(self) -> Vec<PathBuf> {
        self.files
    }

    /// Hands on every visit. Rows without a time or with a URL that is none are passed over, as in mining.
    ///
    /// # Errors
    /// If a file cannot be read or is not one of visits.
    pub fn each(&self, mut each: impl FnMut(SiteVisit<'_>)) -> Result<(), Error> {
        let mut namer = Namer::new(self.grouping);
        for file in &self.files {
            read_visits(file, |visit| {
                if let Some(visit) = visit {
                    namer.name(&visit, &mut each);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Writes some of the visits to a new directory of visits; how many those are.
    ///
    /// # Errors
    /// If a file cannot be read or is not one of visits, or the directory cannot be written.
    pub fn copy_to(&self, dir: &VisitsDir, mut keep: impl FnMut(&SiteVisit<'_>) -> Keep) -> Result<u64, Error> {
        let mut writer = VisitWriter::create(dir);
        let mut namer = Namer::new(self.grouping);
        for file in &self.files {
            read_visits(file, |visit| {
                let Some(mut visit) = visit else { return Ok(()) };
                let mut kept = Keep::Nothing;
                let mut site = String::new();
                namer.name(&visit, |named| {
                    kept = keep(&named);
                    named.site.clone_into(&mut site);
                });
                if kept == Keep::WithoutReferrer {
                    visit.referrer = None;
                }
                if kept == Keep::Nothing { Ok(()) } else { writer.write(&visit, &site) }
            })?;
        }
        writer.finish()
    }
}

/// A stored user as a number that tells two apart. Of a raw id it may not be stored: it has no key.
pub(crate) fn reader_hash(user: StoredUser<'_>) -> Option<u64> {
    match user {
        StoredUser::Hash(hash) => Some(hash.cast_unsigned()),
        StoredUser::Raw(id) => Some(xxhash_rust::xxh3::xxh3_64(id.as_bytes())),
        StoredUser::Nobody | StoredUser::Many(_) => None,
    }
}

/// Finds the names that mining gives URLs.
struct Namer {
    canonicalizer: Canonicalizer,
    keys: SiteKeys,
    target: String,
    referrer: String,
}

impl Namer {
    fn new(grouping: SiteGrouping) -> Self {
        // What is stored is canonical already, by the rules of whoever stored it: nothing more may be taken from it.
        let canonicalizer = Canonicalizer::new(Rules::whatwg()).with_max_bytes(MAX_STORED_URL);
        let keys = SiteKeys::new(grouping, Aliases::none());
        Self { canonicalizer, keys, target: String::new(), referrer: String::new() }
    }

    fn name(&mut self, visit: &Visit<'_>, then: impl FnOnce(SiteVisit<'_>)) {
        let Ok(url) = self.canonicalizer.absolute(visit.target.as_bytes()) else { return };
        let site = self.keys.site_of(&HostKey::of(&url));
        self.target.clear();
        self.target.push_str(&HostKey::text_of(url.host(), url.port()));
        self.target.push_str(url.path_and_query());
        let referrer = visit.referrer.and_then(|text| self.canonicalizer.absolute(text.as_bytes()).ok());
        let from = match referrer {
            None => CameFrom::Nowhere,
            Some(from) if self.keys.site_of(&HostKey::of(&from)) == site => {
                self.referrer.clear();
                self.referrer.push_str(&HostKey::text_of(from.host(), from.port()));
                self.referrer.push_str(from.path_and_query());
                CameFrom::Page(&self.referrer)
            }
            Some(from) => CameFrom::Elsewhere(ReferrerClass::of_host(&HostKey::text_of(from.host(), from.port()))),
        };
        let reader = reader_hash(visit.user).map(ReaderHash);
        let site = visit.site.unwrap_or(site.as_str());
        let views = if let StoredUser::Many(many) = visit.user { many.views } else { 1 };
        then(SiteVisit { site, url: &self.target, time_ms: visit.time_ms, reader, from, views });
    }
}
