//! From a path, or from bytes, to the URLs.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use trodden_urls::{Canonicalizer, UrlFault};

use super::lines::{self, ListLine};
use super::unpack::{OverCap, Unpacked};
use super::utf8::Utf8;
use super::xml::{self, XmlEntry};
use super::{KnownUrl, KnownUrls, SitemapCaps, SitemapKind, SitemapRead, SitemapTally};
use crate::Error;

/// Reads all URLs of a list or sitemap, and of the sitemaps beside it that it names.
///
/// # Errors
/// [`Error::Unreadable`] if the file cannot be opened, [`Error::NotASitemap`] if it is XML of another kind. Damage is
/// in the tally.
pub fn read_known_urls(path: &Path, caps: &SitemapCaps) -> Result<KnownUrls, Error> {
    let mut urls = Vec::new();
    let tally = each_known_url(path, caps, |url| urls.push(url))?;
    Ok(KnownUrls { urls, tally })
}

/// The same, one URL after another: nothing is held.
///
/// # Errors
/// As [`read_known_urls`].
pub fn each_known_url(path: &Path, caps: &SitemapCaps, each: impl FnMut(KnownUrl)) -> Result<SitemapTally, Error> {
    let canonicalizer = Canonicalizer::default().with_max_bytes(caps.url_bytes);
    let mut walk = Walk { caps, canonicalizer, each, tally: SitemapTally::default(), seen: BTreeSet::new() };
    let unreadable = |source| Error::Unreadable { name: path.display().to_string(), source };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(unreadable(io::ErrorKind::IsADirectory.into()));
    }
    walk.seen.insert(identity(path));
    if let Some(root) = walk.file(file, path, 0) {
        return Err(Error::NotASitemap { name: path.display().to_string(), root });
    }
    Ok(walk.tally)
}

/// Reads one sitemap or list from bytes that are at hand. An index gives the sitemaps that it names, and nothing is
/// followed. Two layers of gzip are undone: a packed file may have been packed again on its way.
///
/// Speed is that of the XML; memory is that of the URLs, at most [`SitemapCaps::urls`] of [`SitemapCaps::url_bytes`].
pub fn read_sitemap(input: impl Read, caps: &SitemapCaps) -> SitemapRead {
    let (mut urls, mut sitemaps) = (Vec::new(), Vec::new());
    let canonicalizer = Canonicalizer::default().with_max_bytes(caps.url_bytes);
    let each = |url| urls.push(url);
    let mut walk = Walk { caps, canonicalizer, each, tally: SitemapTally::default(), seen: BTreeSet::new() };
    let unpacked = match Unpacked::new(input, caps) {
        Ok(unpacked) => unpacked,
        Err(fault) => {
            walk.tally.files = 1;
            walk.fault(&fault);
            return SitemapRead { tally: walk.tally, ..SitemapRead::default() };
        }
    };
    let kind = walk.document(unpacked, |walk, entry| {
        if walk.checked(&entry.loc) {
            sitemaps.push(KnownUrl { url: entry.loc, lastmod: entry.lastmod });
        }
    });
    let tally = walk.tally;
    SitemapRead { kind, urls, sitemaps, tally }
}

struct Walk<'a, F> {
    caps: &'a SitemapCaps,
    canonicalizer: Canonicalizer,
    each: F,
    tally: SitemapTally,
    /// Files that were read.
    seen: BTreeSet<PathBuf>,
}

/// The kinds of file that start with a tag and those that do not.
enum Shape {
    Xml,
    Lines,
}

