//! Crawls of any mirror: everything that links lead to is fetched once, and known before it is fetched.

use proptest::prelude::*;
use trodden_lab::Mirror;
use trodden_lab::crawl::{CrawlLog, Progress, crawl};
use trodden_lab::experiment::policies::{knowledge, oracle};
use trodden_lab::experiment::{PolicySettings, Traffic, Training};
use trodden_lab::graph::PageId;
use trodden_lab::metric::BufferEvent;
use trodden_lab::metric::traffic::fetched;
use trodden_mining::Goal;
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::{Limits, PolicyName, Predicate};

use crate::mirror_of;

/// A mirror of so many pages with these links.
fn site(pages: u32, links: &[(u32, u32)]) -> Mirror {
    let url = |page: u32| format!("http://site.test/{}{page}", if page.is_multiple_of(3) { "fish/" } else { "" });
    let alone: String = (0..pages).map(|page| url(page) + "\n").collect();
    let edges =
        links.iter().fold(alone, |edges, (from, to)| edges + &format!("{}\t{}\n", url(from % pages), url(to % pages)));
    mirror_of(&edges)
}

/// Every policy that can run without a model.
fn names() -> impl Iterator<Item = PolicyName> {
    let topical = PolicyName::topical().filter(|name| matches!(name, PolicyName::Similarity(_)));
    PolicyName::plain().filter(|name| name.strategy().is_none()).chain(topical)
}

fn walk(mirror: &Mirror, starts: &[PageId], name: &PolicyName, traffic: &[f64], buffer: Option<usize>) -> CrawlLog {
    let settings = PolicySettings {
        seed: 11,
        topic: Predicate::parse("fish").ok(),
        ..PolicySettings::new(Goal::Fetch, Rerank::Every(2))
    };
    let slices = |n: f64| [0, 0, 0, 0, 0, 0, 0, n as u32];
    let urls = (0..).zip(traffic).map(|(page, n)| (mirror.urls.get(page).replace("http://", ""), slices(*n)));
    let training = Training { urls: urls.collect(), ..Training::default() };
    let future = Traffic { all: traffic.to_vec(), ..Traffic::default() };
    let policy = if name.is_oracle() {
        oracle(name, mirror, Some(&future)).unwrap()
    } else {
        knowledge(mirror, starts, Some(&training), &settings).policy(name).unwrap()
    };
    let everywhere: Vec<PageId> = (0..mirror.pages()).collect();
    let starts = if *name == PolicyName::IdealUnlinked { &everywhere } else { starts };
    crawl(mirror, starts, policy, Limits { buffer, ..Limits::default() }, &Progress::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn ours_every_policy_fetches_all_that_can_be_reached_once(
        pages in 1_u32..25, links in prop::collection::vec((0_u32..25, 0_u32..25), 0..80), second in 0_u32..25,
        traffic in prop::collection::vec((0_u32..20).prop_map(f64::from), 25),
    ) {
        let mirror = site(pages, &links);
        let starts = if second.is_multiple_of(pages) { vec![0] } else { vec![0, second % pages] };
        let reachable = mirror.graph.reachable(&starts);
        let expected: Vec<PageId> = (0..).zip(&reachable).filter(|(_, reached)| **reached).map(|(page, _)| page).collect();
        let traffic = &traffic[..pages as usize];
        let mut areas = Vec::new();
        for name in names() {
            let log = walk(&mirror, &starts, &name, traffic, None);
            if name != PolicyName::IdealUnlinked {
                let mut sorted = log.order.clone();
                sorted.sort_unstable();
                prop_assert_eq!(&sorted, &expected, "{}", name);
                for (position, &page) in (0..).zip(&log.order) {
                    prop_assert!(log.discovered_after[page as usize] <= position, "{} {}", name, page);
                }
                for page in (0..pages).filter(|page| !reachable[*page as usize]) {
                    prop_assert_eq!(log.discovered_after[page as usize], u32::MAX, "{}", name);
                }
                for start in &starts {
                    prop_assert_eq!(log.discovered_after[*start as usize], 0, "{}", name);
                }
            }
            let order: Vec<PageId> = log.order.into_iter().filter(|page| reachable[*page as usize]).collect();
            if let Some(coverage) = fetched(&order, traffic, &reachable) {
                areas.push((name, coverage.area()));
            }
        }
        // Who knows the future and needs no links has the most that can be had.
        if let Some((_, best)) = areas.iter().find(|(name, _)| *name == PolicyName::IdealUnlinked) {
            for (name, area) in &areas {
                prop_assert!(*area <= best + 1e-12, "{}: {} > {}", name, area, best);
            }
        }
    }

    #[test]
    fn www98_a_buffer_never_holds_more_than_it_has_room_for(
        pages in 1_u32..20, links in prop::collection::vec((0_u32..20, 0_u32..20), 0..60), room in 1_usize..6,
    ) {
        let mirror = site(pages, &links);
        let traffic = vec![1.0; pages as usize];
        for name in names() {
            let free = walk(&mirror, &[0], &name, &traffic, None);
            let log = walk(&mirror, &[0], &name, &traffic, Some(room));
            // What is kept does not change what is fetched.
            prop_assert_eq!(&free.order, &log.order, "{}", name);
            let mut kept = std::collections::BTreeSet::new();
            let mut visited = 0;
            for (at, event) in log.buffer.iter().enumerate() {
                match event {
                    BufferEvent::Kept(page) => {
                        prop_assert!(kept.len() <= room && kept.insert(*page), "{} {}", name, at);
                        visited += 1;
                    }
                    BufferEvent::Evicted(page) => prop_assert!(kept.remove(page), "{} {}", name, at),
                }
            }
            prop_assert_eq!((visited, kept.len()), (log.order.len(), room.min(log.order.len())), "{}", name);
        }
    }
}

#[test]
fn www98_the_least_backlinked_page_leaves_the_buffer() {
    // 0 → 1 2 3, 1 → 2, 3 → 2. By backlinks so far: 0, 1, 2 (two), 3. A buffer of two.
    let mirror = site(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (3, 2)]);
    let log = walk(&mirror, &[0], &PolicyName::Backlink, &[0.0; 4], Some(2));
    assert_eq!(log.order, [0, 1, 2, 3]);
    use BufferEvent::{Evicted, Kept};
    // 0 has no link and goes when 2 comes; of 1 and 3, with one link each, the later goes.
    assert_eq!(log.buffer, [Kept(0), Kept(1), Kept(2), Evicted(0), Kept(3), Evicted(3)]);
}

#[test]
fn ours_equals_go_as_found() {
    let mirror = site(7, &[(0, 4), (0, 2), (0, 6), (4, 1), (4, 3), (2, 5)]);
    let no_difference = [0.0; 7];
    for name in ["breadth-first", "url-visit", "ideal"] {
        let order = walk(&mirror, &[0], &name.parse().unwrap(), &no_difference, None).order;
        assert_eq!(order, [0, 4, 2, 6, 1, 3, 5], "{name}");
    }
    // Without links in the way, as the mirror has them.
    assert_eq!(walk(&mirror, &[0], &PolicyName::IdealUnlinked, &no_difference, None).order, [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn ours_a_crawl_that_is_stopped_says_so() {
    let links: Vec<(u32, u32)> = (1..3_000).map(|page| (0, page)).collect();
    let mirror = site(3_000, &links);
    let progress = Progress::default();
    progress.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let policy = Box::new(trodden_ordering::policy::breadth_first::BreadthFirst::default());
    let stopped = crawl(&mirror, &[0], policy, Limits::default(), &progress);
    assert!(matches!(stopped, Err(trodden_lab::Error::Stopped)));
}
