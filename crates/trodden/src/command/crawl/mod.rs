//! `trodden crawl`: the real crawl, resumable, to WARC.
//!
//! What was asked for ([`plan`], [`request`]) and what is known before ([`knowledge`]) make a crawl; it runs under a live view
//! ([`view`]) until it is done, or somebody asks it to stop; what came of it is told ([`summary`]) and drawn. If nothing did, it is
//! told why ([`problem`]). If that is wanted, it takes newer models while it runs ([`watch`]).

pub(crate) mod agent;
mod alias;
mod budget;
mod contact;
mod knowledge;
mod mended;
mod network;
mod order;
mod plan;
mod problem;
pub(crate) mod report;
mod request;
mod seeds;
mod summary;
mod view;
mod watch;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use trodden_fetch::client::Client;
use trodden_fetch::crawl::{ArchiveSettings, Crawl, CrawlSettings, Ended, Ids, Parts, Stop};
use trodden_frontier::{DiskFrontier, DiskSettings, Rotation};
use trodden_ordering::Scope;
use trodden_session::Session;

use crate::args::CrawlArgs;
use crate::config::Config;
use crate::interrupt::on_interrupt;
use crate::output::{say, shell_word};
use knowledge::Known;
use order::Order;
use plan::Plan;
use request::Request;
use summary::Summary;
use view::View;
use watch::Watch;

/// What the crawls of the demo call themselves; no log will ever name them.
const DEMO_AGENT: &str = concat!("trodden-demo/", env!("CARGO_PKG_VERSION"));
const ANOTHER_MODEL: &str = "using another model from now on";
/// A file that is in the folder of every crawl that was ever opened.
const FIRST_FILE: &str = "events.jsonl.zst";

/// More threads than this have nothing to do: one thread settles what they read.
const MOST_WORKERS: usize = 7;

/// Crawls.
pub(crate) fn run(args: &CrawlArgs) -> Result<()> {
    let mut plan = Plan::of(args)?;
    // Whoever is asked may go away: nothing is written before.
    plan.request.contact = contact::contact(plan.request.contact.as_deref());
    let told = plan.request.crawl.user_agent.as_deref();
    let user_agent = agent::user_agent(told, plan.request.contact.as_deref())?;
    agent::remember(&user_agent);
    go(args, plan, &user_agent)?.print(args.format)
}

/// Crawls the demo's site: nobody is there to be asked, or to be told.
pub(crate) fn run_for_demo(args: &CrawlArgs) -> Result<()> {
    go(args, Plan::of(args)?, DEMO_AGENT).map(drop)
}

/// Whether a folder holds a crawl.
pub(crate) fn is_in(folder: &Path) -> bool {
    Request::is_in(folder)
}

/// Begins a crawl, or takes up one, and runs it to its end.
fn go(args: &CrawlArgs, mut plan: Plan, user_agent: &str) -> Result<Summary> {
    let begun = plan.prepare().and_then(|()| begin(args, &plan, user_agent));
    if let Err(error) = &begun
        && plan.is_new
        && !matches!(error.downcast_ref(), Some(trodden_frontier::Error::InUse(_)))
    {
        // It never began, in a folder that was empty: nothing is left to be in the way of the next try.
        let _ = fs::remove_dir_all(&plan.folder);
    }
    let mut summary = crawl(&plan.folder, begun?)?;
    if plan.is_new && summary.is_for_nothing() {
        // The next try may be told something that this one was not: it begins anew.
        let _ = fs::remove_dir_all(&plan.folder);
        summary.left_nothing();
    }
    Ok(summary)
}

/// A crawl that can be run.
struct Begun {
    crawl: Crawl,
    config: Config,
    request: Request,
    order: Order,
    known: Known,
    /// Visits that the logs know.
    traffic: f64,
}

