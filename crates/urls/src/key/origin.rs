//! Whose robots.txt rules this URL?
//!
//! RFC 9309 §2.3: robots.txt is per scheme, host and port. So `http` and `https`, `www.` and bare, are different.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{CanonicalUrl, Scheme};

/// Scheme, host and port of a URL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Origin {
    host: Box<str>,
    scheme: Scheme,
    port: u16,
}

impl Origin {
    /// The origin of a URL.
    #[must_use]
    pub fn of(url: &CanonicalUrl<'_>) -> Self {
        let scheme = url.scheme();
        Self { host: url.host().into(), scheme, port: url.port().unwrap_or(scheme.default_port()) }
    }

    /// The origin of the text of a canonical URL, and its path and query: nothing is made canonical again. None if it is no such text.
    #[must_use]
    pub fn split(canonical: &str) -> Option<(Self, &str)> {
        let (scheme, rest) = canonical.split_once("://")?;
        let scheme = if scheme == "https" { Scheme::Https } else { Scheme::Http };
        let (authority, target) = rest.split_at(rest.find('/')?);
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        // Colons of an address stand in brackets.
        let (host, port) = match host.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
            _ => (host, scheme.default_port()),
        };
        let target = target.split_once('#').map_or(target, |(target, _)| target);
        Some((Self { host: host.into(), scheme, port }, target))
    }

    /// `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host as WHATWG serialises it.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, default or not.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        if self.port != self.scheme.default_port() {
            write!(f, ":{}", self.port)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Canonicalizer;

    fn origin(raw: &str) -> Origin {
        Origin::of(&Canonicalizer::default().absolute(raw.as_bytes()).unwrap())
    }

    #[test]
    fn rfc9309_an_origin_is_scheme_host_and_port() {
        assert_eq!(origin("http://a.com:80/x"), origin("http://A.com/y?z"));
        assert_ne!(origin("http://a.com/"), origin("https://a.com/"));
        assert_ne!(origin("http://a.com/"), origin("http://www.a.com/"));
        assert_ne!(origin("http://a.com/"), origin("http://a.com:8080/"));
    }

    #[test]
    fn ours_a_canonical_text_is_split_as_it_was_parsed() {
        for raw in [
            "http://a.com",
            "https://a.com:8443/x/y?z=1&u=http://b.com:80/c",
            "HTTP://A.com:80/a:b@c/?q",
            "https://[::1]/",
            "http://[2001:db8::7]:8080/x",
            "http://user:pass@a.com:81/x",
            "http://127.0.0.1:8080/ä b",
            "http://xn--bcher-kva.example/#part",
        ] {
            let parsed = Canonicalizer::default().absolute(raw.as_bytes()).unwrap();
            let split = Origin::split(parsed.as_str());
            assert_eq!(split, Some((Origin::of(&parsed), parsed.path_and_query())), "{raw}");
        }
        for raw in ["", "a.com/x", "http://a.com", "http://a.com:/", "http://a.com:99999/"] {
            assert_eq!(Origin::split(raw), None, "{raw}");
        }
    }

    #[test]
    fn ours_an_origin_prints_as_the_beginning_of_its_urls() {
        assert_eq!(origin("https://a.com:443/x").to_string(), "https://a.com");
        assert_eq!(origin("https://[::1]:8443/x").to_string(), "https://[::1]:8443");
        assert_eq!(origin("https://a.com/").port(), 443);
    }
}
