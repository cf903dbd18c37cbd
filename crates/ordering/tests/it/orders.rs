//! The order of each policy on one small site.
//!
//! ```text
//! 0 → 1 2 3    1 → 4    2 → 4 5    3 → 5 6    4 → 7    5 → 7    6 → 7 8    7 → 0    8 → 9    9
//! ```

use trodden_frontier::{Time, UrlId};
use trodden_ordering::policy::backlink::Backlink;
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::by_value::{ByValue, Fineness};
use trodden_ordering::policy::location::ByLocation;
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::policy::pagerank::{PageRankSoFar, Rerank};
use trodden_ordering::policy::random::Random;
use trodden_ordering::policy::rankmass::RankMass;
use trodden_ordering::{Budget, Limits};

use crate::world::{World, events, fetched, order};

pub(crate) fn site() -> World {
    World::of(&[&[1, 2, 3], &[4], &[4, 5], &[5, 6], &[7], &[7], &[7, 8], &[0], &[9], &[]])
}

const BREADTH_FIRST: [u32; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

#[test]
fn breadth_first_goes_as_found() {
    assert_eq!(order(&site(), Box::new(BreadthFirst::default())), BREADTH_FIRST);
}

#[test]
fn www98_backlink_goes_by_links_so_far() {
    // 4 has two links once 2 is fetched, 5 once 3 is, 7 once 5 is; all others have one and go as found.
    assert_eq!(order(&site(), Box::new(Backlink::default())), [0, 1, 2, 4, 3, 5, 7, 6, 8, 9]);
}

#[test]
fn www98_pagerank_goes_by_the_rank_of_the_graph_so_far() {
    let every_page = Box::new(PageRankSoFar::new(Rerank::Every(1)));
    // With d = 0.9: 1, 2 and 3 have 0.1 + 0.9·0.1/3 = 0.13; 4 has 0.1 + 0.9·0.13 = 0.217 once 1 is fetched, and 7 has
    // 0.1 + 0.9·0.217 = 0.295 once 4 is. What 7 gives back to 0 raises 2 and 3 alike.
    assert_eq!(order(&site(), every_page), [0, 1, 4, 7, 2, 3, 5, 6, 8, 9]);
    // Never brought up to date, all pages are worth the same.
    let never = Box::new(PageRankSoFar::new(Rerank::Every(100)));
    assert_eq!(order(&site(), never), BREADTH_FIRST);
}

#[test]
fn www98_pagerank_is_brought_up_to_date_on_its_schedule() {
    use trodden_frontier::QueueId;
    use trodden_ordering::{Found, Known, Moves, OrderingPolicy, Outcome};
    // After how many pages something that waits got its place anew, of twelve pages that link to the next two each.
    let times = |rerank: Rerank| {
        let mut policy = PageRankSoFar::new(rerank);
        policy.place(&Known::seed(UrlId(0), ""), Time(0));
        let moved = (0..12_u32).map(|page| {
            let link = |key: u32| Found { key: UrlId(key), queue: QueueId(0), url: "", anchor: "", is_new: true };
            let mut moves = Moves::default();
            let found = [page + 1, page + 2].map(link);
            policy.settled(&Known::seed(UrlId(page), ""), &Outcome::page(None), &found, &mut moves, Time(0));
            (page + 1, moves.drain().count() > 0)
        });
        moved.filter(|(_, is_time)| *is_time).map(|(fetched, _)| fetched).collect::<Vec<u32>>()
    };
    assert_eq!(times(Rerank::Every(1)), (1..=12).collect::<Vec<_>>());
    assert_eq!(times(Rerank::Every(3)), [3, 6, 9, 12]);
    assert_eq!(times(Rerank::Every(13)), Vec::<u32>::new());
    assert_eq!(times(Rerank::Growth(0.5)), [1, 2, 3, 4, 6, 9]);
}

#[test]
fn opic_goes_by_cash() {
    // 1/3 each for 1, 2, 3; 1/2 for 4 after 1 and 2, which 7 gets whole; then 3, whose half makes 1/3 for 5.
    assert_eq!(order(&site(), Box::new(Opic::new(1))), [0, 1, 2, 4, 7, 3, 5, 6, 8, 9]);
}

#[test]
fn opic_loses_no_cash() {
    use trodden_frontier::QueueId;
    use trodden_ordering::{Found, Known, Moves, OrderingPolicy, Outcome};
    let world = site();
    let mut policy = Opic::new(1);
    policy.place(&Known::seed(UrlId(0), ""), Time(0));
    for page in order(&world, Box::new(BreadthFirst::default())) {
        let found: Vec<Found<'_>> = world.pages[page as usize]
            .links
            .iter()
            .map(|(key, _)| Found { key: UrlId(*key), queue: QueueId(0), url: "", anchor: "", is_new: true })
            .collect();
        policy.settled(&Known::seed(UrlId(page), ""), &Outcome::page(None), &found, &mut Moves::default(), Time(0));
        let all: f64 = (0..10).map(|page| policy.cash(UrlId(page))).sum::<f64>() + policy.lost();
        assert!((all - 1.0).abs() < 1e-12, "{all}");
    }
    let importance: f64 = (0..10).map(|page| policy.importance(UrlId(page))).sum();
    assert!((importance - 1.0).abs() < 1e-12);
}

#[test]
fn rankmass_goes_by_open_mass_and_passes_on_what_comes_back() {
    assert_eq!(order(&site(), Box::new(RankMass::new(1))), [0, 1, 2, 4, 7, 3, 5, 6, 8, 9]);
}

#[test]
fn rankmass_bounds_the_rank_that_was_downloaded_from_below() {
    use trodden_frontier::QueueId;
    use trodden_ordering::{Found, Known, Moves, OrderingPolicy, Outcome};
    // A ring of two that leads out to 2: what 2 would get is not covered as long as it is not downloaded.
    let links: [&[u32]; 3] = [&[1], &[0, 2], &[]];
    let mut policy = RankMass::new(1);
    policy.place(&Known::seed(UrlId(0), ""), Time(0));
    let mut covered = vec![policy.covered()];
    for page in [0_u32, 1, 2] {
        let link = |key: &u32| Found { key: UrlId(*key), queue: QueueId(0), url: "", anchor: "", is_new: true };
        let found: Vec<Found<'_>> = links[page as usize].iter().map(link).collect();
        policy.settled(&Known::seed(UrlId(page), ""), &Outcome::page(None), &found, &mut Moves::default(), Time(0));
        covered.push(policy.covered());
    }
    // PageRank from page 0 with d = 0.9: x0 = 0.1 + 0.45·x1, x1 = 0.9·x0, x2 = 0.45·x1.
    let x0 = 0.1 / (1.0 - 0.405);
    let (x1, x2) = (0.9 * x0, 0.405 * x0);
    assert!(covered.is_sorted_by(|a, b| a < b), "{covered:?}");
    assert!((covered[1] - 0.1).abs() < 1e-12, "{covered:?}");
    assert!(covered[2] <= x0 + x1 && covered[3] <= x0 + x1 + x2 + 1e-12, "{covered:?}");
    assert!((covered[3] - (x0 + x1 + x2)).abs() < 1e-9, "{covered:?}");
}

#[test]
fn location_takes_plain_urls_first() {
    let mut world = World::of(&[&[1, 2, 3], &[], &[], &[]]);
    for (page, path) in world.pages.iter_mut().zip(["", "a/b", "a?x=1&y=2", "a"]) {
        page.url = format!("http://site.test/{path}");
    }
    // A query is not part of the path: a?x=1&y=2 is as plain as a, and was found before it.
    assert_eq!(order(&world, Box::new(ByLocation::default())), [0, 2, 3, 1]);
}

#[test]
fn given_values_decide_and_levels_round_them() {
    let values = [(1, 40.0), (2, 41.0), (3, 90.0), (4, 7.0), (5, 6.0), (6, 100.0), (7, 3.0)]
        .map(|(url, value)| (UrlId(url), value));
    let exact = Box::new(ByValue::new(values, Fineness::Exact));
    assert_eq!(order(&site(), exact), [0, 3, 6, 2, 1, 4, 5, 7, 8, 9]);
    // 40 and 41 share a level, so 1 goes as found.
    let levels = Box::new(ByValue::new(values, Fineness::Levels));
    assert_eq!(order(&site(), levels), [0, 3, 6, 1, 2, 4, 5, 7, 8, 9]);
}

#[test]
fn random_takes_whatever_waits_with_the_same_chance() {
    // 0 leads to 1 and 2; 1 leads to 3. Whenever 1 is second, 2 and 3 wait, and must be third equally often, though 2 has
    // waited longer.
    let world = World::of(&[&[1, 2], &[3], &[], &[]]);
    let (mut second, mut third) = (0, 0);
    for seed in 0..4_000 {
        let order = order(&world, Box::new(Random::new(seed)));
        if order[1] == 1 {
            second += 1;
            third += u32::from(order[2] == 3);
        }
    }
    assert!((1_900..2_100).contains(&second), "{second}");
    let share = f64::from(third) / f64::from(second);
    assert!((0.46..0.54).contains(&share), "{share}");
    assert_eq!(order(&world, Box::new(Random::new(5))), order(&world, Box::new(Random::new(5))));
}

#[test]
fn a_budget_ends_a_crawl_and_nothing_is_fetched_twice() {
    let limits = Limits { budget: Budget::Pages(4), ..Limits::default() };
    assert_eq!(fetched(&events(&site(), Box::new(BreadthFirst::default()), limits)), BREADTH_FIRST[..4]);
    for policy in [0, 1] {
        let mut order = match policy {
            0 => order(&site(), Box::new(Random::new(3))),
            _ => order(&site(), Box::new(Opic::new(1))),
        };
        order.sort_unstable();
        assert_eq!(order, BREADTH_FIRST);
    }
}
