//! What does a canonical URL tell about itself?

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::layout::Layout;

/// The two schemes that can be crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// `http`
    Http,
    /// `https`
    Https,
}

impl Scheme {
    /// `http` or `https`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// 80 or 443.
    #[must_use]
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What stands in `Display` and `Debug` where credentials are.
const REDACTED: &str = "***@";

/// A URL in canonical form, made by a [`Canonicalizer`](super::Canonicalizer) only.
///
/// Credentials are dropped by default. Where the rule is off, [`as_str`](Self::as_str) holds them, but `Display` and
/// `Debug` cannot print them.
#[derive(Clone)]
pub struct CanonicalUrl<'a> {
    text: Cow<'a, str>,
    layout: Layout,
}

impl<'a> CanonicalUrl<'a> {
    pub(super) fn new(text: Cow<'a, str>, layout: Layout) -> Self {
        Self { text, layout }
    }

    /// The whole text, with credentials if the rule that drops them is off.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The whole text, without copying if it was borrowed.
    #[must_use]
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// Whether the text is the very bytes that were given.
    #[must_use]
    pub fn is_borrowed(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_))
    }

    /// `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.layout.scheme
    }

    /// The host as WHATWG serialises it: a lower-case domain in Punycode, an IPv4 address, an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.slice(self.layout.host, self.layout.host_end)
    }

    /// The port, `None` if it is the scheme's default (even where the text spells it out).
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.layout.port
    }

    /// The path, from its first slash on.
    #[must_use]
    pub fn path(&self) -> &str {
        self.slice(self.layout.path, self.layout.query)
    }

    /// The query without its `?`.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        let query = self.slice(self.layout.query, self.layout.fragment);
        query.strip_prefix('?')
    }

    /// Path and query as a request line has them, without the fragment.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        self.slice(self.layout.path, self.layout.fragment)
    }

    /// The fragment without its `#`; always `None` unless the rule that drops it is off.
    #[must_use]
    pub fn fragment(&self) -> Option<&str> {
        self.text[self.layout.fragment as usize..].strip_prefix('#')
    }

    /// The same URL with a text of its own.
    #[must_use]
    pub fn into_owned(self) -> CanonicalUrl<'static> {
        CanonicalUrl { text: Cow::Owned(self.text.into_owned()), layout: self.layout }
    }

    fn slice(&self, from: u32, to: u32) -> &str {
        &self.text[from as usize..to as usize]
    }
}

impl PartialEq for CanonicalUrl<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for CanonicalUrl<'_> {}

impl std::hash::Hash for CanonicalUrl<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Display for CanonicalUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.layout.user == self.layout.host {
            return f.write_str(&self.text);
        }
        f.write_str(&self.text[..self.layout.user as usize])?;
        f.write_str(REDACTED)?;
        f.write_str(&self.text[self.layout.host as usize..])
    }
}

impl fmt::Debug for CanonicalUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CanonicalUrl({self})")
    }
}
