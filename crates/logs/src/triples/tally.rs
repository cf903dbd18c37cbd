//! The first reading: which sites are there, how many visits has each, and when was the first?

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::parts::{Part, Span, Turns};
use super::spelling::Namer;
use crate::error::Error;
use crate::visits::{Columns, VisitBatch};

/// Visits by site, and their times.
#[derive(Debug)]
pub(super) struct Tally {
    sites: FxHashMap<String, u64>,
    /// The first time; the largest number if there is none.
    pub(super) first: i64,
    /// The last time; the smallest number if there is none.
    pub(super) last: i64,
}

impl Tally {
    fn new() -> Self {
        Self { sites: FxHashMap::default(), first: i64::MAX, last: i64::MIN }
    }

    pub(super) fn visits(&self) -> u64 {
        self.sites.values().sum()
    }

    pub(super) fn into_sites(self) -> Vec<(String, u64)> {
        let mut sites: Vec<_> = self.sites.into_iter().collect();
        sites.sort_unstable();
        sites
    }

    fn add(&mut self, site: &str, visits: u64) {
        if visits == 0 {
            return;
        }
        match self.sites.get_mut(site) {
            Some(n) => *n += visits,
            None => _ = self.sites.insert(site.to_owned(), visits),
        }
    }

    fn take(&mut self, batch: &VisitBatch, columns: Columns, span: Span, namer: &Namer) {
        let mut run: (Cow<'_, str>, u64) = (Cow::Borrowed(""), 0);
        for row in 0..batch.len() {
            let Some(time) = batch.time_ms(row).filter(|time| span.has(*time)) else { continue };
            let site = match columns {
                Columns::TimeAndSite => batch.site(row).map(Cow::Borrowed),
                Columns::All => batch.get(row).and_then(|visit| namer.site(&visit)),
            };
            let Some(site) = site else { continue };
            (self.first, self.last) = (self.first.min(time), self.last.max(time));
            // Files are in the order of sites: one look-up a site, not a row.
            if run.0 != site {
                self.add(&run.0, run.1);
                run = (site, 0);
            }
            run.1 += 1;
        }
        self.add(&run.0, run.1);
    }
}

/// Counts the visits of these parts that lie in a span.
pub(super) fn tally(parts: &[Part], span: Span, namer: &Namer, threads: usize) -> Result<Tally, Error> {
    let turns = Turns::new(parts.iter());
    let all = Mutex::new(Tally::new());
    crate::threads::run(threads.max(1), || {
        let mut own = Tally::new();
        while let Some(part) = turns.next() {
            let columns = if part.names_all_sites() { Columns::TimeAndSite } else { Columns::All };
            part.read(columns, |batch| {
                own.take(&batch, columns, span, namer);
                Ok(())
            })?;
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        (all.first, all.last) = (all.first.min(own.first), all.last.max(own.last));
        if all.sites.is_empty() {
            all.sites = own.sites;
        } else {
            own.sites.iter().for_each(|(site, n)| all.add(site, *n));
        }
        Ok(())
    })?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}
