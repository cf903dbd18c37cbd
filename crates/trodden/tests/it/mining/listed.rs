//! `urls MODEL`: what to fetch first.

use std::collections::BTreeMap;

use crate::mining::shop::{SITE, count, mined, number, patterns, shop, site, text};
use crate::run::Folder;

/// URLs of `--format json`, with their rows.
#[track_caller]
fn rows(folder: &Folder, args: &[&str]) -> Vec<serde_json::Value> {
    let ran = folder.run(&[&["urls", "site.model", "--format", "json"], args].concat()).ok();
    ran.json().as_array().unwrap().clone()
}

/// The `loc` of every `url` in a sitemap that is nothing else.
#[track_caller]
fn locations(xml: &str) -> Vec<String> {
    let body = xml
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .and_then(|rest| rest.strip_prefix("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"))
        .and_then(|rest| rest.strip_suffix("</urlset>\n"))
        .unwrap_or_else(|| panic!("no sitemap: {xml}"));
    let location = |line: &str| {
        let url = line.trim().strip_prefix("<url><loc>").and_then(|rest| rest.strip_suffix("</loc></url>"));
        let url = url.unwrap_or_else(|| panic!("no entry: {line}"));
        assert!(!url.contains(['<', '>', '"']) && !url.replace("&amp;", "").contains('&'), "not escaped: {url}");
        url.replace("&amp;", "&")
    };
    body.lines().map(location).collect()
}

#[test]
fn ours_list_json_and_sitemap_have_the_same_urls_in_the_same_order() {
    let folder = mined(&shop());
    for args in [&["--top", "1000"][..], &["--top", "7"], &["--goal", "discovery"], &["--by", "average-visit"]] {
        let rows = rows(&folder, args);
        let urls: Vec<&str> = rows.iter().map(|row| text(row, "url")).collect();
        let run = |format: &str| folder.run(&[&["urls", "site.model", "--format", format], args].concat()).ok().stdout;
        assert_eq!(locations(&run("sitemap")), urls, "{args:?}");
        let list = run("list");
        let listed: Vec<[&str; 4]> =
            list.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().try_into().unwrap()).collect();
        let expected: Vec<[String; 3]> = rows
            .iter()
            .map(|row| {
                let (visits, users) = (count(row, "visits").to_string(), count(row, "users").to_string());
                [visits, users, text(row, "url").to_owned()]
            })
            .collect();
        let told: Vec<[&str; 3]> = listed.iter().map(|[visits, users, _, url]| [*visits, *users, *url]).collect();
        assert_eq!(told, expected, "{args:?}");
        for ([_, _, score, _], row) in listed.iter().zip(&rows) {
            let (printed, exact) = (score.parse::<f64>().unwrap(), number(row, "score"));
            assert!((printed - exact).abs() <= exact * 5e-4, "{printed} {exact}");
        }
        assert!(urls.iter().all(|url| url.starts_with(&format!("{SITE}/"))), "{urls:?}");
    }
    let all = rows(&folder, &["--top", "1000"]);
    assert!(all.iter().any(|row| text(row, "url").contains("&sort=price")), "something to escape");
}

#[test]
fn ours_top_takes_the_first() {
    let folder = mined(&shop());
    let all = rows(&folder, &["--top", "1000"]);
    for top in [0, 1, 5, all.len(), all.len() + 1] {
        assert_eq!(rows(&folder, &["--top", &top.to_string()]), all[..top.min(all.len())], "{top}");
    }
    folder.run(&["urls", "site.model", "--top", "3"]).ok().says(&[&format!("{} of ", all.len()), "listed: 3"]);
}

#[test]
fn ours_urls_come_by_the_visits_that_they_can_expect() {
    let folder = mined(&shop());
    let all = rows(&folder, &["--top", "1000"]);
    assert_eq!(text(&all[0], "url"), format!("{SITE}/"), "the home page is read most");
    assert!(all.is_sorted_by(|a, b| number(a, "score") >= number(b, "score")));
    for by in ["blend", "expected"] {
        assert_eq!(rows(&folder, &["--by", by, "--top", "1000"]), all, "without links they are the same");
    }
    // What is read much does not sink for having a pattern of its own: the most visited come first, in about this order.
    let visits: Vec<u64> = all.iter().map(|row| count(row, "visits")).collect();
    let mut most = visits.clone();
    most.sort_unstable_by(|a, b| b.cmp(a));
    let mut first = visits[..5].to_vec();
    first.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!((visits[0], first.as_slice()), (most[0], &most[..5]));
    let top: u64 = visits[..10].iter().sum();
    assert!(top * 100 >= most[..10].iter().sum::<u64>() * 95, "{visits:?}");
    let discovery = rows(&folder, &["--goal", "discovery"]);
    assert!(number(&discovery[0], "score") > 0.0);
    assert!(discovery.is_sorted_by(|a, b| number(a, "score") >= number(b, "score")));
}

#[test]
fn cikm11_urls_come_by_their_pattern_then_by_their_own_visits() {
    let folder = mined(&shop());
    for (goal, name) in [("fetch", "fetch"), ("discovery", "discovery")] {
        let site = site(&folder, &["site.model"]);
        let by_id: BTreeMap<u64, &serde_json::Value> = patterns(&site).iter().map(|p| (count(p, "id"), p)).collect();
        let rows = rows(&folder, &["--goal", goal, "--by", "behavior", "--top", "1000"]);
        for row in &rows {
            let pattern = by_id[&count(row, "pattern_id")];
            assert_eq!(number(row, "score"), number(pattern, name), "{row}");
            assert_eq!(text(row, "pattern"), text(pattern, "pattern"));
            assert_eq!(text(row, "site"), "example.org");
            assert!(count(row, "visits") >= 5 && count(row, "users") >= 5, "{row}");
        }
        assert!(rows.len() > 30);
        assert!(rows.is_sorted_by(|a, b| {
            let key = |row: &serde_json::Value| (number(row, "score"), count(row, "visits"));
            key(a) >= key(b)
        }));
    }
    // As many users as asked for, of those that the model names.
    let fewer = rows(&folder, &["--min-users", "20", "--top", "1000"]);
    assert!(!fewer.is_empty() && fewer.iter().all(|row| count(row, "users") >= 20), "{fewer:?}");
}
