//! Which kept pages are of the sites that are judged?
//!
//! A page belongs to the site of its URL ([`UrlPlaces`]). A page whose address is only a path in a folder belongs to the one site that is judged, if it is one.
//! Only the profile of a page's tags is kept.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use trodden_archive::{Address, Caps, Page, TagPaths, pages_in};

use super::census::Census;
use super::place::UrlPlaces;
use crate::error::Error;

/// Profiles by URL, `host/path?query`.
pub type SitePages = BTreeMap<String, TagPaths>;

/// What a page costs besides its paths.
const BYTES_PER_PAGE: u64 = 256;
/// What a path of a profile costs.
const BYTES_PER_PATH: u64 = 16;

/// What became of the pages.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ShelfTally {
    /// Pages of the sites that are judged.
    pub kept: u64,
    /// Pages of other sites, or without a URL.
    pub elsewhere: u64,
    /// Pages whose URL had one already; the first counts.
    pub again: u64,
    /// Pages that memory had no room for.
    pub no_room: u64,
    /// Pages and files that could not be read.
    pub bad: u64,
}

/// The pages, by site.
#[derive(Debug)]
pub struct PageShelf<'p> {
    places: &'p UrlPlaces,
    sites: BTreeMap<String, SitePages>,
    room: u64,
    tally: ShelfTally,
}

impl<'p> PageShelf<'p> {
    /// An empty shelf for the pages of the sites that are judged. `room` is the memory that profiles may take.
    #[must_use]
    pub fn new(census: &Census<'_>, places: &'p UrlPlaces, room: u64) -> Self {
        Self {
            places,
            sites: census.sites.keys().map(|site| (site.clone(), SitePages::new())).collect(),
            room,
            tally: ShelfTally::default(),
        }
    }

    /// Takes in an archive or folder.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn read(&mut self, path: &Path) -> Result<(), Error> {
        let mut pages = pages_in(path, &Caps::default())?;
        for page in pages.by_ref() {
            self.add(&page);
        }
        let tally = pages.tally();
        self.tally.bad += tally.bad + tally.unreadable;
        Ok(())
    }

    fn add(&mut self, page: &Page) {
        let Some((site, url)) = self.place(&page.address) else {
            self.tally.elsewhere += 1;
            return;
        };
        let Some(pages) = self.sites.get_mut(&site) else {
            self.tally.elsewhere += 1;
            return;
        };
        if pages.contains_key(&url) {
            self.tally.again += 1;
            return;
        }
        let profile = TagPaths::of(&page.html);
        let bytes = url.len() as u64 + BYTES_PER_PAGE + profile.len() as u64 * BYTES_PER_PATH;
        match self.room.checked_sub(bytes) {
            Some(room) => {
                self.room = room;
                self.tally.kept += 1;
                pages.insert(url, profile);
            }
            None => self.tally.no_room += 1,
        }
    }

    /// The site of a page, and its URL as models write it.
    fn place(&self, address: &Address) -> Option<(String, String)> {
        let raw = match address {
            Address::Url(url) => url.clone(),
            Address::Path(path) => {
                let (site, _) = self.sites.first_key_value().filter(|_| self.sites.len() == 1)?;
                // The path names a file: what a URL would read otherwise stands for itself.
                format!("http://{site}/{}", path.replace('%', "%25").replace('?', "%3F").replace('#', "%23"))
            }
        };
        self.places.of(&raw)
    }

    /// The pages of a site, which are given away; none if there are none.
    pub fn take(&mut self, site: &str) -> Option<SitePages> {
        self.sites.remove(site).filter(|pages| !pages.is_empty())
    }

    /// What became of the pages.
    pub fn tally(&self) -> ShelfTally {
        self.tally
    }
}
