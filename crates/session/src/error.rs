//! Why can a session not go on?

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a session cannot go on. What servers do is never among it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The frontier failed.
    #[error(transparent)]
    Frontier(#[from] trodden_frontier::Error),
    /// A record cannot be read.
    #[error(
        "the records of the crawl are damaged ({0}); restore the folder from a copy, or start a new crawl in another folder: the archive \
         stays readable"
    )]
    Damaged(&'static str),
    /// It was written by another version of this program.
    #[error(
        "the records of the crawl have format {found}, this program knows {known}; go on with the program that made them, or \
         start a new crawl in another folder"
    )]
    Version {
        /// The version that was found.
        found: u32,
        /// The version that is known.
        known: u32,
    },
    /// The store is older than the crawl.
    #[error(
        "the store of the crawl has lost its last {} steps: it ends at step {found}, and the crawl was at {marked}; restore the folder \
         from a copy, or have the crawl mended: what is missing is fetched again", .marked - .found
    )]
    Lost {
        /// The step that the store ends at.
        found: u64,
        /// The step that it should have.
        marked: u64,
    },
    /// A checkpoint is missing or damaged.
    #[error(
        "the checkpoint {} {why}; restore it from a copy of the folder, or start a new crawl in another folder: the archive stays \
         readable", .path.display()
    )]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A checkpoint cannot be written or read.
    #[error("the checkpoint {} cannot be {doing}: {why}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What could not be done.
        doing: &'static str,
        /// Why.
        why: io::Error,
    },
    /// What the engine saved does not fit.
    #[error("what the crawl has learnt cannot be taken up: {0}; go on with the policy and model it was begun with")]
    Policy(#[from] trodden_ordering::SaveFault),
}

impl Error {
    /// Whether there was no room left on the disk.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Self::Frontier(error) => matches!(error, trodden_frontier::Error::StoreFull { .. }),
            Self::File { why, .. } => matches!(why.kind(), io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge),
            _ => false,
        }
    }
}
