//! A mirror from kept pages: WARC files, or a folder of HTML.
//!
//! Pages are the HTML answers (and HTML files) that [`pages_in`] finds, numbered in their order; of two with one URL the
//! first counts. Links are those of the HTML, with their anchor texts, unless the page asks not to follow them. A link to
//! a page that was moved leads to where the archive's redirects send it, at most [`MAX_HOPS`] on. What leads to no page of
//! the mirror is counted as leaving it.
//!
//! A file of a folder whose path does not tell a host has the URL `http://NAME.mirror/path`, where NAME is the folder's.
//! In folders `index.html` (and `index.htm`) is the page of its folder, whichever way a link or a visit says it, and a
//! link to `a` leads to `a/`, as a server would send it on.

use std::path::{Path, PathBuf};

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use trodden_archive::{Address, Page, PageContent, Pages, Want, pages_in};
use trodden_urls::{Canonicalizer, Interner, Rules};
use url::Url;

use super::{Anchors, IndexPages, Kind, Mirror, MirrorNotes, MirrorOptions, MirrorText, Texts, without_index};
use crate::error::Error;
use crate::graph::{LinkGraph, PageId, TooManyLinks};
use crate::urls::{UrlTexts, identity};

/// Redirects that are followed one after another.
pub const MAX_HOPS: usize = 10;

/// Bytes of HTML that are held and read together.
const BATCH_BYTES: usize = 32 << 20;

/// No page.
const NONE: PageId = PageId::MAX;

/// Reads files and folders one after another, as if they were one.
///
/// # Errors
/// If there is nothing under a name, or more than can be numbered.
pub fn read(paths: &[PathBuf], kind: Kind, options: &MirrorOptions) -> Result<Mirror, Error> {
    let index_pages = if kind == Kind::Folder { IndexPages::AreFolders } else { IndexPages::Apart };
    let reader = Reader { canonicalizer: Canonicalizer::new(Rules::default()), index_pages, options };
    let mut gathered = Gathered::new(kind);
    for path in paths {
        let host = host_of(path);
        let mut pages = pages_in(path, &options.caps)?;
        loop {
            let batch = next_batch(&mut pages);
            if batch.is_empty() {
                break;
            }
            let read: Vec<Option<Read>> = batch.into_par_iter().map(|page| reader.page(&page, &host)).collect();
            read.into_iter().try_for_each(|page| gathered.add(page, options.texts))?;
        }
        let tally = pages.tally();
        gathered.notes.bad += tally.bad;
        if tally.unreadable > 0 || tally.records.damaged() > 0 {
            let (damaged, files) = (tally.records.damaged(), tally.unreadable);
            let name = super::lines::shown(path);
            gathered.notes.damaged_files.push(format!("{name}: {damaged} damaged spots, {files} unreadable files"));
        }
        for redirect in pages.redirects() {
            let to = Url::parse(&redirect.from).and_then(|from| from.join(&redirect.to));
            if let (Some(from), Some(to)) = (reader.key(&redirect.from), to.ok().and_then(|to| reader.key(to.as_str())))
            {
                gathered.redirect(&from, &to);
            }
        }
    }
    let mut mirror = gathered.finish(index_pages, options.texts)?;
    mirror.files = paths.to_vec();
    Ok(mirror)
}

fn next_batch(pages: &mut Pages) -> Vec<Page> {
    let mut bytes = 0;
    let mut batch = Vec::new();
    while bytes < BATCH_BYTES
        && let Some(page) = pages.next()
    {
        bytes += page.html.len();
        batch.push(page);
    }
    batch
}

/// The host that stands for a folder: its name in lower case, with dashes for what cannot be in a host.
fn host_of(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
    let name = folder.and_then(Path::file_name).map(|name| name.to_string_lossy().to_ascii_lowercase());
    let name: String =
        name.unwrap_or_default().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
    let name = name.trim_matches('-');
    format!("{}.mirror", if name.is_empty() { "folder" } else { name })
}

/// A page that was read.
struct Read {
    url: String,
    key: String,
    /// Where links lead, and their words.
    links: Vec<(String, String)>,
    nofollow: u64,
    over_cap: u64,
    text: MirrorText,
}

/// Turns pages into links; the same for all threads.
struct Reader<'o> {
    canonicalizer: Canonicalizer,
    index_pages: IndexPages,
    options: &'o MirrorOptions,
}

impl Reader<'_> {
    /// What a URL is known by; none if it is no URL.
    fn key(&self, url: &str) -> Option<String> {
        let url = self.canonicalizer.absolute(url.as_bytes()).ok()?;
        let key = identity(url.as_str());
        Some(match self.index_pages {
            IndexPages::AreFolders => without_index(&key).map_or_else(|| key.to_string(), str::to_owned),
            IndexPages::Apart => key.into_owned(),
        })
    }

    fn page(&self, page: &Page, host: &str) -> Option<Read> {
        let address = match &page.address {
            Address::Url(url) => Url::parse(url).ok()?,
            Address::Path(path) => {
                let mut url = Url::parse(&format!("http://{host}/")).ok()?;
                url.path_segments_mut().ok()?.clear().extend(path.split('/'));
                url
            }
        };
        let canonical = self.canonicalizer.absolute(address.as_str().as_bytes()).ok()?;
        let url = match self.index_pages {
            IndexPages::AreFolders => without_index(canonical.as_str()).unwrap_or(canonical.as_str()),
            IndexPages::Apart => canonical.as_str(),
        };
        let want = if self.options.texts == Texts::Kept { Want::LinksAndText } else { Want::Links };
        let content = PageContent::of(&page.html, want, &self.options.caps);
        let mut nofollow = 0;
        let mut links = Vec::with_capacity(content.links.len());
        for (target, link) in content.resolved(&address) {
            if link.is_nofollow || content.is_nofollow {
                nofollow += 1;
            } else if let Some(key) = self.key(target.as_str()) {
                links.push((key, link.anchor.clone()));
            }
        }
        Some(Read {
            url: url.to_owned(),
            key: identity(url).into_owned(),
            links,
            nofollow,
            over_cap: content.links_left_out,
            text: MirrorText { title: content.title.into(), body: content.text.into() },
        })
    }
}

