//! Which pages are in this file or folder?
//!
//! - A WARC file (`.warc`, `.warc.gz`, `.warc.zst`, `.warc.gz.open` while it is written, or any other file that is named
//!   itself): its responses with status 200 to 299 and its resources, where they are HTML. The address is the record's
//!   target.
//! - A file named `.html`, `.htm` or `.xhtml`: one page.
//! - A folder: all of these below it, in the order of their names. Other files are counted and not opened; names that
//!   start with a dot are passed over.
//!
//! The address of a page in a folder is its path there. If the first part of the path is a host name, as tools that copy
//! sites leave it, the address is a URL: `folder/example.org/a/b.html` gives `http://example.org/a/b.html` (http and
//! https are one host to everything downstream). Otherwise it is the path: `folder/a/b.html` gives `a/b.html`. No name is
//! undone: a page that a tool saved as `index.html` keeps that in its address.
//!
//! A bad page costs one entry of the [`PageTally`]. Answers that send the reader on (status 300 to 399 with a `Location`)
//! are no pages, but say where one is: [`Pages::redirects`].

mod kept;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use trodden_urls::HostKey;
use walkdir::WalkDir;

use self::kept::{Kept, page_of};
use super::{Address, Page, charset};
use crate::{Caps, Error, WarcReader, WarcTally};

/// What cannot stand in the path of a URL as it is.
const NOT_IN_PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// The most redirects that are kept of a file or folder.
pub const MAX_REDIRECTS: usize = 1 << 20;

/// An answer that sends the reader on.
///
/// `Debug` does not show it: a URL may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The URL that was asked for.
    pub from: String,
    /// Where it sent the reader, as written.
    pub to: String,
}

impl std::fmt::Debug for Redirect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redirect(…)")
    }
}

/// What was met on the way to the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageTally {
    /// Pages given.
    pub pages: u64,
    /// Records and answers that are no pages: other kinds, other types, other statuses.
    pub others: u64,
    /// Pages left out because they are damaged or not what they say they are.
    pub bad: u64,
    /// Pages longer than a cap, of which the beginning was given.
    pub cut: u64,
    /// Files in a folder that are neither pages nor archives.
    pub files_passed_over: u64,
    /// Files or folders that could not be read.
    pub unreadable: u64,
    /// What was met in the archives.
    pub records: WarcTally,
}

/// Reads the pages of a file or folder; what is where is in the [module's text](self).
///
/// # Errors
/// [`Error::NoSuchPath`] if there is nothing. What goes wrong later is in the tally.
pub fn pages_in(path: &Path, caps: &Caps) -> Result<Pages, Error> {
    if !path.exists() {
        return Err(Error::NoSuchPath { name: path.display().to_string() });
    }
    let is_folder = path.is_dir();
    let visible = |e: &walkdir::DirEntry| e.depth() == 0 || !e.file_name().to_string_lossy().starts_with('.');
    let files = WalkDir::new(path).sort_by_file_name().follow_links(true).into_iter();
    Ok(Pages {
        root: path.to_owned(),
        is_folder,
        files: Box::new(files.filter_entry(visible)),
        archive: None,
        caps: caps.clone(),
        tally: PageTally::default(),
        redirects: Vec::new(),
    })
}

/// The pages of a file or folder, one after another.
pub struct Pages {
    root: PathBuf,
    is_folder: bool,
    files: Box<dyn Iterator<Item = walkdir::Result<walkdir::DirEntry>> + Send>,
    archive: Option<WarcReader<File>>,
    caps: Caps,
    tally: PageTally,
    redirects: Vec<Redirect>,
}

/// How a file is read, by its name.
enum Shape {
    Archive,
    Page,
    Other,
}

impl Pages {
    /// What was met so far.
    #[must_use]
    pub fn tally(&self) -> PageTally {
        let mut tally = self.tally;
        if let Some(archive) = &self.archive {
            tally.records.add(archive.tally());
        }
        tally
    }

