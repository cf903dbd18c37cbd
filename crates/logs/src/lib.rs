//! What did people do? From raw web logs to clean visits.
//!
//! The life of a log line:
//!
//! 1. [`input`] finds the files, unpacks them under caps and cuts them into blocks of whole lines.
//! 2. [`format`](mod@format) splits each line into fields, as its log writes them.
//! 3. `scan` makes the URL canonical, the user a keyed hash ([`privacy`]), and drops what the line itself gives
//!    away (method, status, bots, assets): a record of forty bytes is left, in memory or on disk (`spool`).
//! 4. `judge` reads the records twice, by user and time: it observes, then judges by what needs the whole log
//!    ([`clean`]: groups, embedded requests, scanners).
//! 5. [`visits`] writes what is left as Parquet, a day a file; the [`ledger`] says what became of every line.
//!
//! Page-view exports, which count instead of listing, come in by another door ([`views`]) and become visits that count.
//!
//! [`ingest()`] does all of that; [`triples`] reads visits back, de-duplicated, into the tables that mining works on, and
//! [`training`] makes models of them.
//!
//! Invariants: only [`privacy`] sees a raw user; a bad line or file costs an entry of the ledger, never the run; the
//! result does not depend on the order of lines, the number of threads, or the memory.

pub mod clean;
mod clients;
mod error;
mod files;
pub mod format;
mod host_book;
mod hosts;
mod ingest;
pub mod input;
mod judge;
pub mod ledger;
pub mod listing;
mod named_site;
pub mod privacy;
pub mod referrer;
mod room;
mod scan;
mod space;
mod spool;
mod threads;
pub mod traces;
pub mod training;
pub mod triples;
pub mod views;
pub mod visits;

pub use error::Error;
pub use files::FileNote;
pub use hosts::{NamedSite, OwnSite};
pub use ingest::{Ingest, IngestNote, IngestProgress, Report, SiteVisits, Stage, ingest};
pub use space::{SpaceFor, is_disk_full};
