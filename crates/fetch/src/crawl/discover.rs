//! Where does an answer lead?
//!
//! Links of a page, its `Link` headers, the target of a redirect: each becomes absolute, canonical, and is asked whether it
//! belongs to the crawl. A page links to a URL once, and never to itself.

use rustc_hash::FxHashSet;
use trodden_archive::PageContent;
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
        if let Err(beyond) =
            self.scope.admits(canonical.as_str(), canonical.host(), canonical.path_and_query(), depth)
        {
            return Some(Err(beyond));
        }
        let queue = PolitenessKey::of(&canonical, self.unit, None).to_string();
        Some(Ok(Lead { queue, url: canonical.into_text().into_owned(), anchor: String::new() }))
    }

    /// The links of a page that may be followed.
    pub(super) fn links(&self, content: &PageContent, page: &Url, own: &str, depth: u16) -> Leads {
        let followed = content.resolved(page).filter(|(_, link)| !link.is_nofollow);
        self.gather(followed.map(|(url, link)| (url, link.anchor.as_str())), own, depth)
    }

    /// Those of some URLs that belong to the crawl, each once.
    pub(super) fn gather<'a>(
        &self,
        urls: impl Iterator<Item = (Url, &'a str)>,
        own: &str,
        depth: u16,
    ) -> Leads {
        let mut leads = Leads::default();
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for (url, anchor) in urls {
            match self.lead(url.as_str(), depth) {
                Some(Ok(lead)) if lead.url != own && seen.insert(lead.url.clone()) => {
                    leads.leads.push(Lead { anchor: anchor.to_owned(), ..lead });
                }
                Some(Err(_)) => leads.beyond += 1,
                Some(Ok(_)) | None => {}
            }
        }
        leads
    }
}
