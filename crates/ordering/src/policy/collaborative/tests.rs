//! The paper's quantities on an example worked by hand, and that what is learnt bit by bit is what is computed from nothing.

use trodden_frontier::QueueId;
use trodden_mining::TraceBuilder;

use super::composite::{Kind, Ratios};
use super::lanes::Class;
use super::tally::PARTS;
use super::*;
use crate::chance;

/// Users who read these pages in this order.
fn trace(users: &[&[u32]]) -> Arc<Trace> {
    let mut builder = TraceBuilder::default();
    for pages in users {
        let user = builder.new_user();
        (0..).zip(*pages).for_each(|(time, page)| builder.add(user, *page, time));
    }
    Arc::new(builder.finish())
}

/// Looks for pages in the category `good`.
fn policy(
    recipe: &str,
    settings: CollaborativeSettings,
    trace: Arc<Trace>,
    good: impl Fn(u32) -> bool,
) -> Collaborative {
    let mut labels = PageLabels::default();
    (0..trace.pages().max(200)).for_each(|page| labels.add(UrlId(page), if good(page) { "good" } else { "other" }));
    let topic = Predicate::parse("category:good").unwrap();
    let reference = Reference { topic, trace, labels: Arc::new(labels), classes: None };
    Collaborative::new(reference, recipe_of(recipe), settings, Fineness::Levels, 1)
}

fn recipe_of(text: &str) -> Recipe {
    if text.is_empty() { Recipe::default() } else { text.parse().unwrap() }
}

/// Every share counts, however small the sample.
const ALL_COUNT: CollaborativeSettings = CollaborativeSettings {
    sample: SampleSize::Own,
    significance: 0.0,
    deviation: 0.0,
    near: 1,
    features: FeatureSource::Best,
    min_candidates: 0,
};

fn see(policy: &mut Collaborative, pages: std::ops::Range<u32>) {
    for page in pages {
        policy.place(&Known::seed(UrlId(page), ""), Time(0));
    }
}

fn fetch(policy: &mut Collaborative, page: u32, links: &[u32]) -> Vec<(UrlId, Placement)> {
    let link = |key: &u32| Found { key: UrlId(*key), queue: QueueId(0), url: "", anchor: "", is_new: false };
    let found: Vec<Found<'_>> = links.iter().map(link).collect();
    let mut moves = Moves::default();
    policy.settled(&Known::seed(UrlId(page), ""), &Outcome::page(None), &found, &mut moves, Time(0));
    moves.drain().collect()
}

fn nats(policy: &Collaborative, page: u32, kind: Kind) -> f64 {
    policy.ratios(UrlId(page)).0[kind as usize]
}

/// A number as weights are rounded.
fn rounded(nats: f64) -> f64 {
    (nats * PARTS).round() / PARTS
}

#[test]
fn kdd02_ratios_of_users_by_hand() {
    // ann reads 0, 1, 5; ben 0, 2, 5; cy 1, 2, 6. Page 0 satisfies, 1 and 2 do not.
    let mut policy = policy("users+product", ALL_COUNT, trace(&[&[0, 1, 5], &[0, 2, 5], &[1, 2, 6]]), |page| page == 0);
    see(&mut policy, 0..8);
    (0..3).for_each(|page| drop(fetch(&mut policy, page, &[])));
    policy.refresh(&mut Moves::default());
    // P = 1.5/4. ann and ben: one of two, (1 + P)/3; cy: none of two, P/3. Ratios over P.
    let base: f64 = 1.5 / 4.0;
    let [ann, cy] = [(1.0 + base) / 3.0 / base, 1.0_f64 / 3.0];
    assert!((nats(&policy, 5, Kind::Users) - 2.0 * rounded(ann.ln())).abs() < 1e-12);
    assert!((nats(&policy, 6, Kind::Users) - rounded(cy.ln())).abs() < 1e-12);
    assert_eq!(nats(&policy, 7, Kind::Users), 0.0, "nobody read it");
    let reasons = policy.reasons(UrlId(5));
    assert_eq!((reasons.users, reasons.users_for, reasons.users_against), (2, 2, 0));
    assert_eq!(policy.reasons(UrlId(6)).users_against, 1);
    assert_eq!(policy.found(), (3, 1));
}

#[test]
fn kdd02_only_shares_off_by_more_than_chance_count_by_either_sample() {
    let totals = Totals { fetched: 399, satisfying: 39 };
    let tally = Tally { pages: 9, satisfying: 2 };
    // P = 39.5/400; p = (2 + P)/10 = 0.209875; the difference 0.111125.
    let (base, share) = (0.098_75, 0.209_875);
    assert!((totals.base() - base).abs() < 1e-12 && (tally.share(base) - share).abs() < 1e-12);
    // Standard deviation by its own 9 pages 0.0994: t = 1.118; by all 399 pages 0.01493: t = 7.44.
    let counts = |sample, t| totals.significant_nats(tally, sample, t) != 0.0;
    assert!(counts(SampleSize::Own, 1.1) && !counts(SampleSize::Own, 1.13));
    assert!(counts(SampleSize::Crawl, 7.4) && !counts(SampleSize::Crawl, 7.5));
    assert!((totals.significant_nats(tally, SampleSize::Own, 1.1) - (share / base).ln()).abs() < 1e-12);
    // Between 1/20 and 20.
    let rare = Totals { fetched: 9_999, satisfying: 0 };
    assert!(
        (rare.significant_nats(Tally { pages: 5, satisfying: 5 }, SampleSize::Own, 2.0) - 20.0_f64.ln()).abs() < 1e-12
    );
}

