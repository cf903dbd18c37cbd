//! What is in a WARC file, and how is one written?
//!
//! A WARC file (ISO 28500, versions 1.0 and 1.1) is a row of records. A record is a line `WARC/1.1`, header lines, an
//! empty line, as many bytes as `Content-Length` says, and two empty lines. Usually each record is a gzip member of
//! its own; some tools pack the whole file as one stream, with gzip or zstd, or not at all.
//!
//! [`WarcReader`] reads all of these ([`read`](mod@read)); a [`WarcRecord`] is what it gives. [`WarcWriter`] writes files of
//! one member a record ([`write`](mod@write)); [`repair`] cuts what a crash left torn, and [`check`] says whether a file
//! is what it should be.

mod check;
mod date;
mod digest;
mod folder;
mod kind;
pub(crate) mod member;
pub mod read;
mod record;
mod repair;
pub mod write;

pub use check::{CheckReport, Fault, check};
pub use date::WarcDate;
pub(crate) use date::digits_of;
pub use digest::Digest;
pub(crate) use folder::{archives_in, sync_dir};
pub use kind::RecordKind;
pub use read::{WarcReader, WarcTally};
pub use record::{Shortened, WarcRecord};
pub use repair::{Repaired, repair, whole_bytes};
pub use write::WarcWriter;
pub(crate) use write::plain_uri;
