//! What was odd about the files that a mirror is made of?

use serde::Serialize;
use trodden_report::thousands;

use super::Kind;
use crate::graph::LinkTally;

/// The first line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BadLine {
    /// The name of its file.
    pub file: String,
    /// Which line, from 1.
    pub line: u64,
}

/// What was met on the way; nothing here stops a mirror from being used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MirrorNotes {
    /// What it was made of.
    pub kind: Kind,
    /// Lines, rows of visits, or pages that were read.
    pub read: u64,
    /// Lines that are comments or blank.
    pub comments: u64,
    /// Lines that are no link (or no entry of a URL list), rows without a URL, pages without one.
    pub bad: u64,
    /// The first such line.
    pub first_bad: Option<BadLine>,
    /// Links of a page to itself, left out.
    pub self_links: u64,
    /// Links that were there already.
    pub duplicate_links: u64,
    /// Links left out because the URL list does not know one of their ids.
    pub dangling_links: u64,
    /// Links to what is not in the mirror.
    pub leaving_links: u64,
    /// Links left out because the page asks not to follow them.
    pub nofollow_links: u64,
    /// Links left out because a page has too many, or because they are too long.
    pub links_over_cap: u64,
    /// Links that lead to their page by a redirect.
    pub redirected_links: u64,
    /// Pages that were there already: other copies, other spellings.
    pub repeated_pages: u64,
    /// Pages whose URL, but for scheme and `www.`, is that of another. They cannot be told apart in visits.
    pub pages_with_shared_url: u64,
    /// Visits that came from a page of the site which nobody is seen to visit; they count as entries.
    pub unanswered_referrers: u64,
    /// Pages that nothing but the artificial entry page links to.
    pub only_from_entry: u64,
    /// Files that could be read only in part: name, and why.
    pub damaged_files: Vec<String>,
}

impl MirrorNotes {
    /// Nothing odd yet.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            read: 0,
            comments: 0,
            bad: 0,
            first_bad: None,
            self_links: 0,
            duplicate_links: 0,
            dangling_links: 0,
            leaving_links: 0,
            nofollow_links: 0,
            links_over_cap: 0,
            redirected_links: 0,
            repeated_pages: 0,
            pages_with_shared_url: 0,
            unanswered_referrers: 0,
            only_from_entry: 0,
            damaged_files: Vec::new(),
        }
    }

    /// What an operator should know, a line each.
    pub fn lines(&self) -> Vec<String> {
        let first =
            self.first_bad.as_ref().map_or_else(String::new, |bad| format!(" (first: {}:{})", bad.file, bad.line));
        let mut lines: Vec<String> = [
            (self.bad, format!("could not be read and are left out{first}")),
            (self.dangling_links, "links name an id that is not in the list of URLs, and are left out".to_owned()),
            (self.links_over_cap, "links are too many for their page or too long, and are left out".to_owned()),
            (self.repeated_pages, "pages are there more than once; the first counts".to_owned()),
            (self.pages_with_shared_url, "pages share a URL with another, but for scheme and www.".to_owned()),
            (self.only_from_entry, "pages are linked by nothing but the artificial entry page".to_owned()),
        ]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{} {what}", thousands(n)))
        .collect();
        lines.extend(self.damaged_files.iter().map(|file| format!("damaged: {file}")));
        lines
    }

    pub(super) fn bad_line(&mut self, file: &str, line: u64) {
        self.bad += 1;
        self.first_bad.get_or_insert_with(|| BadLine { file: file.to_owned(), line });
    }

    pub(super) fn add(&mut self, tally: LinkTally) {
        self.self_links += tally.self_links;
        self.duplicate_links += tally.duplicates;
    }
}
