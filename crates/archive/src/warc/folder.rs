//! Which archives are in a folder, and which of them is being written?

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::Error;

/// How the name of an archive ends.
pub(crate) const ENDING: &str = ".warc.gz";
/// What follows it while the file is written.
pub(crate) const OPEN: &str = ".open";

/// An archive of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ArchiveName {
    /// As it is, or will be once it is closed.
    pub(crate) name: String,
    pub(crate) is_open: bool,
}

impl ArchiveName {
    pub(crate) fn path(&self, dir: &Path) -> PathBuf {
        if self.is_open { open_path(dir, &self.name) } else { dir.join(&self.name) }
    }

    /// The number in `<prefix>-<time>-<serial>.warc.gz`.
    pub(crate) fn serial(&self, prefix: &str) -> Option<u64> {
        let rest = self.name.strip_prefix(prefix)?.strip_prefix('-')?.strip_suffix(ENDING)?;
        rest.split_once('-')?.1.parse().ok()
    }
}

/// Where an archive lies while it is written.
pub(crate) fn open_path(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}{OPEN}"))
}

/// The archives of a folder that are packed with gzip, by name; folders below it are not looked at.
pub(crate) fn archives_in(dir: &Path) -> Result<Vec<ArchiveName>, Error> {
    let read = || {
        let mut found = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let (name, is_open) = match name.strip_suffix(OPEN) {
                Some(name) => (name.to_owned(), true),
                None => (name, false),
            };
            if name.ends_with(ENDING) && entry.path().is_file() {
                found.push(ArchiveName { name, is_open });
            }
        }
        found.sort_unstable();
        Ok(found)
    };
    read().map_err(|e| Error::reading(dir, e))
}

/// Makes renamed and new files last.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_archives_are_found_open_or_closed() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b-20260101000000-00002.warc.gz.open", "b-20260101000000-00001.warc.gz", "x.open", "index.cdxj"] {
            fs::write(dir.path().join(name), b"").unwrap();
        }
        fs::create_dir(dir.path().join("c.warc.gz")).unwrap();
        let found = archives_in(dir.path()).unwrap();
        assert_eq!(
            found.iter().map(|a| (a.serial("b"), a.is_open)).collect::<Vec<_>>(),
            [(Some(1), false), (Some(2), true)]
        );
        assert!(found.iter().all(|a| a.path(dir.path()).exists() && a.serial("c").is_none()));
    }
}
