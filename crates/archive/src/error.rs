//! What can go wrong so that reading or writing cannot go on. A damaged record or page is not here: it is in a tally.

use std::io;
use std::path::Path;

/// Why an archive could not be read or written. Every message says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing under that name.
    #[error("there is no file or folder {name:?}; check the path")]
    NoSuchPath {
        /// As given.
        name: String,
    },
    /// The operating system refused to open or read.
    #[error("cannot read {name} (may you read it, and is the disk well?)")]
    Unreadable {
        /// The file or folder.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// The disk, the quota or the largest size of a file is reached. What was written before is whole.
    #[error("no room left for {name}; what was written before is whole: make room and go on")]
    Full {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// The operating system refused to write.
    #[error("cannot write {name} (may you write there, and is the disk well?)")]
    Unwritable {
        /// The file or folder.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// The names of files cannot start like this.
    #[error("names of archives cannot start with {prefix:?}: use letters, digits, '-', '_' and '.'")]
    BadPrefix {
        /// As given.
        prefix: String,
    },
    /// A record whose head no reader would take.
    #[error("the head of a record would have {bytes} bytes, more than {cap}: cut what makes it so long")]
    HeadTooLong {
        /// Its length.
        bytes: usize,
        /// The longest.
        cap: usize,
    },
}

impl Error {
    /// Sorts a failure to write.
    pub(crate) fn writing(path: &Path, source: io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let name = path.display().to_string();
        match source.kind() {
            StorageFull | FileTooLarge | QuotaExceeded => Self::Full { name, source },
            _ => Self::Unwritable { name, source },
        }
    }

    /// A failure to read.
    pub(crate) fn reading(path: &Path, source: io::Error) -> Self {
        Self::Unreadable { name: path.display().to_string(), source }
    }
}
