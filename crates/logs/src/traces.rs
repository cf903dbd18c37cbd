//! From visits to a trace: who read what, one after the other, over all sites.
//!
//! A visit without a user is by somebody who is seen once: it says nothing of what people read together, and is left out. So are rows of page-view
//! exports, which count and name nobody.

use rustc_hash::FxHashMap;
use trodden_mining::{Trace, TraceBuilder};

use crate::error::Error;
use crate::visits::{ReaderHash, SiteVisit, StoredVisits};

/// The trace of visits, by numbers that `page` gives their URLs (host without `www.`, path and query); none for a URL that does not matter.
///
/// # Errors
/// If a file cannot be read or is not one of visits.
pub fn trace(visits: &StoredVisits, mut page: impl FnMut(&SiteVisit<'_>) -> Option<u32>) -> Result<Trace, Error> {
    let mut users: FxHashMap<ReaderHash, u32> = FxHashMap::default();
    let mut builder = TraceBuilder::default();
    visits.each(|visit| {
        let Some(reader) = visit.reader else { return };
        let Some(page) = page(&visit) else { return };
        let user = *users.entry(reader).or_insert_with(|| builder.new_user());
        builder.add(user, page, visit.time_ms);
    })?;
    Ok(builder.finish())
}
