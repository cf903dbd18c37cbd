//! Which site does a host belong to?
//!
//! A site is what is mined by itself. **\[ours\]** By default it is the host key, so that `http`, `https`, `www.` and
//! bare spellings are one site; by option the registrable domain (one label below a public suffix). Aliases come
//! first. Addresses and single-label hosts stay as they are.

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::alias::Aliases;
use super::host::HostKey;

/// The unit of mining.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SiteKey(Box<str>);

impl SiteKey {
    /// A site named by a file that this project wrote: the text is taken as it is.
    #[must_use]
    pub fn named(text: &str) -> Self {
        Self(text.into())
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for SiteKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for SiteKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How hosts are grouped into sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteGrouping {
    /// Every host is a site.
    #[default]
    Host,
    /// All hosts under one registrable domain are a site, whatever their port.
    RegistrableDomain,
}

/// Says which site a host belongs to.
#[derive(Clone, Debug, Default)]
pub struct SiteKeys {
    grouping: SiteGrouping,
    aliases: Aliases,
}

impl SiteKeys {
    /// Aliases first, then the grouping.
    #[must_use]
    pub fn new(grouping: SiteGrouping, aliases: Aliases) -> Self {
        Self { grouping, aliases }
    }

    /// The site of a host.
    #[must_use]
    pub fn site_of(&self, host: &HostKey) -> SiteKey {
        let host = self.aliases.resolve(host);
        let site = match self.grouping {
            SiteGrouping::Host => host.as_str(),
            SiteGrouping::RegistrableDomain => registrable_domain(host.host()).unwrap_or(host.as_str()),
        };
        SiteKey::named(site)
    }
}

/// The registrable domain of a host name; `None` for addresses, single labels and public suffixes.
pub(super) fn registrable_domain(host: &str) -> Option<&str> {
    if super::host::is_address(host) {
        return None;
    }
    trodden_domains::registrable(host)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn site(grouping: SiteGrouping, host: &str, port: Option<u16>) -> String {
        SiteKeys::new(grouping, Aliases::none()).site_of(&HostKey::new(host, port)).as_str().to_owned()
    }

    #[test]
    fn ours_a_site_is_a_host_by_default() {
        assert_eq!(site(SiteGrouping::Host, "www.shop.example.co.uk", None), "shop.example.co.uk");
        assert_eq!(site(SiteGrouping::Host, "a.com", Some(81)), "a.com:81");
    }

    #[test]
    fn ours_a_site_may_be_a_registrable_domain() {
        let by_domain = |host, port| site(SiteGrouping::RegistrableDomain, host, port);
        assert_eq!(by_domain("shop.example.co.uk", None), "example.co.uk");
        assert_eq!(by_domain("a.b.example.com", Some(8080)), "example.com");
        assert_eq!(by_domain("ann.github.io", None), "ann.github.io");
        assert_eq!(by_domain("127.0.0.1", Some(8080)), "127.0.0.1:8080");
        assert_eq!(by_domain("[::1]", None), "[::1]");
        assert_eq!(by_domain("localhost", Some(3000)), "localhost:3000");
        assert_eq!(by_domain("co.uk", None), "co.uk");
    }

    #[test]
    fn ours_aliases_come_before_the_grouping() {
        let aliases = Aliases::parse(["youtu.be=m.youtube.com"]).unwrap();
        let sites = SiteKeys::new(SiteGrouping::RegistrableDomain, aliases);
        assert_eq!(sites.site_of(&HostKey::new("youtu.be", None)).as_str(), "youtube.com");
    }
}
