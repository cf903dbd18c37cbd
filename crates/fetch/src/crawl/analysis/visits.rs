//! What do models and logs know of the URLs of a crawl?

use rustc_hash::FxHashMap;
use trodden_frontier::UrlId;
use trodden_ordering::standing::PatternNames;

use crate::crawl::{CrawlRecord, canonicalizer};

/// What is known of the URLs of a crawl beside what the crawl itself wrote down.
#[derive(Default)]
pub struct CrawlKnowledge {
    /// Names patterns, if there are models.
    pub patterns: Option<PatternNames>,
    /// Visits, if there are any.
    pub visits: VisitCounts,
}

/// Visits to a URL, as a log or a model has them.
#[derive(Clone, Copy, Debug)]
pub struct UrlVisits<'v> {
    /// The URL, absolute.
    pub url: &'v str,
    /// How many.
    pub visits: u64,
    /// Whether fewer people visited it than must have for their number to be told.
    pub is_rare: bool,
}

/// Visits by URL of a crawl.
#[derive(Clone, Debug, Default)]
pub struct VisitCounts {
    total: u64,
    by_key: FxHashMap<UrlId, VisitCount>,
}

#[derive(Clone, Copy, Debug, Default)]
struct VisitCount {
    all: u64,
    /// The part of them that may be told.
    told: u64,
}

impl VisitCounts {
    /// Of the URLs of this crawl.
    pub fn in_crawl<'v>(record: &CrawlRecord<'_>, visited: impl IntoIterator<Item = UrlVisits<'v>>) -> Self {
        let canonicalizer = canonicalizer();
        let mut counts = Self::default();
        for UrlVisits { url, visits, is_rare } in visited {
            let Ok(url) = canonicalizer.absolute(url.as_bytes()) else { continue };
            counts.total += visits;
            if let Some(key) = record.find(url.as_str()) {
                let count = counts.by_key.entry(key).or_default();
                count.all += visits;
                count.told += if is_rare { 0 } else { visits };
            }
        }
        counts
    }

    #[cfg(test)]
    pub(crate) fn by_key(visits: impl IntoIterator<Item = (UrlId, u64)>) -> Self {
        let count = |(key, all)| (key, VisitCount { all, told: all });
        let by_key: FxHashMap<UrlId, VisitCount> = visits.into_iter().map(count).collect();
        Self { total: by_key.values().map(|count| count.all).sum(), by_key }
    }

    /// Visits to all URLs, those that the crawl does not know among them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Visits to a URL: for sums over many, not to be told of one.
    #[must_use]
    pub fn of(&self, key: UrlId) -> u64 {
        self.by_key.get(&key).map_or(0, |count| count.all)
    }

    /// Visits to a URL that may be told; none if too few people made them.
    #[must_use]
    pub fn told(&self, key: UrlId) -> Option<u64> {
        self.by_key.get(&key).map(|count| count.told).filter(|told| *told > 0)
    }
}
