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
    fn ours_an_origin_prints_as_the_beginning_of_its_urls() {
        assert_eq!(origin("https://a.com:443/x").to_string(), "https://a.com");
        assert_eq!(origin("https://[::1]:8443/x").to_string(), "https://[::1]:8443");
        assert_eq!(origin("https://a.com/").port(), 443);
    }
}
