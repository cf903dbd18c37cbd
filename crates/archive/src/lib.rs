//! What did we keep? Writing and reading archives of web pages, and the pages in them.
//!
//! The life of a kept page:
//!
//! 1. [`warc`] unpacks a WARC file and cuts it into records; what is damaged is skipped and counted.
//! 2. [`http`] splits a response record into status, headers and body, and undoes the codings of the body.
//! 3. [`page`] turns the body into text by its charset; the text into links, title and words, and into a profile of its
//!    tag paths, so that two pages can be compared by their layout. [`pages_in`] finds the pages of a file or a folder.
//!
//! Before that, it was kept: [`warc::write`](mod@warc::write) wrote it as a record, and [`cdxj`] a line about it.
//!
//! Invariants: every byte from outside meets one of the [`Caps`]; a bad record or page costs one entry of a tally,
//! never the run; a crash takes no record that was on disk; nothing is fetched, and neither clock nor randomness is read.

pub mod caps;
pub mod cdxj;
mod error;
mod headers;
pub mod http;
pub mod page;
pub mod warc;

pub use caps::Caps;
pub use error::Error;
pub use headers::Headers;
pub use page::{Address, Link, LinkKind, Page, PageContent, Pages, Redirect, TagPaths, Want, pages_in};
pub use warc::{RecordKind, Shortened, WarcReader, WarcRecord, WarcTally, WarcWriter};
