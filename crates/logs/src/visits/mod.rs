//! Clean visits on disk: a private directory of Parquet files by day.
//!
//! ```text
//! VISITS/                     mode 0700: this is people's reading; locked while visits are written
//!   about.json                what this is, and its version
//!   key                       mode 0600: the key of the user hashes
//!   day=2019-01-26/           UTC
//!     visits-3f0c….parquet    time, site, user, target, referrer; by site, user, time
//! ```
//! One row a visit, before de-duplication. A file is named by what is in it, so taking in the same log twice
//! writes the same file twice, and counts it once; it also says which lines it was made of, so that the same log under
//! other settings is known again (`sample`, `taken`). Other programs may write such files too: see
//! docs/formats/visits.md.

mod day;
mod directory;
mod read;
mod sample;
mod source;
mod stored;
mod taken;
mod write;

pub(crate) use day::day_of_file;
pub use day::{day_of_date, time_text};
pub(crate) use directory::{ABOUT_FILE, KEY_FILE, directory_grouping};
pub use directory::{VisitsDir, is_visits_dir};
pub(crate) use read::{Columns, VisitBatch, VisitFile};
pub use read::{Many, StoredUser, Visit, read_visits};
pub(crate) use sample::{LinesRead, StoredSamples};
pub use source::{VisitBatches, VisitSource};
pub(crate) use stored::reader_hash;
pub use stored::{CameFrom, Keep, ReaderHash, SiteVisit, StoredVisits};
pub(crate) use taken::TakenLogs;
pub(crate) use write::{Taking, VisitWriter, Written, write_days};

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

/// The version of the layout; a higher one is not read. Directories of logs' visits are of version 1, those of page-view
/// exports, whose rows count, of version 2.
pub const VISITS_VERSION: u32 = 2;

/// The version of directories without rows that count.
pub(crate) const LOG_VERSION: u32 = 1;

/// What our files say of who wrote them, before the version.
pub(crate) const CREATED_BY: &str = "trodden ";

/// Under this name a file keeps a sample of the lines that it was made of.
pub(crate) const SAMPLE_KEY: &str = "trodden.lines";

/// The columns of visits.
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("time", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())), false),
        Field::new("site", DataType::Utf8, false),
        Field::new("user", DataType::Int64, true),
        Field::new("target", DataType::Utf8, false),
        Field::new("referrer", DataType::Utf8, true),
    ]))
});

/// The same with what a row of a page-view export counts.
pub(crate) static VIEWS_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let counts = ["views", "users"].map(|name| Arc::new(Field::new(name, DataType::UInt64, true)));
    Arc::new(Schema::new(SCHEMA.fields().iter().cloned().chain(counts).collect::<Vec<_>>()))
});
