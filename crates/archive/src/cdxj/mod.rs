//! Where is the record of a URL?
//!
//! A line a record, `<SURT key> <yyyyMMddHHmmss> {json}`, sorted as bytes: what pywb and other tools search by halving.
//! Responses, revisits and resources are listed.
//!
//! The life of a line: it is put together with its record (`line`), held back until the record is on disk and then
//! appended to `index.cdxj.part` (`journal`), and sorted into `index.cdxj` at the end or on demand ([`sort_index`]).
//! After a crash the missing lines are taken from the archive (`recover` of [`warc::write`](mod@crate::warc::write)); an index
//! that is lost is made anew ([`rebuild_index`]).

pub(crate) mod journal;
pub(crate) mod line;
pub(crate) mod lines;
mod rebuild;
mod sort;

pub use journal::JOURNAL;
pub(crate) use journal::Journal;
pub use rebuild::rebuild_index;
pub use sort::{SORT_BYTES, sort_index};

/// The sorted index of a folder.
pub const INDEX: &str = "index.cdxj";
/// How the names of files start that are not finished, and may be deleted.
pub(crate) const SCRATCH: &str = "index.cdxj.tmp-";
