//! A real crawl: the engine of every crawl, with the web in place of a mirror.
//!
//! The life of a request:
//!
//! 1. [`Crawl::run`] asks the engine what is next and sends somebody for it (`visit`): first robots.txt, if it is not
//!    known, then the URL. As many are under way at once as may be; a host is asked by one at a time.
//! 2. What comes back is absorbed (`absorb`): it is one [`OutcomeKind`](crate::outcome::OutcomeKind), by which it is tried again or done with. Where it
//!    leads is found (`discover`), the answer is archived (`keep`), the engine settles it.
//! 3. All that changed (what waits, what came of it, what is noted beside) is one batch on disk (`batch`).
//!
//! A crawl is the driver of a [`Session`]: that decides, remembers and survives; here is the network. One that is cut off anywhere goes on
//! where it was (`open`).
//!
//! Only this part reads the clock. Nothing here decides the order.

mod absorb;
mod batch;
mod budget;
mod check;
mod discover;
mod error;
mod events;
mod forbidden;
mod hosts;
mod index;
mod integrity;
mod join;
mod keep;
mod listing;
mod look;
mod notes;
mod open;
mod permission;
mod prepare;
mod progress;
mod read;
mod reading;
mod record;
mod seeds;
mod settings;
mod swap;
#[cfg(test)]
mod tests;
mod trouble;
mod visit;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::Notify;
use trodden_archive::Want;
use trodden_frontier::{QueueId, Span, Time, UrlId};
use trodden_ordering::{Next, Task};
use trodden_session::{Session, UrlSource};
use trodden_urls::{Canonicalizer, Origin};

use crate::client::Client;
use crate::robots::Verdict;
use batch::Batch;
pub use budget::{BudgetKind, SectionBudget};
pub use check::{Checked, check};
use discover::Discovery;
pub use error::{BadSetting, Error};
use events::EventFile;
use hosts::Hosts;
pub use integrity::Mended;
use keep::Keeper;
pub use keep::{Ids, KeepSettings};
use listing::Listed;
use look::Looked;
pub use look::{Delays, HostDelays};
pub use notes::ListingKind;
use notes::{ELAPSED, INDEX, STATE};
pub use open::Parts;
use prepare::Preparer;
pub use progress::{Progress, Tally};
pub use record::CrawlRecord;
pub use seeds::Seeding;
pub use settings::{Budgets, CrawlSettings, ListBudgets, MAX_REDIRECTS, ROBOTS_TOKEN};
pub use trouble::{Trouble, TroubleCause};
use visit::{Errand, visit};

/// Errands that are looked at before looking whether somebody is back.
const ERRANDS: usize = 256;
/// Hosts that are passed over for lack of a place before looking whether somebody is back: a crawl may know a hundred thousand of them.
const PASSED_OVER: u32 = 4;

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

/// Asks a crawl to stop: what is under way is finished.
#[derive(Debug, Default)]
pub struct Stop {
    asked: std::sync::atomic::AtomicBool,
    notify: Notify,
}

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.asked.store(true, std::sync::atomic::Ordering::Relaxed);
        self.notify.notify_one();
    }

    /// Takes it back: what asked for a pause has had it.
    pub fn take_back(&self) {
        self.asked.store(false, std::sync::atomic::Ordering::Relaxed);
    }

    fn is_asked(&self) -> bool {
        self.asked.load(std::sync::atomic::Ordering::Relaxed)
    }
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
    keeper: Option<Keeper>,
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
    progress: Arc<Progress>,
    started: Instant,
    elapsed_before: u64,
    looked: Looked,
    mended: Mended,
    clock: Clock,
}

/// What the clock of this machine says: milliseconds since 1970.
fn wall_clock() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The time of a crawl.
struct Clock {
    base: Time,
    started: Instant,
}

impl Clock {
    /// Not before this time; and by how much this machine's clock is behind it.
    fn not_before(latest: Time) -> (Self, Span) {
        let wall = wall_clock();
        let behind = Span(latest.0.saturating_sub(wall.0));
        (Self { base: wall.max(latest), started: Instant::now() }, behind)
    }

