//! What world does a simulated crawl run in?
//!
//! A mirror is all pages of a site (or of many) and the links between them, as somebody once saw them. A simulated crawl
//! walks it without a network, so that orders can be compared on the same ground.
//!
//! | kind | pages | links |
//! |---|---|---|
//! | [`url_edges`] | every URL of an edge list | its lines |
//! | [`id_edges`] | every id of an edge list, or of the URL list beside it | its lines |
//! | [`pages`] | HTML answers of WARC files, HTML files of a folder | what their HTML links to |
//! | [`visits`] | every URL that people visited | from referrers, and from an artificial entry page |
//!
//! [`open_mirror`] tells the kind and reads it. What was odd is counted in [`MirrorNotes`], and stops nothing.
//!
//! Invariants: every URL is canonical by the rules that logs are read with. Except in id lists, where ids are pages, URLs
//! that differ in scheme or `www.` only are one page. The same bytes give the same numbers, whatever the threads.
//!
//! Memory: 8 bytes a link (both ways), at most 16 a page, and the text of the URLs; anchors 4 bytes a link and their
//! different texts.

mod home;
pub mod id_edges;
mod lines;
mod near;
mod notes;
mod open;
pub mod pages;
mod part;
pub mod url_edges;
pub mod visits;

use std::path::PathBuf;

use trodden_archive::Caps;
use trodden_urls::{Canonicalizer, Interner, Rules};

pub(crate) use self::lines::{Line, each_line};
pub use self::notes::{BadLine, MirrorNotes};
pub use self::open::{Kind, open_mirror};
use crate::error::Error;
use crate::graph::{LinkGraph, PageId};
use crate::urls::{UrlTexts, identity};

/// The longest line of an edge list, in bytes; a longer one is a bad line.
pub const LINE_BYTES: usize = 1 << 16;

/// What is wanted of a mirror.
#[derive(Clone, Debug, Default)]
pub struct MirrorOptions {
    /// Whether titles and words of pages are kept (of HTML only).
    pub texts: Texts,
    /// The URL list of an id edge list, if it is not beside it.
    pub url_list: Option<PathBuf>,
    /// Limits on archives and pages.
    pub caps: Caps,
    /// Of a mirror made of visits: only steps before this time, in milliseconds since 1970, are links; none: all are.
    pub links_before_ms: Option<i64>,
    /// Of a mirror made of visits: by which its entry page lists URLs in an order of chance.
    pub entry_seed: u64,
}

/// Whether the words of pages are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Texts {
    /// No.
    #[default]
    Dropped,
    /// Titles and bodies.
    Kept,
}

/// The words of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MirrorText {
    /// Its title.
    pub title: Box<str>,
    /// Its body.
    pub body: Box<str>,
}

/// The anchor text of every link.
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    texts: Interner,
    /// By link, in the order of [`crate::graph::Rows::targets`].
    of_link: Vec<u32>,
}

impl Anchors {
    /// The number of each link's text, in the order of the graph's targets.
    pub fn ids(&self) -> &[u32] {
        &self.of_link
    }

    /// A text by its number.
    pub fn text(&self, id: u32) -> &str {
        self.texts.text(id)
    }

    /// How many different texts there are.
    pub fn different(&self) -> usize {
        self.texts.len()
    }

    /// The anchor texts of a page's links, in the order of its targets.
    pub fn of_page<'a>(&'a self, graph: &LinkGraph, page: PageId) -> impl Iterator<Item = &'a str> + use<'a> {
        let offsets = graph.forward().offsets();
        let range = offsets[page as usize] as usize..offsets[page as usize + 1] as usize;
        self.of_link[range].iter().map(|&id| self.texts.text(id))
    }
}

/// Whether `index.html` is a page beside its folder's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum IndexPages {
    /// It is a page of its own.
    #[default]
    Apart,
    /// It is the folder's page.
    AreFolders,
}

/// All pages and their links.
#[derive(Debug)]
pub struct Mirror {
    /// What it is called: the name of its first file or folder.
    pub name: String,
    /// Who links to whom.
    pub graph: LinkGraph,
    /// The URLs of the pages.
    pub urls: UrlTexts,
    /// The words of links, where the mirror is made of HTML.
    pub anchors: Option<Anchors>,
    /// The words of pages, by page, where they were asked for.
    pub texts: Option<Vec<MirrorText>>,
    /// The artificial page that links to all pages at which people entered, in a mirror made of visits.
    pub entry: Option<PageId>,
    /// What was odd.
    pub notes: MirrorNotes,
    /// The files that were read, among them a URL list that was found beside its edges.
    pub files: Vec<PathBuf>,
    index_pages: IndexPages,
}

impl Mirror {
    /// Pages with links and URLs, without words.
    pub fn new(graph: LinkGraph, urls: UrlTexts, notes: MirrorNotes) -> Self {
        Self {
            name: String::new(),
            graph,
            urls,
            anchors: None,
            texts: None,
            entry: None,
            notes,
            files: Vec::new(),
            index_pages: IndexPages::Apart,
        }
    }

    /// How many pages.
    pub fn pages(&self) -> u32 {
        self.graph.pages()
    }

    /// The page that visits name so: host without `www.`, path and query, as `trodden_logs::visits::SiteVisit::url` has it.
    ///
    /// The index behind it is made at the first call, in time linear in the URLs.
    pub fn page_of_visit(&self, visit: &str) -> Option<PageId> {
        let found = self.urls.find(visit);
        match self.index_pages {
            IndexPages::Apart => found,
            IndexPages::AreFolders => found.or_else(|| self.urls.find(without_index(visit)?)),
        }
    }

    /// The page that an operator means: a URL in any spelling, a URL without its scheme, or an id where there are no URLs.
    ///
    /// # Errors
    /// [`Error::NoSuchPage`], with those that come near.
    pub fn find(&self, wanted: &str) -> Result<PageId, Error> {
        let wanted = wanted.trim();
        let found = if self.urls.has_urls() {
            self.page_of_visit(wanted).or_else(|| self.page_of_visit(&canonical_identity(wanted)?))
        } else {
            wanted.parse().ok().and_then(|id| self.urls.find_id(id, self.pages()))
        };
        found.ok_or_else(|| Error::NoSuchPage { wanted: wanted.to_owned(), near: near::pages_near(self, wanted) })
    }
}

/// The visit identity of a URL in any spelling, with or without its scheme.
pub(crate) fn canonical_identity(text: &str) -> Option<String> {
    let canonicalizer = Canonicalizer::new(Rules::default());
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    canonicalizer.absolute(whole.as_bytes()).ok().map(|url| identity(url.as_str()).into_owned())
}

/// A URL that ends in `/index.html`, without that name.
fn without_index(url: &str) -> Option<&str> {
    let folder = url.strip_suffix("index.html").or_else(|| url.strip_suffix("index.htm"))?;
    folder.ends_with('/').then_some(folder)
}