/// Makes a crawl of what was asked for, or takes up the one that is there.
fn begin(args: &CrawlArgs, plan: &Plan, user_agent: &str) -> Result<Begun> {
    let (folder, config) = (plan.folder.as_path(), plan.config.clone());
    let mut request = plan.request.clone();
    let known = Known::read(&request.sources(folder)?, &config, folder)?;
    say_if_of_no_use(&known, &request);
    if request.crawl.scope.is_unsaid() {
        request.crawl.scope.hosts = known.hosts.iter().cloned().collect();
    }
    if !Request::is_in(folder) {
        request.write(folder)?;
    }
    let order = Order::of(&request)?;
    // Fingerprints of URLs are seeded, so that nobody can make two that collide.
    let disk = DiskSettings { seed: u64::from_le_bytes(random()?), ..DiskSettings::default() };
    let mut frontier = open_frontier(folder, disk)?;
    let in_force = Session::model_in_force(&frontier)?;
    let before = request.sources_before(in_force, folder)?;
    let before = before.map(|before| Known::read(&before, &config, folder)).transpose()?;
    let canonicalizer = trodden_fetch::crawl::canonicalizer();
    let (mut learnt, traffic) = known.learnt(|url| Ok(frontier.number(url)?), &canonicalizer)?;
    if let Some(learnt) = learnt.as_mut().filter(|_| order.is_of_people()) {
        learnt.trace = known.trace(|url| Ok(frontier.number(url)?), &canonicalizer)?;
    }
    frontier.commit()?;
    let sections = order.sections(learnt.as_ref());
    let (policy, new) = match &before {
        None => (order.policy(learnt)?, None),
        Some(before) => {
            let (mut old, _) = before.learnt(|url| Ok(frontier.number(url)?), &canonicalizer)?;
            if let Some(old) = old.as_mut().filter(|_| order.is_of_people()) {
                old.trace = before.trace(|url| Ok(frontier.number(url)?), &canonicalizer)?;
            }
            frontier.commit()?;
            (order.policy(old)?, Some(order.other_policy(learnt)?))
        }
    };
    // Nobody else crawls here, and the policy can run: what was asked for is what the crawl is.
    request.write(folder)?;
    frontier.set_rotation(policy.rotation());
    let client = Client::new(network::client_settings(args, &config, &request, user_agent)?)?;
    let archive = ArchiveSettings {
        gzip: request.gzip,
        file_bytes: request.warc_bytes,
        user_agent: user_agent.to_owned(),
        contact: request.contact.clone(),
        ids: Ids::seeded(random()?),
    };
    let scope = Scope::new(&request.crawl.scope)?;
    let total = traffic.sum();
    let known_traffic = traffic.clone();
    let parts = Parts {
        folder: folder.to_owned(),
        settings: CrawlSettings { robots_token: agent::robots_token(&request.crawl), ..request.crawl.clone() },
        frontier,
        policy,
        client,
        archive,
        scope,
        traffic,
        sections,
        // One core crawls, the others read.
        workers: std::thread::available_parallelism().map_or(0, |cores| cores.get() - 1).min(MOST_WORKERS),
        may_mend: args.mend,
    };
    let mut crawl = Crawl::open(parts)?;
    mended::say_what(&crawl);
    if let Some(new) = new {
        crawl.swap(new, known_traffic, request.model_number)?;
        request.forget_all_but(in_force, folder)?;
        say(ANOTHER_MODEL);
    }
    crawl.name_patterns(known.pattern_names());
    seeds::plant(&mut crawl, &request, &known)?;
    Ok(Begun { crawl, config, request, order, known, traffic: total })
}

