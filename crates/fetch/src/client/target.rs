//! Whom does a URL ask, and for what?

use std::net::IpAddr;

use http::Uri;
use http::uri::PathAndQuery;
use url::{Host, Position, Url};

use super::FetchFault;
use crate::address::is_bad_port;

/// Scheme, host and port: what a connection serves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key {
    pub(super) is_https: bool,
    /// An IPv6 address is without brackets.
    pub(super) host: Box<str>,
    pub(super) port: u16,
}

/// A URL, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) key: Key,
    /// The address, if the URL has one instead of a name.
    pub(super) literal: Option<IpAddr>,
    /// The value of `Host`.
    pub(super) authority: String,
    pub(super) path: PathAndQuery,
}

impl Target {
    pub(super) fn parse(url: &str) -> Result<Self, FetchFault> {
        let url = Url::parse(url).map_err(|_| FetchFault::BadUrl)?;
        let is_https = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(FetchFault::BadUrl),
        };
        let port = url.port_or_known_default().ok_or(FetchFault::BadUrl)?;
        if is_bad_port(port) {
            return Err(FetchFault::BadPort(port));
        }
        let (host, literal) = match url.host().ok_or(FetchFault::BadUrl)? {
            Host::Domain(name) => (name.into(), None),
            Host::Ipv4(address) => (address.to_string().into(), Some(IpAddr::V4(address))),
            Host::Ipv6(address) => (address.to_string().into(), Some(IpAddr::V6(address))),
        };
        let path = PathAndQuery::try_from(&url[Position::BeforePath..Position::AfterQuery]);
        Ok(Self {
            key: Key { is_https, host, port },
            literal,
            authority: url[Position::BeforeHost..Position::AfterPort].to_owned(),
            path: path.map_err(|_| FetchFault::BadUrl)?,
        })
    }

    /// `host:port`, as CONNECT wants it.
    pub(super) fn host_and_port(&self) -> String {
        match self.literal {
            Some(IpAddr::V6(address)) => format!("[{address}]:{}", self.key.port),
            _ => format!("{}:{}", self.key.host, self.key.port),
        }
    }

    /// The URL as HTTP/2 and proxies have it.
    pub(super) fn absolute(&self) -> Result<Uri, FetchFault> {
        let scheme = if self.key.is_https { "https" } else { "http" };
        let uri = Uri::builder().scheme(scheme).authority(self.authority.as_str()).path_and_query(self.path.clone());
        uri.build().map_err(|_| FetchFault::BadUrl)
    }

    /// The URL as a server has it that is asked directly.
    pub(super) fn relative(&self) -> Uri {
        Uri::from(self.path.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_every_canonical_url_can_be_asked_for() {
        let printable: String = (b' '..=b'~').map(char::from).filter(|c| !"?#\\".contains(*c)).collect();
        for raw in [
            format!("http://a.example/{printable}?{printable}"),
            "http://a_b.example/é?é|^`{}[]\"'".to_owned(),
            "https://xn--bcher-kva.example./100%?%".to_owned(),
            "http://a.example//x//?".to_owned(),
        ] {
            let canonicalizer = trodden_urls::Canonicalizer::default();
            let canonical = canonicalizer.absolute(raw.as_bytes()).unwrap();
            let target = Target::parse(canonical.as_str()).unwrap();
            assert_eq!(target.path.as_str(), canonical.path_and_query());
            assert_eq!(target.relative().to_string(), canonical.path_and_query());
            assert_eq!(target.absolute().unwrap().to_string(), canonical.as_str());
        }
    }

    #[test]
    fn ours_what_cannot_be_asked_for_is_told() {
        for (url, fault) in [
            ("", FetchFault::BadUrl),
            ("/a", FetchFault::BadUrl),
            ("ftp://a.example/", FetchFault::BadUrl),
            ("http://a.example:25/", FetchFault::BadPort(25)),
        ] {
            assert_eq!(Target::parse(url).unwrap_err(), fault, "{url}");
        }
    }

    #[test]
    fn ours_credentials_and_fragments_are_not_sent() {
        let target = Target::parse("http://user:secret@[2001:DB8::1]:81/a?b#c").unwrap();
        assert_eq!(target.absolute().unwrap().to_string(), "http://[2001:db8::1]:81/a?b");
        assert_eq!(target.host_and_port(), "[2001:db8::1]:81");
        assert_eq!(&*target.key.host, "2001:db8::1");
    }
}
