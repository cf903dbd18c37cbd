//! A mirror from an edge list of URLs.
//!
//! ```text
//! # comments, and blank lines
//! http://example.org/<TAB>http://example.org/a
//! http://example.org/alone
//! ```
//! A line is a link, or one URL: a page without links. Further columns are passed over. Pages are numbered as they first
//! appear, and links keep the order of lines.

use std::path::PathBuf;

use trodden_urls::{Canonicalizer, Interner};

use super::lines::{Line, each_line, fields, shown};
use super::{Kind, Mirror, MirrorNotes};
use crate::error::Error;
use crate::graph::{LinkGraphBuilder, PageId};
use crate::urls::{UrlTexts, identity};

/// Numbers for URLs, by visit identity, in the order of their first appearance.
#[derive(Default)]
struct Pages {
    canonicalizer: Canonicalizer,
    known: Interner,
    urls: UrlTexts,
}

impl Pages {
    /// The page of a URL, a new one if there is none; none if the text is no URL.
    fn page(&mut self, raw: &[u8]) -> Result<Option<PageId>, Error> {
        let Ok(url) = self.canonicalizer.absolute(raw) else { return Ok(None) };
        let page = self.known.intern(&identity(url.as_str()));
        if page as usize == self.urls.len() {
            self.urls.push(url.as_str())?;
        }
        Ok(Some(page))
    }
}

/// Reads files one after another, as if they were one.
///
/// # Errors
/// If a file cannot be read at all, or there is more than can be numbered.
pub fn read(files: &[PathBuf]) -> Result<Mirror, Error> {
    let mut notes = MirrorNotes::new(Kind::UrlEdges);
    let mut pages = Pages::default();
    let mut links = LinkGraphBuilder::default();
    // Lists are mostly by source.
    let mut last: (Vec<u8>, Option<PageId>) = (Vec::new(), None);
    for file in files {
        let name = shown(file);
        each_line(file, &mut notes, |notes, number, line| {
            notes.read += 1;
            let Line::Text(line) = line else {
                notes.bad_line(&name, number);
                return Ok(());
            };
            let (from, to) = fields(line);
            if last.0 != from {
                last.1 = pages.page(from)?;
                last.0.clear();
                last.0.extend_from_slice(from);
            }
            // The first column is a page, even if the second turns out to be no URL.
            let to = match to {
                Some(to) if last.1.is_some() => pages.page(to)?.map(Some),
                Some(_) => None,
                None => Some(None),
            };
            match (last.1, to) {
                (Some(from), Some(Some(to))) => links.link(from, to),
                (Some(from), Some(None)) => links.page(from),
                _ => notes.bad_line(&name, number),
            }
            Ok(())
        })?;
    }
    if let Some(last) = pages.urls.len().checked_sub(1) {
        links.page(u32::try_from(last).unwrap_or(PageId::MAX - 1));
    }
    let (graph, tally) = links.finish()?;
    notes.add(tally);
    let mut mirror = Mirror::new(graph, pages.urls, notes);
    mirror.files = files.to_vec();
    Ok(mirror)
}