/// Opens the frontier. What is left of one that was cut off while it was made, before anything was in it, is made anew.
fn open_frontier(folder: &Path, disk: DiskSettings) -> Result<DiskFrontier> {
    let path = folder.join("frontier");
    match DiskFrontier::open(&path, disk, Rotation::Even) {
        Err(error)
            if !matches!(error, trodden_frontier::Error::InUse(_))
                && path.exists()
                && !folder.join(FIRST_FILE).exists() =>
        {
            fs::remove_dir_all(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            Ok(DiskFrontier::open(&path, disk, Rotation::Even)?)
        }
        opened => Ok(opened?),
    }
}

/// Runs a crawl to its end.
fn crawl(folder: &Path, mut begun: Begun) -> Result<Summary> {
    let (stop, interrupted) = (Arc::new(Stop::default()), Arc::new(AtomicBool::new(false)));
    let (asked, is_asked) = (stop.clone(), interrupted.clone());
    on_interrupt(move || {
        is_asked.store(true, Ordering::Relaxed);
        asked.ask();
    })?;
    let watch = begun.request.watch_models.then(|| {
        let (told, request) = (stop.clone(), &begun.request);
        Watch::start(request.model_files.clone(), &request.models_in(folder), move || told.ask())
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    let ended = loop {
        let ended = {
            let _view = View::start(begun.crawl.progress(), &begun.request.crawl, begun.traffic);
            runtime.block_on(begun.crawl.run(&stop)).map_err(anyhow::Error::from)
        };
        // First taken back, then looked at: whoever asks in between is heard.
        stop.take_back();
        if !matches!(ended, Ok(Ended::Stopped)) || interrupted.load(Ordering::Relaxed) {
            break ended;
        }
        if watch.as_ref().is_some_and(Watch::take_change)
            && let Err(why) = begun.take_newer_models(folder)
        {
            break Err(why);
        }
    };
    let Begun { crawl, request, known, traffic: total, .. } = begun;
    match ended {
        Ok(ended) => {
            let report = report::write(folder, &request, &known, &crawl.record())?;
            Ok(Summary::of(folder, report, &request, &crawl, ended, total))
        }
        Err(error) if error.downcast_ref().is_some_and(trodden_fetch::crawl::Error::is_full) => {
            let folder = shell_word(&folder.to_string_lossy());
            bail!("{error}; the crawl is safe: make room and resume with: trodden crawl -o {folder}")
        }
        Err(error) => Err(error),
    }
}

impl Begun {
    /// Goes by the models that are where the old ones came from. What cannot be read there is told, and nothing changes.
    fn take_newer_models(&mut self, folder: &Path) -> Result<()> {
        let mut request = self.request.clone();
        request.set_aside();
        let in_force = self.request.model_number;
        request.visits.clone_from(&self.request.visits);
        let read = plan::copy_models(folder, &mut request)
            .and_then(|()| Known::read(&request.sources(folder)?, &self.config, folder));
        let stays = |why: anyhow::Error| {
            say(&format!("the newer model cannot be used; the old one stays in use: {why:#}"));
            Ok(())
        };
        let known = match read {
            Ok(known) => known,
            Err(why) => return stays(why),
        };
        let canonicalizer = trodden_fetch::crawl::canonicalizer();
        let session = self.crawl.session_mut();
        let (mut learnt, traffic) = known.learnt(|url| Ok(session.number(url)?), &canonicalizer)?;
        if let Some(learnt) = learnt.as_mut().filter(|_| self.order.is_of_people()) {
            learnt.trace = known.trace(|url| Ok(session.number(url)?), &canonicalizer)?;
        }
        session.commit()?;
        let sections = self.order.sections(learnt.as_ref());
        let policy = match self.order.other_policy(learnt) {
            Ok(policy) => policy,
            Err(why) => return stays(why),
        };
        request.write(folder)?;
        self.traffic = traffic.sum();
        self.crawl.swap_in_pause(policy, traffic, sections, request.model_number)?;
        request.forget_all_but(in_force, folder)?;
        say(ANOTHER_MODEL);
        say_if_of_no_use(&known, &request);
        self.crawl.name_patterns(known.pattern_names());
        seeds::plant(&mut self.crawl, &request, &known)?;
        (self.request, self.known) = (request, known);
        Ok(())
    }
}

/// Says so if logs know nothing of what is crawled.
fn say_if_of_no_use(known: &Known, request: &Request) {
    if let Some(warning) = known.is_of_no_use(&request.seeds) {
        say(&warning);
    }
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|why| anyhow::anyhow!("the system has no randomness: {why}"))?;
    Ok(bytes)
}
