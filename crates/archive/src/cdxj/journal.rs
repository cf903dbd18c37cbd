//! How is the index kept while the archive grows?
//!
//! Lines are held back until the records that they tell of are on disk: whoever appends a line to the journal has synced
//! the archive first. So every line of the journal is about a record that no crash can take away, and a repair may start
//! from it.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// The unsorted lines of a crawl that goes on.
pub const JOURNAL: &str = "index.cdxj.part";
/// Lines held back, in bytes, at which the archive is synced without being asked.
pub(crate) const HELD_BYTES: usize = 1 << 20;

/// Appends lines to the journal.
pub(crate) struct Journal {
    path: PathBuf,
    /// None from when the index is sorted, which takes the journal away, to the next lines.
    file: Option<(File, u64)>,
    held: Vec<u8>,
}

impl Journal {
    /// The journal of a folder; it must end with a whole line.
    pub(crate) fn open(dir: &Path) -> Result<Self, Error> {
        let mut journal = Self { path: dir.join(JOURNAL), file: None, held: Vec::new() };
        opened(&mut journal.file, &journal.path)?;
        Ok(journal)
    }

    /// Lets go of the file: the index may be sorted, and the next lines begin another journal.
    pub(crate) fn let_go(&mut self) {
        self.file = None;
    }

    /// Where the next line is put together; it is not on disk before the next [`flush`](Self::flush).
    pub(crate) fn held(&mut self) -> &mut Vec<u8> {
        &mut self.held
    }

    /// Whether it is time to sync.
    pub(crate) fn is_full(&self) -> bool {
        self.held.len() >= HELD_BYTES
    }

    /// Appends what is held back. The records that it tells of must be on disk. If there is no room, nothing is
    /// appended and the lines are held on.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        if self.held.is_empty() {
            return Ok(());
        }
        let (file, length) = opened(&mut self.file, &self.path)?;
        if let Err(e) = file.write_all(&self.held).and_then(|()| file.sync_data()) {
            let back = file.set_len(*length).and_then(|()| file.seek(SeekFrom::Start(*length)));
            return Err(Error::writing(&self.path, back.err().unwrap_or(e)));
        }
        *length += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }
}

/// The file, made if it is missing, and how long it is.
fn opened<'f>(file: &'f mut Option<(File, u64)>, path: &Path) -> Result<&'f mut (File, u64), Error> {
    let open = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        Ok((file, length))
    };
    match file {
        Some(file) => Ok(file),
        none => Ok(none.insert(open().map_err(|e| Error::writing(path, e))?)),
    }
}
