//! What counts once: the same user, from the same referrer, to the same target, in the same window.
//!
//! The logs are exports with a user column, counted here by hand.

use crate::lines::csv;
use crate::run::Folder;

const S: &str = "https://www.example.org";

/// A visit on a day of 2024, by its place in the year from 1 January.
fn visit(day: u32, user: &str, target: &str, referrer: &str) -> String {
    let months = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let (mut month, mut rest) = (1, day);
    for days in months {
        if rest < days {
            break;
        }
        (month, rest) = (month + 1, rest - days);
    }
    let referrer = if referrer.starts_with('/') { format!("{S}{referrer}") } else { referrer.to_owned() };
    format!("2024-{month:02}-{:02}T12:00:00Z,{user},{S}{target},{referrer}", rest + 1)
}

fn visits(rows: &[String]) -> Folder {
    let folder = Folder::with_log(csv("time,user,url,referrer", rows));
    let ledger = folder.ledger(&["-o", "visits"]);
    // Before de-duplication every row is a visit.
    assert_eq!(ledger.visits, rows.len() as u64);
    folder
}

/// F_in of `/page` in these rows.
#[track_caller]
fn f_in(rows: &[String], args: &[&str]) -> u64 {
    visits(rows).visits_of(&format!("{S}/page"), &[&["visits"], args].concat())
}

#[test]
fn cikm11_the_same_step_of_the_same_user_counts_once_in_thirty_days() {
    let twice = [visit(0, "ann", "/page", "/"), visit(9, "ann", "/page", "/")];
    assert_eq!(f_in(&twice, &[]), 1);
    let often: Vec<String> = (0..30).map(|day| visit(day, "ann", "/page", "/")).collect();
    assert_eq!(f_in(&often, &[]), 1);
}

#[test]
fn cikm11_after_the_window_the_step_counts_again() {
    assert_eq!(f_in(&[visit(0, "ann", "/page", "/"), visit(31, "ann", "/page", "/")], &[]), 2);
    let months: Vec<String> = (0..5).map(|n| visit(n * 30, "ann", "/page", "/")).collect();
    assert_eq!(f_in(&months, &[]), 5);
}

#[test]
fn ours_windows_tile_the_visits_from_the_first_day_on() {
    let first = visit(3, "zoe", "/other", "/");
    let steps = |a: u32, b: u32| [first.clone(), visit(a, "ann", "/page", "/"), visit(b, "ann", "/page", "/")];
    // Days 3 to 32 are the first window, whoever made the first visit.
    assert_eq!((f_in(&steps(3, 32), &[]), f_in(&steps(32, 33), &[]), f_in(&steps(33, 62), &[])), (1, 2, 1));
}

#[test]
fn cikm11_another_referrer_is_another_step() {
    let rows = [visit(0, "ann", "/page", "/"), visit(0, "ann", "/page", "/list"), visit(1, "ann", "/page", "")];
    assert_eq!(f_in(&rows, &[]), 3);
}

#[test]
fn cikm11_another_user_is_another_step() {
    let rows = [visit(0, "ann", "/page", "/"), visit(0, "bob", "/page", "/"), visit(0, "ann", "/page", "/")];
    assert_eq!(f_in(&rows, &[]), 2);
    assert_eq!(visits(&rows).urls(&["visits"])[&format!("{S}/page")], (2, 2, 0));
}

#[test]
fn ours_referrers_of_other_sites_are_one_of_four_classes() {
    let from = |referrer: &str| visit(0, "ann", "/page", referrer);
    // One search engine or another, one network or another: the same entrance.
    assert_eq!(f_in(&[from("https://www.google.com/"), from("https://duckduckgo.com/")], &[]), 1);
    assert_eq!(f_in(&[from("https://t.co/a"), from("https://www.reddit.com/r/x")], &[]), 1);
    assert_eq!(f_in(&[from("https://one.example.net/"), from("https://two.example.com/")], &[]), 1);
    let classes = ["", "https://www.google.com/", "https://t.co/a", "https://one.example.net/"].map(from);
    assert_eq!(f_in(&classes, &[]), 4);
}

#[test]
fn cikm11_referrals_are_the_steps_from_a_page() {
    let rows = [
        visit(0, "ann", "/page", "/hub"),
        visit(0, "ann", "/next", "/hub"),
        visit(1, "ann", "/next", "/hub"),
        visit(0, "bob", "/page", "/hub"),
        visit(0, "bob", "/hub", "https://www.google.com/"),
    ];
    let urls = visits(&rows).urls(&["visits"]);
    // Visits, users, referrals.
    assert_eq!(urls[&format!("{S}/hub")], (1, 1, 3));
    assert_eq!((urls[&format!("{S}/page")], urls[&format!("{S}/next")]), ((2, 2, 0), (1, 1, 0)));
}

#[test]
fn ours_records_without_a_user_each_count_and_are_one_user() {
    let rows = [visit(0, "", "/page", "/"), visit(0, "", "/page", "/"), visit(0, "-", "/page", "/")];
    let folder = visits(&rows);
    assert_eq!(folder.urls(&["visits"])[&format!("{S}/page")], (3, 1, 0));
    assert_eq!(folder.ledger(&[]).users, 1);
}

#[test]
fn ours_the_window_is_an_argument() {
    let rows: Vec<String> = [0, 0, 1, 2, 9, 10].iter().map(|day| visit(*day, "ann", "/page", "/")).collect();
    for (days, count) in [("1", 5), ("2", 4), ("10", 2), ("30", 1)] {
        assert_eq!(f_in(&rows, &["--dedup-days", days]), count, "{days} days");
    }
}

#[test]
fn ours_urls_says_how_many_visits_are_how_many_triples() {
    let rows = [visit(0, "ann", "/page", "/"), visit(1, "ann", "/page", "/"), visit(0, "bob", "/page", "/")];
    let ran = visits(&rows).run(&["urls", "visits", "--min-users", "1"]).ok();
    ran.says(&["3 visits are 2 triples", "30 days", "1 URL"]);
    assert_eq!(ran.stdout.trim(), format!("2          2  {S}/page"));
}

#[test]
fn ours_urls_counts_the_same_within_any_memory() {
    let log = crate::generate::log(5, 20_000, 90, crate::generate::Kind::Vhost).text();
    let folder = Folder::with_log(log);
    folder.ledger(&["-o", "visits"]);
    let roomy = folder.urls(&["visits"]);
    assert!(roomy.len() > 200);
    assert_eq!(folder.urls(&["visits", "--memory", "64KiB"]), roomy);
}
