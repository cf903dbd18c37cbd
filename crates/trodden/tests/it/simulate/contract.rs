//! What scripts rely on: names, types and ranges of `simulate --format json`.

use serde_json::Value;

use super::site::{large, names, policy, simulate, told};

/// Every policy that can run on an edge list with a log and without a topic.
const ALL: [&str; 19] = [
    "breadth-first",
    "random",
    "backlink",
    "pagerank",
    "pagerank-whole",
    "opic",
    "rankmass",
    "location",
    "volume",
    "url-visit",
    "overall-visit",
    "average-visit",
    "overall-referral",
    "average-referral",
    "behavior",
    "expected",
    "blend",
    "ideal",
    "ideal-unlinked",
];

#[track_caller]
fn share(value: &Value) -> f64 {
    let share = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((0.0..=1.0 + 1e-12).contains(&share), "{share}");
    share
}

#[track_caller]
fn curve(value: &Value) {
    let points: Vec<[f64; 2]> =
        value.as_array().unwrap().iter().map(|point| [share(&point[0]), share(&point[1])]).collect();
    assert!(points.len() >= 2);
    assert!(points.is_sorted_by(|a, b| a[0] < b[0] && a[1] <= b[1] + 1e-12), "{points:?}");
    let last = points.last().unwrap();
    assert!((last[0] - 1.0).abs() < 1e-12 && (last[1] - 1.0).abs() < 1e-9, "{last:?}");
}

#[test]
fn ours_the_json_has_the_names_that_scripts_rely_on() {
    let result = told(&large(), &[]);
    assert!(result["mirror"].is_string());
    assert_eq!(result["pages"], 202);
    let (traffic, cold) = (result["traffic"].as_f64().unwrap(), result["cold_traffic"].as_f64().unwrap());
    assert!(traffic > cold && cold > 0.0, "{traffic} {cold}");
    let mut ran = names(&result);
    ran.sort_unstable();
    let mut all = ALL;
    all.sort_unstable();
    assert_eq!(ran, all);
    assert_eq!(result["left_out"], Value::Array(Vec::new()));
    for policy in result["policies"].as_array().unwrap() {
        assert_eq!(policy["fetched"], 202, "{}", policy["name"]);
        for area in ["auc", "cold_auc", "discovered_auc"] {
            share(&policy[area]);
        }
        for needed in ["pages_for", "cold_pages_for", "discovered_for"] {
            let needed = ["50", "80", "90"].map(|part| share(&policy[needed][part]));
            assert!(needed.is_sorted(), "{needed:?}");
        }
        curve(&policy["curve"]);
        curve(&policy["cold_curve"]);
        curve(&policy["discovered_curve"]);
        let interval = [0, 1].map(|end| share(&policy["auc_interval"][end]));
        assert!(interval[0] < interval[1] && interval[0] <= share(&policy["auc"]), "{interval:?}");
        assert_eq!(policy["ahead_of_breadth_first"].is_null(), policy["name"] == "breadth-first");
    }
    assert_eq!(result["record"]["seed"], 1);
    assert_eq!(result["record"]["inputs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["access.log", "links.tsv"]);
}

#[test]
fn ours_ideals_come_first_then_the_best() {
    let result = told(&large(), &[]);
    let ran = names(&result);
    assert_eq!(ran[..2], ["ideal-unlinked", "ideal"]);
    let areas: Vec<f64> = ran[2..].iter().map(|name| policy(&result, name)["auc"].as_f64().unwrap()).collect();
    assert!(areas.is_sorted_by(|a, b| a >= b), "{areas:?}");
    // Readers like /help; whoever learnt from them knows it.
    assert!(areas[0] > policy(&result, "breadth-first")["auc"].as_f64().unwrap());
}

#[test]
fn ours_what_is_written_is_what_is_told() {
    let folder = large();
    let ran = simulate(&folder, &["--format", "json", "-o", "deep/er/out"]).ok();
    let read = |name: &str| std::fs::read_to_string(folder.path("deep/er/out").join(name)).unwrap();
    assert_eq!(read("result.json"), ran.stdout);
    let table = read("table.csv");
    assert_eq!(table.lines().count(), 1 + ALL.len(), "{table}");
    let curves = read("curves.csv");
    assert!(ALL.iter().all(|name| curves.contains(name)));
    for file in ["result.json", "table.csv", "curves.csv", "report.html"] {
        ran.says(&[file]);
    }
}

#[test]
fn ours_settings_are_told_as_they_are_typed() {
    let folder = large();
    folder.write("deep/clicks.csv", "https://www.example.org/help,3\n");
    let result = told(
        &folder,
        &[
            "--policy",
            "url-visit",
            "--rerank",
            "3",
            "--hot",
            "above:2.5",
            "--buffer",
            "20%",
            "--hide-urls",
            "/shop",
            "--hide-urls",
            "0.25",
            "--traffic",
            "deep/clicks.csv",
            "--exact",
        ],
    );
    let settings = &result["record"]["settings"];
    for (name, value) in [
        ("rerank", "3"),
        ("hot", "above:2.5"),
        ("buffer", "0.2"),
        ("hidden", "/shop 0.25"),
        ("traffic", "clicks.csv"),
        ("order", "exact"),
        ("goal", "fetch"),
    ] {
        assert_eq!(settings[name], value, "{name}");
    }
    let usual = told(&folder, &["--policy", "url-visit"]);
    for (name, value) in [("rerank", "1%"), ("hot", "0.1"), ("hidden", ""), ("traffic", "unique")] {
        assert_eq!(usual["record"]["settings"][name], value, "{name}");
    }
}
