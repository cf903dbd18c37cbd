//! Numbers of twelve pages, worked out with a pencil.
//!
//! | order | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 |
//! |---|---|---|---|---|---|---|---|---|---|---|---|---|
//! | breadth-first | / 1 | a | b | c 1 | a/1 | a/2 | a/3 1 | b/1 2 | b/2 | c/1 | c/2 | c/3 5 |
//! | ideal | / 1 | c 1 | c/3 5 | a | a/3 1 | b | b/1 2 | … | | | | |
//! | ideal-unlinked | c/3 5 | b/1 2 | 1 | 1 | 1 | … | | | | | | |
//! | url-visit | / 1 | a | a/1 | c 1 | b | b/1 2 | a/2 | a/3 1 | c/1 | c/2 | c/3 5 | b/2 |
//!
//! A visit to the page at position k adds (13 − k)/12 to the sum of which the area is a tenth.

use super::site::{close, pages_for, policy, simulate, small, told};

#[test]
fn ours_pages_traffic_and_what_is_cold_are_counted() {
    let result = told(&small(), &[]);
    assert_eq!((&result["pages"], &result["links"]), (&12.into(), &11.into()));
    close(&result["traffic"], 10.0);
    // /a/3 once and /c/3 five times: nobody read them before.
    close(&result["cold_traffic"], 6.0);
    assert_eq!(result["mirror"], "links.tsv");
}

#[test]
fn ours_breadth_first_by_hand() {
    let result = told(&small(), &["--policy", "breadth-first"]);
    let breadth_first = policy(&result, "breadth-first");
    close(&breadth_first["auc"], (12.0 + 9.0 + 6.0 + 2.0 * 5.0 + 5.0) / 120.0);
    pages_for(&breadth_first["pages_for"], [8.0, 12.0, 12.0]);
    close(&breadth_first["cold_auc"], (6.0 + 5.0) / 72.0);
    pages_for(&breadth_first["cold_pages_for"], [12.0, 12.0, 12.0]);
    // The start is known before the first page; /a/3 with the second, /b/1 with the third, /c/3 with the fourth.
    close(&breadth_first["discovered_auc"], (0.2 + 0.3 + 0.5 + 9.0) / 12.0);
    pages_for(&breadth_first["discovered_for"], [3.0, 4.0, 4.0]);
    let after = [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5, 1.0];
    let curve = breadth_first["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 13);
    close(&curve[0][1], 0.0);
    for (pages, (point, share)) in (1..).map(f64::from).zip(curve[1..].iter().zip(after)) {
        close(&point[0], pages / 12.0);
        close(&point[1], share);
    }
}

#[test]
fn ours_the_ideals_by_hand() {
    let result = told(&small(), &["--policy", "ideal", "--policy", "ideal-unlinked", "--policy", "breadth-first"]);
    let ideal = policy(&result, "ideal");
    close(&ideal["auc"], (12.0 + 11.0 + 5.0 * 10.0 + 8.0 + 2.0 * 6.0) / 120.0);
    pages_for(&ideal["pages_for"], [3.0, 5.0, 7.0]);
    let unlinked = policy(&result, "ideal-unlinked");
    close(&unlinked["auc"], (5.0 * 12.0 + 2.0 * 11.0 + 10.0 + 9.0 + 8.0) / 120.0);
    pages_for(&unlinked["pages_for"], [1.0, 3.0, 4.0]);
    for (name, is_oracle) in [("ideal", true), ("ideal-unlinked", true), ("breadth-first", false)] {
        assert_eq!(policy(&result, name)["oracle"], is_oracle, "{name}");
    }
}

#[test]
fn ours_a_urls_own_visits_by_hand() {
    let result = told(&small(), &["--policy", "url-visit"]);
    let url_visit = policy(&result, "url-visit");
    close(&url_visit["auc"], (12.0 + 9.0 + 2.0 * 7.0 + 5.0 + 5.0 * 2.0) / 120.0);
    pages_for(&url_visit["pages_for"], [8.0, 11.0, 11.0]);
}

#[test]
fn ours_a_crawl_that_stops_early_never_gets_there() {
    let result = told(&small(), &["--policy", "breadth-first", "--pages", "7"]);
    let breadth_first = policy(&result, "breadth-first");
    assert_eq!(breadth_first["fetched"], 7);
    assert_eq!(breadth_first["pages_for"]["50"], serde_json::Value::Null);
    // What it had it keeps: 0.3 from the seventh page on.
    close(&breadth_first["auc"], (3.0 * 0.1 + 3.0 * 0.2 + 6.0 * 0.3) / 12.0);
    assert_eq!(breadth_first["curve"].as_array().unwrap().len(), 8);
    // No page at all is no crawl, but no fault.
    let nothing = told(&small(), &["--policy", "breadth-first", "--pages", "0"]);
    assert_eq!(policy(&nothing, "breadth-first")["fetched"], 0);
    close(&policy(&nothing, "breadth-first")["auc"], 0.0);
}

#[test]
fn ours_few_pages_are_warned_of_wherever_numbers_are_told() {
    let folder = small();
    let ran = simulate(&folder, &["-o", "out"]).ok();
    let words = "only 12 pages can be reached from the start; fewer than 500 prove little";
    assert!(ran.stdout.contains("fewer than 500 prove little"), "{}", ran.stdout);
    let read = |name: &str| std::fs::read_to_string(folder.path("out").join(name)).unwrap();
    assert!(read("result.json").contains(words));
    assert!(read("report.html").contains(words));
}
