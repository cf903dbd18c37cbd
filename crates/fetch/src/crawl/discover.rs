//! Where does an answer lead?
//!
//! Links of a page, its `Link` headers, the target of a redirect: each becomes absolute, canonical, and is asked whether it
//! belongs to the crawl. A page links to a URL once, and never to itself.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use trodden_ordering::{Beyond, Scope};
use trodden_urls::{CanonicalUrl, Canonicalizer, PolitenessKey, PolitenessUnit};

use super::join::Base;

/// A URL that an answer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    pub(super) url: String,
    /// The name of its queue.
    pub(super) queue: Arc<str>,
    pub(super) anchor: String,
}

/// What was found, and what was not taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Leads {
    pub(super) leads: Vec<Lead>,
    /// URLs out of scope.
    pub(super) beyond: u64,
    /// Which lead has this hash.
    seen: FxHashMap<u64, usize>,
}

impl Leads {
    /// Whether a URL is not among them yet; it is then the next to be pushed.
    fn is_new(&mut self, url: &str) -> bool {
        let next = self.leads.len();
        let first = *self.seen.entry(FxBuildHasher.hash_one(url)).or_insert(next);
        // Two URLs of one hash are as rare as they are harmless.
        first == next || self.leads[first].url != url && self.leads.iter().all(|lead| lead.url != url)
    }
}

/// Finds leads.
pub(super) struct Discovery {
    pub(super) canonicalizer: Canonicalizer,
    pub(super) scope: Scope,
    pub(super) unit: PolitenessUnit,
}

impl Discovery {
    /// A URL as it is known: canonical, with its queue; none if it is no URL, or beyond the scope.
    pub(super) fn lead(&self, url: &str, depth: u16) -> Option<Result<Lead, Beyond>> {
        let canonical = self.canonicalizer.absolute(url.as_bytes()).ok()?;
        if let Err(beyond) = self.scope.admits(canonical.as_str(), canonical.host(), canonical.path_and_query(), depth)
        {
            return Some(Err(beyond));
        }
        Some(Ok(self.named(canonical)))
    }

    /// A URL that was named to start from: filters and depth are for what it leads to.
    pub(super) fn seed(&self, url: &str) -> Option<Result<Lead, Beyond>> {
        let canonical = self.canonicalizer.absolute(url.as_bytes()).ok()?;
        if !self.scope.admits_seed(canonical.as_str(), canonical.host()) {
            return Some(Err(Beyond::Host));
        }
        Some(Ok(self.named(canonical)))
    }

    /// A list of URLs as it is known: anywhere on the hosts of the crawl, since it need not look like the pages that are
    /// wanted.
    pub(super) fn listing(&self, url: &str) -> Option<Result<Lead, Beyond>> {
        let canonical = self.canonicalizer.absolute(url.as_bytes()).ok()?;
        match self.scope.admits(canonical.as_str(), canonical.host(), canonical.path_and_query(), 0) {
            Err(Beyond::Host) => Some(Err(Beyond::Host)),
            _ => Some(Ok(self.named(canonical))),
        }
    }

    fn named(&self, url: CanonicalUrl<'_>) -> Lead {
        let queue = PolitenessKey::of(&url, self.unit, None).to_string().into();
        Lead { queue, url: url.into_text().into_owned(), anchor: String::new() }
    }

    /// Adds those of some links that belong to the crawl, each once.
    pub(super) fn add<'a>(
        &self,
        leads: &mut Leads,
        base: &Base,
        links: impl Iterator<Item = (&'a str, &'a str)>,
        own: &str,
        depth: u16,
    ) {
        let mut url = String::new();
        // Plain links stay at the host of their page, and in its queue.
        let mut queue: Option<Arc<str>> = None;
        for (href, anchor) in links {
            let Some(path) = base.plain(href, &mut url) else {
                let lead = base.any(href).and_then(|url| self.lead(url.as_str(), depth));
                match lead {
                    Some(Ok(lead)) if lead.url != own && leads.is_new(&lead.url) => {
                        leads.leads.push(Lead { anchor: anchor.to_owned(), ..lead });
                    }
                    Some(Err(_)) => leads.beyond += 1,
                    Some(Ok(_)) | None => {}
                }
                continue;
            };
            if self.scope.admits(&url, base.host(), &url[path..], depth).is_err() {
                leads.beyond += 1;
                continue;
            }
            if url == own || !leads.is_new(&url) {
                continue;
            }
            let named = queue.get_or_insert_with(|| self.queue(&url)).clone();
            leads.leads.push(Lead { url: url.clone(), queue: named, anchor: anchor.to_owned() });
        }
    }

    /// The name of the queue of a canonical URL.
    fn queue(&self, url: &str) -> Arc<str> {
        let canonical = self.canonicalizer.absolute(url.as_bytes());
        canonical.map(|url| PolitenessKey::of(&url, self.unit, None).to_string()).unwrap_or_default().into()
    }
}
