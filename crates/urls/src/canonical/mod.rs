//! Which URL is it?
//!
//! The canonical form is what the WHATWG URL standard serialises, plus seven rules with a name and a switch each
//! ([`Rules`], one file per rule under `rule/`). Two texts with the same canonical form are one URL for everything
//! downstream.
//!
//! The life of a raw URL:
//!
//! ```text
//! bytes ──► fast::scan ──(plain ASCII, already WHATWG)──────────────► Layout ──► strip ──► CanonicalUrl
//!              └─(anything unusual)─► slow::parse (`url` crate + rules) ─► Layout ─┘
//! ```
//!
//! The fast path decides nothing of its own: it recognises texts on which the slow path would change nothing but
//! removing parameters, and a property test holds it to that. Removing parameters (`strip`) is shared.
//!
//! Invariants: the canonical form is ASCII; canonicalizing it again changes nothing and borrows; with the credentials
//! rule on (the default) it holds no user name or password.

mod fast;
mod layout;
mod rule;
mod rules;
mod slow;
mod strip;
mod url;

use std::borrow::Cow;

pub use self::rules::Rules;
pub use self::url::{CanonicalUrl, Scheme};
use crate::UrlFault;

/// The longest URL taken by default, in bytes, before and after percent-encoding.
pub const MAX_URL_BYTES: usize = 8192;

/// No setting may raise the cap beyond this: offsets inside a URL are 32-bit numbers.
const HIGHEST_CAP: usize = 1 << 24;

/// Gives every spelling of a URL the same text. Cheap to clone; no state.
#[derive(Clone, Debug)]
pub struct Canonicalizer {
    rules: Rules,
    max_bytes: usize,
}

impl Default for Canonicalizer {
    fn default() -> Self {
        Self::new(Rules::default())
    }
}

impl Canonicalizer {
    /// A canonicalizer with these rules and a cap of [`MAX_URL_BYTES`].
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { rules, max_bytes: MAX_URL_BYTES }
    }

    /// The same with another cap on the length of a URL, in bytes (at most 16 MiB).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes.min(HIGHEST_CAP);
        self
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// An absolute http(s) URL in any spelling, bytes as a log wrote them. Bytes that are not UTF-8 are
    /// percent-encoded one by one.
    ///
    /// About 100 ns and no allocation for a plain URL of 100 bytes, as logs are full of them; about a microsecond otherwise.
    ///
    /// # Errors
    /// A [`UrlFault`] that says why the text is no URL that can be crawled.
    pub fn absolute<'a>(&self, raw: &'a [u8]) -> Result<CanonicalUrl<'a>, UrlFault> {
        self.check_length(raw.len())?;
        match fast::absolute(&self.rules, raw) {
            Some(url) => Ok(url),
            None => self.absolute_slow(raw),
        }
    }

    /// The target of a request line in origin form (`/path?query`, the host is not known): its canonical path and
    /// query. Equal to the path and query that [`absolute`](Self::absolute) gives for `http://h.invalid` followed by
    /// `raw`; so `//x/y` is a path, never a host.
    ///
    /// # Errors
    /// [`UrlFault::NotOriginForm`] unless `raw` starts with a slash; [`UrlFault::TooLong`].
    pub fn origin_form<'a>(&self, raw: &'a [u8]) -> Result<Cow<'a, str>, UrlFault> {
        self.check_length(raw.len())?;
        if raw.first() != Some(&b'/') {
            return Err(UrlFault::NotOriginForm);
        }
        match fast::origin_form(&self.rules, raw) {
            Some(path_and_query) => Ok(path_and_query),
            None => self.origin_form_slow(raw),
        }
    }

    fn absolute_slow<'a>(&self, raw: &[u8]) -> Result<CanonicalUrl<'a>, UrlFault> {
        let url = slow::absolute(&self.rules, raw)?;
        self.check_length(url.as_str().len())?;
        Ok(url)
    }

    fn origin_form_slow<'a>(&self, raw: &[u8]) -> Result<Cow<'a, str>, UrlFault> {
        let mut whole = Vec::with_capacity(slow::STAND_IN.len() + raw.len());
        whole.extend_from_slice(slow::STAND_IN);
        whole.extend_from_slice(raw);
        let url = slow::absolute(&self.rules, &whole)?;
        let target = url.path_and_query();
        self.check_length(target.len())?;
        Ok(Cow::Owned(target.to_owned()))
    }

    fn check_length(&self, bytes: usize) -> Result<(), UrlFault> {
        if bytes > self.max_bytes {
            return Err(UrlFault::TooLong { bytes, cap: self.max_bytes });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
