//! What does a crawl note beside its session? All of it is in the session's store, and in the same batch as what it belongs to:
//! after a crash either both are there or neither is.

use serde::{Deserialize, Serialize};
use trodden_frontier::Time;
use trodden_session::{ArchivePlace, FIRST_DRIVER_NOTE};

use crate::client::Validators;
use crate::robots::{Access, ROBOTS_LIFE};

/// Origin → [`Robots`].
pub(super) const ROBOTS: u8 = FIRST_DRIVER_NOTE;
/// Payload digest → [`Original`].
pub(super) const DIGEST: u8 = FIRST_DRIVER_NOTE + 1;
/// URL → [`ListingKind`]: it is no page but a list of URLs.
pub(super) const LISTING: u8 = FIRST_DRIVER_NOTE + 2;
/// Queue → [`Listed`](super::listing::Listed).
pub(super) const LISTED: u8 = FIRST_DRIVER_NOTE + 3;
/// Number of a file of the archive → [`Archived`].
pub(super) const ARCHIVE_FILE: u8 = FIRST_DRIVER_NOTE + 5;
/// Single facts.
pub(super) const STATE: u8 = FIRST_DRIVER_NOTE + 4;

/// How long the crawl has run, in milliseconds.
pub(super) const ELAPSED: &[u8] = b"elapsed";
/// How far the events go: [`EventMark`](super::events::EventMark).
pub(super) const EVENTS: &[u8] = b"events";
/// What the index was: [`IndexMark`](super::index::IndexMark).
pub(super) const INDEX: &[u8] = b"index";
/// How many tries were deferred, by outcome.
pub(super) const DEFERRED: &[u8] = b"deferred";

/// A robots.txt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Robots {
    pub(super) access: Access,
    /// When it was asked for.
    pub(super) time_ms: u64,
    /// When it was last read: before, if it could not be had since.
    pub(super) read_ms: u64,
    /// To ask whether it has changed.
    pub(super) validators: Option<Validators>,
    /// Where it is in the archive.
    pub(super) kept: Option<Original>,
}

impl Robots {
    /// Whether it may still be gone by.
    pub(super) fn is_fresh(&self, now: Time) -> bool {
        Time(self.time_ms) + ROBOTS_LIFE > now
    }
}

/// A record of the archive that others refer to: the first with its payload, or what a server says has not changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Original {
    pub(super) url: String,
    pub(super) date_ms: u64,
    pub(super) record: [u8; 16],
    /// Where it is.
    pub(super) place: ArchivePlace,
}

/// A URL that is no page but a list of URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ListingKind {
    /// A sitemap, or an index of such.
    Sitemap,
    /// RSS, Atom, JSON Feed.
    Feed,
}

/// How far a file of the archive is committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Archived {
    pub(super) file: String,
    pub(super) length: u64,
    /// XXH3-64 of the file up to there.
    pub(super) hash: u64,
}
