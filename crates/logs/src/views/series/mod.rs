//! Views of many pages, bin by bin: what curves of interest are fitted to.
//!
//! From tables ([`SeriesTable::of_tables`]) or from visits ([`SeriesTable::of_visits`]): there one user, one page and one day
//! are one view, in the bin of the first visit of the day.
//!
//! A bin that nobody looked at is a gap, not a zero: a cell of a wide table without a number, and a bin in which no page at
//! all has a view **\[ours\]**: the log stops there, not the readers. In a long table a page without a row for a bin had no
//! view then: tools leave zeros out.
//!
//! Pages are in the order of their texts; the order of rows does not matter.

mod of_tables;
mod of_visits;

use trodden_mining::calendar::MS_PER_DAY as DAY_MS;
use trodden_mining::interest::Bin;

use crate::error::Error;
use crate::spool::ScratchDir;

/// How views become series.
#[derive(Clone, Debug)]
pub struct SeriesSettings {
    /// Length of a bin in milliseconds.
    pub bin_ms: i64,
    /// The numbers of a table are sums up to the bin, not views in it.
    pub is_cumulative: bool,
    /// Query variants of one path are one page.
    pub pool_queries: bool,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Where scratch files go.
    pub scratch: std::path::PathBuf,
}

/// A page and its views.
#[derive(Clone, Debug)]
pub struct PageViews {
    /// Its URL, without scheme and `www.`; or whatever the table calls it.
    pub page: String,
    /// Its site; empty if the table does not tell.
    pub site: String,
    /// How many users viewed it: at least so many; 0 if nothing tells.
    pub users: u64,
    /// Its views.
    pub bins: Vec<Bin>,
}

/// The views of many pages.
#[derive(Clone, Debug)]
pub struct SeriesTable {
    /// When the first bin starts, in milliseconds since 1970; none if bins are only numbered.
    pub first_ms: Option<i64>,
    /// Length of a bin in milliseconds.
    pub bin_ms: i64,
    /// How many bins every page has.
    pub bins: usize,
    /// The pages, in the order of their texts.
    pub pages: Vec<PageViews>,
    /// Rows of tables that do not count, by reason.
    pub faults: std::collections::BTreeMap<super::RowFault, u64>,
}

impl SeriesTable {
    /// How many bins make a day.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a day has 86 million milliseconds")]
    pub fn bins_a_day(&self) -> f64 {
        DAY_MS as f64 / self.bin_ms as f64
    }

    /// Bins in which no page has a view become gaps.
    fn open_gaps(&mut self) {
        let mut is_seen = vec![false; self.bins];
        for page in &self.pages {
            for (seen, bin) in is_seen.iter_mut().zip(&page.bins) {
                *seen |= bin.views().is_some_and(|views| views > 0.0);
            }
        }
        let gaps: Vec<usize> = (0..self.bins).filter(|bin| !is_seen[*bin]).collect();
        for page in &mut self.pages {
            gaps.iter().for_each(|bin| page.bins[*bin] = Bin::GAP);
        }
    }
}

/// Whether so many pages and bins fit.
fn fits(pages: usize, bins: usize, text_bytes: u64, settings: &SeriesSettings) -> Result<(), Error> {
    let bytes = (pages as u64).saturating_mul(bins as u64).saturating_mul(4).saturating_add(2 * text_bytes);
    if bytes <= settings.memory {
        return Ok(());
    }
    Err(Error::TooManyBins { pages, bins, megabytes: bytes.div_ceil(1_000_000) })
}

fn scratch(settings: &SeriesSettings) -> ScratchDir {
    ScratchDir::below(settings.scratch.clone())
}

/// A page without its query and fragment, if variants are pooled.
fn pooled<'p>(page: &'p str, settings: &SeriesSettings) -> &'p str {
    if !settings.pool_queries {
        return page;
    }
    page.find(['?', '#']).map_or(page, |end| &page[..end])
}

#[cfg(test)]
mod tests;
