//! What can go wrong with a frontier.

use std::path::PathBuf;

use thiserror::Error;

use crate::{LeaseId, UrlId};

/// Why a frontier could not do what it was asked. Every message says what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A lease that was never given, was settled before, or has run out.
    #[error("there is no lease {}: it was settled before, or ran out; take the URL again", .0.0)]
    NoSuchLease(LeaseId),
    /// A number that no URL has.
    #[error("no URL has the number {}; number its text first", .0.0)]
    NoSuchUrl(UrlId),
    /// The disk, or this user's share of it, is full.
    #[error(
        "no room is left for the frontier in {}; make room and start again: everything up to the last commit is kept",
        .path.display()
    )]
    StoreFull {
        /// The folder of the frontier.
        path: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The disk failed, or what is on it is damaged.
    #[error(
        "the frontier in {} cannot be {doing}; check the disk and that you may write there, and start again: everything up \
         to the last commit is kept",
        .path.display()
    )]
    Store {
        /// The folder of the frontier.
        path: PathBuf,
        /// What could not be done to it.
        doing: &'static str,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process has it open.
    #[error("the frontier in {} is in use; stop the other crawl first, or take another folder", .0.display())]
    InUse(PathBuf),
    /// It was written by another version of this program.
    #[error(
        "the frontier in {} has format {found}, this program knows {known}; go on with the program that made it, or start a new crawl \
         in another folder",
        .path.display()
    )]
    Version {
        /// The folder of the frontier.
        path: PathBuf,
        /// The version that was found.
        found: u32,
        /// The version that is known.
        known: u32,
    },
    /// It holds something that this program never writes.
    #[error(
        "the frontier in {} is damaged ({what}); restore the folder from a copy, or start a new crawl in another folder",
        .path.display()
    )]
    Damaged {
        /// The folder of the frontier.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// Something from outside is longer than may be.
    #[error("{what} of {length} bytes is longer than {limit}; leave it out")]
    TooLong {
        /// What it is.
        what: &'static str,
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
    },
    /// URLs are numbered by 32 bits.
    #[error("4,294,967,295 URLs are known, and no more can be; crawl the rest from another folder")]
    TooManyUrls,
}
