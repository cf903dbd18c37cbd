//! Is a URL worth the visits that it can expect, by a model alone?

use proptest::prelude::*;
use trodden_mining::{Goal, MiningSettings, Order, Place, SiteModel, Strategy, UrlScores, Why};

use crate::site::{Site, syn};

/// A home page that most read, and many articles: one much read, some read by enough users for a name, most by one.
fn magazine() -> SiteModel {
    let mut site = Site::default();
    site.visit("a.com/", 0..300);
    site.visit("a.com/article/1", 0..40);
    for n in 2..12 {
        site.visit(format!("a.com/article/{n}"), 0..8);
        site.step("a.com/", &format!("a.com/article/{n}"), 4);
    }
    for n in 12..100 {
        site.visit(format!("a.com/article/{n}"), 0..1);
    }
    site.origin.learnt.last_ms = 10 * 86_400_000;
    site.mine(5, &MiningSettings { own_leaf_share: 0.05, ..syn() }).unwrap()
}

fn named<'m>(model: &'m SiteModel, scores: &UrlScores) -> Vec<(&'m str, f64)> {
    let mut all: Vec<(&str, f64)> =
        model.urls.iter().enumerate().map(|(at, url)| (url.url.as_str(), scores.named(at))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

#[test]
fn ours_a_page_with_a_pattern_of_its_own_does_not_sink_for_it() {
    let model = magazine();
    let own: Vec<&str> =
        model.patterns().filter(|(_, node)| node.urls == 1).map(|(_, node)| node.pattern.as_str()).collect();
    assert_eq!(own, ["/", "/article/1"], "the others have a pattern together");
    let scores = UrlScores::of(&model, Goal::Fetch, Order::Expected);
    let order: Vec<&str> = named(&model, &scores).into_iter().map(|(url, _)| url).collect();
    assert_eq!(order[..2], ["a.com/", "a.com/article/1"]);
    let first = named(&model, &scores)[0].1;
    assert!((25.0..31.0).contains(&first), "300 visits in 10 days, in a small log: {first}");
    // By the size of patterns it comes after articles that hardly anybody reads.
    let volume = UrlScores::of(&model, Goal::Fetch, Order::Pattern(Strategy::Volume));
    assert!(volume.named(0) < volume.named(5));
}

#[test]
fn ours_a_url_without_a_name_is_worth_what_others_without_a_name_had() {
    let model = magazine();
    let scores = UrlScores::of(&model, Goal::Fetch, Order::Expected);
    let (articles, _) = model.patterns().find(|(_, node)| node.pattern == "/article/#").unwrap();
    let nameless = scores.nameless(articles);
    assert_eq!((nameless.urls, nameless.visits), (88, 88));
    let unnamed = scores.unnamed(Place::Pattern(articles));
    assert!((unnamed - 0.1).abs() < 0.02, "one visit each in ten days: {unnamed}");
    let uncovered = scores.unnamed(Place::Uncovered(articles, Why::NewKey));
    assert!(0.0 < uncovered && uncovered <= unnamed * 1.000_001, "{uncovered}");
    assert_eq!(scores.above(&model, unnamed), model.urls.len() as u64);
    assert_eq!(scores.above(&model, 0.0), model.nodes[0].urls);
}

#[test]
fn ours_for_discovery_a_url_is_worth_the_steps_on_from_it() {
    let model = magazine();
    let scores = UrlScores::of(&model, Goal::Discovery, Order::Expected);
    let order = named(&model, &scores);
    assert_eq!(order[0].0, "a.com/", "{order:?}");
    assert!(order[0].1 > 10.0 * order[1].1, "nobody went on from anywhere else: {order:?}");
}

#[test]
fn ours_patterns_rank_by_what_one_of_their_urls_can_expect() {
    let model = magazine();
    let ranked = model.ranking_by(Goal::Fetch, Order::Expected);
    let patterns: Vec<&str> = ranked.iter().map(|r| model.nodes[r.id as usize].pattern.as_str()).collect();
    assert_eq!(patterns, ["/", "/article/1", "/article/#"]);
    assert!(ranked.is_sorted_by(|a, b| a.score >= b.score));
    let of_url = model.ranking_by(Goal::Fetch, Order::UrlVisit);
    assert_eq!((of_url[0].id, of_url[0].score), (ranked[0].id, 300.0));
}

proptest! {
    #[test]
    fn ours_scores_are_finite_and_more_visits_never_count_less(
        visits in prop::collection::vec(0_u32..60, 1..60), days in 0_i64..400
    ) {
        let mut site = Site::default();
        for (n, users) in visits.iter().enumerate() {
            site.visit(format!("a.com/p/{n}"), 0..*users);
        }
        site.origin.learnt.last_ms = days * 86_400_000;
        if let Ok(model) = site.mine(5, &syn()) {
            for goal in Goal::ALL {
                let scores = UrlScores::of(&model, goal, Order::Expected);
                for (at, node) in (0..).zip(&model.nodes) {
                    let unnamed = scores.unnamed(Place::Pattern(at));
                    let uncovered = scores.unnamed(Place::Uncovered(at, Why::NoBranch));
                    prop_assert!(unnamed.is_finite() && unnamed >= 0.0 && uncovered >= 0.0, "{node:?}");
                }
            }
            let scores = UrlScores::of(&model, Goal::Fetch, Order::Expected);
            let mut by_visits: Vec<(u64, f64, u32)> =
                model.urls.iter().enumerate().map(|(at, url)| (url.visits, scores.named(at), url.pattern)).collect();
            by_visits.sort_by_key(|row| (row.2, row.0));
            prop_assert!(by_visits.is_sorted_by(|a, b| a.2 != b.2 || a.1 <= b.1 + 1e-9), "{by_visits:?}");
        }
    }
}
