//! The same inputs and seed give the same bytes.

use std::collections::BTreeMap;
use std::fs;

use super::site::{large, policy, readers, simulate, told};
use crate::generate::Dice;
use crate::lines::Line;
use crate::run::Folder;

const FILES: [&str; 4] = ["result.json", "table.csv", "curves.csv", "report.html"];

/// Standard output and every file of a run.
fn bytes(folder: &Folder, args: &[&str]) -> BTreeMap<&'static str, String> {
    let importance = ["--importance", "pagerank", "--hide-urls", "0.2"];
    let ran = simulate(folder, &[&["-o", "out"], &importance[..], args].concat()).ok();
    let mut bytes: BTreeMap<&str, String> =
        FILES.into_iter().map(|name| (name, fs::read_to_string(folder.path("out").join(name)).unwrap())).collect();
    bytes.insert("stdout", ran.stdout);
    fs::remove_dir_all(folder.path("out")).unwrap();
    bytes
}

#[test]
fn ours_the_same_seed_gives_the_same_bytes_by_any_number_of_threads() {
    let folder = large();
    let once = bytes(&folder, &["--threads", "1"]);
    assert!(once["result.json"].len() > 10_000);
    for threads in ["1", "2", "7"] {
        let again = bytes(&folder, &["--threads", threads]);
        for (name, text) in &once {
            assert!(*text == again[name], "{name} differs with {threads} threads");
        }
    }
}

#[test]
fn ours_another_seed_gives_another_random_order_and_nothing_else() {
    let folder = large();
    let [one, two] = ["1", "2"].map(|seed| told(&folder, &["--seed", seed]));
    for result in [&one, &two] {
        assert_eq!(result["cold_traffic"], one["cold_traffic"]);
    }
    for name in ["breadth-first", "behavior", "url-visit", "ideal"] {
        assert_eq!(policy(&one, name)["curve"], policy(&two, name)["curve"], "{name}");
    }
    assert_ne!(policy(&one, "random")["curve"], policy(&two, "random")["curve"]);
}

#[test]
fn ours_the_order_of_lines_changes_nothing() {
    let folder = large();
    let once = bytes(&folder, &[]);
    let mut lines: Vec<String> = readers().iter().map(Line::combined).collect();
    Dice::new(9).shuffle(&mut lines);
    folder.write("access.log", lines.concat());
    let again = bytes(&folder, &[]);
    // The file has other bytes; its hash, and nothing else, may say so.
    let hash = |text: &str| {
        let at = text.find("\"access.log\": \"").unwrap() + "\"access.log\": \"".len();
        text[at..at + 32].to_owned()
    };
    let (before, after) = (hash(&once["result.json"]), hash(&again["result.json"]));
    assert_ne!(before, after);
    for (name, text) in &once {
        assert!(text.replace(&before, &after) == again[name], "{name} differs");
    }
}

#[test]
fn ours_a_log_and_its_visits_give_the_same_numbers() {
    let folder = large();
    folder.run(&["ingest", "access.log", "--site", super::site::SITE, "-o", "visits"]).ok();
    let start = ["--start", "https://www.example.org/", "--format", "json"];
    let of_visits = folder.run(&[&["simulate", "links.tsv", "--log", "visits"], &start[..]].concat()).ok().json();
    let of_log = told(&folder, &[]);
    assert_eq!(of_log["policies"], of_visits["policies"]);
    assert_eq!(of_log["cold_traffic"], of_visits["cold_traffic"]);
}

#[test]
fn ours_the_place_of_files_changes_nothing() {
    let [one, two] = [large(), large()];
    let elsewhere = |folder: &Folder| {
        let [links, log] = ["links.tsv", "access.log"].map(|name| folder.path(name).display().to_string());
        let words = ["--site", super::site::SITE, "--start", "https://www.example.org/", "--format", "json"];
        folder.run(&[&["simulate", &links, "--log", &log], &words[..]].concat()).ok().stdout
    };
    assert_eq!(elsewhere(&one), elsewhere(&two));
}
