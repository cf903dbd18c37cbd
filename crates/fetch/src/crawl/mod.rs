//! A real crawl: the engine of every crawl, with the web in place of a mirror.
//!
//! The life of a request:
//!
//! 1. The loop (`drive`) asks the session what is next. All that is needed to ask for it is a task (`send`).
//! 2. The task runs (`fetch_task`): first robots.txt, if it is not known, then the URL. As many run at once as may; a host is asked by one
//!    at a time.
//! 3. A page is read, hashed and packed (`prepare`, `reading`) by another thread, if there is one: what it says, and where it leads (`discover`).
//! 4. What came back is applied (`apply`): it is one [`OutcomeKind`](crate::outcome::OutcomeKind), by which it is tried again or done with. The
//!    answer is archived (`archive`), the session settles it.
//! 5. All that changed (what waits, what came of it, what is noted beside) is one batch on disk (`batch`).
//!
//! A crawl is the driver of a [`Session`]: that decides, remembers and survives; here is the network. One that is cut off anywhere goes on
//! where it was (`open`).
//!
//! Only `clock` reads the clock. Nothing here decides the order.

pub mod analysis;
mod apply;
mod archive;
mod batch;
mod budget;
mod check;
mod clock;
mod discover;
mod drive;
mod error;
mod events;
mod fetch_task;
mod forbidden;
mod hosts;
mod index;
mod integrity;
mod join;
mod listing;
mod look;
mod meters;
mod notes;
mod open;
mod permission;
mod prepare;
mod progress;
mod read;
mod reading;
mod record;
pub mod report;
mod seeds;
mod send;
mod settings;
mod stop;
mod swap;
#[cfg(test)]
mod tests;
mod trouble;

use std::sync::Arc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use trodden_frontier::{QueueId, Time, UrlId};
use trodden_ordering::standing::PatternNames;
use trodden_session::Session;
use trodden_urls::{Canonicalizer, Origin};

use crate::client::Client;
use archive::CrawlArchive;
pub use archive::{ArchiveSettings, Ids};
use batch::Batch;
pub use budget::{BudgetKind, SectionBudget};
pub use check::{Checked, check};
use clock::{Clock, wall_clock};
use discover::Discovery;
pub use error::{BadSetting, Error};
use events::EventFile;
pub use events::{EVENTS_VERSION, EventLine, EventName, read_events};
use hosts::Hosts;
pub use integrity::Mended;
use listing::Listed;
use look::Looked;
pub use look::{Delays, HostDelays};
use meters::Meters;
pub use notes::ListingKind;
use notes::{ELAPSED, INDEX, STATE};
pub use open::Parts;
use prepare::Preparer;
pub use progress::{CrawlProgress, Tally};
pub use record::CrawlRecord;
pub use seeds::Seeding;
pub use settings::{Budgets, CrawlSettings, ListBudgets, MAX_REDIRECTS, ROBOTS_TOKEN};
pub use stop::Stop;
pub use trouble::{Trouble, TroubleCause};

/// Why a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is left.
    Drained,
    /// This budget is spent.
    Spent(BudgetKind),
    /// All that is left must wait until then, which is longer than there is patience for.
    Later(Time),
    /// Somebody asked for it.
    Stopped,
}

/// Visits by URL, as far as logs know them: to say how much of what people read is fetched.
#[derive(Clone, Debug, Default)]
pub struct KnownTraffic {
    /// By URL number.
    pub visits: FxHashMap<UrlId, f32>,
}

impl KnownTraffic {
    /// All visits.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.visits.values().map(|visits| f64::from(*visits)).sum()
    }
}

/// A crawl.
pub struct Crawl {
    settings: CrawlSettings,
    session: Session,
    client: Client,
    archive: Option<CrawlArchive>,
    events: EventFile,
    discovery: Arc<Discovery>,
    preparer: Arc<Preparer>,
    traffic: KnownTraffic,
    /// Origins whose robots.txt is being asked for.
    asking: FxHashSet<Origin>,
    hosts: Hosts,
    /// Pages fetched, by queue, if a site has a budget.
    by_site: FxHashMap<QueueId, u64>,
    listings: FxHashMap<UrlId, ListingKind>,
    /// What the lists of sites have cost, as far as it was asked for.
    listed: FxHashMap<QueueId, Listed>,
    /// What the operator named to start from, and where redirects led from there: no filter holds for them.
    seeds: FxHashSet<UrlId>,
    sections: Option<SectionBudget>,
    /// Requests under way that may come to a page.
    pages_under_way: u64,
    batch: Batch,
    tally: Tally,
    progress: Arc<CrawlProgress>,
    started: Instant,
    elapsed_before: u64,
    looked: Looked,
    mended: Mended,
    meters: Meters,
    clock: Clock,
}

impl Crawl {
    /// What it has done, and the numbers of URLs.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// What was wrong with it when it was opened, and was mended.
    #[must_use]
    pub fn mended(&self) -> &Mended {
        &self.mended
    }

    /// Whether the end of the crawl was lost, and what is left was gone on with.
    #[must_use]
    pub fn has_lost_steps(&self) -> bool {
        self.session.has_lost()
    }

    /// Says which patterns the events name from here on.
    pub fn name_patterns(&mut self, patterns: Option<PatternNames>) {
        self.events.name_patterns(patterns);
    }

    /// How far it is, to look at while it runs.
    pub fn progress(&self) -> Arc<CrawlProgress> {
        self.progress.clone()
    }

    /// The time of the crawl: that of this machine, but never before what the crawl was told last. Where a clock was ahead in an earlier run, time
    /// goes on from there.
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn elapsed_ms(&self) -> u64 {
        self.elapsed_before + u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Makes everything so far safe against loss of power: first what was kept, then what is known of it.
    fn make_safe(&mut self) -> Result<(), Error> {
        if let Some(archive) = &mut self.archive {
            let index = archive.sync()?;
            self.session.driver_notes().put(STATE, INDEX, &index)?;
        }
        self.write_events()?;
        let elapsed = self.elapsed_ms();
        self.session.driver_notes().put(STATE, ELAPSED, &elapsed)?;
        let started = Instant::now();
        self.session.sync()?;
        self.meters.committed(started.elapsed());
        self.batch_is_done()?;
        let started = Instant::now();
        if self.session.checkpoint_if_due()? {
            self.checkpointed(started);
        }
        Ok(())
    }

    fn checkpointed(&self, started: Instant) {
        self.meters.checkpointed(started.elapsed());
        tracing::info!(name: "crawl.checkpoint.written", step = self.session.steps(), seconds = started.elapsed().as_secs_f64());
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.make_safe()?;
        let started = Instant::now();
        self.session.checkpoint()?;
        self.checkpointed(started);
        if let Some(archive) = &mut self.archive {
            let index = archive.close()?;
            self.session.driver_notes().put(STATE, INDEX, &index)?;
            self.session.sync()?;
        }
        self.show();
        Ok(())
    }
}

/// The canonical form that all URLs of a crawl have.
pub fn canonicalizer() -> Canonicalizer {
    Canonicalizer::default()
}
