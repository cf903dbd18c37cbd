//! Which URLs does somebody know already?
//!
//! [`read_known_urls`] takes a text file with one URL a line, or a sitemap (sitemaps.org, version 0.9), each plain or
//! gzip, told by content. An index of sitemaps is followed into files that lie beside it; those that do not
//! are counted, since nothing is fetched. [`read_sitemap`] takes what a crawl has fetched, and gives the sitemaps that an
//! index names, for the crawl to fetch. [`write_sitemap`] writes one.
//!
//! ```text
//! file ─► unpack (gzip, capped) ─► utf8 (any charset) ─┬─► lines ─┬─► KnownUrl
//!                                                      └─► xml  ──┘
//! ```
//!
//! Sitemaps come from strangers: entities of a document's own are never expanded, namespaces are not looked up, and the
//! memory in use does not grow with the file ([`each_known_url`]).

mod caps;
mod lines;
mod read;
mod tally;
mod unpack;
mod utf8;
mod write;
mod xml;

use std::fmt;

pub use caps::{NESTING, STANDARD_BYTES, STANDARD_URL_BYTES, STANDARD_URLS, SitemapCaps};
pub use read::{each_known_url, read_known_urls, read_sitemap};
pub use tally::SitemapTally;
pub(crate) use utf8::Utf8;
pub use write::write_sitemap;
pub(crate) use xml::{EVENT_BYTES, Meter, lenient, resolve};

/// A URL that somebody knows.
///
/// `Debug` does not show it: a URL may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct KnownUrl {
    /// As it is written, without white space around it. It can be made canonical; that was tried.
    pub url: String,
    /// When it is said to have changed, as it is written.
    pub lastmod: Option<String>,
}

impl fmt::Debug for KnownUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownUrl").field("lastmod", &self.lastmod).finish_non_exhaustive()
    }
}

/// All URLs of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownUrls {
    /// In the order of the file, repeated where it repeats them.
    pub urls: Vec<KnownUrl>,
    /// What was met on the way.
    pub tally: SitemapTally,
}

/// What kind of document it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SitemapKind {
    /// A sitemap: URLs of pages.
    Urls,
    /// An index: URLs of sitemaps.
    Index,
    /// A list, one URL a line.
    #[default]
    Lines,
    /// XML of another kind.
    Other {
        /// Its outermost element.
        root: String,
    },
}

/// One document that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitemapRead {
    /// What it is.
    pub kind: SitemapKind,
    /// The pages that it names, in order.
    pub urls: Vec<KnownUrl>,
    /// The sitemaps that it names, in order.
    pub sitemaps: Vec<KnownUrl>,
    /// What was met on the way.
    pub tally: SitemapTally,
}

#[cfg(test)]
mod fetched;
#[cfg(test)]
mod tests;
