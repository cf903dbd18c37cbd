//! What is the file that is being written?

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::RecordId;
use crate::Error;
use crate::warc::WarcDate;
use crate::warc::folder::{ENDING, open_path, sync_dir};

/// A file under its name for writing, ending after a whole record.
pub(super) struct OpenFile {
    name: Arc<str>,
    path: PathBuf,
    file: File,
    length: u64,
    /// Of all bytes so far.
    hash: Xxh3,
    info: RecordId,
}

/// Where a write that failed left the file.
pub(super) enum Back {
    /// It ends where it ended before.
    AsBefore,
    /// That is not known.
    Lost,
}

impl OpenFile {
    /// An empty file; its name tells the date and a number that no other has.
    pub(super) fn create(dir: &Path, prefix: &str, date: WarcDate, serial: u64, info: RecordId) -> Result<Self, Error> {
        let name: Arc<str> = format!("{prefix}-{}-{serial:05}{ENDING}", date.digits()).into();
        let path = open_path(dir, &name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = file.and_then(|file| sync_dir(dir).map(|()| file)).map_err(|e| Error::writing(&path, e))?;
        Ok(Self { name, path, file, length: 0, hash: Xxh3::new(), info })
    }

    /// The final name.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// XXH3-64 of all bytes so far.
    pub(super) fn hash(&self) -> u64 {
        self.hash.digest()
    }

    /// The name of its warcinfo record.
    pub(super) fn info(&self) -> RecordId {
        self.info
    }

    /// Appends whole records, or nothing.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), (Back, Error)> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                self.hash.update(bytes);
                Ok(())
            }
            Err(e) => {
                let cut = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
                let back = if cut.is_ok() { Back::AsBefore } else { Back::Lost };
                Err((back, Error::writing(&self.path, e)))
            }
        }
    }

    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.file.sync_data().map_err(|e| Error::writing(&self.path, e))
    }

    /// Gives the file its final name; one without records is removed. It must be synced.
    pub(super) fn close(&self, dir: &Path) -> Result<(), Error> {
        let moved = match self.length {
            0 => fs::remove_file(&self.path),
            _ => fs::rename(&self.path, dir.join(&*self.name)),
        };
        moved.and_then(|()| sync_dir(dir)).map_err(|e| Error::writing(&self.path, e))
    }
}
