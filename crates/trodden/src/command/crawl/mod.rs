//! `trodden crawl`: the real crawl, resumable, to WARC.
//!
//! What was asked for ([`request`]) and what is known before ([`knowledge`]) make a crawl; it runs under a live view
//! ([`view`]) until it is done, or somebody asks it to stop; what came of it is told ([`summary`]) and drawn. If that is wanted, it takes
//! newer models while it runs ([`watch`]).

mod contact;
mod knowledge;
mod network;
mod order;
pub(crate) mod report;
mod request;
mod summary;
mod view;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use trodden_fetch::client::Client;
use trodden_fetch::crawl::{Crawl, Ended, Ids, KeepSettings, ListingKind, Parts, Stop, model_in_force};
use trodden_fetch::{read_known_urls, sitemap::SitemapCaps};
use trodden_frontier::{DiskFrontier, DiskSettings, Rotation};
use trodden_ordering::Scope;

use crate::args::CrawlArgs;
use crate::config::Config;
use crate::interrupt::on_interrupt;
use crate::output::{counted, say};
use crate::{intake, model_file};
use knowledge::Known;
use order::Order;
use request::Request;
use watch::Watch;

/// What a crawl calls itself.
const USER_AGENT: &str = "trodden";

const ANOTHER_MODEL: &str = "going by another model from here on";
/// A file that is in the folder of every crawl that was ever opened.
const FIRST_FILE: &str = "events.jsonl.zst";

/// Crawls.
pub(crate) fn run(args: &CrawlArgs) -> Result<()> {
    let (folder, request) = ask(args)?;
    let contact = contact::contact(request.contact.as_deref());
    go(args, &folder, &Request { contact, ..request }, USER_AGENT)?.print(args.format)
}

/// Crawls the demo's site: nobody is there to be asked, or to be told.
pub(crate) fn run_for_demo(args: &CrawlArgs) -> Result<()> {
    let (folder, request) = ask(args)?;
    go(args, &folder, &request, "trodden-demo").map(drop)
}

/// What is asked for, and where.
fn ask(args: &CrawlArgs) -> Result<(PathBuf, Request)> {
    let config = Config::load(&args.settings)?;
    let seeds = seeds_of(&args.seeds)?;
    let folder = match (&args.output, seeds.first(), args.models.first()) {
        (None, None, Some(model)) => {
            PathBuf::from(format!("{}.crawl", model.file_stem().unwrap_or_default().to_string_lossy()))
        }
        _ => request::folder(args, &seeds)?,
    };
    if Request::is_in(&folder) {
        let mut request = Request::read(&folder, args)?;
        let new: Vec<String> = seeds.into_iter().filter(|seed| !request.seeds.contains(seed)).collect();
        request.seeds.extend(new);
        say(&format!("going on with the crawl in {}", folder.display()));
        if !args.models.is_empty() || !args.seed_from.is_empty() {
            request.set_aside();
            request.model_files.clear();
            take_models(args, &folder, &mut request)?;
        }
        check_watch(&request)?;
        return Ok((folder, request));
    }
    if folder.exists() && fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{} is there and holds no crawl; name another folder with -o DIR", folder.display());
    }
    if seeds.is_empty() && args.models.is_empty() && args.seed_from.is_empty() && args.sitemaps.is_empty() {
        bail!("{} holds no crawl to go on with; name a URL to start from", folder.display());
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut request = Request::new(args, &config, seeds)?;
    take_models(args, &folder, &mut request)?;
    check_watch(&request)?;
    Ok((folder, request))
}

/// There must be something to watch.
fn check_watch(request: &Request) -> Result<()> {
    if request.watch_models && request.model_files.is_empty() {
        bail!("--watch-models: there is no model to watch; name one with --model");
    }
    Ok(())
}

/// URLs as they are typed, and those of files.
fn seeds_of(typed: &[String]) -> Result<Vec<String>> {
    let mut seeds = Vec::new();
    for seed in typed {
        let path = Path::new(seed);
        if path.is_file() {
            let read = read_known_urls(path, &SitemapCaps::default());
            let read = read.with_context(|| format!("cannot read the seeds in {seed}"))?;
            say(&format!("{} in {seed}", counted(read.urls.len() as u64, "URL")));
            seeds.extend(read.urls.into_iter().map(|known| known.url));
        } else if seed.contains("://") {
            seeds.push(seed.clone());
        } else if seed.contains('.') || seed.starts_with("localhost") {
            seeds.push(format!("https://{seed}"));
        } else {
            bail!("{seed:?} is neither a URL nor a file");
        }
    }
    Ok(seeds)
}

/// Copies the models that were named into the folder; visits stay where they are.
fn take_models(args: &CrawlArgs, folder: &Path, request: &mut Request) -> Result<()> {
    let mut models: Vec<PathBuf> = args.models.clone();
    let mut visits = Vec::new();
    for from in &args.seed_from {
        match () {
            () if intake::is_visits(from) => visits.push(from.clone()),
            () if model_file::is_one(Path::new(from)) => models.push(PathBuf::from(from)),
            () => bail!("--seed-from {from}: neither a model (mine -o) nor visits (ingest -o)"),
        }
    }
    if !models.is_empty() {
        request.model_files = models.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        copy_models(folder, request)?;
    }
    if !visits.is_empty() {
        request.visits = visits;
    }
    Ok(())
}

/// Copies models from where they are into the folder.
fn copy_models(folder: &Path, request: &mut Request) -> Result<()> {
    request.models.clear();
    for (number, model) in request.model_files.iter().enumerate() {
        let packed = model.extension().is_some_and(|e| e == "zst");
        let name = format!("model-{}-{number}.jsonl{}", request.model_number, if packed { ".zst" } else { "" });
        fs::copy(model, folder.join(&name)).with_context(|| format!("cannot read {}", model.display()))?;
        request.models.push(name);
    }
    Ok(())
}