impl<F: FnMut(KnownUrl)> Walk<'_, F> {
    /// Reads one file. Gives the outermost element if that is not a sitemap's.
    fn file(&mut self, file: File, path: &Path, depth: u32) -> Option<String> {
        let mut sitemaps = Vec::new();
        let kind = self.document(file, |walk, entry| sitemaps.extend(walk.find(&entry.loc, path, depth + 1)));
        if let SitemapKind::Other { root } = kind {
            return Some(root);
        }
        for path in sitemaps {
            let is_good = File::open(&path).is_ok_and(|file| self.file(file, &path, depth + 1).is_none());
            self.tally.damaged += u64::from(!is_good);
        }
        None
    }

    /// Reads one document; tells `sitemap` of every one that it names.
    fn document(&mut self, input: impl Read, mut sitemap: impl FnMut(&mut Self, XmlEntry)) -> SitemapKind {
        self.tally.files += 1;
        let input = Unpacked::new(input, self.caps).map(Utf8::new);
        let (input, shape) = match input.and_then(shape_of) {
            Ok(opened) => opened,
            Err(fault) => {
                self.fault(&fault);
                return SitemapKind::Lines;
            }
        };
        let mut left = self.caps.urls;
        if let Shape::Lines = shape {
            let read = lines::read(input, self.caps.url_bytes, |line| match line {
                ListLine::Text(url) => self.url(url.to_owned(), None, &mut left),
                ListLine::TooLong => {
                    self.tally.too_long += 1;
                    true
                }
            });
            if let Err(fault) = read {
                self.fault(&fault);
            }
            return SitemapKind::Lines;
        }
        let ended = xml::read(input, self.caps.url_bytes, |entry| {
            if !entry.is_sitemap {
                return self.url(entry.loc, entry.lastmod, &mut left);
            }
            if left == 0 {
                self.tally.cut += 1;
                return false;
            }
            left -= 1;
            sitemap(self, entry);
            true
        });
        let kind = match ended.root {
            Some(root) if !xml::is_sitemap(&root) => return SitemapKind::Other { root },
            Some(root) if root == "sitemapindex" => SitemapKind::Index,
            _ => SitemapKind::Urls,
        };
        self.tally.damaged += u64::from(ended.is_damaged);
        self.tally.cut += u64::from(ended.is_over_cap);
        kind
    }

    /// Gives a URL if it is one. False: the cap is reached.
    fn url(&mut self, url: String, lastmod: Option<String>, left: &mut u64) -> bool {
        if *left == 0 {
            self.tally.cut += 1;
            return false;
        }
        *left -= 1;
        if self.checked(&url) {
            self.tally.urls += 1;
            (self.each)(KnownUrl { url, lastmod });
        }
        true
    }

    /// Whether it is a URL; counts it if not.
    fn checked(&mut self, url: &str) -> bool {
        match self.canonicalizer.absolute(url.as_bytes()) {
            // A character that could not be decoded makes another URL of it; one that cannot be written, none.
            Ok(_) if !url.contains(|c: char| c == '\u{fffd}' || c.is_ascii_control()) => return true,
            Err(UrlFault::TooLong { .. }) => self.tally.too_long += 1,
            _ => self.tally.bad_urls += 1,
        }
        false
    }

    /// A sitemap that `index` names, if it lies beside it and was not read.
    fn find(&mut self, loc: &str, index: &Path, depth: u32) -> Option<PathBuf> {
        let Some(path) = beside(index, loc) else {
            self.tally.not_here += 1;
            return None;
        };
        if depth > self.caps.nesting || !self.seen.insert(identity(&path)) {
            self.tally.not_followed += 1;
            return None;
        }
        Some(path)
    }

    fn fault(&mut self, fault: &io::Error) {
        if fault.get_ref().is_some_and(|e| e.is::<OverCap>()) {
            self.tally.cut += 1;
        } else {
            self.tally.damaged += 1;
        }
    }
}

/// Looks at the first character that is no white space, and leaves it there.
fn shape_of<R: BufRead>(mut input: R) -> io::Result<(R, Shape)> {
    loop {
        let ready = input.fill_buf()?;
        let blank = ready.iter().take_while(|b| b.is_ascii_whitespace()).count();
        match ready.get(blank) {
            Some(b'<') => return Ok((input, Shape::Xml)),
            None if blank > 0 => input.consume(blank),
            _ => return Ok((input, Shape::Lines)),
        }
    }
}

/// The file of the same name in the folder of the index. Nothing that a sitemap says leads out of that folder.
fn beside(index: &Path, loc: &str) -> Option<PathBuf> {
    let path = loc.split(['?', '#']).next()?;
    let name = percent_decode_str(path.rsplit('/').next()?).decode_utf8().ok()?;
    if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', ':', '\0']) {
        return None;
    }
    let beside = index.parent()?.join(&*name);
    beside.is_file().then_some(beside)
}

/// One file has one, whatever leads to it.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
