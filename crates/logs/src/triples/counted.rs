//! How much memory would a site take that does not fit?
//!
//! When a site has become too large, what is known of its URLs is given back, and those that follow are only counted, by a
//! sample of their fingerprints. What a URL takes on average is known by then; the whole takes as much more as it has more
//! URLs. Later URLs have fewer new parts than the first, so that this is rather too much than too little.

use trodden_mining::Distinct;

use super::spelling::{Namer, Spelled, url_key};
use super::steps::Step;
use crate::visits::VisitBatch;

/// The URLs of one site.
pub(super) struct CountedUrls {
    /// How many there were when it became too large, and the bytes that they take.
    then: (u64, u64),
    urls: Distinct,
}

impl CountedUrls {
    pub(super) fn new(urls: u64, bytes: u64) -> Self {
        Self { then: (urls, bytes), urls: Distinct::default() }
    }

    /// Adds a URL that was known before: host and path.
    pub(super) fn add(&mut self, url: &str) {
        self.urls.add(url_key(url).parts().0);
    }

    /// Adds what rows name.
    pub(super) fn take(&mut self, namer: &Namer, site: &str, batch: &VisitBatch, steps: &[Step]) {
        for step in steps {
            self.urls.add(hash(step.target));
            let Some(from) = step.from.map(hash).filter(|hash| self.urls.wants(*hash)) else { continue };
            let url = batch.referrer(step.row as usize).and_then(|text| namer.parse(text));
            if url.is_some_and(|url| namer.is_of(site, &url)) {
                self.urls.add(from);
            }
        }
    }

    /// All different URLs, and the bytes that they take.
    pub(super) fn whole(&self) -> (u64, u64) {
        let (urls, bytes) = self.then;
        let all = self.urls.count().max(urls);
        let bytes = u128::from(bytes) * u128::from(all) / u128::from(urls.max(1));
        (all, u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}

fn hash(text: Spelled) -> u64 {
    text.key.parts().0
}