#[test]
fn kdd02_locality_by_hand() {
    // ann reads 9 1 0 2 8 in a row; near is one access away.
    let mut policy = policy("locality+product", ALL_COUNT, trace(&[&[9, 1, 0, 2, 8], &[7, 3]]), |page| page < 2);
    see(&mut policy, 0..10);
    fetch(&mut policy, 0, &[]);
    for (page, class) in
        [(1, Class::Near), (2, Class::Near), (9, Class::Far), (8, Class::Far), (7, Class::Far), (5, Class::Unread)]
    {
        assert_eq!(policy.class(UrlId(page)), class, "{page}");
    }
    // 0 itself is outside. 1 satisfies and is inside; so are 0 (by 1) and 9 now, and 2 is by 0.
    fetch(&mut policy, 1, &[]);
    fetch(&mut policy, 3, &[]);
    fetch(&mut policy, 2, &[]);
    assert_eq!(
        (policy.state.near, policy.state.far),
        (Tally { pages: 3, satisfying: 2 }, Tally { pages: 1, satisfying: 0 })
    );
    let base: f64 = 2.5 / 5.0;
    assert!((nats(&policy, 9, Kind::Locality) - ((2.0 + base) / 4.0 / base).ln()).abs() < 1e-12);
    assert!((nats(&policy, 8, Kind::Locality) - (base / 2.0 / base).ln()).abs() < 1e-12);
    assert_eq!(nats(&policy, 5, Kind::Locality), 0.0);
}

#[test]
fn kdd02_the_composite_is_the_product_of_all_ratios() {
    let mut policy = policy("product", ALL_COUNT, trace(&[&[0, 1, 5], &[0, 2, 5], &[1, 2, 6]]), |page| page == 0);
    see(&mut policy, 0..8);
    fetch(&mut policy, 0, &[5, 7]);
    fetch(&mut policy, 1, &[6]);
    policy.refresh(&mut Moves::default());
    let Ratios(kinds) = policy.ratios(UrlId(5));
    assert!(kinds[Kind::Users as usize] > 0.0 && kinds[Kind::Parents as usize] > 0.0, "{kinds:?}");
    let product: f64 = kinds.iter().map(|nats| nats.exp()).product();
    assert!((policy.reasons(UrlId(5)).ratio - product).abs() < 1e-9);
    // 7 is a link of a satisfying page that nobody read: a candidate. 6 is linked by another page.
    assert!(policy.worth(UrlId(7)) > 0.0 && policy.worth(UrlId(7)) > policy.worth(UrlId(6)));
}

