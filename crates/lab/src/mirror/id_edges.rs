//! A mirror from an edge list of ids, with or without a list of their URLs.
//!
//! ```text
//! X.edges.tsv            X.urls.tsv
//! # from<TAB>to          0<TAB>http://example.org/
//! 0<TAB>1                1<TAB>http://example.org/a
//! ```
//! Columns are parted by tabs, blanks or commas; further ones are passed over; an id alone is a page without links. The
//! URL list may also be one URL a line, the first being that of id 0. It is named, or lies beside the edges under the same
//! name with `urls` for `edges`.
//!
//! Which ids are pages: those in the URL list, if there is one (links of others are left out and counted as dangling);
//! else those in the edges. Pages are numbered in the order of their ids, so that holes cost nothing, and a list without
//! holes keeps its numbers. An id that is listed twice keeps its first URL. Ids are below 2³² − 1.

use std::path::{Path, PathBuf};

use trodden_urls::{Canonicalizer, Rules};

use super::lines::{Line, each_line, fields, is_url, shown};
use super::{Kind, Mirror, MirrorNotes};
use crate::error::Error;
use crate::graph::{LinkGraphBuilder, PageId};
use crate::urls::UrlTexts;

/// Which page an id is.
enum Numbering {
    /// Ids from 0 on without holes.
    Whole(u32),
    /// The ids of the pages, in ascending order.
    Holes(Vec<u32>),
}

impl Numbering {
    fn of(mut ids: Vec<u32>) -> Self {
        ids.sort_unstable();
        ids.dedup();
        match ids.last() {
            Some(&last) if ids.len() as u64 != u64::from(last) + 1 => Self::Holes(ids),
            last => Self::Whole(last.map_or(0, |last| last + 1)),
        }
    }

    /// The ids of links and of lone pages. A list of bits is quickest, unless the ids are few and far between.
    fn of_links(links: &[(u32, u32)], lone: &[u32]) -> Self {
        let all = || links.iter().flat_map(|&(from, to)| [from, to]).chain(lone.iter().copied());
        let highest = all().max().unwrap_or_default() as usize;
        if highest / 8 > 16 * (links.len() + lone.len()) + (1 << 16) {
            return Self::of(all().collect());
        }
        let mut seen = vec![0_u64; highest / 64 + 1];
        all().for_each(|id| seen[id as usize / 64] |= 1 << (id % 64));
        let is_seen = |id: u32| seen[id as usize / 64] >> (id % 64) & 1 == 1;
        Self::of((0..=u32::try_from(highest).unwrap_or_default()).filter(|&id| is_seen(id)).collect())
    }

    fn page(&self, id: u32) -> Option<PageId> {
        match self {
            Self::Whole(pages) => (id < *pages).then_some(id),
            Self::Holes(ids) => ids.binary_search(&id).ok().and_then(|at| u32::try_from(at).ok()),
        }
    }

    fn pages(&self) -> u32 {
        match self {
            Self::Whole(pages) => *pages,
            Self::Holes(ids) => u32::try_from(ids.len()).unwrap_or(u32::MAX),
        }
    }
}

/// Reads edges, and their URLs if there is a list of them.
///
/// # Errors
/// If a file cannot be read at all, an id is too large, or there is more than can be numbered.
pub fn read(files: &[PathBuf], url_list: Option<&Path>) -> Result<Mirror, Error> {
    let mut notes = MirrorNotes::new(Kind::IdEdges);
    let mut links: Vec<(u32, u32)> = Vec::new();
    let mut lone = Vec::new();
    for file in files {
        let name = shown(file);
        each_line(file, &mut notes, |notes, number, line| {
            notes.read += 1;
            match edge_in(line) {
                Edge::Link(from, to) => links.push((from, to)),
                Edge::Page(page) => lone.push(page),
                Edge::Bad => notes.bad_line(&name, number),
                Edge::TooLarge(id) => return Err(Error::IdTooLarge { name: name.clone(), line: number, id }),
            }
            Ok(())
        })?;
    }
    let (numbering, urls) = match url_list {
        Some(list) => read_urls(list, &mut notes)?,
        None if links.is_empty() && lone.is_empty() => (Numbering::Whole(0), UrlTexts::numbers()),
        None => {
            let numbering = Numbering::of_links(&links, &lone);
            let urls = match &numbering {
                Numbering::Whole(_) => UrlTexts::numbers(),
                Numbering::Holes(ids) => UrlTexts::ids(ids.clone()),
            };
            (numbering, urls)
        }
    };
    let mut builder = LinkGraphBuilder::with_capacity(links.len());
    if let Some(last) = numbering.pages().checked_sub(1) {
        builder.page(last);
    }
    for (from, to) in links {
        match (numbering.page(from), numbering.page(to)) {
            (Some(from), Some(to)) => builder.link(from, to),
            _ => notes.dangling_links += 1,
        }
    }
    let (graph, tally) = builder.finish()?;
    notes.add(tally);
    notes.pages_with_shared_url = urls.shared() as u64;
    let mut mirror = Mirror::new(graph, urls, notes);
    mirror.files = files.iter().cloned().chain(url_list.map(Path::to_owned)).collect();
    Ok(mirror)
}