/// Whether a folder holds a crawl.
pub(crate) fn is_in(folder: &Path) -> bool {
    Request::is_in(folder)
}

/// Begins a crawl, or takes up one, and runs it to its end.
fn go(args: &CrawlArgs, folder: &Path, request: &Request, agent: &str) -> Result<summary::Summary> {
    let is_new = !Request::is_in(folder);
    let begun = begin(args, folder, request, agent);
    if let Err(error) = &begun
        && is_new
        && !matches!(error.downcast_ref(), Some(trodden_frontier::Error::InUse(_)))
    {
        // It never began, in a folder that was empty: nothing is left to be in the way of the next try.
        let _ = fs::remove_dir_all(folder);
    }
    crawl(folder, begun?)
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
fn begin(args: &CrawlArgs, folder: &Path, request: &Request, agent: &str) -> Result<Begun> {
    let config = Config::load(&args.settings)?;
    let mut request = request.clone();
    let user_agent = contact::user_agent(agent, request.contact.as_deref());
    let known = Known::read(&request.models_in(folder), &request.visits, &config, folder)?;
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
    let in_force = model_in_force(&frontier)?;
    let before = request.before.iter().find(|before| before.model_number == in_force);
    let before =
        before.map(|before| Known::read(&before.models_in(folder), &before.visits, &config, folder)).transpose()?;
    let canonicalizer = trodden_fetch::crawl::canonicalizer();
    let (learnt, traffic) = known.learnt(&mut frontier, &canonicalizer)?;
    let patterns = order.patterns(learnt.as_ref());
    let (policy, new) = match &before {
        None => (order.policy(learnt)?, None),
        Some(before) => {
            let (old, _) = before.learnt(&mut frontier, &canonicalizer)?;
            (order.policy(old)?, Some(order.other_policy(learnt)?))
        }
    };
    // Nobody else crawls here, and the policy can run: what was asked for is what the crawl is.
    request.write(folder)?;
    frontier.set_rotation(policy.rotation());
    let client = Client::new(network::client_settings(args, &config, &request, &user_agent)?)?;
    let keep = KeepSettings {
        gzip: request.gzip,
        file_bytes: request.warc_bytes,
        user_agent,
        contact: request.contact.clone(),
        ids: Ids::seeded(random()?),
    };
    let scope = Scope::new(&request.crawl.scope)?;
    let total = traffic.sum();
    let known_traffic = traffic.clone();
    let parts = Parts {
        folder: folder.to_owned(),
        settings: request.crawl.clone(),
        frontier,
        policy,
        client,
        keep,
        scope,
        traffic,
        patterns,
    };
    let mut crawl = Crawl::open(parts)?;
    if let Some(new) = new {
        crawl.swap(new, known_traffic, request.model_number)?;
        request.forget_all_but(in_force, folder)?;
        say(ANOTHER_MODEL);
    }
    seed(&mut crawl, &request, &known)?;
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
fn crawl(folder: &Path, mut begun: Begun) -> Result<summary::Summary> {
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
            let _view = view::View::start(begun.crawl.progress(), &begun.request.crawl.budget, begun.traffic);
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
            report::write(folder, &request, &known, &crawl.record())?;
            summary::Summary::of(folder, &request, &crawl, ended, total)
        }
        Err(error) if error.downcast_ref().is_some_and(trodden_fetch::crawl::Error::is_full) => {
            bail!("{error}; the crawl is safe: make room and go on with: trodden crawl -o {}", folder.display())
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
        let read = copy_models(folder, &mut request)
            .and_then(|()| Known::read(&request.models_in(folder), &request.visits, &self.config, folder));
        let stays = |why: anyhow::Error| {
            say(&format!("the newer model cannot be used, and the old one stays: {why:#}"));
            Ok(())
        };
        let known = match read {
            Ok(known) => known,
            Err(why) => return stays(why),
        };
        let canonicalizer = trodden_fetch::crawl::canonicalizer();
        let (learnt, traffic) = known.learnt(self.crawl.frontier_mut(), &canonicalizer)?;
        let patterns = self.order.patterns(learnt.as_ref());
        let policy = match self.order.other_policy(learnt) {
            Ok(policy) => policy,
            Err(why) => return stays(why),
        };
        request.write(folder)?;
        self.traffic = traffic.sum();
        self.crawl.swap_in_pause(policy, traffic, patterns, request.model_number)?;
        request.forget_all_but(in_force, folder)?;
        say(ANOTHER_MODEL);
        seed(&mut self.crawl, &request, &known)?;
        (self.request, self.known) = (request, known);
        Ok(())
    }
}

/// Offers what the crawl starts from.
fn seed(crawl: &mut Crawl, request: &Request, known: &Known) -> Result<()> {
    let mut planted = 0;
    for seed in &request.seeds {
        if crawl.seed(seed)? {
            planted += 1;
        }
    }
    if !request.linked_only {
        for url in known.seeds() {
            if crawl.seed(url)? {
                planted += 1;
            }
        }
    }
    for sitemap in &request.sitemaps {
        crawl.seed_listing(sitemap, ListingKind::Sitemap)?;
    }
    crawl.planted()?;
    if planted > 0 {
        say(&format!("{} to start from", counted(planted, "URL")));
    }
    if planted == 0 && request.sitemaps.is_empty() && crawl.is_new() {
        bail!("none of the URLs is in scope; see --host, --domain and --prefix");
    }
    Ok(())
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|why| anyhow::anyhow!("the system has no randomness: {why}"))?;
    Ok(bytes)
}
