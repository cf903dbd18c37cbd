//! Rules that need the whole log: what pages load, and users that behave like no browser.

use crate::lines::{Line, MARCH, combined, get, page, people};
use crate::run::{Folder, Ledger};

#[track_caller]
fn ledger(lines: &[Line], args: &[&str]) -> Ledger {
    Folder::with_log(combined(lines)).ledger(args)
}

/// Thirty people who read two pages each; every page loads what `loads` names, in the same second.
fn pages_that_load(loads: &[&str]) -> Vec<Line> {
    let mut lines = people(30);
    for view in lines.clone().iter().filter(|line| line.target != "/style.css") {
        for load in loads {
            lines.push(get(view.time, &view.address, load).via(&view.target));
        }
    }
    lines
}

#[test]
fn ours_a_logo_without_extension_is_no_page() {
    let lines = pages_that_load(&["/brand/logo"]);
    let on = ledger(&lines, &[]);
    assert_eq!((on.visits, on.dropped("embedded")), (60, 60));
    let off = ledger(&lines, &["--set", "cleaning.embedded=false"]);
    assert_eq!((off.visits, off.dropped("embedded")), (120, 0));
    // Otherwise it would be what is read most.
    let folder = Folder::with_log(combined(&lines));
    folder.ledger(&["--set", "cleaning.embedded=false", "-o", "all"]);
    folder.ledger(&["-o", "visits"]);
    let logo = "https://www.example.org/brand/logo";
    let all = folder.urls(&["all"]);
    assert!(all.iter().all(|(url, (visits, _, _))| url == logo || *visits < all[logo].0), "{all:?}");
    assert_eq!(folder.visits_of(logo, &["visits"]), 0);
}

#[test]
fn ours_urls_that_are_asked_for_once_are_judged_by_their_shape() {
    let mut lines = people(30);
    let views: Vec<Line> = lines.iter().filter(|line| line.target != "/style.css").cloned().collect();
    for (n, view) in views.iter().enumerate() {
        lines.push(get(view.time, &view.address, &format!("/count?visit={n}")).via(&view.target));
    }
    let on = ledger(&lines, &[]);
    assert_eq!((on.visits, on.dropped("embedded")), (60, 60));
    assert_eq!(ledger(&lines, &["--set", "cleaning.embedded=false"]).visits, 120);
}

#[test]
fn ours_pages_that_people_click_are_no_embedded_requests() {
    // The same referrer and the same number of requests as the logo, but half a minute later.
    let mut lines = people(30);
    for view in lines.clone().iter().filter(|line| line.target == "/") {
        lines.extend(page(view.time + 35, &view.address, "/next", "https://www.example.org/"));
    }
    let on = ledger(&lines, &[]);
    assert_eq!((on.visits, on.dropped("embedded")), (90, 0));
}

#[test]
fn ours_what_is_itself_a_referrer_is_a_page() {
    // A frame set: its main frame follows the page at once, but people go on from it.
    let mut lines = pages_that_load(&["/main-frame"]);
    for view in lines.clone().iter().filter(|line| line.target == "/main-frame") {
        lines.extend(page(view.time + 40, &view.address, "/deeper", "https://www.example.org/main-frame"));
    }
    let on = ledger(&lines, &[]);
    assert_eq!(on.dropped("embedded"), 0, "{on:?}");
}

#[test]
fn ours_too_few_requests_are_no_proof() {
    let mut lines = people(30);
    for view in lines.clone().iter().filter(|line| line.target == "/read/3") {
        lines.push(get(view.time, &view.address, "/seldom").via("/read/3"));
    }
    assert_eq!(ledger(&lines, &[]).dropped("embedded"), 0);
    assert_eq!(ledger(&lines, &["--set", "cleaning.embedded_min_requests=3"]).dropped("embedded"), 4);
}

/// Pages that load two things each, and a picture that other sites show.
fn hotlinked(target: &str) -> Vec<Line> {
    let mut lines = people(60);
    for view in lines.clone().iter().filter(|line| line.target != "/style.css") {
        lines.push(get(view.time, &view.address, "/app.js").via(&view.target));
    }
    for n in 0..40 {
        let line = get(MARCH + n * 70, &format!("198.51.100.{n}"), target);
        lines.push(if n % 2 == 0 { line.from("https://forum.example.net/thread/9") } else { line });
    }
    lines
}

