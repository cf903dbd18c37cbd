//! Crawls in virtual time: requests take time, hosts rest, pages change, and a page is fetched again when its policy says so.

use proptest::prelude::*;
use trodden_frontier::{Placement, Priority, Span, Time, UrlId};
use trodden_lab::Mirror;
use trodden_lab::crawl::{Clock, CrawlLog, Progress, World, crawl, crawl_world};
use trodden_lab::experiment::PolicySettings;
use trodden_lab::experiment::policies::knowledge;
use trodden_lab::history::{Happening, History};
use trodden_mining::Goal;
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::{Again, Budget, Known, Limits, OrderingPolicy, Outcome, PolicyName, SaveFault};

use crate::mirror_of;

/// Pages of two hosts in a ring with chords.
fn site(pages: u32, jump: u32) -> Mirror {
    let url = |page: u32| format!("http://{}.test/{page}", if page.is_multiple_of(2) { "even" } else { "odd" });
    let link = |from: u32, to: u32| format!("{}\t{}\n", url(from), url(to % pages));
    mirror_of(&(0..pages).map(|page| link(page, page + 1) + &link(page, page * jump + 3)).collect::<String>())
}

fn policy(mirror: &Mirror, name: &str) -> Box<dyn OrderingPolicy> {
    let settings = PolicySettings { seed: 11, ..PolicySettings::new(Goal::Fetch, Rerank::Every(2)) };
    knowledge(mirror, &[0], None, &settings).policy(&name.parse::<PolicyName>().unwrap()).unwrap()
}

fn timed(mirror: &Mirror, name: &str, clock: Clock) -> CrawlLog {
    let world = World { clock, ..World::still(mirror, &[0]) };
    crawl_world(&world, policy(mirror, name), Limits::default(), &Progress::default()).unwrap()
}

const NAMES: [&str; 7] = ["breadth-first", "random", "backlink", "pagerank", "opic", "location", "blend"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn ours_time_changes_no_order_where_one_request_follows_another(pages in 2_u32..60, jump in 1_u32..9, request in 0_u64..900) {
        let mirror = site(pages, jump);
        for name in NAMES {
            let still = crawl(&mirror, &[0], policy(&mirror, name), Limits::default(), &Progress::default()).unwrap();
            let slow = timed(&mirror, name, Clock { request: Span(request), ..Clock::STILL });
            prop_assert_eq!(slow.ended, Time(u64::from(pages) * request));
            prop_assert_eq!(&slow.order, &still.order, "{}", name);
            prop_assert_eq!(&slow.discovered_after, &still.discovered_after);
            prop_assert_eq!((still.requests, still.changed, still.ended), (u64::from(pages), 0, Time(0)));
        }
    }

    #[test]
    fn ours_requests_at_once_and_pauses_lose_no_page(
        pages in 2_u32..60, jump in 1_u32..9, request in 1_u64..900, delay in 0_u64..900, at_once in 1_u32..9,
    ) {
        let mirror = site(pages, jump);
        for name in NAMES {
            let clock = Clock { request: Span(request), delay: Span(delay), at_once, until: None };
            let log = timed(&mirror, name, clock);
            let mut sorted = log.order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..pages).collect::<Vec<_>>(), "{}", name);
            prop_assert_eq!((log.requests, log.revisits.len()), (u64::from(pages), 0));
            prop_assert_eq!(timed(&mirror, name, clock), log);
        }
    }
}

#[test]
fn ours_a_host_rests_between_two_requests() {
    // One host, six pages: six requests and five pauses, however many may be under way.
    let links: String = (1..6).map(|page| format!("http://one.test/\thttp://one.test/{page}\n")).collect();
    let mirror = mirror_of(&links);
    let clock = Clock { request: Span(100), delay: Span(1_000), at_once: 4, until: None };
    assert_eq!(timed(&mirror, "breadth-first", clock).ended, Time(6 * 100 + 5 * 1_000));
    // Without pauses, the start and then five at once by four: three rounds.
    let fast = Clock { delay: Span::ZERO, ..clock };
    assert_eq!(timed(&mirror, "breadth-first", fast).ended, Time(300));
    // No request begins after the end.
    let cut = Clock { until: Some(Time(2_500)), ..clock };
    assert_eq!(timed(&mirror, "breadth-first", cut).order.len(), 3);
}

/// As found; each page again a second after it was fetched.
struct EverySecond;

