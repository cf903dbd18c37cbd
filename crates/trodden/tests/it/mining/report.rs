//! What `mine` ends with, and what is learnt from a log that knows no referrers.

use serde_json::Value;

use crate::lines::{Line, MARCH, combined, get};
use crate::mining::shop::{SITE, count, mined, names, patterns, shop, site, text};
use crate::run::Folder;

/// Rows of the table that have a rank.
fn ranked(table: &str) -> usize {
    table.lines().filter(|line| line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok())).count()
}

#[test]
fn ours_mining_ends_with_ten_patterns_and_one_sentence() {
    let folder = Folder::with_log(combined(&shop()));
    let ran = folder.run(&["mine", "access.log", "-o", "site.model"]).ok();
    let all = site(&folder, &["site.model"]);
    assert!(patterns(&all).len() > 10);
    assert_eq!(ranked(&ran.stdout), 10, "{}", ran.stdout);
    for pattern in &patterns(&all)[..3] {
        assert!(ran.stdout.contains(text(pattern, "pattern")), "{}", ran.stdout);
    }
    assert!(ran.stdout.contains("all further patterns"), "{}", ran.stdout);
    let sentences: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("so:")).collect();
    assert_eq!(sentences, [ran.stderr.lines().last().unwrap()]);
    assert!(sentences[0].ends_with("(next: trodden urls site.model --top 20)"), "{}", ran.stderr);
    assert_eq!(sentences[0].split("; fetch").next(), Some(so_what(&all).as_str()));

    let ran = folder.run(&["mine", "access.log"]).ok();
    assert!(ran.stderr.lines().last().unwrap().ends_with("(keep the model with -o FILE)"), "{}", ran.stderr);
    let names: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing is left lying about: {names:?}");
}

/// The sentence, worked out from the list above it: where the share of visits is furthest ahead.
fn so_what(all: &Value) -> String {
    let share = |part: u64, name: &str| 100.0 * part as f64 / count(all, name) as f64;
    let (mut urls, mut visits) = (0, 0);
    let mut best = (f64::MIN, String::new());
    for (at, pattern) in patterns(all)[..10].iter().enumerate() {
        urls += count(pattern, "urls");
        visits += count(pattern, "visits");
        let (of_visits, of_urls) = (share(visits, "visits"), share(urls, "urls"));
        if of_visits - of_urls > best.0 + 1e-9 {
            let those =
                if at == 9 { "the patterns above".to_owned() } else { format!("the first {} patterns", at + 1) };
            let words = format!("so: {those} have {of_visits:.1} % of the visits and {of_urls:.1} % of the URLs");
            best = (of_visits - of_urls, words);
        }
    }
    best.1
}

#[test]
fn ours_a_log_that_tells_no_kinds_apart_is_told_to_be_too_short() {
    let lines: Vec<Line> = (0..40).map(|n| get(MARCH + n * 60, &format!("192.0.2.{}", n % 8), "/only")).collect();
    let folder = Folder::with_log(combined(&lines));
    let said = folder.run(&["mine", "access.log", "--site", SITE]).ok().stderr;
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("so: no kind of page stands out in 8 visits to 1 URL: "), "{said}");
    assert!(last.contains("mine a longer log") && !last.contains("100.0 %"), "{said}");
}

#[test]
fn ours_fewer_patterns_are_all_there_are() {
    let lines: Vec<Line> = (0..40).map(|n| get(MARCH + n * 60, &format!("192.0.2.{}", n % 8), "/only")).collect();
    let folder = Folder::with_log(combined(&lines));
    let ran = folder.run(&["mine", "access.log", "--site", SITE]).ok();
    assert_eq!(ranked(&ran.stdout), 1, "{}", ran.stdout);
    assert!(!ran.stdout.contains("further"), "{}", ran.stdout);
}