    fn now(&self) -> Time {
        self.base + Span(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
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

    /// How far it is, to look at while it runs.
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// Crawls until nothing is left, the budget is spent, or somebody asks to stop.
    ///
    /// # Errors
    /// If something cannot be stored. What was done before is safe.
    pub async fn run(&mut self, stop: &Stop) -> Result<Ended, Error> {
        let client = self.client.clone();
        client.watch(self.drive(stop)).await
    }

    async fn drive(&mut self, stop: &Stop) -> Result<Ended, Error> {
        let mut under_way = FuturesUnordered::new();
        let mut synced = Instant::now();
        let ended = loop {
            if self.spent() == Some(BudgetKind::Time) {
                // What is under way could drip for minutes. It is asked for again if the crawl goes on.
                self.asking.clear();
                self.pages_under_way = 0;
                break Ended::Spent(BudgetKind::Time);
            }
            let mut wait = None;
            let (mut errands, mut passed_over) = (0, 0);
            let mut end = stop.is_asked().then_some(Ended::Stopped);
            while end.is_none() && wait.is_none() && under_way.len() < self.settings.at_once && errands < ERRANDS {
                errands += 1;
                end = self.spent().map(Ended::Spent);
                if end.is_some() || !self.has_room() {
                    break;
                }
                if self.passes_over() {
                    passed_over += 1;
                    if passed_over == PASSED_OVER {
                        wait = Some(self.now() + hosts::PLACE_SOON);
                    }
                    continue;
                }
                match self.session.next(self.now())? {
                    Next::Fetch(task) => {
                        if let Some(errand) = self.errand(task)? {
                            under_way.push(visit(self.client.clone(), Arc::clone(&self.preparer), errand));
                            self.tally.under_way = under_way.len();
                        }
                    }
                    Next::Wait(until) => wait = Some(until),
                    Next::Drained => end = Some(Ended::Drained),
                    Next::Spent => end = Some(Ended::Spent(BudgetKind::Pages)),
                }
            }
            self.tally.under_way = under_way.len();
            if under_way.is_empty() {
                match (end, wait) {
                    (Some(end), _) => break end,
                    (None, Some(Time(u64::MAX))) => break Ended::Spent(self.over_budget()),
                    (None, Some(until)) if self.is_too_late(until) => break Ended::Later(until),
                    _ => {}
                }
            }
            self.show_if_due(wait);
            let pause = match wait {
                Some(until) => Duration::from_millis(until.0.saturating_sub(self.now().0)),
                None if errands == ERRANDS => Duration::ZERO,
                None => settings::SYNC_EVERY,
            };
            let pause = pause.min(settings::SYNC_EVERY).min(self.batch.rest());
            let pause =
                if pause > Duration::ZERO && self.session.place_more(self.now())? { Duration::ZERO } else { pause };
            tokio::select! {
                biased;
                Some(returned) = under_way.next() => self.absorb(*returned)?,
                () = stop.notify.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
            if synced.elapsed() >= settings::SYNC_EVERY {
                self.make_safe()?;
                synced = Instant::now();
            }
            self.commit_if_due()?;
        };
        self.finish()?;
        Ok(ended)
    }

    /// Whether that is too late to be waited for. Who reached nobody at all does not wait: there is something to mend.
    fn is_too_late(&self, until: Time) -> bool {
        until > self.now() + self.settings.patience().max(budget::SOON) || self.tally.has_reached_nobody()
    }

    /// The time of the crawl: that of this machine, but never before what the crawl was told last. Where a clock was ahead in an earlier run, time
    /// goes on from there.
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn elapsed_ms(&self) -> u64 {
        self.elapsed_before + u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// What to ask for, for a task; none if it is put off or refused.
    fn errand(&mut self, task: Task) -> Result<Option<Errand>, Error> {
        let now = self.now();
        let url = self.session.url(task.key)?;
        let canonicalizer = &self.discovery.canonicalizer;
        let Ok(canonical) = canonicalizer.absolute(url.as_bytes()) else { return Err(Error::OddUrl) };
        let (origin, path) = (Origin::of(&canonical), canonical.path_and_query().to_owned());
        drop(canonical);
        if !self.is_within(&task, &url, now)? {
            return Ok(None);
        }
        let verdict = self.verdict(task.queue, &origin, &path, now)?;
        if verdict.is_none() && !self.asking.insert(origin.clone()) {
            self.put_off(&task, now + Span(100))?;
            return Ok(None);
        }
        let (body_bytes, robots_token) = (self.settings.body_bytes, self.settings.robots_token.clone());
        let (time, old_robots, validators, delay) = (now, None, None, Span::ZERO);
        let longest_delay = self.settings.longest_crawl_delay();
        let mut errand = Errand {
            task,
            time,
            url,
            origin,
            path,
            verdict,
            old_robots,
            validators,
            delay,
            longest_delay,
            body_bytes,
            robots_token,
            source: UrlSource::default(),
            via: None,
            is_seed: false,
            is_listing: self.listings.contains_key(&task.key),
            want: self.want(),
            names: None,
        };
        if verdict == Some(Verdict::Disallowed) {
            // Nobody has to be sent.
            self.set_delay(task.queue, Span::ZERO);
            self.absorb_refusal(&errand, None, now)?;
            self.settled_one()?;
            return Ok(None);
        }
        let next = now + Span(self.settings.address_delay_ms);
        if let Some(free) = self.hosts.occupy_of(task.queue, next, now) {
            self.asking.remove(&errand.origin);
            self.put_off(&task, free)?;
            // Its other URLs would meet the same.
            self.session.hold(task.queue, free);
            return Ok(None);
        }
        self.sent(&errand);
        self.tally.at = Some(errand.url.clone());
        let wanted = self.settings.delay();
        errand.delay = self.pacer(task.queue).delay(wanted).max(Span(self.settings.address_delay_ms));
        errand.validators = self.validators(task.key)?;
        errand.source = self.session.records().source(task.key)?;
        errand.is_seed = self.seeds.contains(&task.key);
        if let Some(keeper) = self.keeper.as_mut().filter(|_| !errand.is_listing) {
            errand.names = Some(keeper.names());
            errand.via = errand.source.from.map(|from| self.session.url(from)).transpose()?;
        }
        if verdict.is_none() {
            errand.old_robots = self.robots_of(&errand.origin)?.cloned();
        }
        Ok(Some(errand))
    }

    /// Puts a task off without having asked for anything.
    fn put_off(&mut self, task: &Task, until: Time) -> Result<(), Error> {
        self.set_delay(task.queue, Span::ZERO);
        Ok(self.session.defer(task, until, self.now())?)
    }

    /// What the policy reads of pages.
    fn want(&self) -> Want {
        match (self.session.reads_text(), self.session.reads_anchors()) {
            (true, _) => Want::LinksAndText,
            (false, true) => Want::Links,
            (false, false) => Want::Hrefs,
        }
    }

    /// To ask whether what was fetched before has changed.
    fn validators(&self, key: UrlId) -> Result<Option<crate::client::Validators>, Error> {
        let before = self.session.records().record(key)?;
        Ok(before.map(|it| crate::client::Validators { etag: it.etag, last_modified: it.last_modified }))
    }

    /// Makes everything so far safe against loss of power: first what was kept, then what is known of it.
    fn make_safe(&mut self) -> Result<(), Error> {
        if let Some(keeper) = &mut self.keeper {
            let index = keeper.sync()?;
            self.session.driver_notes().put(STATE, INDEX, &index)?;
        }
        self.write_events()?;
        let elapsed = self.elapsed_ms();
        self.session.driver_notes().put(STATE, ELAPSED, &elapsed)?;
        self.session.sync()?;
        self.batch_is_done()?;
        Ok(self.session.checkpoint_if_due()?)
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.make_safe()?;
        self.session.checkpoint()?;
        if let Some(keeper) = &mut self.keeper {
            let index = keeper.close()?;
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
