//! Where does an answer lead?
//!
//! Links of a page, its `Link` headers, the target of a redirect: each becomes absolute, canonical, and is asked whether it
//! belongs to the crawl. A page links to a URL once, and never to itself.

use rustc_hash::FxHashSet;
use trodden_ordering::{Beyond, Scope};
use trodden_urls::{Canonicalizer, PolitenessKey, PolitenessUnit};
use url::Url;

/// A URL that an answer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    pub(super) url: String,
    /// The name of its queue.
    pub(super) queue: String,
    pub(super) anchor: String,
}

/// What was found, and what was not taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Leads {
    pub(super) leads: Vec<Lead>,
    /// URLs out of scope.
    pub(super) beyond: u64,
    seen: FxHashSet<String>,
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
        let queue = PolitenessKey::of(&canonical, self.unit, None).to_string();
        Some(Ok(Lead { queue, url: canonical.into_text().into_owned(), anchor: String::new() }))
    }

    /// A list of URLs as it is known: anywhere on the hosts of the crawl.
    pub(super) fn listing(&self, url: &str, depth: u16) -> Option<Result<Lead, Beyond>> {
        match self.lead(url, depth)? {
            // A sitemap need not look like the pages that are wanted.
            Err(Beyond::Host) => Some(Err(Beyond::Host)),
            Ok(lead) => Some(Ok(lead)),
            Err(_) => {
                let canonical = self.canonicalizer.absolute(url.as_bytes()).ok()?;
                let queue = PolitenessKey::of(&canonical, self.unit, None).to_string();
                Some(Ok(Lead { queue, url: canonical.into_text().into_owned(), anchor: String::new() }))
            }
        }
    }

    /// Adds those of some URLs that belong to the crawl, each once.
    pub(super) fn add<'a>(&self, leads: &mut Leads, urls: impl Iterator<Item = (Url, &'a str)>, own: &str, depth: u16) {
        for (url, anchor) in urls {
            match self.lead(url.as_str(), depth) {
                Some(Ok(lead)) if lead.url != own && leads.seen.insert(lead.url.clone()) => {
                    leads.leads.push(Lead { anchor: anchor.to_owned(), ..lead });
                }
                Some(Err(_)) => leads.beyond += 1,
                Some(Ok(_)) | None => {}
            }
        }
    }
}
