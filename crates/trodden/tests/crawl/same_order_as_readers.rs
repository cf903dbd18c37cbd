//! With a log, too, the order of a crawl is the order of the lab.
//!
//! A made-up site has readers; the first half of its log is the past. The program crawls the site with that past, as
//! visits or as a model mined from them, one page at a time; the lab crawls a mirror of it with the same past. Both must ask
//! for the same pages in the same order.
//!
//! The mirror is what a breadth-first crawl kept, so that its pages are numbered by an order that is none of those compared.

use std::collections::BTreeSet;
use std::fs;

use trodden_frontier::Span;
use trodden_lab::crawl::{Progress, crawl};
use trodden_lab::experiment::policies::knowledge;
use trodden_lab::experiment::{Hidden, PolicySettings, SplitAt, Training, TrainingSettings, split, train};
use trodden_lab::mirror::Mirror;
use trodden_lab::synthetic::{Site, SyntheticSettings};
use trodden_lab::{Kind, MirrorOptions, open_mirror};
use trodden_logs::visits::StoredVisits;
use trodden_mining::{DedupWindow, Goal, MiningSettings, ModelSet, SLICES, Slices};
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::{Budget, Limits, PolicyName};

use crate::run::Folder;
use crate::server::{Server, html};

/// Of the demo's site: some six hundred pages.
const SCALE: f64 = 0.004;
/// As the program has it by default.
const MIN_USERS: u32 = 5;

/// A site that is served as if by a proxy behind which there is nothing else, so that URLs are those of its log.
struct Web {
    server: Server,
    home: String,
}

impl Web {
    fn of(site: Site) -> Self {
        let home = site.url(Site::HOME);
        let server = Server::new(move |url| {
            let (_, url) = url.split_once("://")?;
            Some(html(site.html(site.find(&url[url.find('/')?..])?, site.end())))
        });
        Self { server, home }
    }

    /// A crawl of all that links lead to, and its order.
    fn crawled(&self, args: &[&str]) -> (Folder, Vec<String>) {
        let (folder, before) = (Folder::new(), self.server.asked().len());
        let proxy = format!("http://{}", self.server.address);
        let mut usual = vec![self.home.as_str(), "--proxy", &proxy, "--at-once", "1", "--linked-only"];
        // A machine that is busy makes the server seem slow: it is waited for.
        usual.extend(["--set", "crawl.patience_s=60"]);
        folder.crawl(&[&usual[..], args].concat()).told().ended("drained");
        (folder, self.server.asked().split_off(before))
    }
}

/// A site, its past, and a mirror of it.
struct World {
    web: Web,
    mirror: Mirror,
    /// Where the past is.
    folder: Folder,
}

impl World {
    fn new() -> Self {
        let site = Site::build(&SyntheticSettings { scale: SCALE, ..SyntheticSettings::default() });
        let folder = Folder::new();
        let mut log = Vec::new();
        site.write_log(&mut log).unwrap();
        folder.write("access.log", log);
        let done = |args: &[&str]| {
            let ran = folder.run(args);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        };
        done(&["ingest", "access.log", "--site", &site.url(Site::HOME), "-o", "visits"]);
        let visits = StoredVisits::find(&[folder.path("visits").display().to_string()]).unwrap();
        split(&visits, SplitAt::Share(0.5), &Hidden::default(), &folder.path("past")).unwrap();
        done(&["mine", "past", "-o", "past.model"]);
        let web = Web::of(site);
        let (kept, _) = web.crawled(&["--policy", "breadth-first"]);
        let kept = kept.path("c").display().to_string();
        let mirror = open_mirror(&[kept], Some(Kind::Warc), &MirrorOptions::default()).unwrap();
        Self { web, mirror, folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path(name).display().to_string()
    }

    /// The order of the lab.
    fn in_lab(&self, name: &PolicyName, goal: Goal, past: &Training) -> Vec<String> {
        let settings = PolicySettings::new(goal, Rerank::Every(1_000));
        let start = self.mirror.find(&self.web.home).unwrap();
        let policy = knowledge(&self.mirror, &[start], Some(past), &settings).policy(name).unwrap();
        let limits = Limits { budget: Budget::Unlimited, buffer: None, lease: Span::seconds(1) };
        let log = crawl(&self.mirror, &[start], policy, limits, &Progress::default()).unwrap();
        log.order.iter().map(|page| self.mirror.urls.get(*page).to_owned()).collect()
    }

    /// Orders are the same, on the web with these words and in the lab with this past.
    fn same(&self, orders: impl Iterator<Item = PolicyName>, goal: Goal, words: &[&str], past: &Training) {
        let mut different = BTreeSet::new();
        for name in orders {
            let (_, web) = self.web.crawled(&[words, &["--policy", &name.to_string()]].concat());
            let lab = self.in_lab(&name, goal, past);
            let differs = web.iter().zip(&lab).position(|(web, lab)| web != lab);
            assert_eq!(web, lab, "{name}: differ at {differs:?} of {}", lab.len());
            different.insert(lab);
        }
        assert!(different.len() > 4, "the past tells next to nothing");
    }

    /// What visits tell, as `simulate` learns it.
    fn visits(&self) -> Training {
        let settings = TrainingSettings {
            mining: MiningSettings::default(),
            min_users: MIN_USERS,
            window_days: DedupWindow::DEFAULT_DAYS,
            last_days: None,
            memory: 1 << 28,
            threads: 1,
            scratch: self.folder.path(""),
        };
        train(&self.path("past"), &settings).unwrap()
    }

    /// What the model alone tells: visits of the URLs that it names, without a time, and nothing of single readers.
    fn model(&self) -> Training {
        let model = ModelSet::new(fs::read(self.path("past.model")).unwrap()).model(0).unwrap();
        let urls = model.urls.iter().map(|named| (named.url.clone(), evenly(named.visits))).collect();
        Training { models: vec![model], urls, ..Training::default() }
    }
}

/// So many visits over all slices, the rest in the last ones.
fn evenly(visits: u64) -> Slices {
    let mut slices = Slices::default();
    (0..visits).for_each(|n| slices[SLICES - 1 - n as usize % SLICES] += 1);
    slices
}

/// Policies that a log has a say in.
fn informed() -> impl Iterator<Item = PolicyName> {
    PolicyName::plain().filter(PolicyName::is_informed)
}

#[test]
fn ours_with_visits_every_order_is_as_in_the_lab() {
    let world = World::new();
    let orders = informed().chain(PolicyName::ablations());
    world.same(orders, Goal::Fetch, &["--seed-from", &world.path("past")], &world.visits());
}

#[test]
fn ours_with_visits_every_order_to_discover_is_as_in_the_lab() {
    let world = World::new();
    let words = ["--goal", "discovery", "--seed-from", &world.path("past")];
    world.same(informed(), Goal::Discovery, &words, &world.visits());
}

#[test]
fn ours_with_a_model_every_order_is_as_in_the_lab() {
    let world = World::new();
    world.same(informed(), Goal::Fetch, &["--model", &world.path("past.model")], &world.model());
}
