//! A planted site, judged by hand.
//!
//! Training: `/item/N` for N below 100, two visits each (200), and `/news/2016/N` for N below 100, one visit each (100).
//! Later, over three months: two items and one piece of news that fit, and one page of a kind that was not there.

use super::*;
use crate::{
    Entrance, From, MiningSettings, ModelSet, SiteModel, SiteTableBuilder, TableOrigin, TreeKind, Triple, mine_site,
};

const DAY: i64 = 86_400_000;
/// 2016-01-01.
const NEW_YEAR: i64 = 16_801 * DAY;

fn planted() -> SiteModel {
    let mut builder = SiteTableBuilder::new(5);
    let mut visit = |url: &str, visits: u32| {
        let url = builder.url(url);
        (0..visits).for_each(|_| builder.add(Triple { from: From::Outside(Entrance::Direct), target: url }));
        // Everybody visits everything, so that everything may be named.
        (0..5).for_each(|user| builder.add_user(url, user));
    };
    for n in 0..100 {
        visit(&format!("a.com/item/{n}"), 2);
        visit(&format!("a.com/news/2016/{n}"), 1);
    }
    let table = builder.finish("a.com".to_owned());
    mine_site(&table, &TableOrigin::default(), 5, &MiningSettings::default()).unwrap()
}

/// The later visits: URL, day after new year, how often.
const LATER: [(&str, i64, u32); 6] = [
    ("a.com/item/500", 0, 2),
    ("a.com/news/2016/7", 1, 1),
    ("a.com/item/500", 31, 1),
    ("a.com/video/x.html", 32, 1),
    ("a.com/item/3", 60, 1),
    ("a.com/video/x.html", 90, 2),
];

fn later(rows: &[(&str, i64, u32)]) -> LaterVisits {
    let mut later = LaterVisits::new(Periods::between(NEW_YEAR, NEW_YEAR + 90 * DAY));
    for (url, day, visits) in rows {
        (0..*visits).for_each(|_| later.add(url, NEW_YEAR + day * DAY));
    }
    later
}

#[test]
fn cikm11_a_planted_site_has_the_quality_computed_by_hand() {
    let model = planted();
    let quality = judge(&model, &later(&LATER));
    assert_eq!((quality.urls, quality.visits, quality.period), (4, 8, "month"));
    // p: item/3 1/8, item/500 3/8, news 1/8, video 3/8. q: items had 2/3 of the visits, two of them are visited now, 1/3
    // each; news had 1/3; the video has nothing.
    let by_hand = {
        let p = [1.0 / 8.0, 3.0 / 8.0, 1.0 / 8.0, 3.0 / 8.0];
        let q = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0];
        let term = |x: f64, y: f64| if x == 0.0 { 0.0 } else { x * (2.0 * x / (x + y)).log2() };
        p.iter().zip(&q).map(|(p, q)| term(*p, *q) + term(*q, *p)).sum::<f64>() / 2.0
    };
    for tree in TreeKind::ALL {
        let found = quality.trees.get(tree);
        assert_eq!(found.size, model.trees.of(tree));
        let coverage = PatternCoverage { urls: 4, visits: 8, located_urls: 3, located_visits: 5 };
        assert_eq!(found.coverage, coverage, "{tree:?}");
        assert_eq!((found.url_coverage, found.traffic_coverage), (Some(0.75), Some(0.625)));
        assert!(found.divergence.is_some_and(|found| (found - by_hand).abs() < 1e-12), "{tree:?} {found:?} {by_hand}");
    }
}

#[test]
fn cikm11_reliability_is_told_month_by_month() {
    let months = judge(&planted(), &later(&LATER)).reliability;
    let rows: Vec<_> = months.iter().map(|month| (month.period.as_str(), month.coverage.tran)).collect();
    let coverage =
        |urls, visits, located_urls, located_visits| PatternCoverage { urls, visits, located_urls, located_visits };
    // Day 60 of a leap year is the first of March.
    let expected =
        [("2016-01", coverage(2, 3, 2, 3)), ("2016-02", coverage(2, 2, 1, 1)), ("2016-03", coverage(2, 3, 1, 1))];
    assert_eq!(rows, expected);
}

#[test]
fn ours_quality_depends_neither_on_the_order_of_visits_nor_on_the_file_of_the_model() {
    let model = planted();
    let mut backwards = LATER;
    backwards.reverse();
    let stored = ModelSet::new(model.to_line().unwrap().into_bytes()).model(0).unwrap();
    assert_eq!(judge(&model, &later(&LATER)), judge(&stored, &later(&backwards)));
}

#[test]
fn ours_no_visits_have_no_quality() {
    let quality = judge(&planted(), &later(&[]));
    let tree = quality.trees.tran;
    assert_eq!((tree.url_coverage, tree.traffic_coverage, tree.divergence), (None, None, None));
    assert!(quality.reliability.is_empty());
}

#[test]
fn cikm11_pages_of_a_pattern_are_compared_with_each_other_and_with_any() {
    // Items look alike, news look alike, and an item is nothing like news.
    let urls = ["a.com/item/1", "a.com/item/2", "a.com/news/2016/1", "a.com/news/2016/2", "a.com/video/x.html"];
    let likeness = |i: usize, j: usize| f64::from(u8::from(i / 2 == j / 2));
    let layout = judge_layout(&planted(), &urls, 10, 100, &mut SplitMix64::new(1), likeness);
    assert_eq!((layout.pages, layout.trees.tran.unwrap().pages), (5, 4));
    assert!(
        layout.trees.each().iter().all(|tree| tree.is_some_and(|t| (t.likeness - 1.0).abs() < 1e-12)),
        "{layout:?}"
    );
    // Two of ten pairs.
    assert!(layout.random.is_some_and(|random| (random - 0.2).abs() < 1e-12));
}
