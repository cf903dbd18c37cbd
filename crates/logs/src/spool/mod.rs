//! What to do when it does not fit in memory: sorted runs on disk, merged as they are read.
//!
//! Two forms. [`Sorter`] sorts plain fixed-size values (counts of addresses, of URLs). [`Spool`] holds
//! log [`Record`]s together with the texts they refer to: each worker fills a [`Run`]; a run over its
//! share of the memory is sorted and written as *segments* of self-contained *blocks*, and a shard (one
//! share of the users, or one day) is later read as the merge of its segments.
//!
//! A merge needs one block a segment, however skewed the data: one user with half of a log is no larger
//! in memory than any other. What is in memory and what is on disk never changes what is read, only how.
//!
//! Read next: `run` for the format of a block, `merge` for reading a shard.

mod merge;
mod record;
mod run;
mod sorter;
mod table;

pub(crate) use merge::ShardMerge;
pub(crate) use record::{ClientOrSite, NO_URL, Record, traits};
pub(crate) use run::{Run, RunOrder, Spool, shard_of};
pub(crate) use sorter::{Fixed, Sorter};
pub(crate) use table::{UrlEntry, UrlTable};

use std::path::PathBuf;

use crate::error::Error;

/// Where temporary runs go: a directory of its own that disappears with the run.
#[derive(Clone, Debug)]
pub(crate) struct ScratchDir {
    inner: std::sync::Arc<std::sync::OnceLock<tempfile::TempDir>>,
    parent: PathBuf,
}

impl ScratchDir {
    /// A scratch directory below `parent`, made when first needed.
    pub(crate) fn below(parent: PathBuf) -> Self {
        Self { inner: std::sync::Arc::default(), parent }
    }

    /// What to say of a file here that could not be used.
    pub(crate) fn failed(&self, error: std::io::Error) -> Error {
        Error::scratch(&self.parent, error)
    }

    /// A new, empty, private file.
    pub(crate) fn file(&self) -> std::io::Result<std::fs::File> {
        if self.inner.get().is_none() {
            let dir = tempfile::Builder::new().prefix(".trodden-scratch-").tempdir_in(&self.parent)?;
            // Two threads may race here; the loser's directory is removed as it is dropped.
            let _ = self.inner.set(dir);
        }
        let dir = self.inner.get().expect("set just above");
        // Unlinked at once: nothing is left behind even after kill -9.
        tempfile::tempfile_in(dir.path())
    }
}
