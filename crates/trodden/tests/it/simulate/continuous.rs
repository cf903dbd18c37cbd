//! Schedules of revisits, compared on a table of changes.

use std::fmt::Write as _;

use super::site::{SITE, small};
use crate::run::Folder;

const DAY: u32 = 86_400;

/// Twenty pages for a year. The first five change every five days, the others never; page 1 and page 6 have most visits. A page is
/// born every ten days below the first.
fn table() -> (String, String) {
    let (mut changes, mut visits) = ("url\ttime\tkind\n".to_owned(), "url,visits\n".to_owned());
    for page in 0..20 {
        writeln!(changes, "{SITE}/{page}\t0\tstart").unwrap();
        if page < 5 {
            (1..73).for_each(|n| writeln!(changes, "{SITE}/{page}\t{}\tchange", (n * 5 * DAY) + page * 3_600).unwrap());
        }
        writeln!(visits, "{SITE}/{page},{}", if page % 5 == 1 { 100 } else { 1 }).unwrap();
    }
    (1..36).for_each(|n| writeln!(changes, "{SITE}/0/{n}\t{}\tbirth", n * 10 * DAY).unwrap());
    (changes, visits)
}

fn folder() -> Folder {
    let folder = small();
    let (changes, visits) = table();
    folder.write("changes.tsv", changes);
    folder.write("visits.csv", visits);
    folder
}

#[test]
fn ours_schedules_are_compared_by_the_visits_that_meet_the_current_version() {
    let folder = folder();
    let base = ["simulate", "--continuous", "--history", "changes.tsv", "--traffic", "visits.csv", "--budget", "0.5,2"];
    let ran = folder.run(&[&base[..], &["--format", "json", "-o", "out"]].concat()).ok();
    let result = ran.json();
    assert_eq!((&result["pages"], &result["visited_pages"], &result["births"]), (&55.into(), &20.into(), &35.into()));
    let results = result["results"].as_array().unwrap();
    assert_eq!(results.len(), 2 * 9);
    let fresh = |budget: f64, name: &str| {
        let one = results.iter().find(|one| one["budget"] == budget && one["schedule"] == name).unwrap();
        one["fresh"].as_f64().unwrap()
    };
    for budget in [0.5, 2.0] {
        assert!(fresh(budget, "fixed-interval") > fresh(budget, "uniform") + 0.05, "{result}");
        assert!(fresh(budget, "oracle") > 0.8, "{result}");
    }
    let births = result["discovery"].as_array().unwrap();
    assert_eq!(births.len(), 9);
    let table = folder.run(&base).ok().stdout;
    assert!(table.contains("0.50 requests a page and week") && table.contains("New pages (35, all alike)"), "{table}");
    for file in ["result.json", "freshness.svg", "report.html"] {
        assert!(folder.path(&format!("out/{file}")).is_file(), "{file}");
    }
    // The same again, byte for byte, whatever the number of threads.
    let again = folder.run(&[&base[..], &["--format", "json", "--threads", "1"]].concat()).ok();
    assert_eq!(again.json()["results"], result["results"]);
    let one = folder.run(&[&base[..], &["--schedule", "uniform", "--format", "json"]].concat()).ok().json();
    assert_eq!(one["results"].as_array().unwrap().len(), 4, "it and the oracle, twice");
}

#[test]
fn ours_a_mirror_brings_its_links_and_a_log_its_visits() {
    let folder = folder();
    let args =
        ["simulate", "links.tsv", "--continuous", "--history", "made-up:400d", "--log", "access.log", "--site", SITE];
    let result =
        folder.run(&[&args[..], &["--start", "https://www.example.org/", "--format", "json"]].concat()).ok().json();
    assert_eq!(result["visited_pages"], 5, "those of the second half of the log: {result}");
    assert!(result["results"].as_array().unwrap().len() >= 9);
}

#[test]
fn ours_what_is_missing_for_a_comparison_is_said_in_one_line() {
    let folder = folder();
    folder.run(&["simulate", "--continuous"]).failed(2);
    folder.run(&["simulate", "--continuous", "--history", "changes.tsv", "--budget", "0"]).failed(2).says(&["above 0"]);
    folder
        .run(&["simulate", "--continuous", "--history", "changes.tsv", "--schedule", "daily"])
        .failed(2)
        .says(&["fixed-interval"]);
    let cases: [(&[&str], &str); 4] = [
        (&["--history", "made-up:30d"], "name one before the options"),
        (&["--history", "links.tsv"], "must name the columns"),
        (&["--history", "changes.tsv", "--traffic", "links.tsv"], "names no URL with a number"),
        (&["--history", "changes.tsv", "--log", "access.log", "--site", SITE], "--log needs a mirror"),
    ];
    for (args, words) in cases {
        let ran = folder.run(&[&["simulate", "--continuous"], args].concat()).failed(1);
        assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("trodden: ")).count(), 1, "{}", ran.stderr);
        ran.says(&[words]);
    }
    folder.write("visits.csv", "url,visits\nhttp://other.example/,7\n");
    let ran =
        folder.run(&["simulate", "--continuous", "--history", "changes.tsv", "--traffic", "visits.csv"]).failed(1);
    ran.says(&["visits of another site"]);
}
