//! What can go wrong so that work cannot go on. A damaged file is not here: it is in a tally.

use std::io;

/// Why a list of URLs could not be read or written. Every message says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to open.
    #[error("cannot read {name}; check the path, and whether you may read it")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// XML, but of another kind.
    #[error(
        "{name} is no sitemap (its outermost element is <{root}>); give a sitemap, or a text file with one URL a line"
    )]
    NotASitemap {
        /// The file.
        name: String,
        /// The element.
        root: String,
    },
    /// More than the standard allows in one file.
    #[error("a sitemap may hold {cap} URLs; split the list and write several")]
    TooManyUrls {
        /// How many are allowed.
        cap: usize,
    },
    /// More than the standard allows in one file.
    #[error("a sitemap may hold {cap} bytes; split the list and write several")]
    TooManyBytes {
        /// How many are allowed.
        cap: u64,
    },
    /// The operating system refused to write.
    #[error("cannot write the sitemap (is there space, and may you write there?)")]
    Unwritable(#[source] io::Error),
}
