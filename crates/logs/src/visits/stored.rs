//! Stored visits as mining names them: site, `host/path?query`, time.
//!
//! For whoever counts visits as they are. De-duplicated ones are in [`triples`](crate::triples).

use std::path::{Path, PathBuf};

use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKeys};

use super::{directory_grouping, read_visits};
use crate::error::Error;
use crate::input::{Input, find};

/// Longest URL that is read back: more than any that is written.
const MAX_STORED_URL: usize = 1 << 16;

/// A visit to a URL of a site.
#[derive(Clone, Copy, Debug)]
pub struct SiteVisit<'a> {
    /// The site: as the file says, else by the host of the URL.
    pub site: &'a str,
    /// The URL without scheme and `www.`.
    pub url: &'a str,
    /// Milliseconds since 1970, UTC.
    pub time_ms: i64,
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
            for input in found {
                if let Input::File(file) = input
                    && (!is_folder || file.extension().is_some_and(|e| e == "parquet"))
                {
                    files.push(file);
                }
            }
        }
        Ok(Self { files, grouping: grouping.unwrap_or_default() })
    }

    /// What a site is in them.
    pub fn grouping(&self) -> SiteGrouping {
        self.grouping
    }

    /// The files.
    pub(crate) fn into_files(self) -> Vec<PathBuf> {
        self.files
    }

    /// Hands on every visit. Rows without a time or with a URL that is none are passed over, as in mining.
    ///
    /// # Errors
    /// If a file cannot be read or is not one of visits.
    pub fn each(&self, mut each: impl FnMut(SiteVisit<'_>)) -> Result<(), Error> {
        // What is stored is canonical already, by the rules of whoever stored it: nothing more may be taken from it.
        let canonicalizer = Canonicalizer::new(Rules::whatwg()).with_max_bytes(MAX_STORED_URL);
        let keys = SiteKeys::new(self.grouping, Aliases::none());
        let mut text = String::new();
        for file in &self.files {
            read_visits(file, |visit| {
                let Some(visit) = visit else { return Ok(()) };
                let Ok(url) = canonicalizer.absolute(visit.target.as_bytes()) else { return Ok(()) };
                text.clear();
                text.push_str(&HostKey::text_of(url.host(), url.port()));
                text.push_str(url.path_and_query());
                let time_ms = visit.time_ms;
                match visit.site {
                    Some(site) => each(SiteVisit { site, url: &text, time_ms }),
                    None => each(SiteVisit { site: keys.site_of(&HostKey::of(&url)).as_str(), url: &text, time_ms }),
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
