//! What can go wrong so that reading cannot go on. A damaged record or page is not here: it is in a tally.

use std::io;

/// Why an archive could not be read. Every message says what to do.
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
}
