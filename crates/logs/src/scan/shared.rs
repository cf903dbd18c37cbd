//! What all workers of a first reading share.

use std::sync::Mutex;

use trodden_urls::Canonicalizer;

use crate::clean::{AddressMinute, Bots, Cleaning, DropReason, Kind};
use crate::host_book::HostBook;
use crate::privacy::UserHasher;
use crate::spool::Sorter;
use crate::visits::StoredSamples;

/// What all workers read.
pub(crate) struct ScanShared {
    pub(crate) canonicalizer: Canonicalizer,
    /// The same for URLs that we wrote before: longer by their origin, which the log left out.
    pub(crate) stored: Canonicalizer,
    pub(crate) hasher: UserHasher,
    pub(crate) seed: u64,
    pub(crate) hosts: HostBook,
    pub(crate) bots: Bots,
    /// Samples of lines that were taken in before; none where visits are not kept.
    pub(crate) stored_samples: Option<StoredSamples>,
    pub(crate) cleaning: Cleaning,
    pub(crate) line_cap: usize,
    pub(crate) shards: u32,
    /// Records that a shard of a worker is expected to hold.
    pub(crate) shard_room: usize,
    /// Workers.
    pub(crate) threads: usize,
    /// Bytes a worker may hold before its run goes to disk.
    pub(crate) run_bytes: usize,
    /// Lines by peer address and minute.
    pub(crate) peers: Mutex<Sorter<AddressMinute>>,
    /// What changes in `peers` if forwarded clients count instead.
    pub(crate) forwarded: Mutex<Sorter<AddressMinute>>,
}

impl ScanShared {
    /// Whether a URL of this kind can become a visit.
    pub(crate) fn keeps(&self, kind: Kind) -> bool {
        self.drop_of(kind).is_none()
    }

    pub(super) fn drop_of(&self, kind: Kind) -> Option<DropReason> {
        match kind {
            Kind::Page | Kind::Document | Kind::Check => None,
            Kind::Asset => self.cleaning.assets.then_some(DropReason::Asset),
            Kind::Machine => self.cleaning.machine.then_some(DropReason::Machine),
            Kind::LoginAdmin => self.cleaning.login_admin.then_some(DropReason::LoginAdmin),
        }
    }
}
