//! Which host is it, however it is spelled?
//!
//! Sites answer with and without `www.`, on http and on https; all four are one host to people. **\[ours\]** The key is
//! the host without a leading `www.` (only where something with a dot remains: `www.com` is a site), without a
//! trailing dot, in lower case, plus `:port` if that is not the scheme's default.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use serde::{Deserialize, Serialize};
use url::Host;

use crate::{CanonicalUrl, UrlFault};

/// The identity of a host: no scheme, no `www.`, no default port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HostKey(Box<str>);

impl HostKey {
    /// The key of a host as a canonical URL has it, with its port unless that is the scheme's default.
    #[must_use]
    pub fn new(host: &str, port: Option<u16>) -> Self {
        Self(Self::text_of(host, port).into())
    }

    /// The key of a URL's host.
    #[must_use]
    pub fn of(url: &CanonicalUrl<'_>) -> Self {
        Self::new(url.host(), url.port())
    }

    /// The text that [`new`](Self::new) would hold, without allocation for the plain hosts that fill a log: for
    /// look-ups in a map with `HostKey` as its key.
    #[must_use]
    pub fn text_of(host: &str, port: Option<u16>) -> Cow<'_, str> {
        let host = match spelled(host) {
            Cow::Borrowed(host) => Cow::Borrowed(without_www(host)),
            Cow::Owned(host) => Cow::Owned(without_www(&host).to_owned()),
        };
        match port {
            Some(port) => Cow::Owned(format!("{host}:{port}")),
            None => host,
        }
    }

    /// Reads `host` or `host:port` as an operator types it, in any case and script.
    ///
    /// # Errors
    /// [`UrlFault::NoHost`], [`UrlFault::BadHost`] or [`UrlFault::BadPort`].
    pub fn parse(text: &str) -> Result<Self, UrlFault> {
        let text = text.trim();
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && (!host.contains(':') || host.ends_with(']')) => {
                (host, Some(port.parse().map_err(|_| UrlFault::BadPort)?))
            }
            _ => (text, None),
        };
        if host.is_empty() {
            return Err(UrlFault::NoHost);
        }
        let host = Host::parse(host)?.to_string();
        Ok(Self::new(&host, port))
    }

    /// The key as text: `example.com`, `example.com:8080`, `[::1]:8080`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host alone, without its port.
    #[must_use]
    pub fn host(&self) -> &str {
        let after_address = self.0.rfind(']').map_or(0, |at| at + 1);
        self.0[after_address..].find(':').map_or(&*self.0, |at| &self.0[..after_address + at])
    }

    /// Whether the host is an IP address rather than a name.
    #[must_use]
    pub fn is_address(&self) -> bool {
        is_address(self.host())
    }
}

/// Whether `host`, as WHATWG serialises it, is an IP address.
pub(crate) fn is_address(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<Ipv4Addr>().is_ok(),
    }
}

fn spelled(host: &str) -> Cow<'_, str> {
    // A name that ends in a number would be an address without its dots.
    let ends_in_number =
        |name: &str| name.rsplit('.').next().is_some_and(|label| label.starts_with(|c: char| c.is_ascii_digit()));
    let host = match host.trim_end_matches('.') {
        "" => host,
        name if name.len() + 1 < host.len() && ends_in_number(name) => host,
        name => name,
    };
    if !host.is_ascii() {
        return Host::parse(host).map_or_else(|_| Cow::Owned(host.to_lowercase()), |host| Cow::Owned(host.to_string()));
    }
    if host.bytes().any(|b| b.is_ascii_uppercase()) {
        return Cow::Owned(host.to_ascii_lowercase());
    }
    Cow::Borrowed(host)
}

fn without_www(host: &str) -> &str {
    match host.strip_prefix("www.") {
        Some(rest) if rest.contains('.') && !rest.starts_with('.') => rest,
        _ => host,
    }
}

impl AsRef<str> for HostKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for HostKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for HostKey {
    type Error = UrlFault;

    fn try_from(text: String) -> Result<Self, UrlFault> {
        Self::parse(&text)
    }
}

impl From<HostKey> for String {
    fn from(key: HostKey) -> Self {
        key.0.into()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Canonicalizer;

    #[test]
    fn ours_all_spellings_of_a_host_have_one_key() {
        for (host, port, key) in [
            ("example.com", None, "example.com"),
            ("www.example.com", None, "example.com"),
            ("WWW.Example.COM.", None, "example.com"),
            ("example.com...", None, "example.com"),
            ("0..", None, "0.."),
            ("www.example.com", Some(8080), "example.com:8080"),
            ("www.com", None, "www.com"),
            ("www.", None, "www"),
            ("www", None, "www"),
            ("www.www.example.com", None, "www.example.com"),
            ("wwwexample.com", None, "wwwexample.com"),
            ("[::1]", Some(81), "[::1]:81"),
            ("bücher.example", None, "xn--bcher-kva.example"),
            ("", None, ""),
        ] {
            assert_eq!(HostKey::new(host, port).as_str(), key, "{host}");
        }
        assert!(matches!(HostKey::text_of("www.example.com", None), Cow::Borrowed("example.com")));
    }

    #[test]
    fn ours_scheme_and_default_port_do_not_count() {
        let key = |raw: &str| HostKey::of(&Canonicalizer::default().absolute(raw.as_bytes()).unwrap());
        assert_eq!(key("http://www.a.com:80/x"), key("https://a.com/y"));
        assert_ne!(key("http://a.com:443/"), key("https://a.com/"));
    }

    #[test]
    fn ours_an_operator_may_type_a_host_in_any_spelling() {
        assert_eq!(HostKey::parse(" WWW.Bücher.Example:81 ").unwrap().as_str(), "xn--bcher-kva.example:81");
        assert_eq!(HostKey::parse("[::1]").unwrap().as_str(), "[::1]");
        assert_eq!(HostKey::parse("[::1]:9").unwrap().host(), "[::1]");
        assert_eq!(HostKey::parse("a.com:9").unwrap().host(), "a.com");
        assert_eq!(HostKey::parse("").unwrap_err(), UrlFault::NoHost);
        assert_eq!(HostKey::parse("a.com:x").unwrap_err(), UrlFault::BadPort);
        assert_eq!(HostKey::parse("http://a.com/").unwrap_err(), UrlFault::BadPort);
        assert_eq!(HostKey::parse("a b").unwrap_err(), UrlFault::BadHost);
    }

    #[test]
    fn whatwg_an_address_is_no_name() {
        assert!(HostKey::new("127.0.0.1", Some(8000)).is_address());
        assert!(HostKey::new("[::1]", None).is_address());
        assert!(!HostKey::new("1.example", None).is_address());
    }
}
