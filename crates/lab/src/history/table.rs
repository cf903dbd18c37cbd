//! Which table is a history?
//!
//! ```text
//! url<TAB>time<TAB>kind<TAB>other        the first line names the columns, in any order
//! start             the page is there when the table begins
//! birth, arrived    the page is there from now on
//! change            its text is another from now on
//! death             it is gone
//! moved             it is gone, and leads to the URL in `other`
//! ```
//! Times are Unix seconds. The file may be packed. Rows of other kinds, and of URLs that the mirror does not have, are counted and passed over.

use std::path::Path;

use trodden_urls::{Canonicalizer, Interner, Rules};

use super::{Happening, History};
use crate::error::Error;
use crate::graph::PageId;
use crate::mirror::{Kind, Line, Mirror, MirrorNotes, each_line};
use crate::urls::{UrlTexts, identity};

/// Where the columns are.
struct Columns {
    url: usize,
    time: usize,
    kind: usize,
    other: Option<usize>,
}

impl Columns {
    fn of(head: &[u8]) -> Option<Self> {
        let names: Vec<&[u8]> = head.split(|byte| *byte == b'\t').map(<[u8]>::trim_ascii).collect();
        let column = |wanted: &str| names.iter().position(|name| *name == wanted.as_bytes());
        Some(Self { url: column("url")?, time: column("time")?, kind: column("kind")?, other: column("other") })
    }
}

/// Pages by any spelling of their URL.
trait PageFinder {
    /// The page of a row; none if there is no such page.
    fn page(&mut self, url: &[u8]) -> Result<Option<PageId>, Error>;

    /// The page that a row leads to; none if there is no such page.
    fn target(&mut self, url: &[u8]) -> Option<PageId>;
}

/// The pages of a mirror.
struct OfMirror<'m> {
    mirror: &'m Mirror,
    canonicalizer: Canonicalizer,
}

impl PageFinder for OfMirror<'_> {
    fn page(&mut self, url: &[u8]) -> Result<Option<PageId>, Error> {
        Ok(self.target(url))
    }

    fn target(&mut self, url: &[u8]) -> Option<PageId> {
        let url = self.canonicalizer.absolute(url).ok()?;
        self.mirror.page_of_visit(&identity(url.as_str()))
    }
}

/// The pages of the table itself, in the order of their first rows.
#[derive(Default)]
struct OfTable {
    canonicalizer: Canonicalizer,
    known: Interner,
    urls: UrlTexts,
}

impl PageFinder for OfTable {
    fn page(&mut self, url: &[u8]) -> Result<Option<PageId>, Error> {
        let Ok(url) = self.canonicalizer.absolute(url) else { return Ok(None) };
        let page = self.known.intern(&identity(url.as_str()));
        if page as usize == self.urls.len() {
            self.urls.push(url.as_str())?;
        }
        Ok(Some(page))
    }

    /// A page that no row is about would have no history.
    fn target(&mut self, url: &[u8]) -> Option<PageId> {
        let url = self.canonicalizer.absolute(url).ok()?;
        self.known.get(&identity(url.as_str()))
    }
}

/// Reads a table for a mirror. A file that is damaged in the middle counts up to there.
///
/// # Errors
/// If the file cannot be read, or its first line does not name the columns.
pub fn read(path: &Path, mirror: &Mirror) -> Result<History, Error> {
    read_by(path, &mut OfMirror { mirror, canonicalizer: Canonicalizer::new(Rules::default()) })
}

/// Reads a table that stands alone: with the URLs of its pages.
///
/// # Errors
/// As [`read`].
pub fn read_alone(path: &Path) -> Result<(UrlTexts, History), Error> {
    let mut finder = OfTable::default();
    let history = read_by(path, &mut finder)?;
    Ok((finder.urls, history))
}

