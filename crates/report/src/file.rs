//! How does a file appear as a whole or not at all?

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file into a folder; it is there as a whole or as it was before. Gives its path.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(dir: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let mut file = new_file(dir, FileReaders::Everybody)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let path = dir.join(name);
    file.persist(&path)?;
    Ok(path)
}

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileReaders {
    /// Whoever the process lets read.
    Everybody,
    /// Its owner only: it may tell what single people read.
    Owner,
}

/// A file without a name of its own yet; removed unless it is put in its place.
pub(crate) fn new_file(dir: &Path, readers: FileReaders) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    if readers == FileReaders::Everybody {
        use std::os::unix::fs::PermissionsExt as _;
        // A temporary file is for its owner only otherwise.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(dir)
}
