//! Where do visits come from: files, or the memory of whoever calls?
//!
//! Spark and Python hand over a site's visits as Arrow batches; they are read as files of visits are, with the same columns
//! (docs/formats/visits.md) and the same result.

use std::fmt;
use std::sync::Arc;

use arrow_array::RecordBatch;
use trodden_urls::SiteGrouping;

use super::StoredVisits;
use super::read::{BATCH_ROWS, COLUMNS, VisitBatch};
use crate::error::Error;

/// Visits, wherever they are.
#[derive(Clone, Debug)]
pub enum VisitSource {
    /// Directories and files.
    Stored(StoredVisits),
    /// In memory.
    Batches(VisitBatches),
}

impl VisitSource {
    /// Finds the files that were named, and those of visits below the directories that were.
    ///
    /// # Errors
    /// If a name fits nothing, or the directories have different ideas of what a site is.
    pub fn find(paths: &[String]) -> Result<Self, Error> {
        StoredVisits::find(paths).map(Self::Stored)
    }

    /// What a site is in them.
    pub fn grouping(&self) -> SiteGrouping {
        match self {
            Self::Stored(stored) => stored.grouping(),
            Self::Batches(batches) => batches.grouping,
        }
    }
}

impl From<StoredVisits> for VisitSource {
    fn from(stored: StoredVisits) -> Self {
        Self::Stored(stored)
    }
}

impl From<VisitBatches> for VisitSource {
    fn from(batches: VisitBatches) -> Self {
        Self::Batches(batches)
    }
}

/// Visits in memory. A copy of this shares them.
#[derive(Clone)]
pub struct VisitBatches {
    grouping: SiteGrouping,
    batches: Vec<Arc<VisitBatch>>,
}

impl VisitBatches {
    /// From Arrow batches with the columns of visits, in any order and with others beside them.
    ///
    /// # Errors
    /// If a batch lacks a column, or has one of another type.
    pub fn new(batches: &[RecordBatch], grouping: SiteGrouping) -> Result<Self, Error> {
        let mut parts = Vec::new();
        for (number, batch) in batches.iter().enumerate() {
            let not_visits = |why: String| Error::NotVisits { name: format!("batch {number}"), why };
            for column in COLUMNS {
                batch.schema().index_of(column).map_err(|_| not_visits(format!("it has no column {column:?}")))?;
            }
            // Small parts, as files have them: workers share them out.
            for start in (0..batch.num_rows()).step_by(BATCH_ROWS) {
                let part = batch.slice(start, BATCH_ROWS.min(batch.num_rows() - start));
                parts.push(Arc::new(VisitBatch::of(&part).map_err(not_visits)?));
            }
        }
        Ok(Self { grouping, batches: parts })
    }

    /// Some rows each.
    pub(crate) fn into_parts(self) -> Vec<Arc<VisitBatch>> {
        self.batches
    }
}

impl fmt::Debug for VisitBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: usize = self.batches.iter().map(|batch| batch.len()).sum();
        write!(f, "VisitBatches({rows} rows)")
    }
}
