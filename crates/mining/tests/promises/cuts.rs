//! Do the cuts merge what behaves alike on a planted site, and only that?

use trodden_mining::{MiningSettings, SiteModel};

use crate::site::Site;

fn settings() -> MiningSettings {
    MiningSettings { own_leaf_share: 1.0, ..MiningSettings::default() }
}

fn leaves(model: &SiteModel) -> [u32; 3] {
    [model.trees.syn.leaves, model.trees.visit.leaves, model.trees.tran.leaves]
}

/// Forty URLs in each of the folders a and b, each visited so often.
fn two_folders(a: u32, b: u32) -> Site {
    let mut site = Site::default();
    for i in 0..40 {
        site.visit(format!("a.com/a/{i}"), 0..a);
        site.visit(format!("a.com/b/{i}"), 0..b);
    }
    site
}

#[test]
fn cikm11_folders_that_are_visited_alike_merge() {
    // F = 400. One pattern: ½ ln 400 + 400·ln 80 = 3.0 + 1752.8; two: ln 400 + 400·(ln 40 + ln 2) = 6.0 + 1752.8.
    let model = two_folders(5, 5).model(&settings());
    assert_eq!(leaves(&model), [2, 1, 1]);
    assert_eq!(model.trees.visit.height, 0);
    let patterns: Vec<_> = model.patterns().map(|(id, node)| (id, node.urls, node.visits)).collect();
    assert_eq!(patterns, [(0, 80, 400)]);
    assert_eq!(model.nodes[0].pattern, "/{word}/#");
}

#[test]
fn cikm11_folders_that_are_visited_differently_stay() {
    // F = 2200. One: 3.8 + 2200·ln 80 = 9644.3; two: 7.7 + 200·(ln 40 + ln 11) + 2000·(ln 40 + ln 1.1)
    //   = 7.7 + 1217.3 + 7568.4 = 8793.4.
    assert_eq!(leaves(&two_folders(5, 50).model(&settings())), [2, 2, 2]);
}

#[test]
fn ours_wagner_merges_more() {
    // 40·10 = 400 visits and 40·13 = 520, F = 920: two patterns save
    //   920·ln 2 − 400·ln 2.3 − 520·ln(920/520) = 637.7 − 333.2 − 296.7 = 7.8 nats, more than ½ ln 920 = 3.4;
    //   weighted by ln F/F = 0.0074 they save 0.06.
    let site = two_folders(10, 13);
    assert_eq!(leaves(&site.model(&settings())), [2, 2, 2]);
    assert_eq!(leaves(&site.model(&MiningSettings { wagner: Some(1.0), ..settings() })), [2, 1, 1]);
}

/// Lists, and articles of two kinds: `/c/#`, `/shop/a/#` and `/shop/b/#`, visited 100, 5 and 25 times a URL, so that
/// visits keep all three apart.
fn lists_and_articles(enter_b_from_outside: bool) -> Site {
    let mut site = Site::default();
    for i in 0..40 {
        let list = format!("a.com/c/{i}");
        site.visit(list.clone(), 0..100);
        site.step(&list, &format!("a.com/shop/a/{i}"), 5);
        if enter_b_from_outside {
            site.visit(format!("a.com/shop/b/{i}"), 0..25);
            site.step(&format!("a.com/shop/b/{i}"), &format!("a.com/shop/a/{i}"), 25);
        } else {
            site.step(&list, &format!("a.com/shop/b/{i}"), 25);
        }
    }
    site
}

#[test]
fn cikm11_siblings_that_people_reach_from_the_same_place_merge() {
    // in(a) = in(b) = {c: 1}, out both 0: likeness 1. c and the merged node have nothing in common.
    let model = lists_and_articles(false).model(&settings());
    assert_eq!(leaves(&model), [3, 3, 2]);
    let mut patterns: Vec<_> = model.patterns().map(|(_, node)| (node.pattern.as_str(), node.visits)).collect();
    patterns.sort_unstable();
    assert_eq!(patterns, [("/c/#", 4000), ("/shop/{word}/#", 1200)]);
    // 40 lists, 5 + 25 steps each.
    assert_eq!(model.transits.iter().map(|(_, _, n)| n).sum::<u64>(), 1200);
    assert_eq!(model.transits.len(), 1);
}

#[test]
fn cikm11_siblings_that_people_reach_differently_stay() {
    let model = lists_and_articles(true).model(&settings());
    assert_eq!(leaves(&model)[2], 3, "a is reached from c and b, b from nowhere");
}

#[test]
fn ours_a_threshold_of_one_merges_nothing() {
    let model = lists_and_articles(false).model(&MiningSettings { transit_threshold: 1.0, ..settings() });
    assert_eq!(leaves(&model), [3, 3, 3], "alike is more than the threshold");
}

#[test]
fn ours_a_log_without_referrers_leaves_the_visit_tree_as_it_is() {
    for (a, b, expected) in [(5, 50, 2), (5, 5, 1)] {
        let model = two_folders(a, b).model(&settings());
        assert_eq!(leaves(&model)[1..], [expected, expected]);
        assert_eq!(model.trees.visit, model.trees.tran);
        let sets = model.nodes.iter().filter(|node| node.is_leaf_of(trodden_mining::TreeKind::Visit));
        assert!(
            sets.clone().count() > 0 && sets.into_iter().all(|node| node.is_leaf_of(trodden_mining::TreeKind::Tran))
        );
    }
}

#[test]
fn ours_patterns_of_every_tree_have_all_urls_and_visits() {
    let site = lists_and_articles(true);
    for tree in trodden_mining::TreeKind::ALL {
        let model = site.model(&MiningSettings { tree, ..settings() });
        let (urls, visits) = model.patterns().fold((0, 0), |sum, (_, node)| (sum.0 + node.urls, sum.1 + node.visits));
        assert_eq!((urls, visits), (120, 4000 + 1000 + 200 + 1000), "{tree:?}");
        assert_eq!(model.trees.of(tree).leaves as usize, model.patterns().count());
    }
}
