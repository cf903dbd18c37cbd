//! To which of the sites that are judged does a URL belong, and how do models write it?
//!
//! To the site of its host, `www.`, scheme and aliases aside, as a visit does; it is made canonical by the same rules.

use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKeys};

/// Finds the site of a URL.
#[derive(Debug)]
pub struct UrlPlaces {
    canonicalizer: Canonicalizer,
    aliases: Aliases,
    keys: SiteKeys,
}

impl UrlPlaces {
    /// By the rules that visits were taken in by.
    #[must_use]
    pub fn new(rules: Rules, aliases: Aliases, grouping: SiteGrouping) -> Self {
        Self { canonicalizer: Canonicalizer::new(rules), aliases, keys: SiteKeys::new(grouping, Aliases::none()) }
    }

    /// The site of a URL, and the URL as models write it: `host/path?query`. None if it is no URL.
    #[must_use]
    pub fn of(&self, url: &str) -> Option<(String, String)> {
        let url = self.canonicalizer.absolute(url.as_bytes()).ok()?;
        let host = HostKey::of(&url);
        let host = self.aliases.resolve(&host);
        Some((self.keys.site_of(host).as_str().to_owned(), format!("{host}{}", url.path_and_query())))
    }
}
