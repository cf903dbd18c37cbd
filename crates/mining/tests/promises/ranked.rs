//! Does the behavior graph of a mined site rank what people value?

use trodden_mining::{Goal, MiningSettings, SiteModel, Strategy};

use crate::site::{Site, syn};

fn ranked(model: &SiteModel, goal: Goal, strategy: Strategy) -> Vec<&str> {
    model.ranking(goal, strategy).iter().map(|r| model.nodes[r.id as usize].pattern.as_str()).collect()
}

/// Lists that people enter from outside and that lead to articles; and ten pages that lead to each other in a ring,
/// which few ever entered.
fn ring() -> Site {
    let mut site = Site::default();
    for i in 0..10 {
        let (list, article) = (format!("a.com/list/{i}"), format!("a.com/article/{i}"));
        site.visit(list.clone(), 0..100);
        site.visit(article.clone(), 0..40);
        site.step(&list, &article, 60);
        site.step(&article, &list, 10);
        site.step(&format!("a.com/ring/{i}"), &format!("a.com/ring/{}", (i + 1) % 10), 5);
    }
    site
}

#[test]
fn ours_a_ring_that_refers_to_itself_does_not_win() {
    let model = ring().model(&syn());
    assert_eq!(ranked(&model, Goal::Fetch, Strategy::Behavior), ["/list/#", "/article/#", "/ring/#"]);
    assert_eq!(ranked(&model, Goal::Discovery, Strategy::Behavior)[0], "/list/#");
    assert!(model.graph.residual < 1e-12 && model.graph.rounds > 2, "{:?}", model.graph);
}

#[test]
fn cikm11_undamped_it_does() {
    let model = ring().model(&MiningSettings { damping: 1.0, ..syn() });
    assert_eq!(ranked(&model, Goal::Fetch, Strategy::Behavior)[0], "/ring/#", "a closed class takes everything");
    let ring = model.patterns().find(|(_, node)| node.pattern == "/ring/#").unwrap().1.scores.unwrap();
    assert!(ring.auth > 0.999 && ring.hub > 0.999, "{ring:?}");
}

#[test]
fn ours_a_page_that_reloads_itself_gets_nothing_for_it() {
    let mut site = ring();
    for i in 0..10 {
        let page = format!("a.com/clock/{i}");
        site.visit(page.clone(), 0..1);
        site.step(&page, &page, 100_000 / 10);
    }
    for damping in [0.5, 1.0] {
        let model = site.model(&MiningSettings { damping, ..syn() });
        let clock = model.patterns().find(|(_, node)| node.pattern == "/clock/#").unwrap().1;
        assert_eq!((clock.visits, clock.referrals), (100_010, 100_000), "they are counted as they were");
        let scores = clock.scores.unwrap();
        // Ten visits and no referral are left, of 2,160 visits: next to nothing.
        assert!(scores.auth < 0.02 && scores.hub == 0.0, "δ = {damping}: {scores:?}");
        assert!(model.transits.iter().all(|(from, to, _)| {
            model.nodes[*from as usize].pattern != "/clock/#" && model.nodes[*to as usize].pattern != "/clock/#"
        }));
    }
    let model = site.model(&syn());
    assert_eq!(ranked(&model, Goal::Fetch, Strategy::OverallVisit)[0], "/clock/#", "by visits it would be the first");
    assert_eq!(ranked(&model, Goal::Fetch, Strategy::Behavior)[3], "/clock/#");
}

#[test]
fn ours_scores_are_a_fixed_point_of_the_damped_update() {
    // a: 10 URLs of 3 visits (one from outside), 4 referrals, all to b. b: 10 URLs of 4 visits, 2 referrals, all to a.
    let mut site = Site::default();
    for i in 0..10 {
        let (a, b) = (format!("a.com/a/{i}"), format!("a.com/b/{i}"));
        site.visit(a.clone(), 0..1).step(&a, &b, 4).step(&b, &a, 2);
    }
    let model = site.model(&syn());
    let of = |pattern: &str| model.patterns().find(|(_, node)| node.pattern == pattern).unwrap().1.scores.unwrap();
    let (a, b) = (of("/a/#"), of("/b/#"));
    // start auth = (3, 4)/5, hub = (4, 2)/√20; pout a→b = 1, b→a = 1; pin a→b = 1, b→a = 2/3.
    let unit = |x: f64, y: f64| (x / x.hypot(y), y / x.hypot(y));
    let s = 20_f64.sqrt();
    let auth = unit(0.5 * b.hub + 0.5 * 0.6, 0.5 * a.hub + 0.5 * 0.8);
    let hub = unit(0.5 * b.auth + 0.5 * 4.0 / s, 0.5 * (2.0 / 3.0) * a.auth + 0.5 * 2.0 / s);
    for (got, expected) in [(a.auth, auth.0), (b.auth, auth.1), (a.hub, hub.0), (b.hub, hub.1)] {
        assert!((got - expected).abs() < 1e-11, "{got} is not {expected}");
    }
    // Fetch ranks by the mean of both, discovery by hubs.
    let fetch = model.scores(Goal::Fetch, Strategy::Behavior);
    assert!((fetch[0] - (a.auth + a.hub) / 2.0).abs() < 1e-15);
    assert_eq!(model.scores(Goal::Discovery, Strategy::Behavior), [a.hub, b.hub]);
}

#[test]
fn cikm11_simple_strategies_count() {
    let model = ring().model(&syn());
    let first = |goal, strategy| {
        let ranking = model.ranking(goal, strategy);
        (model.nodes[ranking[0].id as usize].pattern.as_str(), ranking[0].score)
    };
    assert_eq!(first(Goal::Fetch, Strategy::OverallVisit), ("/list/#", 1100.0));
    assert_eq!(first(Goal::Fetch, Strategy::AverageVisit), ("/list/#", 110.0));
    assert_eq!(first(Goal::Discovery, Strategy::OverallReferral), ("/list/#", 600.0));
    assert_eq!(first(Goal::Discovery, Strategy::AverageReferral), ("/list/#", 60.0));
    // Ten URLs each: the more visited first.
    assert_eq!(ranked(&model, Goal::Fetch, Strategy::Volume), ["/list/#", "/article/#", "/ring/#"]);
}

#[test]
fn cikm11_with_its_transits_to_itself_a_page_that_reloads_itself_takes_everything() {
    let mut site = ring();
    for i in 0..10 {
        let page = format!("a.com/clock/{i}");
        site.visit(page.clone(), 0..1);
        site.step(&page, &page, 100_000 / 10);
    }
    let model = site.model(&MiningSettings { damping: 1.0, self_transits: true, ..syn() });
    assert_eq!(ranked(&model, Goal::Fetch, Strategy::Behavior)[0], "/clock/#");
    let clock = model.patterns().find(|(_, node)| node.pattern == "/clock/#").unwrap().1.scores.unwrap();
    assert!(clock.auth > 0.99 && clock.hub > 0.99, "{clock:?}");
}