#[test]
fn ours_a_picture_that_other_sites_show_is_a_dead_end() {
    let args = ["--set", "cleaning.scanners=false"];
    let on = ledger(&hotlinked("/image/77"), &args);
    assert_eq!((on.visits, on.dropped("embedded")), (120, 40));
    let off = ledger(&hotlinked("/image/77"), &[&args[..], &["--set", "cleaning.embedded=false"]].concat());
    assert_eq!((off.visits, off.dropped("embedded")), (160, 0));
}

#[test]
fn ours_documents_are_no_dead_ends() {
    let on = ledger(&hotlinked("/paper.pdf"), &["--set", "cleaning.scanners=false"]);
    assert_eq!((on.visits, on.dropped("embedded")), (160, 0));
}

/// Five pages by one address that loads nothing else.
fn without_assets() -> Vec<Line> {
    (0..5).map(|n| get(MARCH + n * 30, "198.51.100.60", &format!("/read/{n}"))).collect()
}

#[test]
fn ours_who_loads_no_asset_where_most_do_is_a_scanner() {
    let lines = [people(20), without_assets()].concat();
    let on = ledger(&lines, &[]);
    assert_eq!((on.visits, on.users, on.dropped("scanner")), (40, 20, 5));
    let off = ledger(&lines, &["--set", "cleaning.scanners=false"]);
    assert_eq!((off.visits, off.users, off.dropped("scanner")), (45, 21, 0));
}

#[test]
fn ours_one_asset_makes_a_reader() {
    let mut lines = [people(20), without_assets()].concat();
    lines.push(get(MARCH, "198.51.100.60", "/style.css").via("/read/0"));
    assert_eq!((ledger(&lines, &[]).visits, ledger(&lines, &[]).dropped("scanner")), (45, 0));
}

#[test]
fn ours_where_nobody_loads_assets_nobody_is_a_scanner_for_it() {
    let lines: Vec<Line> =
        [people(20), without_assets()].concat().into_iter().filter(|l| l.target != "/style.css").collect();
    assert_eq!((ledger(&lines, &[]).visits, ledger(&lines, &[]).dropped("scanner")), (45, 0));
}

#[test]
fn ours_who_draws_mostly_errors_is_a_scanner() {
    let visitor = |errors: i64| {
        let mut lines = page(MARCH, "198.51.100.61", "/read/1", "-").to_vec();
        lines.extend(page(MARCH + 60, "198.51.100.61", "/read/2", "https://www.example.org/read/1"));
        lines.extend((0..errors).map(|n| get(MARCH + 100 + n, "198.51.100.61", &format!("/gone/{n}")).status(404)));
        [people(20), lines].concat()
    };
    // Half of the requests may fail, not more.
    assert_eq!((ledger(&visitor(4), &[]).visits, ledger(&visitor(4), &[]).dropped("scanner")), (42, 0));
    assert_eq!((ledger(&visitor(5), &[]).visits, ledger(&visitor(5), &[]).dropped("scanner")), (40, 2));
    let off = ledger(&visitor(5), &["--set", "cleaning.scanners=false"]);
    assert_eq!((off.visits, off.dropped("scanner"), off.dropped("status")), (42, 0, 5));
    assert_eq!(ledger(&visitor(5), &["--set", "cleaning.scanner_error_share=0.9"]).visits, 42);
}

#[test]
fn ours_a_scanner_of_one_site_may_be_a_reader_of_another() {
    let mut lines = [people(20), without_assets()].concat();
    lines.extend((0..3).map(|n| get(MARCH + 600 + n * 30, "198.51.100.60", &format!("/read/{n}")).host("example.net")));
    let folder = Folder::with_log(crate::lines::vhost(&lines));
    let ledger = folder.ledger(&[]);
    assert_eq!(ledger.site_visits, [("example.org".to_owned(), 40), ("example.net".to_owned(), 3)]);
}
