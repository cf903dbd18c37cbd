//! How much memory may sites take, alone and together?
//!
//! ```text
//! for sites = memory − the program and its buffers − the list of sites
//! alone     = 7/8 of it: one site, from its first URL to its model
//! together  = 1/2 of it: sites that are read in one go; while their tables are made, the first of them are mined
//! waiting   = 1/8 of it: tables of small sites that wait to be mined together
//! ```
//!
//! What a site takes is weighed while its URLs come in ([`SiteWeight`]). Sites that turn out to be too much together are
//! read again in two halves. One that is too much alone is left out: its URLs are only counted from then on, so that the
//! operator can be told how much memory it takes.

use trodden_mining::SiteWeight;

use crate::error::Error;

/// What the program itself takes, before it reads anything.
const OWN_BYTES: u64 = 24 << 20;
/// What a thread takes: a batch of rows being unpacked, and those that it has handed on.
const THREAD_BYTES: u64 = 6 << 20;
/// What is there for sites at least: less is not worth a run.
const LEAST_BYTES: u64 = 16 << 20;
/// What a site takes beside its URLs while it is read: its tables of fingerprints, hosts and times.
const SITE_BYTES: u64 = 1 << 10;
/// What a site takes in the list of all sites.
const LISTED_BYTES: u64 = 160;
/// What a URL takes while it is read: its fingerprint in a table that grows, and its places.
const READ_BYTES: u64 = 110;
/// What a visit takes while it waits to be counted.
const ROW_BYTES: u64 = 24;

/// Sites that are always listed.
const LEAST_SITES: usize = 1 << 16;

/// Whether the list of all sites takes at most half of the memory.
///
/// # Errors
/// If it does not.
pub(super) fn list_fits(sites: usize, memory: u64) -> Result<(), Error> {
    let bytes = LISTED_BYTES * sites as u64;
    if sites <= LEAST_SITES || bytes <= memory / 2 {
        return Ok(());
    }
    Err(Error::TooManySites { sites, megabytes: (2 * bytes).div_ceil(10_000_000) * 10 })
}

/// What a known URL takes until it is in a table: its text twice, in two lists.
pub fn known_bytes(url: &str) -> u64 {
    2 * url.len() as u64 + 160
}

/// What becomes of a table, for the memory that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// It is looked at.
    Counted,
    /// It is mined.
    Mined,
}

/// A site that does not fit in the memory, and is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The site. Nobody knows how many users it has, so it must not be named to others.
    pub site: String,
    /// Its different URLs, about.
    pub urls: u64,
    /// Its visits.
    pub visits: u64,
    /// How much memory it takes to take it in all the same.
    pub memory: u64,
}

impl TooLarge {
    /// The one that takes the most memory.
    pub fn largest<'s>(sites: impl IntoIterator<Item = &'s Self>) -> Option<&'s Self> {
        sites.into_iter().max_by_key(|site| (site.memory, site.urls))
    }
}

/// The memory for sites.
#[derive(Clone, Copy, Debug)]
pub struct TableBudget {
    memory: u64,
    own: u64,
    table_use: TableUse,
}

impl TableBudget {
    /// Of this memory, with so many threads and sites.
    pub fn new(memory: u64, threads: usize, sites: usize, table_use: TableUse) -> Self {
        Self { memory, own: Self::own_bytes(threads) + LISTED_BYTES * sites as u64, table_use }
    }

    /// What is never for sites: the program itself, and its buffers.
    pub fn own_bytes(threads: usize) -> u64 {
        OWN_BYTES + THREAD_BYTES * threads.max(1) as u64
    }

    /// The same, with so many bytes in use for something else.
    #[must_use]
    pub(super) fn beside(mut self, bytes: u64) -> Self {
        self.own += bytes;
        self
    }

    fn for_sites(&self) -> u64 {
        self.memory.saturating_sub(self.own).max(LEAST_BYTES)
    }

    /// For a site alone.
    pub(super) fn alone(&self) -> u64 {
        self.for_sites() / 8 * 7
    }

    /// For sites that are read in one go.
    pub(super) fn together(&self) -> u64 {
        self.for_sites() / 2
    }

    /// For tables that wait for each other.
    pub fn waiting(&self) -> u64 {
        self.for_sites() / 8
    }

    /// Bytes that rows of visits may wait in; more go to disk.
    pub(super) fn rows(&self) -> u64 {
        self.for_sites() / 8
    }

    /// What so many sites take, with all their URLs and visits together.
    pub(super) fn bytes(&self, weight: &SiteWeight, sites: usize, visits: u64) -> u64 {
        let rows = (ROW_BYTES * visits).min(self.rows());
        let read = weight.text() + READ_BYTES * weight.urls() + rows;
        let filled = weight.filling(visits) + rows;
        let mined = if self.table_use == TableUse::Mined { weight.mining(visits) } else { 0 };
        SITE_BYTES * sites as u64 + read.max(filled).max(mined)
    }

    /// The memory in which a site of so many bytes fits alone, and a little more, as its weight is told by a sample.
    pub(super) fn memory_for(&self, bytes: u64) -> u64 {
        self.own + bytes / 7 * 8 + bytes / 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_the_memory_that_a_site_is_said_to_take_is_enough_for_it() {
        for table_use in [TableUse::Counted, TableUse::Mined] {
            for bytes in [20 << 20, 1 << 30, 1 << 40] {
                let small = TableBudget::new(1 << 20, 4, 1_000, table_use);
                let told = TableBudget::new(small.memory_for(bytes), 4, 1_000, table_use);
                assert!(told.alone() >= bytes && told.alone() < bytes + bytes / 10, "{bytes} {told:?}");
            }
        }
    }
}
