//! Who must not be asked too often?
//!
//! **\[ours\]** Politeness counts requests against whatever one machine or one owner serves, by the operator's choice:
//! the host (whatever scheme, `www.` or port: it is one machine to its owner), the registrable domain, or the address.

use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::host::HostKey;
use super::site::registrable_domain;
use crate::CanonicalUrl;

/// What the operator chose to count requests against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolitenessUnit {
    /// The host.
    #[default]
    Host,
    /// The registrable domain: one owner's hosts together.
    RegistrableDomain,
    /// The address that the host resolved to: hosts on one machine together.
    Address,
}

/// The unit of politeness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolitenessKey {
    /// A host without `www.` and port.
    Host(Box<str>),
    /// A registrable domain.
    RegistrableDomain(Box<str>),
    /// An address; an IPv4 address mapped into IPv6 is the IPv4 address.
    Address(IpAddr),
}

impl PolitenessKey {
    /// The key of a URL. `address` is what its host resolved to, if that is known; without it, counting by address
    /// falls back to the host.
    #[must_use]
    pub fn of(url: &CanonicalUrl<'_>, unit: PolitenessUnit, address: Option<IpAddr>) -> Self {
        let key = HostKey::new(url.host(), None);
        let host = key.as_str();
        match (unit, address) {
            (PolitenessUnit::Address, Some(address)) => Self::Address(address.to_canonical()),
            (PolitenessUnit::RegistrableDomain, _) => match registrable_domain(host) {
                Some(domain) => Self::RegistrableDomain(domain.into()),
                None => Self::Host(host.into()),
            },
            (PolitenessUnit::Host | PolitenessUnit::Address, _) => Self::Host(host.into()),
        }
    }
}

impl fmt::Display for PolitenessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(name) | Self::RegistrableDomain(name) => f.write_str(name),
            Self::Address(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Canonicalizer;

    fn key(raw: &str, unit: PolitenessUnit, address: Option<&str>) -> PolitenessKey {
        let url = Canonicalizer::default().absolute(raw.as_bytes()).unwrap().into_owned();
        PolitenessKey::of(&url, unit, address.map(|it| it.parse().unwrap()))
    }

    #[test]
    fn ours_politeness_counts_what_the_operator_chose() {
        let host = key("https://www.shop.example.com:8443/", PolitenessUnit::Host, Some("192.0.2.1"));
        assert_eq!(host, PolitenessKey::Host("shop.example.com".into()));
        let domain = key("https://shop.example.com/", PolitenessUnit::RegistrableDomain, None);
        assert_eq!(domain, PolitenessKey::RegistrableDomain("example.com".into()));
        let address = key("https://a.com/", PolitenessUnit::Address, Some("::ffff:192.0.2.1"));
        assert_eq!(address, key("http://b.org/", PolitenessUnit::Address, Some("192.0.2.1")));
    }

    #[test]
    fn ours_politeness_falls_back_to_the_host() {
        let unresolved = key("http://a.com/", PolitenessUnit::Address, None);
        assert_eq!(unresolved, PolitenessKey::Host("a.com".into()));
        let literal = key("http://127.0.0.1:81/", PolitenessUnit::RegistrableDomain, None);
        assert_eq!(literal.to_string(), "127.0.0.1");
    }
}
