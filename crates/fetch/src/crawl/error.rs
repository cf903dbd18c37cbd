//! Why can a crawl not go on?

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a crawl cannot go on. What servers do is never among it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The frontier failed.
    #[error(transparent)]
    Frontier(#[from] trodden_frontier::Error),
    /// The archive failed.
    #[error(transparent)]
    Archive(#[from] trodden_archive::Error),
    /// The session failed.
    #[error(transparent)]
    Session(#[from] trodden_session::Error),
    /// A record names a URL that is none.
    #[error(
        "the records of the crawl are damaged (a URL cannot be read); restore the folder from a copy, or start a new crawl in another folder"
    )]
    OddUrl,
    /// The threads that read pages cannot be started.
    #[error(
        "cannot start threads to read pages: {0}; raise the limit of processes, or leave the crawl one core (taskset)"
    )]
    Threads(io::Error),
    /// A file of the crawl cannot be written or read.
    #[error("cannot write {path}: {why}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// A file of the archive is not what the crawl wrote.
    #[error(
        "{} {why}: {pages} pages of the crawl are lost with it; put the file back from a copy, or have the crawl mended: they are fetched again",
        .path.display()
    )]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
        /// Pages whose records are lost.
        pages: u64,
    },
    /// There is nothing to read.
    #[error("cannot read {path}: {why}; is it the folder of a crawl?")]
    Unread {
        /// Which.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
}

/// A setting that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{name} is {value}; it must be from {least} to {most}")]
pub struct BadSetting {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub value: u64,
    /// What it must be at least.
    pub least: u64,
    /// What it must be at most.
    pub most: u64,
}

impl Error {
    /// Whether there was no room left on the disk.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Self::Frontier(error) => matches!(error, trodden_frontier::Error::StoreFull { .. }),
            Self::Archive(error) => matches!(error, trodden_archive::Error::Full { .. }),
            Self::File { why, .. } => matches!(why.kind(), io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge),
            Self::Session(error) => error.is_full(),
            Self::OddUrl | Self::Threads(_) | Self::Unread { .. } | Self::Damaged { .. } => false,
        }
    }
}
