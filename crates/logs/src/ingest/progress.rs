//! How far is an ingest, and how is it stopped?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use crate::error::Error;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading logs; measured in bytes.
    Reading,
    /// Observing users and URLs.
    Observing,
    /// Judging lines.
    Judging,
    /// Writing visits.
    Writing,
}

/// How far a run is, for whoever watches; and a way to stop it.
#[derive(Debug, Default)]
pub struct IngestProgress {
    stage: AtomicU8,
    pub(super) bytes: Arc<AtomicU64>,
    pub(super) total: AtomicU64,
    pub(super) stop: Arc<AtomicBool>,
}

impl IngestProgress {
    /// What is being done.
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Reading,
            1 => Stage::Observing,
            2 => Stage::Judging,
            _ => Stage::Writing,
        }
    }

    /// Bytes read so far, and in all (0 if not known).
    pub fn bytes(&self) -> (u64, u64) {
        (self.bytes.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Asks the run to stop; nothing is written then.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Begins a stage, unless the run shall stop.
    pub(super) fn enter(&self, stage: Stage) -> Result<(), Error> {
        self.stage.store(stage as u8, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
    }
}
