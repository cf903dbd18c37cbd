//! Which texts were seen before, and as what?

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::scan::TextCache;

/// What is remembered of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The number of its URL within its site; [`NO_PAGE`] if it was only seen as a referrer of another site, or is no URL.
    pub(super) url: u32,
    /// Where its votes are; from `rows::ENTRANCES_FROM` up, which entrance it is.
    pub(super) votes: u32,
}

pub(super) const NO_PAGE: u32 = u32::MAX;
/// The operator wants nothing of it to count.
pub(super) const EXCLUDED: u32 = u32::MAX - 1;

impl Seen {
    pub(super) fn is_page(self) -> bool {
        self.url < EXCLUDED
    }

    pub(super) fn is_excluded(self) -> bool {
        self.url == EXCLUDED
    }
}

/// Texts by fingerprint, a table a site: files are in the order of sites, so that what is looked for together lies
/// together. One thread adds to them, several look into them.
pub(super) struct SeenTexts(RwLock<Vec<TextCache<Seen>>>);

impl SeenTexts {
    pub(super) fn new(sites: usize) -> Self {
        Self(RwLock::new((0..sites).map(|_| TextCache::new()).collect()))
    }

    /// Gives back all memory; the sites stay, with nothing known of them.
    pub(super) fn forget(&self) {
        self.write().iter_mut().for_each(|texts| *texts = TextCache::new());
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Vec<TextCache<Seen>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Vec<TextCache<Seen>>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
