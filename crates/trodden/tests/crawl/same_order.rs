//! The order of a crawl is the order of the lab.
//!
//! A site is crawled by a policy, one page at a time; what was kept of it is a mirror, which the lab crawls by the same
//! policy. Both must ask for the same pages in the same order.

use trodden_frontier::Span;
use trodden_lab::crawl::{Progress, crawl};
use trodden_lab::mirror::Texts;
use trodden_lab::{Kind, MirrorOptions, open_mirror};
use trodden_mining::Goal;
use trodden_ordering::policy::build::{Knowledge, PolicySettings, Sight};
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::{Budget, Limits, PolicyName, Predicate};

use crate::limits::web;
use crate::run::Folder;

const PAGES: usize = 150;
const TOPIC: &str = "Page 7 stones";

/// The order in which the lab crawls what a crawl kept.
fn order_of_lab(folder: &Folder, name: &PolicyName, seed: &str) -> Vec<String> {
    let options = MirrorOptions { texts: Texts::Kept, ..MirrorOptions::default() };
    let path = folder.path("c").display().to_string();
    let mirror = open_mirror(&[path], Some(Kind::Warc), &options).unwrap();
    let start = (0..mirror.pages()).find(|page| mirror.urls.get(*page) == seed).unwrap();
    let settings = PolicySettings {
        topic: Some(Predicate::parse(TOPIC).unwrap()),
        ..PolicySettings::new(Goal::Fetch, Rerank::Every(1_000))
    };
    let sight = Sight { urls: true, anchors: true, texts: true };
    let policy = Knowledge { starts: 1, sight, learnt: None, settings: &settings }.policy(name).unwrap();
    let limits = Limits { budget: Budget::Unlimited, buffer: None, lease: Span::seconds(1) };
    let log = crawl(&mirror, &[start], policy, limits, &Progress::default()).unwrap();
    log.order.iter().map(|page| mirror.urls.get(*page).to_owned()).collect()
}

fn same(name: &str) {
    let (server, folder) = (web(PAGES), Folder::new());
    let seed = server.url("/");
    folder
        .crawl(&[&seed, "--at-once", "1", "--policy", name, "--topic", TOPIC])
        .told()
        .came_to(&[("page", PAGES as u64)]);
    let asked: Vec<String> = server.asked().iter().map(|path| server.url(path)).collect();
    let lab = order_of_lab(&folder, &name.parse().unwrap(), &seed);
    let differs = asked.iter().zip(&lab).position(|(web, lab)| web != lab);
    assert_eq!(asked, lab, "{name}: differ at {differs:?}");
}

macro_rules! policies {
    ($($test:ident = $name:literal),+ $(,)?) => { $(
        #[test]
        fn $test() {
            same($name);
        }
    )+ };
}

policies! {
    ours_breadth_first_is_as_in_the_lab = "breadth-first",
    ours_random_is_as_in_the_lab = "random",
    www98_backlink_is_as_in_the_lab = "backlink",
    www98_pagerank_is_as_in_the_lab = "pagerank",
    ours_opic_is_as_in_the_lab = "opic",
    ours_rankmass_is_as_in_the_lab = "rankmass",
    www98_location_is_as_in_the_lab = "location",
    ours_blend_is_as_in_the_lab = "blend",
    www98_similarity_is_as_in_the_lab = "similarity:backlink",
    kdd02_collaborative_without_a_log_is_as_in_the_lab = "collaborative",
    www98_similarity_near_is_as_in_the_lab = "similarity-near:breadth-first",
}