/// The URL list beside an edge list, if it is there: `X.edges.tsv.gz` has `X.urls.tsv.gz` or `X.urls.tsv`.
pub fn url_list_beside(edges: &Path) -> Option<PathBuf> {
    let name = edges.file_name()?.to_str()?;
    let at = name.rfind("edges")?;
    let named = format!("{}urls{}", &name[..at], &name[at + "edges".len()..]);
    let plain = [".gz", ".zst", ".bz2", ".xz"].iter().find_map(|end| named.strip_suffix(end)).unwrap_or(&named);
    let others = ["", ".gz", ".zst", ".bz2", ".xz"].map(|end| format!("{plain}{end}"));
    std::iter::once(named.clone()).chain(others).map(|name| edges.with_file_name(name)).find(|path| path.is_file())
}

fn read_urls(list: &Path, notes: &mut MirrorNotes) -> Result<(Numbering, UrlTexts), Error> {
    let canonicalizer = Canonicalizer::new(Rules::default());
    let name = shown(list);
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut next = 0_u32;
    each_line(list, notes, |notes, number, line| {
        notes.read += 1;
        let (id, url) = match line {
            Line::Text(line) if is_url(line) => (Id::Small(next), Some(line)),
            Line::Text(line) => {
                let (id, url) = fields(line);
                (whole_id(id), url)
            }
            Line::TooLong => (Id::None, None),
        };
        // A bad line holds its place in a list without ids.
        next = next.saturating_add(1);
        let url = url.and_then(|url| canonicalizer.absolute(url).ok());
        match (id, url) {
            (Id::TooLarge(id), _) => return Err(Error::IdTooLarge { name: name.clone(), line: number, id }),
            (Id::Small(id), Some(url)) => found.push((id, url.into_text().into_owned())),
            _ => notes.bad_line(&name, number),
        }
        Ok(())
    })?;
    // Stable: the first URL of an id is the one that is kept.
    found.sort_by_key(|(id, _)| *id);
    let before = found.len();
    found.dedup_by_key(|(id, _)| *id);
    notes.repeated_pages += (before - found.len()) as u64;
    let mut urls = UrlTexts::default();
    found.iter().try_for_each(|(_, url)| urls.push(url))?;
    Ok((Numbering::of(found.into_iter().map(|(id, _)| id).collect()), urls))
}

/// What a line of edges says.
enum Edge {
    Link(u32, u32),
    Page(u32),
    Bad,
    TooLarge(String),
}

/// Digits at the start of a text.
enum Id {
    Small(u32),
    TooLarge(String),
    None,
}

/// The first id of a line, and what follows it.
fn leading_id(line: &[u8]) -> (Id, &[u8]) {
    let mut value = 0_u64;
    let mut length = 0;
    for digit in line.iter().take_while(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        length += 1;
    }
    let id = match u32::try_from(value) {
        _ if length == 0 => Id::None,
        Ok(id) if id < u32::MAX => Id::Small(id),
        _ => Id::TooLarge(String::from_utf8_lossy(&line[..length.min(40)]).into_owned()),
    };
    (id, &line[length..])
}

fn whole_id(text: &[u8]) -> Id {
    match leading_id(text) {
        (id, []) => id,
        _ => Id::None,
    }
}

fn edge_in(line: Line<'_>) -> Edge {
    let Line::Text(line) = line else { return Edge::Bad };
    let is_border = |b: &u8| b.is_ascii_whitespace() || *b == b',';
    let (from, rest) = leading_id(line);
    let between = rest.iter().take_while(|b| is_border(b)).count();
    let (to, after) = leading_id(&rest[between..]);
    match (from, to) {
        (Id::TooLarge(id), _) | (_, Id::TooLarge(id)) => Edge::TooLarge(id),
        (Id::Small(from), Id::Small(to)) if between > 0 && after.first().is_none_or(is_border) => Edge::Link(from, to),
        (Id::Small(page), Id::None) if rest.len() == between => Edge::Page(page),
        _ => Edge::Bad,
    }
}
