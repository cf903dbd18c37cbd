//! Which URLs were removed, while links to them are still in memory?
//!
//! A policy that keeps links cannot take all links to a URL out each time that one is removed: it would look through all it has. It takes
//! out those of all removed URLs together, before the first number of one of them is given to another URL. Numbers become free at
//! checkpoints only, so that is as rare as these, and costs no more.

use serde::{Deserialize, Serialize};
use trodden_frontier::{UrlId, UrlTable};

/// URLs that were removed, and whose numbers may be in links.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Removed(UrlTable<bool>);

impl Removed {
    pub(super) fn insert(&mut self, url: UrlId) {
        *self.0.slot(url) = true;
    }

    pub(super) fn has_any(&self, urls: impl IntoIterator<Item = UrlId>) -> bool {
        !self.0.is_empty() && urls.into_iter().any(|url| self.has(url))
    }

    pub(super) fn has(&self, url: UrlId) -> bool {
        self.0.get(url)
    }
}
