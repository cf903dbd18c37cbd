//! A policy that is saved and taken up goes on as if nothing had happened.

use std::sync::Arc;

use trodden_frontier::{MemoryFrontier, QueueId, Rotation, Time, UrlId};
use trodden_mining::{Goal, TraceBuilder};
use trodden_ordering::policy::backlink::Backlink;
use trodden_ordering::policy::blend::{Blend, Past, Steps, Uses};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::by_value::{ByValue, Fineness};
use trodden_ordering::policy::collaborative::{Collaborative, CollaborativeSettings, Reference};
use trodden_ordering::policy::location::ByLocation;
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::policy::pagerank::{PageRankSoFar, Rerank};
use trodden_ordering::policy::random::Random;
use trodden_ordering::policy::rankmass::RankMass;
use trodden_ordering::policy::similarity::{Reach, Similarity};
use trodden_ordering::standing::{CompiledModels, Standings};
use trodden_ordering::{Engine, Found, Known, Limits, Moves, Outcome, Predicate};

use crate::orders::site;
use crate::world::{Page, Policy, World, order, step};

type Make = fn() -> Policy;

fn all() -> Vec<(&'static str, Make)> {
    vec![
        ("breadth-first", || Box::new(BreadthFirst::default())),
        ("random", || Box::new(Random::new(7))),
        ("backlink", || Box::new(Backlink::default())),
        ("pagerank", || Box::new(PageRankSoFar::new(Rerank::Every(2)))),
        ("opic", || Box::new(Opic::new(1))),
        ("rankmass", || Box::new(RankMass::new(1))),
        ("location", || Box::new(ByLocation::default())),
        ("by-value", || Box::new(ByValue::new([(UrlId(3), 2.0)], Fineness::Levels))),
        ("blend", || blend(Goal::Discovery)),
        ("collaborative", || collaborative("users+signatures+locality+links")),
        ("collaborative:links+product", || collaborative("links+product")),
        ("similarity-near", || {
            Box::new(Similarity::new(
                Predicate::parse("7").unwrap(),
                Arc::default(),
                Reach::Near,
                Box::new(Opic::new(1)),
            ))
        }),
    ]
}

/// Five readers of the site, and a topic that three of its pages satisfy by their URL.
fn collaborative(recipe: &str) -> Policy {
    let mut trace = TraceBuilder::default();
    for pages in [[0_u32, 4, 7].as_slice(), &[3, 4, 8, 7], &[2, 5, 6], &[1, 7, 9], &[5, 2]] {
        let user = trace.new_user();
        (0..).zip(pages).for_each(|(time, page)| trace.add(user, *page, time));
    }
    let topic = Predicate::parse("url:4 or url:7 or url:8").unwrap();
    let reference = Reference { topic, trace: Arc::new(trace.finish()), labels: Arc::default(), classes: None };
    let settings = CollaborativeSettings { min_candidates: 3, ..CollaborativeSettings::default() };
    Box::new(Collaborative::new(reference, recipe.parse().unwrap(), settings, Fineness::Levels, 5))
}

/// A blend without a model that knows of two read pages, and what led to them.
fn blend(goal: Goal) -> Policy {
    let [start, read, hub, popular] = [0, 3, 2, 7].map(UrlId);
    let past = Past::new([(read, [0, 1, 0, 2, 0, 0, 5, 1]), (popular, [9; 8])], [(start, read), (hub, popular)]);
    let models = Arc::new(CompiledModels::new([]));
    let outlooks = models.outlooks([]);
    Box::new(Blend::new(Uses::BLEND, goal, Steps::DEFAULT, Standings::new(models), outlooks, Arc::new(past)))
}

#[test]
fn ours_to_fetch_goes_what_is_read_and_to_discover_what_leads_to_more_of_it() {
    // Page 0 links to 1, 2 and 3; people read 3, and went on from 2 to 7, which they read most.
    let page = |links: &[u32]| Page {
        url: "http://site.test/".to_owned(),
        links: links.iter().map(|to| (*to, String::new())).collect(),
        ..Page::default()
    };
    let world = World {
        pages: vec![page(&[1, 2, 3]), page(&[4]), page(&[7]), page(&[5]), page(&[]), page(&[6]), page(&[]), page(&[])],
    };
    assert_eq!(order(&world, blend(Goal::Fetch))[1], 3);
    assert_eq!(order(&world, blend(Goal::Discovery))[1], 2);
}

#[test]
fn ours_a_url_with_the_number_of_a_forgotten_one_begins_anew() {
    let url = |key: u32| Known::seed(UrlId(key), "http://site.test/");
    let link = |key| Found { key: UrlId(key), queue: QueueId(0), url: "", anchor: "", is_new: false };
    let found = |keys: std::ops::Range<u32>| keys.map(link).collect::<Vec<_>>();
    let run = |forgotten: &[u32]| {
        let (mut policy, mut moves) = (blend(Goal::Fetch), Moves::default());
        // Enough to be fitted once before and once after.
        for key in 0..300 {
            policy.place(&url(key), Time(0));
        }
        let outcome = Outcome::page(None);
        policy.settled(&url(9), &outcome, &found(10..20), &mut moves, Time(0));
        for key in forgotten {
            policy.forget(UrlId(*key));
            policy.place(&url(*key), Time(0));
        }
        for key in 300..400 {
            policy.place(&url(key), Time(0));
        }
        policy.settled(&url(8), &outcome, &found(20..30), &mut moves, Time(0));
        (0..400).map(|key| policy.estimate(UrlId(key))).collect::<Vec<_>>()
    };
    let (whole, reused) = (run(&[]), run(&[40, 41, 42]));
    assert_eq!(whole, reused, "nothing was known of them but that they are there");
    assert!(whole[7] > 2.0 * whole[100], "a read page: {} against {}", whole[7], whole[100]);
    let reused = run(&[7]);
    assert_eq!(reused[7], reused[100], "nobody read the one that has its number");
}

#[test]
fn a_saved_policy_goes_on_as_if_nothing_had_happened() {
    let world: World = site();
    for (name, make) in all() {
        let whole = order(&world, make());
        for pause in 0..whole.len() {
            let mut engine = Engine::new(MemoryFrontier::new(Rotation::Even), make(), Limits::default(), Vec::new());
            engine.seed(QueueId(0), UrlId(0), &world.pages[0].url, Time(0)).unwrap();
            let mut pages: Vec<u32> = (0..pause).filter_map(|_| step(&world, &mut engine)).collect();
            let mut restored = make();
            restored.restore(&engine.policy().save()).unwrap();
            assert_eq!(restored.save(), engine.policy().save(), "{name}: equal states are equal bytes");
            let saved = engine.save();
            let mut engine = Engine::new(engine.into_frontier(), restored, Limits::default(), Vec::new());
            engine.restore(&saved).unwrap();
            pages.extend(std::iter::from_fn(|| step(&world, &mut engine)));
            assert_eq!(pages, whole, "{name}, saved after {pause}");
        }
    }
}

#[test]
fn what_another_policy_saved_is_refused_or_harmless() {
    for (name, make) in all().into_iter().filter(|(name, _)| *name != "by-value") {
        assert!(make().restore(&[0xFF; 3]).is_err(), "{name}");
    }
}
