//! The URLs of one site, with what people did there.
//!
//! - `F_in(u)`: triples whose target is u → [`UrlCounts::visits`]
//! - `F_out(u)`: triples whose referrer is u → [`UrlCounts::referrals`]
//! - `F_trans(u,v)`: triples from u to v → [`SiteTable::transits`], those of a URL to itself included
//!
//! A model may name a literal only if at least k different users visited URLs that hold it, so the users of a *set* of
//! URLs must be told apart: [`SiteTable::readers`] keeps up to k of every URL. **\[ours\]** That is enough. Let `R(u)` be
//! all users of u, and `T(u) ⊆ R(u)` those kept, `|T(u)| = min(k, |R(u)|)`. Then, for every set of URLs and every
//! threshold `j ≤ k`,
//!
//! ```text
//! |⋃ T(u)| ≥ j   ⇔   |⋃ R(u)| ≥ j
//! ```
//!
//! ⇒ since `T(u) ⊆ R(u)`. ⇐ if some URL has k users or more, its k kept ones alone are enough; if none has, nothing was
//! cut, and the two unions are the same.
//!
//! URLs are numbered in the order of their texts, and readers who have no name in that order, so a table does not depend
//! on the order in which it was filled.
//!
//! Read next: `builder` for how a table is filled, `texts` for how its URLs are held.

mod builder;
mod sorting;
mod texts;

pub use builder::SiteTableBuilder;

use crate::Entrance;
use texts::Texts;

/// So many slices the time of a table is cut into, each with as many visits as the others, as nearly as can be.
pub const SLICES: usize = 8;

/// Visits by slice, the oldest first.
pub type Slices = [u32; SLICES];

/// What people did with one URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UrlCounts {
    /// F_in: how often it was visited.
    pub visits: u64,
    /// F_out: how often it led on within the site.
    pub referrals: u64,
    /// How many of the visits came from outside, by [`Entrance`].
    pub entrances: [u64; Entrance::ALL.len()],
    /// How many different users visited it.
    pub users: u64,
    /// When it was visited.
    pub slices: Slices,
}

/// The URLs of one site, with what people did there.
#[derive(Debug)]
pub struct SiteTable {
    site: String,
    urls: Texts,
    counts: Vec<UrlCounts>,
    transits: Vec<(u32, u32, u64)>,
    /// Kept readers of all URLs, one URL after the other.
    readers: Vec<u32>,
    /// Where the readers of each URL end.
    reader_ends: Vec<usize>,
    kept_readers: u32,
    /// A bit a URL; empty if none is known.
    known: Vec<u64>,
    is_public: bool,
    users: u64,
    visits: u64,
}

impl SiteTable {
    /// The site.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// How many URLs it has.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// A URL by its number: host and path.
    pub fn url(&self, id: u32) -> &str {
        self.urls.get(id)
    }

    /// The number of a URL. A binary search: about a microsecond among a million.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.urls.search(text)
    }

    /// What people did with a URL.
    pub fn counts(&self, id: u32) -> UrlCounts {
        self.counts[id as usize]
    }

    /// F_trans: (from, to, how often), ordered.
    pub fn transits(&self) -> &[(u32, u32, u64)] {
        &self.transits
    }

    /// All visits, F_in of the root.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Different users of the site, each visit without a user one of its own.
    pub fn users(&self) -> u64 {
        self.users
    }

    /// Users of a URL by their numbers in this site, ascending: the smallest [`kept_readers`](Self::kept_readers) of
    /// them, or all. To tell whether a set of URLs has so many users, unite these.
    pub fn readers(&self, id: u32) -> &[u32] {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.reader_ends[before]);
        &self.readers[start..self.reader_ends[id]]
    }

    /// How many readers of a URL are kept at most: the largest threshold that can be told.
    pub fn kept_readers(&self) -> u32 {
        self.kept_readers
    }

    /// Whether the operator says that all of its URLs are public, however few users they have.
    pub fn is_public(&self) -> bool {
        self.is_public
    }

    /// Whether the operator gave this URL, visited or not.
    pub fn is_known(&self, id: u32) -> bool {
        self.known.get(id as usize / 64).is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests;
