//! A log that is the site, too.

use std::path::Path;

use serde_json::Value;

use super::site::{SITE, names, policy, readers};
use crate::lines::combined;
use crate::run::{Folder, run_in};

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

/// A log crawled as the site that it is of.
#[track_caller]
fn itself(folder: &Folder, log: &str, args: &[&str]) -> Value {
    let words = ["simulate", log, "--log", log, "--format", "json"];
    run_in(&folder.path(""), &[&words[..], args].concat(), &[]).ok().json()
}

#[test]
fn ours_the_examples_are_their_own_mirrors() {
    let folder = Folder::new();
    let shop = itself(&folder, &example("shop.log.gz"), &[]);
    assert!(shop["pages"].as_u64().unwrap() > 300, "{}", shop["pages"]);
    assert!(shop["traffic"].as_f64().unwrap() > 500.0);
    assert!(names(&shop).contains(&"behavior"), "{}", shop["left_out"]);
    let area = |name| policy(&shop, name)["auc"].as_f64().unwrap();
    assert!(area("url-visit") > area("breadth-first"));
    assert_eq!(shop["mirror"], "shop.log.gz");
    assert_eq!(shop["record"]["inputs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["shop.log.gz"]);
    let small = itself(&folder, &example("access.log"), &["--policy", "breadth-first"]);
    assert!(small["pages"].as_u64().unwrap() > 1);
}

#[test]
fn ours_a_log_that_is_its_own_mirror_gives_the_same_bytes_twice() {
    let folder = Folder::with_log(combined(&readers()));
    let once = itself(&folder, "access.log", &["--site", SITE]);
    assert_eq!(once, itself(&folder, "access.log", &["--site", SITE, "--threads", "1"]));
    // The crawl starts at an entry that nobody reads, and that is no page of the site.
    assert_eq!(policy(&once, "breadth-first")["curve"][1][1], 0.0);
    let ran = folder.run(&["simulate", "access.log", "--log", "access.log", "--site", SITE]).ok();
    ran.says(&["the mirror is the log"]);
    // Somebody who starts at a page starts there.
    let from_home = itself(&folder, "access.log", &["--site", SITE, "--start", "https://www.example.org/"]);
    assert!(from_home["pages"].as_u64() < once["pages"].as_u64());
}

#[test]
fn ours_visits_are_a_mirror() {
    let folder = Folder::with_log(combined(&readers()));
    folder.run(&["ingest", "access.log", "--site", SITE, "-o", "visits"]).ok();
    let of_visits = itself(&folder, "visits", &[]);
    let of_log = itself(&folder, "access.log", &["--site", SITE]);
    assert_eq!(of_visits["policies"], of_log["policies"]);
    assert_eq!(of_visits["mirror"], "visits");
    // The key of the users is nobody's input.
    let inputs: Vec<&String> = of_visits["record"]["inputs"].as_object().unwrap().keys().collect();
    assert!(!inputs.is_empty() && inputs.iter().all(|name| name.ends_with(".parquet")), "{inputs:?}");
}

#[test]
fn ours_a_log_may_be_the_mirror_of_another() {
    let lines = readers();
    let folder = Folder::with_log(combined(&lines));
    folder.write("later.log", combined(&lines[lines.len() / 3..]));
    let words = ["simulate", "access.log", "--log", "later.log", "--site", SITE, "--format", "json"];
    let result = folder.run(&words).ok().json();
    assert_eq!(result["mirror"], "access.log");
    assert_eq!(result["record"]["inputs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["access.log", "later.log"]);
    // Alone it is measured by links, like any mirror.
    let alone = folder.run(&["simulate", "access.log", "--site", SITE, "--format", "json"]).ok().json();
    assert_eq!(alone["pages"], result["pages"]);
}
