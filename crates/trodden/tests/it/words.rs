//! The words an operator types: help, mistakes, settings, and days that are added.

use std::process::{Command, Stdio};

use crate::lines::{DAY, Line, combined, people};
use crate::run::Folder;

#[test]
fn ours_help_is_as_it_was() {
    let folder = Folder::new();
    insta::assert_snapshot!("help", folder.run(&["--help"]).ok().stdout);
    for command in ["demo", "ingest", "patterns", "urls", "explain", "simulate"] {
        insta::assert_snapshot!(format!("help-{command}"), folder.run(&[command, "--help"]).ok().stdout);
    }
}

#[test]
fn ours_usage_mistakes_exit_with_two() {
    let folder = Folder::with_log(combined(&people(2)));
    for args in [
        &["ingest"][..],
        &["frobnicate"],
        &["ingest", "access.log", "--frobnicate"],
        &["ingest", "access.log", "--format", "xml"],
        &["ingest", "access.log", "--memory", "much"],
        &["ingest", "access.log", "--threads", "-1"],
        &["ingest", "access.log", "--client-field", "cookie"],
        &["urls"],
        &["urls", "visits", "--top", "many"],
        &["simulate"],
        &["simulate", "access.log", "--train-share", "half"],
        &["simulate", "access.log", "--train-until", "yesterday"],
        &["simulate", "access.log", "--policy", "best"],
        &["demo", "--seed", "-1"],
    ] {
        let ran = folder.run(args).failed(2);
        assert_eq!(ran.stdout, "", "{args:?}");
        assert!(!ran.stderr.is_empty(), "{args:?}");
    }
    // Nothing at all is a question.
    folder.run(&[]).failed(2).says(&["Usage"]);
}

