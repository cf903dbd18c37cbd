//! What is said of a model: patterns, URLs, explanations.

use crate::lines::{combined, people};
use crate::run::Folder;

/// A folder with visits and a model of the same log.
fn mined() -> Folder {
    let folder = Folder::with_log(combined(&people(40)));
    folder.ledger(&["-o", "visits"]);
    folder.run(&["mine", "visits", "-o", "site.model"]).ok();
    folder
}

#[test]
fn ours_patterns_are_printed_in_three_forms() {
    let folder = mined();
    let table = folder.run(&["patterns", "site.model"]).ok().stdout;
    assert!(table.starts_with("example.org: ") && table.lines().all(|line| line.chars().count() <= 100), "{table}");
    let tree = folder.run(&["patterns", "site.model", "--format", "tree"]).ok().stdout;
    let json = folder.run(&["patterns", "site.model", "--format", "json"]).ok().json();
    let [site] = json.as_array().unwrap().as_slice() else { panic!("{json}") };
    assert_eq!(site["site"], "example.org");
    let patterns = site["patterns"].as_array().unwrap();
    let sum = |name: &str| patterns.iter().map(|p| p[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("urls"), sum("visits")), (site["urls"].as_u64().unwrap(), site["visits"].as_u64().unwrap()));
    let scores: Vec<f64> = patterns.iter().map(|p| p["fetch"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    for pattern in patterns {
        assert!(tree.contains(pattern["pattern"].as_str().unwrap()), "{tree}");
    }
    // Read a second time in the same file of models, it is a site of its own.
    let twice = folder.run(&["patterns", "site.model", "site.model", "--format", "json", "--top", "1"]).ok().json();
    let patterns: Vec<usize> =
        twice.as_array().unwrap().iter().map(|s| s["patterns"].as_array().unwrap().len()).collect();
    assert_eq!(patterns, [1, 1]);
}

#[test]
fn ours_the_urls_of_a_model_are_those_of_the_visits_in_another_order() {
    let folder = mined();
    let of_visits = folder.run(&["urls", "visits", "--format", "json"]).ok().json();
    let of_model = folder.run(&["urls", "site.model", "--format", "json"]).ok().json();
    let counts = |json: &serde_json::Value| {
        let row = |row: &serde_json::Value| {
            let n = |name: &str| row[name].as_u64().unwrap();
            (row["url"].as_str().unwrap().to_owned(), [n("visits"), n("users"), n("referrals")])
        };
        json.as_array().unwrap().iter().map(row).collect::<std::collections::BTreeMap<_, _>>()
    };
    assert!(!of_model.as_array().unwrap().is_empty());
    let of_visits = counts(&of_visits);
    for (url, counts) in counts(&of_model) {
        assert_eq!(of_visits.get(&url), Some(&counts), "{url}");
    }
    let scores: Vec<f64> = of_model.as_array().unwrap().iter().map(|row| row["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    for input in ["visits", "site.model"] {
        let sitemap = folder.run(&["urls", input, "--format", "sitemap", "--top", "2"]).ok().stdout;
        assert!(sitemap.starts_with("<?xml") && sitemap.ends_with("</urlset>\n"), "{sitemap}");
        assert_eq!(sitemap.matches("<loc>https://www.example.org/").count(), 2, "{sitemap}");
    }
    folder.run(&["urls", "visits", "site.model"]).failed(1).says(&["mixed"]);
}

#[test]
fn ours_a_url_is_explained_and_a_stranger_is_told_what_there_is() {
    let folder = mined();
    let text = folder.run(&["explain", "site.model", "https://www.example.org/"]).ok().stdout;
    assert!(text.contains("URLs of example.org (") && text.contains("\nso: fetch it"), "{text}");
    let json = folder.run(&["explain", "site.model", "/no/such/page?at=all", "--format", "json"]).ok().json();
    assert_eq!((&json["pattern"], &json["itself"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert!(!json["uncovered"]["words"].as_str().unwrap().is_empty());
    folder.run(&["explain", "site.model", "https://example.net/"]).failed(1).says(&["example.net", "example.org"]);
    folder.write("prose.txt", "no line of it\n".repeat(9));
    folder
        .run(&["explain", "prose.txt", "https://example.org/"])
        .failed(1)
        .says(&["prose.txt", "more lines like these"]);
}

#[test]
fn ours_a_strategy_must_serve_the_goal() {
    let folder = mined();
    for command in [&["patterns", "site.model"][..], &["urls", "site.model"], &["explain", "site.model", "/"]] {
        let ran = folder.run(&[command, &["--goal", "discovery", "--by", "volume"]].concat()).failed(1);
        ran.says(&["--by volume", "overall-referral"]);
    }
    folder.run(&["patterns", "site.model", "--site", "example.net"]).failed(1).says(&["example.net", "example.org"]);
    folder.run(&["patterns", "nowhere.model"]).failed(1).says(&["nowhere.model"]);
    folder.run(&["urls", "nowhere.model"]).failed(1).says(&["nowhere.model"]);
}