/// What was read so far. Keys of pages and of link targets share one numbering: a target may be read later.
struct Gathered {
    notes: MirrorNotes,
    urls: UrlTexts,
    keys: Interner,
    /// By key: its page.
    page_of: Vec<PageId>,
    redirects: HashMap<u32, u32, FxBuildHasher>,
    anchors: Interner,
    /// By page: where its links end in `links`.
    ends: Vec<usize>,
    /// Key of the target, and anchor text.
    links: Vec<(u32, u32)>,
    texts: Vec<MirrorText>,
}

impl Gathered {
    fn new(kind: Kind) -> Self {
        Self {
            notes: MirrorNotes::new(kind),
            urls: UrlTexts::default(),
            keys: Interner::new(),
            page_of: Vec::new(),
            redirects: HashMap::default(),
            anchors: Interner::new(),
            ends: Vec::new(),
            links: Vec::new(),
            texts: Vec::new(),
        }
    }

    fn key(&mut self, text: &str) -> u32 {
        let key = self.keys.intern(text);
        self.page_of.resize(self.keys.len(), NONE);
        key
    }

    fn redirect(&mut self, from: &str, to: &str) {
        let (from, to) = (self.key(from), self.key(to));
        self.redirects.entry(from).or_insert(to);
    }

    fn add(&mut self, page: Option<Read>, texts: Texts) -> Result<(), Error> {
        self.notes.read += 1;
        let Some(page) = page else {
            self.notes.bad += 1;
            return Ok(());
        };
        let key = self.key(&page.key) as usize;
        if self.page_of[key] != NONE {
            self.notes.repeated_pages += 1;
            return Ok(());
        }
        self.page_of[key] = u32::try_from(self.urls.len()).map_err(|_| Error::TooMuchText)?;
        self.urls.push(&page.url)?;
        self.notes.nofollow_links += page.nofollow;
        self.notes.links_over_cap += page.over_cap;
        for (target, anchor) in &page.links {
            let target = self.key(target);
            self.links.push((target, self.anchors.intern(anchor)));
        }
        self.ends.push(self.links.len());
        if texts == Texts::Kept {
            self.texts.push(page.text);
        }
        Ok(())
    }

    /// The page that a key leads to, and whether a redirect was needed.
    fn target(&self, key: u32, index_pages: IndexPages) -> Option<(PageId, bool)> {
        let mut at = key;
        for hop in 0..=MAX_HOPS {
            let page = self.page_of[at as usize];
            if page != NONE {
                return Some((page, hop > 0));
            }
            at = match self.redirects.get(&at) {
                Some(&next) => next,
                None if index_pages == IndexPages::AreFolders => self.keys.get(&format!("{}/", self.keys.text(at)))?,
                None => return None,
            };
        }
        None
    }

    fn finish(mut self, index_pages: IndexPages, texts: Texts) -> Result<Mirror, Error> {
        if u32::try_from(self.links.len()).is_err() {
            return Err(TooManyLinks { links: self.links.len() as u64 }.into());
        }
        let no_words = self.anchors.intern("");
        // By page: where in `targets` the page at hand links to it, plus one.
        let mut linked_at = vec![0_u32; self.urls.len()];
        let mut offsets = Vec::with_capacity(self.urls.len() + 1);
        let mut targets: Vec<PageId> = Vec::new();
        let mut words: Vec<u32> = Vec::new();
        let mut start = 0;
        for (page, end) in (0..).zip(std::mem::take(&mut self.ends)) {
            let row = targets.len();
            offsets.push(u32::try_from(row).unwrap_or(u32::MAX));
            for &(key, anchor) in &self.links[start..end] {
                let Some((to, is_redirected)) = self.target(key, index_pages) else {
                    self.notes.leaving_links += 1;
                    continue;
                };
                self.notes.redirected_links += u64::from(is_redirected);
                let seen = linked_at[to as usize] as usize;
                if to == page {
                    self.notes.self_links += 1;
                } else if seen > row {
                    self.notes.duplicate_links += 1;
                    // The first words count: many links are a picture first, and then their title.
                    if words[seen - 1] == no_words {
                        words[seen - 1] = anchor;
                    }
                } else {
                    targets.push(to);
                    words.push(anchor);
                    linked_at[to as usize] = u32::try_from(targets.len()).unwrap_or(u32::MAX);
                }
            }
            start = end;
        }
        offsets.push(u32::try_from(targets.len()).unwrap_or(u32::MAX));
        targets.shrink_to_fit();
        words.shrink_to_fit();
        let mut mirror = Mirror::new(LinkGraph::from_rows(offsets, targets), self.urls, self.notes);
        mirror.anchors = Some(Anchors { texts: self.anchors, of_link: words });
        mirror.texts = (texts == Texts::Kept).then_some(self.texts);
        mirror.index_pages = index_pages;
        Ok(mirror)
    }
}
