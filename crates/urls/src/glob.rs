//! Which URLs does an operator mean by `/basket/*` or `*.pdf`?
//!
//! A glob is over the path and query if it begins with `/`, else over the whole URL. `*` stands for anything, slashes
//! included.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use thiserror::Error;

/// A glob that is none.
#[derive(Debug, Error)]
#[error("{glob:?} is no glob: {why}; write it as '/blog/*' or '*.pdf'")]
pub struct GlobFault {
    glob: String,
    why: String,
}

/// How a URL may be written before its host, where that is not known.
const WAYS: [&str; 4] = ["https://www.", "https://", "http://www.", "http://"];

/// Globs, ready to be matched against many URLs.
#[derive(Clone, Debug)]
pub struct UrlGlobs {
    paths: GlobSet,
    urls: GlobSet,
}

impl Default for UrlGlobs {
    /// None: nothing fits.
    fn default() -> Self {
        Self { paths: GlobSet::empty(), urls: GlobSet::empty() }
    }
}

impl UrlGlobs {
    /// Reads globs.
    ///
    /// # Errors
    /// If one is none.
    pub fn new(globs: &[String]) -> Result<Self, GlobFault> {
        let set = |is_path: bool| {
            let mut builder = GlobSetBuilder::new();
            for glob in globs.iter().filter(|glob| glob.starts_with('/') == is_path) {
                let fault = |why: globset::Error| GlobFault { glob: glob.clone(), why: why.kind().to_string() };
                builder.add(GlobBuilder::new(glob).literal_separator(false).build().map_err(fault)?);
            }
            builder.build().map_err(|why| GlobFault { glob: globs.join(" "), why: why.kind().to_string() })
        };
        Ok(Self { paths: set(true)?, urls: set(false)? })
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.urls.is_empty()
    }

    /// Whether one fits a URL, given whole and by its path and query.
    #[must_use]
    pub fn matches(&self, url: &str, path_and_query: &str) -> bool {
        (!self.paths.is_empty() && self.paths.is_match(path_and_query))
            || (!self.urls.is_empty() && self.urls.is_match(url))
    }

    /// The same where the scheme and `www.` are not known, as in site tables and models: one of the ways to write it must
    /// fit.
    #[must_use]
    pub fn matches_any_spelling(&self, host: &str, path_and_query: &str) -> bool {
        if !self.paths.is_empty() && self.paths.is_match(path_and_query) {
            return true;
        }
        !self.urls.is_empty() && WAYS.iter().any(|way| self.urls.is_match(format!("{way}{host}{path_and_query}")))
    }

    /// The same for a whole URL, however it is spelled.
    #[must_use]
    pub fn matches_url(&self, url: &str) -> bool {
        let host = url.split_once("://").map_or(url, |(_, rest)| rest);
        self.matches_text(host.strip_prefix("www.").unwrap_or(host))
    }

    /// The same for one text, `host/path?query`.
    #[must_use]
    pub fn matches_text(&self, url: &str) -> bool {
        let (host, path_and_query) = url.split_at(url.find(['/', '?']).unwrap_or(url.len()));
        !self.is_empty() && self.matches_any_spelling(host, path_and_query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(list: &[&str]) -> UrlGlobs {
        UrlGlobs::new(&list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn ours_globs_are_over_the_path_or_over_the_whole_url() {
        let paths = globs(&["/basket*", "/*\\?*q=*"]);
        for inside in ["a.com/basket", "a.com/basket/view", "a.com/find?x=1&q=lamp"] {
            assert!(paths.matches_text(inside), "{inside}");
        }
        for outside in ["a.com/", "a.com/my/basket", "a.com/find?x=1"] {
            assert!(!paths.matches_text(outside), "{outside}");
        }
        let urls = globs(&["*.pdf", "https://www.b.com/*", "http://c.com/x"]);
        for inside in ["a.com/paper.pdf", "b.com/any", "c.com/x"] {
            assert!(urls.matches_text(inside), "{inside}");
        }
        assert!(urls.matches_url("http://www.b.com/any") && !urls.matches_url("https://www.d.com/any"));
        assert!(!urls.matches_text("c.com/y") && !urls.matches_text("a.com/pdf"));
        assert!(urls.matches("http://c.com/x", "/x") && !urls.matches("https://c.com/x", "/x"));
        assert!(!UrlGlobs::default().matches_text("a.com/") && UrlGlobs::default().is_empty());
        assert!(UrlGlobs::new(&["/a[b".to_owned()]).unwrap_err().to_string().contains("/a[b"));
    }
}