#[test]
fn ours_the_json_report_has_the_documented_names() {
    let folder = Folder::with_log(combined(&shop()));
    let json = folder.run(&["mine", "access.log", "--format", "json", "-o", "site.model"]).ok().json();
    assert_eq!(names(&json), ["patterns", "seconds", "sites", "skipped", "urls", "visits"]);
    let site = site(&folder, &["site.model"]);
    assert_eq!((count(&json, "urls"), count(&json, "visits")), (count(&site, "urls"), count(&site, "visits")));
    assert_eq!((count(&json, "patterns"), count(&json, "sites")), (patterns(&site).len() as u64, 1));
    assert_eq!(names(&json["skipped"]), Vec::<&str>::new());
    for (part, seconds) in json["seconds"].as_object().unwrap() {
        assert!(seconds.as_f64().is_some_and(|s| (0.0..600.0).contains(&s)), "{part}: {seconds}");
    }
}

/// Steps from a page to another and on to a third. Of the tags, `hot` has eight times the visits of `cold`, but people
/// come from the start page to both and go back to it; of the documents, `a` and `b` have as many.
fn tags() -> Vec<Line> {
    let mut lines = Vec::new();
    for n in 0..40 {
        let hot = (0..8).map(|k| (n + k * 7, format!("/tag/hot/{n}"), "/", "/"));
        let cold = [(n, format!("/tag/cold/{n}"), "/", "/")];
        let documents = (0..3).flat_map(|k| {
            [
                (n * 3 + k, format!("/doc/a/{n}"), "/about", "/help"),
                (n * 5 + k, format!("/doc/b/{n}"), "/about", "/help"),
            ]
        });
        for (user, path, from, to) in hot.chain(cold).chain(documents) {
            let (time, address) = (MARCH + lines.len() as i64 * 30, format!("192.0.2.{}", user % 50));
            lines.push(get(time, &address, &path).via(from));
            lines.push(get(time + 25, &address, to).via(&path));
        }
    }
    lines
}

#[test]
fn cikm11_visits_merge_what_is_read_alike_and_transits_what_is_walked_alike() {
    let folder = Folder::with_log(combined(&tags()));
    let trees = [
        ("syn", "/ /doc/a/# /doc/b/# /help /tag/cold/# /tag/hot/# /{word}"),
        ("visit", "/ /doc/{word}/# /help /tag/cold/# /tag/hot/# /{word}"),
        ("tran", "/ /doc/{word}/# /help /tag/{word}/# /{word}"),
    ];
    for (tree, expected) in trees {
        folder.run(&["mine", "access.log", "--tree", tree, "-o", "tree.model"]).ok();
        let site = site(&folder, &["tree.model"]);
        assert_eq!(text(&site, "tree"), tree);
        let mut told: Vec<&str> = patterns(&site).iter().map(|p| text(p, "pattern")).collect();
        told.sort_unstable();
        assert_eq!(told.join(" "), expected, "{tree}");
        assert_eq!(site["trees"], serde_json::json!({"syn": 7, "visit": 6, "tran": 5}));
        assert_eq!(count(&site, "visits"), 1_200);
    }
    let default = mined(&tags());
    assert_eq!(text(&site(&default, &["site.model"]), "tree"), "tran");
}

/// As servers write it by default: no referrer, no agent.
fn common(lines: &[Line]) -> String {
    let cut = |line: &Line| line.combined().split(" \"").take(2).collect::<Vec<_>>().join(" \"") + "\n";
    lines.iter().map(cut).collect()
}

#[test]
fn cikm11_without_referrers_there_are_no_transits_to_cut_by() {
    for (lines, visits) in [(shop(), shop().len()), (tags(), tags().len())] {
        let folder = Folder::with_log(common(&lines));
        let ran = folder.run(&["mine", "access.log", "--site", SITE, "-o", "site.model"]).ok();
        ran.says(&["access.log: common", &format!("{} visits", thousands(visits))]);
        let without = site(&folder, &["site.model"]);
        for sizes in ["trees", "heights"] {
            assert_eq!(without[sizes]["tran"], without[sizes]["visit"], "{}", without[sizes]);
        }
        assert!(count(&without["trees"], "tran") > 1, "{without}");
        assert!(patterns(&without).iter().all(|p| count(p, "referrals") == 0));
    }
}

fn thousands(n: usize) -> String {
    format!("{},{:03}", n / 1_000, n % 1_000)
}
