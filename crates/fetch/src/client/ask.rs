//! What is asked for? A URL, and what we know of it already.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::settings::BODY_BYTES;

/// What is accepted if nothing else is said: pages, and whatever there is.
pub const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// One request. `Debug` does not show the URL: it may hold a password.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// A canonical http or https URL. Credentials and fragment, if it has them, are not sent.
    pub url: &'a str,
    /// What the server said when it was asked last: it may answer that nothing has changed.
    pub validators: Option<&'a Validators>,
    /// The value of `Accept` ([`ACCEPT`]).
    pub accept: &'a str,
    /// The most bytes of the body, as it is sent ([`BODY_BYTES`]); the rest is left out.
    pub max_body: usize,
}

impl<'a> Ask<'a> {
    /// Asks for a URL as if for the first time.
    #[must_use]
    pub fn new(url: &'a str) -> Self {
        Self { url, validators: None, accept: ACCEPT, max_body: BODY_BYTES }
    }
}

impl fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask")
            .field("validators", &self.validators)
            .field("accept", &self.accept)
            .field("max_body", &self.max_body)
            .finish_non_exhaustive()
    }
}

/// What a server said about the version it gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// `ETag`, as it was sent.
    pub etag: Option<String>,
    /// `Last-Modified`, as it was sent.
    pub last_modified: Option<String>,
}
