//! Where would a crawl start if nobody says?

use rustc_hash::FxHashMap;

use super::Mirror;
use crate::graph::PageId;
use crate::urls::identity;

/// Paths that home pages have, best first.
const HOMES: [&str; 4] = ["/", "/index.html", "/index.htm", "/index.php"];

impl Mirror {
    /// The artificial entry page, or the home page of the host with the most pages.
    pub fn home(&self) -> Option<PageId> {
        if self.entry.is_some() {
            return self.entry;
        }
        let mut hosts: FxHashMap<String, u32> = FxHashMap::default();
        for page in (0..self.pages()).filter(|_| self.urls.has_urls()) {
            let url = identity(self.urls.get(page));
            let host = url.split('/').next().unwrap_or_default();
            match hosts.get_mut(host) {
                Some(pages) => *pages += 1,
                None => drop(hosts.insert(host.to_owned(), 1)),
            }
        }
        let (host, _) = hosts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
        HOMES.iter().find_map(|path| self.page_of_visit(&format!("{host}{path}")))
    }
}
