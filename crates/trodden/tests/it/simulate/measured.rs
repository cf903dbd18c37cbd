//! Importance of pages, the three crawl models, and how policies are set.

use serde_json::Value;

use super::site::{close, large, names, policy, simulate, small, told};

/// The curves of a policy by the n-th metric.
#[track_caller]
fn by<'v>(result: &'v Value, metric: usize, name: &str) -> &'v Value {
    let all = result["importance"][metric]["policies"].as_array().unwrap();
    all.iter().find(|policy| policy["name"] == name).unwrap_or_else(|| panic!("no {name}: {all:?}"))
}

#[test]
fn www98_without_a_log_crawls_are_measured_by_links() {
    let folder = large();
    let ran = folder.run(&["simulate", "links.tsv", "--format", "json"]).ok();
    ran.says(&["starting at https://www.example.org/"]);
    let result = ran.json();
    let metrics: Vec<&str> =
        result["importance"].as_array().unwrap().iter().map(|metric| metric["metric"].as_str().unwrap()).collect();
    assert_eq!(metrics, ["backlinks", "pagerank"]);
    assert_eq!((&result["traffic"], &result["cold_traffic"]), (&0.0.into(), &0.0.into()));
    assert!(names(&result).iter().all(|name| !["ideal", "behavior", "url-visit"].contains(name)));
    for policy in result["policies"].as_array().unwrap() {
        assert!(policy["auc"].is_null() && policy["curve"].as_array().unwrap().is_empty());
    }
    let areas = |at, name| by(&result, at, name)["threshold_auc"].as_f64().unwrap();
    for at in [0, 1] {
        assert!(
            areas(at, "ideal (formula)") >= areas(at, "pagerank-whole")
                && areas(at, "pagerank") > areas(at, "random (formula)")
        );
    }
    let table = folder.run(&["simulate", "links.tsv"]).ok().stdout;
    assert!(table.contains("pagerank-whole") && table.contains("backlinks"), "{table}");
}

#[test]
fn www98_hot_pages_by_hand() {
    let folder = small();
    // Forward links: / 3, /a 3, /c 3, /b 2, the others none. Breadth-first has them at 1, 2, 4 and 3.
    let args = ["--importance", "forward-links", "--policy", "breadth-first", "--hot", "above:3", "--buffer", "0.25"];
    let result = told(&folder, &args);
    let metric = &result["importance"][0];
    assert_eq!((&metric["hot"], &metric["buffer"]), (&3.into(), &3.into()));
    close(&metric["threshold"], 3.0);
    let breadth_first = by(&result, 0, "breadth-first");
    // 1/3, 2/3, 2/3, and all from the fourth on.
    close(&breadth_first["threshold_auc"], (1.0 + 2.0 + 2.0 + 27.0) / 36.0);
    // The buffer keeps the first three: breadth-first believes the earlier the better.
    let buffer = breadth_first["buffer"].as_array().unwrap();
    close(&buffer.last().unwrap()[1], 2.0 / 3.0);
    close(&buffer[3][1], 2.0 / 3.0);
    // Of the first K, how many are as important as the K-th: 1, 2 of 2, 2 of 3, then all four of four.
    let stop = breadth_first["crawl_and_stop"].as_array().unwrap();
    for (at, share) in [(1, 1.0), (2, 1.0), (3, 2.0 / 3.0), (4, 1.0), (12, 1.0)] {
        close(
            &stop.iter().find(|point| (point[0].as_f64().unwrap() - f64::from(at) / 12.0).abs() < 1e-9).unwrap()[1],
            share,
        );
    }
    // By share: a tenth of twelve is two pages, and a third that is as important.
    let result = told(&folder, &["--importance", "forward-links", "--policy", "breadth-first", "--hot", "10%"]);
    assert_eq!(result["importance"][0]["hot"], 3);
}

#[test]
fn www98_every_metric_can_be_asked_for() {
    let folder = large();
    for metric in ["backlinks", "pagerank", "forward-links", "location", "combined:backlinks=1,location=0.5"] {
        let result = told(&folder, &["--importance", metric, "--policy", "breadth-first", "--policy", "backlink"]);
        assert_eq!(result["importance"][0]["metric"], metric);
        // Two formulas and two policies, measured by traffic too.
        assert_eq!(result["importance"][0]["policies"].as_array().unwrap().len(), 4, "{metric}");
        assert!(policy(&result, "backlink")["auc"].is_number());
    }
    simulate(&folder, &["--importance", "similarity"]).failed(1).says(&["--importance similarity", "query words"]);
    simulate(&folder, &["--importance", "beauty"]).failed(2).says(&["beauty", "forward-links"]);
    simulate(&folder, &["--importance", "combined:backlinks"]).failed(2).says(&["NAME=WEIGHT"]);
}

#[test]
fn www98_settings_of_policies_matter() {
    let folder = large();
    let curve = |args: &[&str], name: &str| {
        let result = told(&folder, &[&["--policy", name], args].concat());
        policy(&result, name)["curve"].clone()
    };
    // Brought up to date never, PageRank is breadth-first.
    assert_eq!(curve(&["--rerank", "1000"], "pagerank"), curve(&[], "breadth-first"));
    assert_ne!(curve(&["--rerank", "3"], "pagerank"), curve(&["--rerank", "1000"], "pagerank"));
    // 202 pages: one percent is three pages, rounded up.
    assert_eq!(curve(&["--rerank", "3"], "pagerank"), curve(&[], "pagerank"));
    assert_ne!(curve(&["--goal", "discovery"], "behavior"), curve(&["--goal", "fetch"], "behavior"));
    let result = told(&folder, &["--importance", "backlinks", "--buffer", "0", "--policy", "random"]);
    assert!(result["importance"][0]["buffer"].is_null() && by(&result, 0, "random")["buffer"].is_null());
    for bad in [
        ["--hot", "above:much"],
        ["--hot", "above:NaN"],
        ["--hot", "2"],
        ["--buffer", "2"],
        ["--rerank", "0"],
        ["--pages", "-1"],
    ] {
        simulate(&folder, &[&format!("{}={}", bad[0], bad[1])]).failed(2);
    }
}

#[test]
fn ours_levels_and_exact_values_differ_only_where_counts_are_large() {
    let folder = small();
    let [levels, exact] =
        [&["--policy", "url-visit"][..], &["--policy", "url-visit", "--exact"]].map(|args| told(&folder, args));
    assert_eq!(policy(&levels, "url-visit")["curve"], policy(&exact, "url-visit")["curve"]);
    assert_eq!(exact["record"]["settings"]["order"], "exact");
}

#[test]
fn ours_an_unknown_policy_says_which_there_are() {
    for bad in ["breadth", "similarity:", "similarity:similarity:opic"] {
        let ran = simulate(&small(), &["--policy", bad]).failed(2);
        ran.says(&[bad, "breadth-first", "ideal-unlinked", "similarity-near:ORDER"]);
    }
    // The same twice is one.
    let result = told(&small(), &["--policy", "opic", "--policy", "opic"]);
    assert_eq!(names(&result), ["opic"]);
}