fn read_by(path: &Path, finder: &mut impl PageFinder) -> Result<History, Error> {
    let mut history = History::default();
    let mut columns: Option<Columns> = None;
    let no_history = || Error::NoHistory { name: path.display().to_string() };
    let mut notes = MirrorNotes::new(Kind::UrlEdges);
    each_line(path, &mut notes, |_, _, line| {
        let Line::Text(line) = line else {
            history.unused += 1;
            return Ok(());
        };
        match &columns {
            None => columns = Some(Columns::of(line).ok_or_else(no_history)?),
            Some(columns) => add_row(&mut history, finder, columns, line)?,
        }
        Ok(())
    })?;
    if columns.is_none() {
        return Err(no_history());
    }
    history.sort();
    history.damaged = notes.damaged_files;
    Ok(history)
}

fn add_row(history: &mut History, finder: &mut impl PageFinder, columns: &Columns, line: &[u8]) -> Result<(), Error> {
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b'\t').map(<[u8]>::trim_ascii).collect();
    let field = |at: usize| fields.get(at).copied().unwrap_or_default();
    let what = match field(columns.kind) {
        b"start" => Some(Happening::Found),
        b"birth" | b"arrived" => Some(Happening::Born),
        b"change" => Some(Happening::Changed),
        b"death" => Some(Happening::Gone),
        b"moved" => Some(Happening::Moved(columns.other.and_then(|other| finder.target(field(other))))),
        _ => None,
    };
    let seconds = std::str::from_utf8(field(columns.time)).ok().and_then(|text| text.parse::<u64>().ok());
    match (what, seconds.and_then(|seconds| seconds.checked_mul(1_000))) {
        (Some(what), Some(at_ms)) => match finder.page(field(columns.url))? {
            Some(page) => history.add(page, at_ms, what),
            None => history.elsewhere += 1,
        },
        _ => history.unused += 1,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Presence;
    use crate::mirror::{MirrorOptions, open_mirror};

    fn history(rows: &str) -> Result<History, Error> {
        let dir = tempfile::tempdir().unwrap();
        let (links, table) = (dir.path().join("links.tsv"), dir.path().join("changes.tsv"));
        std::fs::write(&links, "http://a.org/\thttp://a.org/1\nhttp://a.org/1\thttp://a.org/2\n").unwrap();
        std::fs::write(&table, rows).unwrap();
        let mirror = open_mirror(&[links.display().to_string()], None, &MirrorOptions::default()).unwrap();
        read(&table, &mirror)
    }

    #[test]
    fn ours_rows_are_taken_by_the_names_of_their_columns() {
        let history = history(
            "kind\turl\tother\ttime\nbirth\thttp://a.org/1\t\t10\nchange\thttps://www.a.org/1\t\t20\n\
             moved\thttp://a.org/1\thttp://a.org/2\t30\nstart\thttp://a.org/\t\t15\nbirth\thttp://b.org/\t\t1\n\
             refilter\thttp://a.org/2\t\t5\nbirth\thttp://a.org/2\t\tsoon\n",
        )
        .unwrap();
        let at = |page, seconds: u64| history.presence(page, seconds * 1_000);
        assert_eq!([at(1, 9), at(1, 25)], [Presence::Unborn, Presence::There { version: 2 }]);
        assert_eq!(at(1, 30), Presence::Moved(Some(2)));
        assert_eq!([at(0, 0), at(2, 99)], [Presence::There { version: 0 }; 2]);
        assert_eq!((history.rows, history.elsewhere, history.unused), (4, 1, 2));
        assert_eq!(history.span_ms(), Some([10_000, 30_000]));
    }

    #[test]
    fn ours_a_table_alone_brings_its_own_pages() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("changes.tsv");
        std::fs::write(&path, "url\ttime\tkind\nhttp://a.org/x\t5\tstart\nhttps://www.a.org/x\t9\tchange\n").unwrap();
        let (urls, history) = read_alone(&path).unwrap();
        assert_eq!((urls.len(), urls.get(0)), (1, "http://a.org/x"));
        assert_eq!(history.of_page(0), [(5_000, Happening::Found), (9_000, Happening::Changed)]);
    }

    #[test]
    fn ours_a_table_without_its_columns_is_refused() {
        assert!(matches!(history("http://a.org/1\t10\tbirth\n"), Err(Error::NoHistory { .. })));
        assert!(matches!(history(""), Err(Error::NoHistory { .. })));
        assert_eq!(history("kind\turl\ttime\n").unwrap(), History::default());
    }
}
