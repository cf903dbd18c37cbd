//! What counts as traffic: visits, repeated ones once or each time, those from search engines, an export of clicks; and whether as much
//! was read as was foretold.

use super::site::{close, large, pages_for, policy, simulate, small, told, visits};
use crate::lines::{Line, combined};

#[test]
fn ours_search_traffic_is_what_came_from_search_engines() {
    let folder = small();
    // Of the ten visits of the test period, those to /b/1 and two of those to /c/3 came from a search engine.
    let from = |(n, line): (usize, Line)| {
        if [12, 13, 18, 19].contains(&n) { line.from("https://www.google.com/") } else { line }
    };
    let lines: Vec<Line> = visits().into_iter().enumerate().map(from).collect();
    assert_eq!((lines[12].target.as_str(), lines[19].target.as_str()), ("/b/1", "/c/3"));
    folder.write("access.log", combined(&lines));
    let result = told(&folder, &["--traffic", "search", "--policy", "breadth-first"]);
    close(&result["traffic"], 4.0);
    close(&result["cold_traffic"], 2.0);
    // /b/1 is the eighth, /c/3 the twelfth.
    pages_for(&policy(&result, "breadth-first")["pages_for"], [8.0, 12.0, 12.0]);
    simulate(&small(), &["--traffic", "search"]).failed(1).says(&["no visits from search engines"]);
}

#[test]
fn ours_an_export_of_clicks_is_traffic() {
    let folder = small();
    for (name, text) in [
        ("tabs.tsv", "# clicks\nhttps://www.example.org/a/2\t3\n\nhttp://example.org/b\t1\n"),
        ("header.csv", "page,clicks\r\nhttps://www.example.org/a/2,3\r\nexample.org/b,1\r\n"),
        ("blanks", "https://www.example.org/a/2   3\nhttps://www.example.org/b 1"),
    ] {
        folder.write(name, text);
        let result = told(&folder, &["--traffic", name, "--policy", "breadth-first"]);
        close(&result["traffic"], 4.0);
        close(&result["cold_traffic"], 4.0);
        // /b is the third page, /a/2 the sixth.
        let breadth_first = policy(&result, "breadth-first");
        pages_for(&breadth_first["pages_for"], [6.0, 6.0, 6.0]);
        close(&breadth_first["auc"], (10.0 + 3.0 * 7.0) / 48.0);
        // Nobody knows whose clicks they are.
        assert!(breadth_first["auc_interval"].is_null(), "{name}");
        assert!(result["record"]["inputs"][name].is_string());
    }
    // Training on all there is, for judging by clicks.
    let result = told(&folder, &["--traffic", "tabs.tsv", "--train-share", "1", "--policy", "url-visit"]);
    assert_eq!(result["record"]["settings"]["training visits"], "20");
}

