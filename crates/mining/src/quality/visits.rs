//! The visits that a model is judged by: how often each URL was visited in each stretch of time.

use rustc_hash::FxHashMap;
use trodden_urls::Interner;

use super::Periods;

/// Visits to the URLs of one site.
#[derive(Debug)]
pub struct LaterVisits {
    periods: Periods,
    urls: Interner,
    /// By URL and stretch of time.
    counts: FxHashMap<(u32, i64), u64>,
}

impl LaterVisits {
    /// None yet; time will be cut like this.
    #[must_use]
    pub fn new(periods: Periods) -> Self {
        Self { periods, urls: Interner::new(), counts: FxHashMap::default() }
    }

    /// Counts a visit to a URL, `host/path?query`.
    pub fn add(&mut self, url: &str, time_ms: i64) {
        let url = self.urls.intern(url);
        *self.counts.entry((url, self.periods.number(time_ms))).or_default() += 1;
    }

    /// How time is cut.
    #[must_use]
    pub fn periods(&self) -> Periods {
        self.periods
    }

    /// The URLs by their texts, each with its number and all its visits.
    pub(super) fn by_url(&self) -> Vec<(&str, u32, u64)> {
        let mut visits = vec![0; self.urls.len()];
        for ((url, _), n) in &self.counts {
            visits[*url as usize] += n;
        }
        let mut urls: Vec<_> = (0..).zip(visits).map(|(id, n)| (self.urls.text(id), id, n)).collect();
        urls.sort_unstable();
        urls
    }

    /// Number of the URL, number of the stretch, visits; in no order.
    pub(super) fn counts(&self) -> impl Iterator<Item = (u32, i64, u64)> {
        self.counts.iter().map(|((url, period), n)| (*url, *period, *n))
    }
}
