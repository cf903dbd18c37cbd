//! Series from visits: one user, one page, one day, one view.

use trodden_mining::interest::Bin;
use trodden_urls::Interner;
use xxhash_rust::xxh3::xxh3_64;

use super::super::without_views::WithoutViews;
use super::{DAY_MS, PageViews, SeriesSettings, SeriesTable, fits, pooled, scratch};
use crate::error::Error;
use crate::spool::{Fixed, Sorter};
use crate::visits::StoredVisits;

/// A visit in the order in which it is counted: by page, user and day, the first of a day before the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SeenVisit {
    page: u32,
    user: u64,
    /// 1 if the user has a name, 0 if not: those are all different visits of one user.
    is_named: u8,
    day: i32,
    bin: i64,
    views: u64,
}

impl Fixed for SeenVisit {
    const BYTES: usize = 33;

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.page.to_le_bytes());
        out.extend_from_slice(&self.user.to_le_bytes());
        out.push(self.is_named);
        out.extend_from_slice(&self.day.to_le_bytes());
        out.extend_from_slice(&self.bin.to_le_bytes());
        out.extend_from_slice(&self.views.to_le_bytes());
    }

    fn get(b: &[u8]) -> Self {
        let four = |at: usize| [b[at], b[at + 1], b[at + 2], b[at + 3]];
        Self {
            page: u32::from_le_bytes(four(0)),
            user: u64::get(&b[4..12]),
            is_named: b[12],
            day: i32::from_le_bytes(four(13)),
            bin: u64::get(&b[17..25]).cast_signed(),
            views: u64::get(&b[25..33]),
        }
    }
}

impl SeriesTable {
    /// Reads visits.
    ///
    /// # Errors
    /// If they cannot be read, there are none, or the series do not fit.
    pub fn of_visits(visits: &StoredVisits, settings: &SeriesSettings) -> Result<Self, Error> {
        let scratch = scratch(settings);
        let bytes = usize::try_from(settings.memory / 4).unwrap_or(usize::MAX);
        let mut sorter: Sorter<SeenVisit> = Sorter::new(bytes, scratch.clone());
        let (mut names, mut sites) = (Interner::new(), Interner::new());
        let mut site_of: Vec<u32> = Vec::new();
        let (mut first, mut last, mut text_bytes) = (i64::MAX, i64::MIN, 0_u64);
        let mut failed = None;
        visits.each(|visit| {
            let page = names.intern(pooled(visit.url, settings));
            if page as usize == site_of.len() {
                text_bytes += visit.url.len() as u64;
                site_of.push(sites.intern(visit.site));
            }
            let bin = visit.time_ms.div_euclid(settings.bin_ms);
            (first, last) = (first.min(bin), last.max(bin));
            // The hash of a hash: nobody needs the reader, only whether two are the same.
            let user = visit.reader.map(|reader| xxh3_64(&reader.for_counting().to_le_bytes()));
            let seen = SeenVisit {
                page,
                user: user.unwrap_or(0),
                is_named: u8::from(user.is_some()),
                day: i32::try_from(visit.time_ms.div_euclid(DAY_MS)).unwrap_or(i32::MAX),
                bin,
                views: visit.views,
            };
            if let Err(error) = sorter.push(seen) {
                failed.get_or_insert(error);
            }
        })?;
        if let Some(error) = failed {
            return Err(scratch.failed(error));
        }
        if names.is_empty() {
            return Err(Error::NoViews { names: "the visits".to_owned(), why: WithoutViews::NoVisit });
        }
        let bins = usize::try_from(last - first).unwrap_or(usize::MAX).saturating_add(1);
        fits(names.len(), bins, text_bytes, settings)?;
        let mut pages: Vec<PageViews> = (0..)
            .zip(&site_of)
            .map(|(page, site)| PageViews {
                page: names.text(page).to_owned(),
                site: sites.text(*site).to_owned(),
                users: 0,
                bins: vec![Bin::default(); bins],
            })
            .collect();
        let mut before: Option<SeenVisit> = None;
        sorter
            .drain(|seen| {
                let key = |seen: &SeenVisit| (seen.page, seen.user, seen.is_named);
                let is_new_user = before.as_ref().is_none_or(|before| key(before) != key(&seen));
                let page = &mut pages[seen.page as usize];
                page.users += u64::from(is_new_user);
                let is_again = !is_new_user && before.is_some_and(|before| before.day == seen.day);
                if seen.is_named == 0 || !is_again {
                    let bin = &mut page.bins[usize::try_from(seen.bin - first).unwrap_or(0)];
                    #[expect(clippy::cast_precision_loss, reason = "counts of views are far below 2^53")]
                    let more = bin.plus(seen.views as f64);
                    *bin = more;
                }
                before = Some(seen);
            })
            .map_err(|e| scratch.failed(e))?;
        pages.sort_unstable_by(|a, b| a.page.cmp(&b.page));
        let first_ms = Some(first * settings.bin_ms);
        let mut table = Self { first_ms, bin_ms: settings.bin_ms, bins, pages, faults: Default::default() };
        table.open_gaps();
        Ok(table)
    }
}