#[test]
fn ours_a_bad_line_of_an_export_is_named() {
    let folder = small();
    for (text, line) in [
        ("https://www.example.org/a\t3\nhttps://www.example.org/b\tmany\n", "line 2"),
        ("url,clicks\nhttps://www.example.org/a,3\n\n# x\nnothing\n", "line 5"),
        ("https://www.example.org/a\t3\nhttps://www.example.org/b\t-1\n", "line 2"),
        ("https://www.example.org/a\t3\nhttps://www.example.org/b\t1.5\n", "line 2"),
    ] {
        folder.write("clicks.tsv", text);
        let ran = simulate(&folder, &["--traffic", "clicks.tsv"]).failed(1);
        ran.says(&["clicks.tsv", line, "URL and a number"]);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    simulate(&folder, &["--traffic", "nowhere.tsv"]).failed(1).says(&["nowhere.tsv"]);
    folder.write("clicks.tsv", "https://elsewhere.example/\t3\n");
    simulate(&folder, &["--traffic", "clicks.tsv"]).failed(1).says(&["clicks of the export", "another site"]);
    folder.write("clicks.tsv", b"\xff\xfe\x00\x01");
    simulate(&folder, &["--traffic", "clicks.tsv"]).failed(1).says(&["clicks.tsv"]);
}

#[test]
fn ours_traffic_that_is_not_judged_is_warned_of() {
    let folder = large();
    let links = super::site::sections();
    // Without the links to /help, most of what people read cannot be reached.
    let cut: String =
        links.lines().filter(|line| !line.ends_with("/help")).fold(String::new(), |out, line| out + line + "\n");
    folder.write("links.tsv", cut);
    let warned = |result: &serde_json::Value, words: &str| {
        result["warnings"].as_array().unwrap().iter().any(|warning| warning.as_str().unwrap().contains(words))
    };
    assert!(warned(&told(&folder, &["--policy", "breadth-first"]), "no link leads to"));
    let gone: String =
        links.lines().filter(|line| !line.contains("/help")).fold(String::new(), |out, line| out + line + "\n");
    folder.write("links.tsv", gone);
    assert!(warned(&told(&folder, &["--policy", "breadth-first"]), "not in the mirror"));
}

#[test]
fn cikm11_repeated_visits_count_once_unless_all_are_wanted() {
    let folder = small();
    // Everybody comes again a minute later, as before; in training it makes no difference what is counted.
    let again = |line: Line| [line.clone(), Line { time: line.time + 60, ..line }];
    let lines: Vec<Line> = visits().into_iter().flat_map(again).collect();
    folder.write("access.log", combined(&lines));
    let traffic = |args: &[&str]| told(&folder, &[&["--policy", "breadth-first"], args].concat())["traffic"].clone();
    close(&traffic(&[]), 10.0);
    close(&traffic(&["--traffic", "unique"]), 10.0);
    close(&traffic(&["--traffic", "visits"]), 20.0);
}

#[test]
fn ours_what_was_foretold_stands_beside_what_was_seen() {
    let folder = large();
    let result =
        told(&folder, &["--calibrate", "--policy", "url-visit", "--policy", "blend", "--policy", "breadth-first"]);
    let all = result["calibration"].as_array().unwrap();
    let of = |policy: &str, part: &str| {
        let found = all.iter().find(|c| c["policy"] == policy && c["part"] == part);
        found.unwrap_or_else(|| panic!("no {policy} {part}"))
    };
    // Breadth-first foretells nothing.
    assert_eq!(all.len(), 4);
    for policy in ["url-visit", "blend"] {
        for part in ["test", "training"] {
            let calibration = of(policy, part);
            let sum = |groups: &str, what: &str| -> f64 {
                calibration[groups].as_array().unwrap().iter().map(|group| group[what].as_f64().unwrap()).sum()
            };
            for what in ["pages", "foretold", "seen"] {
                let all = calibration["all"][what].as_f64().unwrap();
                assert!(
                    (sum("classes", what) - all).abs() < 1e-6 && (sum("tenths", what) - all).abs() < 1e-6,
                    "{what}"
                );
            }
            assert_eq!(calibration["classes"][0]["group"], "unread");
        }
        // What was seen in the test is its traffic, and the halves are equally long but for a visit.
        assert_eq!(of(policy, "test")["all"]["seen"], result["traffic"]);
        assert!((of(policy, "test")["exposure"].as_f64().unwrap() - 1.0).abs() < 0.01);
    }
    // A URL's own count foretells nothing for the unread, and what was counted for all others.
    close(&of("url-visit", "test")["classes"][0]["foretold"], 0.0);
    assert!(of("blend", "test")["classes"][0]["foretold"].as_f64().unwrap() > 0.0);
    let shown = simulate(&folder, &["--calibrate", "--policy", "blend", "-o", "out"]).ok();
    for words in ["blend: visits predicted and seen, in the test", "its first half predicts its second half", "tenths:"]
    {
        assert!(shown.stdout.contains(words), "{words}: {}", shown.stdout);
    }
    let page = std::fs::read_to_string(folder.path("out").join("report.html")).unwrap();
    assert!(page.contains("Predicted and seen") && page.contains("Inside training"));
}