    /// The redirects met so far, the first [`MAX_REDIRECTS`] of them; they count as [`PageTally::others`].
    #[must_use]
    pub fn redirects(&self) -> &[Redirect] {
        &self.redirects
    }

    fn next_of_archive(&mut self) -> Option<Page> {
        while let Some(item) = self.archive.as_mut()?.next() {
            match item.map(|record| page_of(record, &self.caps)) {
                Ok(Kept::Page(page)) => return Some(page),
                Ok(Kept::NoPage) => self.tally.others += 1,
                Ok(Kept::Redirect(redirect)) => {
                    self.tally.others += 1;
                    if self.redirects.len() < MAX_REDIRECTS {
                        self.redirects.push(redirect);
                    }
                }
                Ok(Kept::Bad) => self.tally.bad += 1,
                Err(_) => self.tally.unreadable += 1,
            }
        }
        if let Some(done) = self.archive.take() {
            self.tally.records.add(done.tally());
        }
        None
    }

    /// Opens a file; gives the page if it is one.
    fn open(&mut self, path: &Path) -> Option<Page> {
        match shape_of(path, self.is_folder) {
            Shape::Archive => match WarcReader::open(path, self.caps.clone()) {
                Ok(archive) => self.archive = Some(archive),
                Err(_) => self.tally.unreadable += 1,
            },
            Shape::Page => {
                let mut bytes = Vec::new();
                let cap = self.caps.body_bytes;
                let read = File::open(path).and_then(|file| file.take(cap as u64 + 1).read_to_end(&mut bytes));
                if read.is_err() {
                    self.tally.unreadable += 1;
                    return None;
                }
                let is_cut = bytes.len() > cap;
                bytes.truncate(cap);
                let html = charset::decode(&bytes, None);
                return Some(Page { address: self.address_of(path), html, is_cut });
            }
            Shape::Other => self.tally.files_passed_over += 1,
        }
        None
    }

    fn address_of(&self, path: &Path) -> Address {
        let below = path.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        let below = below.unwrap_or_else(|| path.file_name().map_or(path, Path::new));
        let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        match parts.as_slice() {
            [host, rest @ ..] if !rest.is_empty() && is_host(host) => {
                let path = rest.iter().map(|part| utf8_percent_encode(part, NOT_IN_PATH).to_string());
                Address::Url(format!("http://{host}/{}", path.collect::<Vec<_>>().join("/")))
            }
            _ => Address::Path(parts.join("/")),
        }
    }
}

impl Iterator for Pages {
    type Item = Page;

    fn next(&mut self) -> Option<Page> {
        loop {
            let mut page = self.next_of_archive();
            if page.is_none() {
                match self.files.next()? {
                    Ok(entry) if entry.file_type().is_file() => page = self.open(entry.path()),
                    Ok(_) => {}
                    Err(_) => self.tally.unreadable += 1,
                }
            }
            if let Some(page) = page {
                self.tally.pages += 1;
                self.tally.cut += u64::from(page.is_cut);
                return Some(page);
            }
        }
    }
}

fn shape_of(path: &Path, in_folder: bool) -> Shape {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if ends(&[".html", ".htm", ".xhtml"]) {
        Shape::Page
    } else if !in_folder || ends(&[".warc", ".warc.gz", ".warc.zst", ".warc.gz.open"]) {
        Shape::Archive
    } else {
        Shape::Other
    }
}

/// A name with a dot, whose last label is made of letters: `example.org`, and neither `v1.2` nor `pages`.
fn is_host(name: &str) -> bool {
    let last = name.rsplit_once(':').map_or(name, |(host, _)| host).rsplit_once('.').map(|(_, last)| last);
    last.is_some_and(|last| last.len() > 1 && last.chars().all(char::is_alphabetic)) && HostKey::parse(name).is_ok()
}

#[cfg(test)]
mod tests;