impl OrderingPolicy for EverySecond {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.place_again(url, now)
    }

    fn place_again(&self, _: &Known<'_>, _: Time) -> Placement {
        Placement::Exact(Priority::of(0.0))
    }

    fn again(&mut self, _: &Known<'_>, outcome: &Outcome<'_>, now: Time) -> Again {
        if outcome.is_page() { Again::At(now + Span(1_000)) } else { Again::Never }
    }

    fn estimate(&self, _: UrlId) -> f64 {
        0.0
    }

    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    fn restore(&mut self, _: &[u8]) -> Result<(), SaveFault> {
        Ok(())
    }
}

#[test]
fn ours_a_page_is_fetched_again_at_its_time_and_totals_stay_right() {
    let mirror = mirror_of("http://a.test/\thttp://a.test/1\n");
    // Time begins at 100 s: the second page changes 1.5 s later, and the first is gone after 3.5 s.
    let history =
        History::new([(0, 100_000, Happening::Found), (1, 101_500, Happening::Changed), (0, 103_500, Happening::Gone)]);
    let world = World {
        history: Some(&history),
        begin_ms: 100_000,
        clock: Clock { until: Some(Time(5_500)), ..Clock::STILL },
        ..World::still(&mirror, &[0])
    };
    let log = crawl_world(&world, Box::new(EverySecond), Limits::default(), &Progress::default()).unwrap();
    // Both at 0; then each second: the first at 1, 2, 3 and once more in vain at 4, the second at 1 to 5.
    let at = |page: u32| log.revisits.iter().filter(|(p, _)| *p == page).map(|(_, at)| at.0).collect::<Vec<_>>();
    assert_eq!(at(0), [1_000, 2_000, 3_000]);
    assert_eq!(at(1), [1_000, 2_000, 3_000, 4_000, 5_000]);
    assert_eq!((log.order.len(), log.requests, log.changed), (2, 2 + 3 + 1 + 5, 1));
    // A budget counts requests.
    let still = World::still(&mirror, &[0]);
    let limits = Limits { budget: Budget::Pages(7), ..Limits::default() };
    let log = crawl_world(&still, Box::new(EverySecond), limits, &Progress::default()).unwrap();
    assert_eq!((log.order.len(), log.requests, log.changed), (2, 7, 0));
}

#[test]
fn ours_a_revisit_waits_for_its_host_and_for_a_free_request() {
    // Three pages of one host and a fourth of another; a request takes 300 ms, a host rests 200 ms, two at once.
    let mirror =
        mirror_of("http://a.test/\thttp://a.test/1\nhttp://a.test/\thttp://a.test/2\nhttp://a.test/\thttp://b.test/\n");
    let clock = Clock { request: Span(300), delay: Span(200), at_once: 2, until: Some(Time(6_000)) };
    let world = World { clock, ..World::still(&mirror, &[0]) };
    let log = crawl_world(&world, Box::new(EverySecond), Limits::default(), &Progress::default()).unwrap();
    assert_eq!(log.order.len(), 4);
    assert_eq!(log.requests, 4 + log.revisits.len() as u64);
    // The host with one page is asked each 1.3 s: a second after each answer, which comes at 0.6 s first.
    let b = mirror.find("http://b.test/").unwrap();
    let times =
        |host: &[u32]| log.revisits.iter().filter(|(p, _)| host.contains(p)).map(|(_, at)| at.0).collect::<Vec<_>>();
    assert_eq!(times(&[b]), [1_900, 3_200, 4_500, 5_800]);
    // The other has three pages and answers twice a second: each is fetched again after a second and a half.
    let others: Vec<u32> = (0..4).filter(|page| *page != b).collect();
    assert_eq!(times(&others), (0..10).map(|n| 1_800 + n * 500).collect::<Vec<_>>());
}

#[test]
fn ours_a_page_that_is_not_born_is_not_linked_and_a_moved_one_leads_on() {
    let mirror =
        mirror_of("http://a.test/\thttp://a.test/old\nhttp://a.test/\thttp://a.test/late\nhttp://a.test/new\n");
    let page = |path: &str| mirror.find(&format!("http://a.test{path}")).unwrap();
    let history =
        History::new([(page("/late"), 50, Happening::Born), (page("/old"), 20, Happening::Moved(Some(page("/new"))))]);
    let starts = [page("/")];
    let crawled = |begin_ms: u64| {
        let world = World { history: Some(&history), begin_ms, ..World::still(&mirror, &starts) };
        let log = crawl_world(&world, policy(&mirror, "breadth-first"), Limits::default(), &Progress::default());
        let log = log.unwrap();
        (log.order, log.requests)
    };
    assert_eq!(crawled(0), (vec![page("/"), page("/old")], 2));
    assert_eq!(crawled(30), (vec![page("/"), page("/new")], 3));
    assert_eq!(crawled(60), (vec![page("/"), page("/late"), page("/new")], 4));
}
