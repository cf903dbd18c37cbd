//! Is the index of the archive what it was?
//!
//! The index is sorted when a run ends (`index.cdxj`), and grows beside it while one goes on (`index.cdxj.part`). Of both it is noted how long they are and what they
//! hash to, with everything that is made safe. An index that is something else when the crawl is resumed is made anew from the archive. Lines that came
//! after that are not believed: the files that they are of are opened again, so that whoever repairs the archive makes their lines anew.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use trodden_archive::cdxj::{INDEX, JOURNAL, SORT_BYTES, rebuild_index};
use xxhash_rust::xxh3::Xxh3;

use super::Error;
use super::integrity::OPEN;

/// The first bytes of a file; one that is not there has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Prefix {
    length: u64,
    hash: u64,
}

/// What the index was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IndexMark {
    sorted: Prefix,
    part: Prefix,
    /// The file of the archive that was written then; empty before the first.
    last_file: String,
}

/// A file that grows, and the hash of what was read of it.
struct Grown {
    length: u64,
    hash: Xxh3,
}

impl Grown {
    fn new() -> Self {
        Self { length: 0, hash: Xxh3::new() }
    }

    /// Reads what was added, up to a length.
    fn read(&mut self, path: &Path, most: u64) -> io::Result<Prefix> {
        match File::open(path) {
            Ok(mut file) => {
                file.seek(SeekFrom::Start(self.length))?;
                let mut added = Vec::new();
                self.length += file.take(most.saturating_sub(self.length)).read_to_end(&mut added)? as u64;
                self.hash.update(&added);
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => *self = Self::new(),
            Err(why) => return Err(why),
        }
        Ok(Prefix { length: self.length, hash: self.hash.digest() })
    }
}

/// The index of an archive that is being written.
pub(super) struct Index {
    sorted: Prefix,
    part: Grown,
}

impl Index {
    /// Of a folder, as it is.
    pub(super) fn of(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(INDEX);
        let sorted = Grown::new().read(&path, u64::MAX).map_err(|why| Error::Unread { path, why })?;
        Ok(Self { sorted, part: Grown::new() })
    }

    /// What it is by now, while this file of the archive is written.
    pub(super) fn mark(&mut self, folder: &Path, last_file: &str) -> Result<IndexMark, Error> {
        let path = folder.join(JOURNAL);
        let part = self.part.read(&path, u64::MAX).map_err(|why| Error::Unread { path, why })?;
        Ok(IndexMark { sorted: self.sorted, part, last_file: last_file.to_owned() })
    }
}

/// Makes an index anew if it is not what it was, or the archive is not; whether that was necessary. Nobody may be writing it.
pub(super) fn mend(folder: &Path, mark: Option<IndexMark>, is_archive_mended: bool) -> Result<bool, Error> {
    if is_archive_mended && folder.is_dir() {
        rebuild_index(folder, SORT_BYTES)?;
        return Ok(true);
    }
    let Some(mark) = mark else { return Ok(false) };
    let is = |name: &str, was: Prefix| {
        let path = folder.join(name);
        let found = Grown::new().read(&path, was.length);
        found.map(|found| found == was).map_err(|why| Error::Unread { path, why })
    };
    // Of the sorted one there must be no more, either.
    let length = std::fs::metadata(folder.join(INDEX)).map_or(0, |metadata| metadata.len());
    let is_same = length == mark.sorted.length && is(INDEX, mark.sorted)? && is(JOURNAL, mark.part)?;
    if is_same {
        forget_lines_after(folder, &mark).map_err(|why| Error::File { path: folder.to_owned(), why })?;
        return Ok(false);
    }
    if folder.is_dir() {
        rebuild_index(folder, SORT_BYTES)?;
    }
    Ok(true)
}

/// Drops lines that came after the mark, and has the files that they are of walked again.
fn forget_lines_after(folder: &Path, mark: &IndexMark) -> io::Result<()> {
    let part = folder.join(JOURNAL);
    match OpenOptions::new().write(true).open(&part) {
        Ok(file) if file.metadata()?.len() > mark.part.length => file.set_len(mark.part.length)?,
        Ok(_) => return Ok(()),
        // Without lines there is nothing to disbelieve, but what they told must be told again.
        Err(why) if why.kind() == io::ErrorKind::NotFound => {}
        Err(why) => return Err(why),
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".warc.gz") && *name >= *mark.last_file {
            std::fs::rename(&path, folder.join(format!("{name}{OPEN}")))?;
        }
    }
    Ok(())
}
