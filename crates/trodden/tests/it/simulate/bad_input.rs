//! Inputs that nothing can be compared on: each is handled, or refused in a line that says what to do.

use super::site::{SITE, close, names, simulate, small, told, tree};
use crate::lines::{MARCH, combined, get};
use crate::run::Ran;

/// One line, no panic, no dump of a type.
#[track_caller]
fn one_line(ran: &Ran) {
    let last = ran.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("trodden: ") || last.starts_with("error: "), "{}", ran.stderr);
    for dump in ["panicked", "RUST_BACKTRACE", "Err(", "Some(", " { ", "Error:"] {
        assert!(!ran.stderr.contains(dump), "{dump:?} in {}", ran.stderr);
    }
    assert_eq!(ran.stdout, "");
}

/// `simulate` on the small log and another mirror must fail and say this.
#[track_caller]
fn refused(mirror: &[u8], words: &[&str]) {
    let folder = small();
    folder.write("links.tsv", mirror);
    let ran = simulate(&folder, &[]).failed(1);
    one_line(&ran);
    ran.says(words);
}

#[test]
fn ours_mirrors_without_pages_are_refused() {
    refused(b"", &["links.tsv", "no pages"]);
    refused(b"# nothing\n\n", &["links.tsv", "no pages"]);
    refused(&[0, 159, 146, 150, 0, 1, 2, 255].repeat(100), &["links.tsv", "no mirror"]);
    refused(b"some words\nand others\n", &["links.tsv", "no mirror"]);
    let folder = small();
    let ran = folder.run(&["simulate", "nowhere.tsv"]).failed(1);
    one_line(&ran);
    ran.says(&["nowhere.tsv"]);
    folder.write("empty/x", "");
    let ran = folder.run(&["simulate", "empty"]).failed(1);
    one_line(&ran);
    folder.run(&["simulate"]).failed(2);
}

#[test]
fn ours_a_start_that_is_not_there_says_what_comes_near() {
    let folder = small();
    let ran = simulate(&folder, &["--start", "https://www.example.org/a/11"]).failed(1);
    one_line(&ran);
    ran.says(&["/a/11", "did you mean", "https://www.example.org/a/1"]);
}

#[test]
fn ours_odd_links_are_counted_and_change_nothing() {
    let folder = small();
    let plain = told(&folder, &[]);
    // Every link twice, each page to itself, and a line that is none.
    let odd = format!("{0}{0}{SITE}/a\t{SITE}/a\n{SITE}/b/1\t{SITE}/b/1\nno link\n", tree());
    folder.write("links.tsv", odd);
    let ran = simulate(&folder, &["--format", "json"]).ok();
    assert_eq!(ran.json()["policies"], plain["policies"]);
    assert_eq!(ran.json()["links"], 11);
    ran.says(&["mirror: "]);
}

#[test]
fn ours_ids_without_urls_are_crawled_but_not_read() {
    let folder = small();
    folder.write("ids.tsv", "0\t1\n0\t2\n1\t7\n2\t2\n2\t1\n2\t1\n");
    let result = folder.run(&["simulate", "ids.tsv", "--start", "0", "--format", "json"]).ok().json();
    // Page 7 is there because somebody links to it; pages 3 to 6 are not.
    assert_eq!((&result["pages"], &result["links"]), (&4.into(), &4.into()));
    let ran = folder.run(&["simulate", "ids.tsv", "--start", "5"]).failed(1);
    one_line(&ran);
    ran.says(&["5"]);
    // Without a start, no page of a list of ids is a home.
    let ran = folder.run(&["simulate", "ids.tsv"]).failed(1);
    one_line(&ran);
    ran.says(&["--start"]);
    let ran = folder.run(&["simulate", "ids.tsv", "--start", "0", "--log", "access.log", "--site", SITE]).failed(1);
    one_line(&ran);
    ran.says(&["none of the 10 visits", "another site"]);
}

#[test]
fn ours_one_page_is_a_site() {
    let folder = small();
    folder.write("links.tsv", format!("{SITE}/\n"));
    let ran = simulate(&folder, &["--format", "json", "--importance", "pagerank", "-o", "out"]).ok();
    let result = ran.json();
    assert_eq!(result["pages"], 1);
    close(&result["traffic"], 1.0);
    for policy in result["policies"].as_array().unwrap() {
        close(&policy["auc"], 1.0);
        assert_eq!(policy["fetched"], 1);
    }
    let warning = result["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("only 1 page can be reached"), "{warning}");
    assert!(names(&result).contains(&"rankmass"));
}

#[test]
fn ours_logs_without_visits_are_refused() {
    let folder = small();
    for (log, words) in [
        ("", &["no visits in access.log"][..]),
        ("nothing that is a line of a log\n", &["access.log"]),
        ("\u{0}\u{1}\u{2}\n", &["access.log"]),
    ] {
        folder.write("access.log", log);
        let ran = simulate(&folder, &[]).failed(1);
        one_line(&ran);
        ran.says(words);
    }
    let ran = folder.run(&["simulate", "links.tsv", "--log", "nowhere.log"]).failed(1);
    one_line(&ran);
    ran.says(&["nowhere.log"]);
}

#[test]
fn ours_the_log_of_another_site_is_refused() {
    let folder = small();
    let ran =
        folder.run(&["simulate", "links.tsv", "--log", "access.log", "--site", "https://other.example"]).failed(1);
    one_line(&ran);
    ran.says(&["none of the 10 visits", "another site"]);
    // Of the same site, but where no link leads.
    folder.write("links.tsv", format!("{SITE}/\t{SITE}/x\n{SITE}/a\t{SITE}/c/3\n"));
    let lines: Vec<_> = (0..9_i64).map(|n| get(MARCH + n, &format!("192.0.2.{n}"), "/a")).collect();
    folder.write("access.log", combined(&lines));
    let ran = simulate(&folder, &[]).failed(1);
    one_line(&ran);
    ran.says(&["no link leads to", "--start"]);
}

#[test]
fn ours_policies_that_cannot_run_are_left_out_and_none_is_a_fault() {
    let folder = small();
    folder.write("ids.tsv", "0\t1\n0\t2\n");
    let base = ["simulate", "ids.tsv", "--start", "0", "--format", "json", "--policy"];
    let ran = folder.run(&[&base[..], &["location", "--policy", "behavior"]].concat()).failed(1);
    one_line(&ran);
    ran.says(&["no policy could run", "location", "no URLs"]);
    let result = folder.run(&[&base[..], &["ideal", "--policy", "url-visit", "--policy", "opic"]].concat()).ok().json();
    assert_eq!(names(&result), ["opic"]);
    assert!(super::site::left_out(&result, "ideal").contains("--log"));
    assert!(super::site::left_out(&result, "url-visit").contains("--log"));
}

#[test]
fn ours_a_folder_that_cannot_be_written_is_named() {
    let folder = small();
    folder.write("taken", "a file");
    let ran = simulate(&folder, &["-o", "taken"]).failed(1);
    ran.says(&["taken"]);
    assert!(!ran.stderr.contains("panicked"));
}
