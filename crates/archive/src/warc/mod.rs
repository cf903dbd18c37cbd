//! What is in a WARC file?
//!
//! A WARC file (ISO 28500, versions 1.0 and 1.1) is a row of records. A record is a line `WARC/1.1`, header lines, an
//! empty line, as many bytes as `Content-Length` says, and two empty lines. Usually each record is a gzip member of
//! its own; some tools pack the whole file as one stream, with gzip or zstd, or not at all.
//!
//! [`WarcReader`] reads all of these ([`read`](mod@read)); a [`Record`] is what it gives.

mod kind;
pub mod read;
mod record;

pub use kind::RecordKind;
pub use read::{Tally, WarcReader};
pub use record::{Cut, Record};