#[test]
fn ours_a_reader_that_goes_away_is_no_error() {
    let folder = Folder::with_log(combined(&people(2_000)));
    folder.ledger(&["-o", "visits"]);
    for args in [&["ingest", "access.log"][..], &["urls", "visits"], &["--help"], &["completions", "bash"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trodden"))
            .current_dir(folder.path(""))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn ours_mistakes_in_settings_are_named() {
    let folder = Folder::with_log(combined(&people(2)));
    for (setting, words) in [
        ("cleaning.group_dya=5", &["cleaning", "group_dya"][..]),
        ("cleaning.group_day=many", &["cleaning.group_day"]),
        ("cleaning.bots=3", &["cleaning.bots"]),
        ("claening.bots=false", &["claening"]),
        ("cleaning.bots", &["KEY=VALUE"]),
        ("cleaning.bots.more=1", &["cleaning.bots"]),
        ("caps.line_bytes=-1", &["caps.line_bytes"]),
        ("sites.by=continent", &["sites.by"]),
    ] {
        let ran = folder.try_ingest(&["access.log", "--set", setting], &[]).failed(1);
        ran.says(words);
        assert_eq!(ran.stdout, "", "{setting}");
    }
    for (args, words) in [
        (["--log-format", "$remote_addr"], &["--log-format"][..]),
        (["--log-format", "combind"], &["--log-format", "combind"]),
        (["--field", "target"], &["--field", "FIELD=PATH"]),
        (["--field", "colour=x"], &["--field", "colour"]),
        (["--config", "nowhere.toml"], &["nowhere.toml"]),
    ] {
        folder.try_ingest(&["access.log", args[0], args[1]], &[]).failed(1).says(words);
    }
}

#[test]
fn ours_settings_of_the_folder_are_used_and_mentioned() {
    let folder = Folder::with_log(combined(&people(4)));
    assert_eq!(folder.ledger(&[]).dropped("asset"), 8);
    folder.write("trodden.toml", "[cleaning]\nassets = false\nscanners = false\n");
    let ran = folder.ingest(&["access.log"]);
    ran.says(&["settings from trodden.toml"]);
    assert_eq!((ran.ledger().dropped("asset"), ran.ledger().visits), (0, 16));
    // A single setting wins over the file, a named file replaces it.
    assert_eq!(folder.ledger(&["--set", "cleaning.assets=true"]).dropped("asset"), 8);
    folder.write("other.toml", "");
    let ran = folder.ingest(&["access.log", "--config", "other.toml"]);
    assert_eq!(ran.ledger().dropped("asset"), 8);
    assert!(!ran.stderr.contains("trodden.toml"), "{}", ran.stderr);
    folder.write("trodden.toml", "[cleaning\n");
    folder.try_ingest(&["access.log"], &[]).failed(1).says(&["trodden.toml", "not TOML"]);
}

#[test]
fn ours_completions_and_manual_pages_are_made() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = folder.run(&["completions", shell]).ok();
        assert!(ran.stdout.contains("ingest") && ran.stdout.contains("trodden"), "{shell}");
    }
    folder.run(&["man", "pages"]).ok();
    for page in ["trodden.1", "trodden-ingest.1", "trodden-urls.1"] {
        let text = std::fs::read_to_string(folder.path("pages").join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}");
    }
}

#[test]
fn ours_the_same_log_twice_counts_once_and_another_day_adds() {
    let folder = Folder::with_log(combined(&people(20)));
    folder.ledger(&["-o", "visits"]);
    let once = (folder.urls(&["visits"]), crate::rows::rows(&folder.path("visits")));
    folder.ledger(&["-o", "visits"]);
    assert_eq!((folder.urls(&["visits"]), crate::rows::rows(&folder.path("visits"))), once);
    let next = |line: Line| Line { time: line.time + 40 * DAY, ..line };
    folder.write("next.log", combined(&people(20).into_iter().map(next).collect::<Vec<_>>()));
    let ran = folder.ingest(&["next.log", "-o", "visits"]);
    ran.says(&["visits of 1 day", "in visits", "trodden urls visits"]);
    // The same people, by the same key, in another window.
    let both = folder.urls(&["visits"]);
    for (url, (visits, users, referrals)) in &once.0 {
        assert_eq!(both[url], (visits * 2, *users, referrals * 2), "{url}");
    }
    assert_eq!(crate::rows::rows(&folder.path("visits")).len(), once.1.len() * 2);
}

#[test]
fn ours_urls_lists_so_many_and_of_one_site() {
    let mut lines = people(20);
    let other = |line: Line| Line {
        host: "example.net",
        referrer: line.referrer.replace("www.example.org", "example.net"),
        ..line
    };
    lines.extend(people(3).into_iter().map(other));
    let folder = Folder::with_log(crate::lines::vhost(&lines));
    folder.ledger(&["-o", "visits"]);
    let ran = folder.run(&["urls", "visits", "--min-users", "1", "--top", "1"]).ok();
    assert_eq!(ran.stdout.split_whitespace().collect::<Vec<_>>(), ["20", "20", "https://www.example.org/"]);
    let ran = folder
        .run(&["urls", "visits", "--min-users", "1", "--site", "https://www.example.net", "--format", "json"])
        .ok();
    let urls: Vec<String> =
        ran.json().as_array().unwrap().iter().map(|u| u["url"].as_str().unwrap().to_owned()).collect();
    assert!(!urls.is_empty() && urls.iter().all(|url| url.starts_with("https://example.net/")), "{urls:?}");
    // The order is the order of counts.
    let all = folder.run(&["urls", "visits", "--min-users", "1", "--format", "json"]).ok().json();
    let counts: Vec<u64> = all.as_array().unwrap().iter().map(|u| u["visits"].as_u64().unwrap()).collect();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
}

#[test]
fn ours_urls_of_nothing_fail_and_say_what_to_do() {
    let folder = Folder::with_log(combined(&people(2)));
    folder.run(&["urls", "nowhere"]).failed(1).says(&["nowhere"]);
    folder
        .run(&["urls", "access.log"])
        .failed(1)
        .says(&["access.log is a log (combined)", "trodden mine access.log -o site.model"]);
    folder.write("empty.log", "");
    folder.ingest(&["empty.log", "-o", "visits"]);
    folder.run(&["urls", "visits"]).failed(1).says(&["visits"]);
}