/// Sixty users with tastes for some of two hundred pages; every tenth page satisfies, and they stand together.
fn people() -> Arc<Trace> {
    let pages = |user: u64| -> Vec<u32> {
        let taste = chance::number(3, user) % 20;
        let page = |n| {
            let own = chance::unit(user, n) < 0.6;
            if own { taste * 10 + chance::number(user, n) % 10 } else { chance::number(user + 99, n) % 200 }
        };
        (0..12 + user % 30).map(|n| page(n) as u32).collect()
    };
    let all: Vec<Vec<u32>> = (0..60).map(pages).collect();
    trace(&all.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

#[test]
fn kdd02_lazy_updates_and_a_refresh_are_the_full_computation() {
    let settings = CollaborativeSettings { near: 2, ..CollaborativeSettings::default() };
    let trace = people();
    let is_good = |page: u32| page / 10 % 10 == 1;
    let mut lazy = policy("users+signatures+locality+links+product", settings, trace.clone(), is_good);
    see(&mut lazy, 0..200);
    let links = |page: u32| [page / 10 * 10 + (page + 3) % 10, page * 7 % 200];
    let order: Vec<u32> = (0..120).map(|n| n * 53 % 200).collect();
    for &page in &order {
        fetch(&mut lazy, page, &links(page));
    }
    lazy.refresh(&mut Moves::default());
    // From nothing, by the formulas.
    let fetched = |page: u32| order.contains(&page);
    let base = (order.iter().filter(|page| is_good(**page)).count() as f64 + 0.5) / (order.len() as f64 + 1.0);
    let mut users = vec![0.0; 200];
    for user in 0..trace.users() {
        let pages: Vec<u32> =
            trace.pages_of(user).filter(|access| !access.is_again).map(|access| access.page).collect();
        let read: Vec<u32> = pages.iter().copied().filter(|page| fetched(*page)).collect();
        let satisfying = read.iter().filter(|page| is_good(**page)).count() as f64;
        let share = (satisfying + base) / (read.len() as f64 + 1.0);
        let deviation = (base * (1.0 - base) / (read.len() as f64).max(1.0)).sqrt();
        if !read.is_empty() && (share - base).abs() > 2.0 * deviation {
            let nats = (share / base).ln().clamp(-(20.0_f64.ln()), 20.0_f64.ln());
            pages.iter().for_each(|page| users[*page as usize] += rounded(nats));
        }
    }
    assert!(users.iter().filter(|nats| **nats != 0.0).count() > 20, "{users:?}");
    for page in 0..200 {
        let nats = nats(&lazy, page, Kind::Users);
        assert!((nats - users[page as usize]).abs() < 1e-9, "{page}: {nats} {}", users[page as usize]);
    }
    // The same pages in another order of fetching: all that does not depend on when something was seen is the same.
    let mut other = policy("users+signatures+locality+product", settings, trace.clone(), is_good);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    see(&mut other, 0..200);
    sorted.iter().for_each(|page| drop(fetch(&mut other, *page, &[])));
    other.refresh(&mut Moves::default());
    for kind in [Kind::Users, Kind::Signatures, Kind::Locality] {
        for page in 0..200 {
            assert!((nats(&other, page, kind) - nats(&lazy, page, kind)).abs() < 1e-9, "{kind:?} {page}");
        }
    }
    // Where each waits is what is known of it.
    for page in (0..200).filter(|page| !fetched(*page)) {
        let Placement::Lane(lane) = lazy.placement(UrlId(page)) else { panic!("lanes") };
        assert_eq!(lazy.state.notes.get(UrlId(page)).lane, lane.0 + 1);
    }
}

#[test]
fn ours_one_busy_user_costs_a_page_no_more_than_its_steps() {
    let busy: Vec<u32> = (0..50_000).collect();
    let trace = trace(&[&busy, &[0, 60_000], &[1, 60_001]]);
    let mut policy = policy("users+product", ALL_COUNT, trace, |page| page == 0 || page == 60_001);
    see(&mut policy, 0..60_002);
    let moved: Vec<usize> = (0..20).map(|page| fetch(&mut policy, page, &[]).len()).collect();
    assert!(moved.iter().all(|moves| *moves <= STEPS + 2_048), "{moved:?}");
    policy.refresh(&mut Moves::default());
    assert_eq!(nats(&policy, 49_999, Kind::Users), nats(&policy, 20_000, Kind::Users), "all of them heard of it");
}

#[test]
fn ours_another_trace_counts_what_was_fetched_again() {
    let settings = CollaborativeSettings::default();
    let is_good = |page: u32| page / 10 % 10 == 1;
    let run = |first: Arc<Trace>, second: Option<Arc<Trace>>| {
        let mut policy = policy("users+locality+links", settings, first, is_good);
        see(&mut policy, 0..200);
        (0..90).for_each(|n| drop(fetch(&mut policy, n * 53 % 200, &[])));
        if let Some(second) = second {
            let mut other = self::policy("users+locality+links", settings, second, is_good);
            other.take_over(policy.hand_over().unwrap());
            policy = other;
        }
        policy.refresh(&mut Moves::default());
        policy
    };
    let (whole, swapped) = (run(people(), None), run(trace(&[&[3, 4], &[5]]), Some(people())));
    assert_eq!(whole.found(), swapped.found());
    for page in 0..200 {
        assert_eq!(nats(&whole, page, Kind::Users), nats(&swapped, page, Kind::Users), "{page}");
        assert_eq!(whole.class(UrlId(page)), swapped.class(UrlId(page)), "{page}");
    }
}

#[test]
fn ours_a_page_that_was_removed_is_not_the_one_that_has_its_number() {
    let mut policy = policy("users+locality+product", ALL_COUNT, trace(&[&[0, 5], &[0, 5]]), |page| page == 0);
    see(&mut policy, 0..6);
    fetch(&mut policy, 0, &[]);
    policy.refresh(&mut Moves::default());
    assert!(policy.worth(UrlId(5)) > 0.0);
    policy.forget(UrlId(5));
    see(&mut policy, 5..6);
    assert_eq!((policy.worth(UrlId(5)), policy.class(UrlId(5))), (0.0, Class::Unread));
    fetch(&mut policy, 5, &[]);
    assert_eq!(policy.state.readers[0].tally, Tally { pages: 1, satisfying: 1 });
}

#[test]
fn ours_a_topic_that_nothing_or_everything_satisfies_still_has_an_order() {
    for good in [false, true] {
        let mut policy = policy("", CollaborativeSettings::default(), people(), |_| good);
        see(&mut policy, 0..200);
        for page in 0..150 {
            fetch(&mut policy, page, &[(page + 1) % 200]);
        }
        policy.refresh(&mut Moves::default());
        assert!((0..200).all(|page| policy.worth(UrlId(page)).is_finite() && policy.estimate(UrlId(page)).is_finite()));
    }
}
