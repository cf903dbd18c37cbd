//! When is what came of a request written?
//!
//! A batch of the store costs about as much as a page's worth of changes in it, so some pages share one: up to
//! [`PAGES`], and none waits longer than [`LONGEST`]. What comes and goes within a batch, as leases do, is not written at all: so a batch is longer
//! than there are requests under way by default. All that belongs to a page (what came of it, where the archive ends, the
//! journal, what waits) is always in the same batch; a crash costs a few requests that are made again.

use std::time::{Duration, Instant};

use super::notes::{EVENTS, STATE};
use super::{Crawl, Error};

/// The most outcomes of a batch.
const PAGES: u32 = 128;
/// The longest that an outcome is not written.
const LONGEST: Duration = Duration::from_millis(50);

/// Outcomes that are not written yet.
#[derive(Default)]
pub(super) struct Batch {
    pages: u32,
    since: Option<Instant>,
}

impl Batch {
    /// How long it may still wait; as long as there is nothing in it, for ever.
    pub(super) fn rest(&self) -> Duration {
        self.since.map_or(Duration::MAX, |since| LONGEST.saturating_sub(since.elapsed()))
    }
}

impl Crawl {
    /// Something came of a URL.
    pub(super) fn settled_one(&mut self) -> Result<(), Error> {
        self.batch.pages += 1;
        self.batch.since.get_or_insert_with(Instant::now);
        self.events.hear(&mut self.session)?;
        if self.batch.pages >= PAGES { self.commit() } else { Ok(()) }
    }

    /// Writes what has waited long enough.
    pub(super) fn commit_if_due(&mut self) -> Result<(), Error> {
        if self.batch.rest() == Duration::ZERO { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> Result<(), Error> {
        let started = Instant::now();
        self.session.commit()?;
        self.meters.committed(started.elapsed());
        self.batch_is_done()
    }

    /// Writes what happened so far, and notes how far that is.
    pub(super) fn write_events(&mut self) -> Result<(), Error> {
        self.events.hear(&mut self.session)?;
        let mark = self.events.flush(self.session.steps())?;
        Ok(self.session.driver_notes().put(STATE, EVENTS, &mark)?)
    }

    /// Everything so far is written: it may be told.
    pub(super) fn batch_is_done(&mut self) -> Result<(), Error> {
        self.batch = Batch::default();
        self.events.hear(&mut self.session)?;
        if self.events.is_full() {
            self.write_events()?;
        }
        self.show();
        Ok(())
    }
}
