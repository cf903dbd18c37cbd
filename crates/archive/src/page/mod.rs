//! What is on a kept page?
//!
//! [`charset`] turns its bytes into text, [`content`] its text into links, title and words, [`tag_paths`] into a profile
//! of its layout; [`read_answer`] does the first two for an answer as it came, and [`pages_in`] finds the pages of an archive or folder ([`walk`]).

mod answer;
pub mod charset;
pub mod content;
pub mod tag_paths;
pub mod walk;

use std::fmt;

pub use answer::{ReadAnswer, read_answer};
pub use charset::text_of;
pub use content::{Link, LinkKind, PageContent, Want};
pub use tag_paths::TagPaths;
pub use walk::{PageTally, Pages, Redirect, pages_in};

/// Where a page was.
///
/// `Debug` does not show it: a URL may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// The URL as the archive has it, or as the path in a folder tells it.
    Url(String),
    /// The path in a folder whose parts do not tell a host, with forward slashes.
    Path(String),
}

impl Address {
    /// The text of either.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Url(text) | Self::Path(text) => text,
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url(_) => "Url(…)",
            Self::Path(_) => "Path(…)",
        })
    }
}

/// One page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Where it was.
    pub address: Address,
    /// Its text.
    pub html: String,
    /// Whether a cap or damage cut it.
    pub is_cut: bool,
}
