//! Where are authority and path in the text as it was written?
//!
//! Only the two rules that `url` has no switch for ask this, and only when they are off. The reading follows the
//! WHATWG parser for special schemes: control characters and spaces around the text, tabs and newlines anywhere are
//! dropped; any number of slashes or backslashes after the scheme; the authority ends at a slash, a backslash, `?` or
//! `#`.

/// Authority and path of a text that `url` has parsed as an http(s) URL.
pub(super) struct Written {
    clean: String,
    authority: usize,
    path: usize,
    path_end: usize,
}

impl Written {
    pub(super) fn new(raw: &str) -> Self {
        let clean: String =
            raw.trim_matches(|c: char| c <= ' ').chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
        let end = clean.len();
        let after_scheme = clean.find(':').map_or(end, |at| at + 1);
        let authority = find_from(&clean, after_scheme, |c| !matches!(c, '/' | '\\'));
        let path = find_from(&clean, authority, |c| matches!(c, '/' | '\\' | '?' | '#'));
        let path_end = find_from(&clean, path, |c| matches!(c, '?' | '#'));
        Self { clean, authority, path, path_end }
    }

    /// Credentials, host and port.
    pub(super) fn authority(&self) -> &str {
        &self.clean[self.authority..self.path]
    }

    /// The path, possibly empty, backslashes included.
    pub(super) fn path(&self) -> &str {
        &self.clean[self.path..self.path_end]
    }
}

fn find_from(text: &str, from: usize, stop: impl Fn(char) -> bool) -> usize {
    text[from..].find(stop).map_or(text.len(), |at| from + at)
}
