//! URLs that are left out by name: a basket, a login, a search.

use std::fs;

use crate::lines::{DAY, Line, combined};
use crate::mining::shop::{SITE, count, fails, fed, mined, patterns, shop, site, text};
use crate::run::Folder;

const EXCLUDE: [&str; 4] = ["--exclude", "/search*", "--exclude", "https://www.example.org/about"];

/// Whether the shop's path is one of those.
fn is_excluded(path: &str) -> bool {
    path.starts_with("/search") || path == "/about"
}

fn without() -> Folder {
    let folder = Folder::with_log(combined(&shop()));
    let ran = folder.run(&[&["mine", "access.log", "-o", "site.model"], &EXCLUDE[..]].concat()).ok();
    ran.says(&["excluded: ", "visits to URLs like /search*, https://www.example.org/about"]);
    folder
}

#[test]
fn ours_what_is_excluded_is_in_no_model() {
    let folder = without();
    let model = fs::read_to_string(folder.path("site.model")).unwrap();
    let known: serde_json::Value = serde_json::from_str(&model).unwrap();
    assert_eq!(known["exclude"], serde_json::json!(["/search*", "https://www.example.org/about"]));
    let rest = model.replace("/search*", "").replace("https://www.example.org/about", "");
    assert!(!rest.contains("search") && !rest.contains("about"), "{rest}");
    // The same as if nobody had gone there, but for where people came from.
    let others: Vec<Line> = shop().into_iter().filter(|line| !is_excluded(&line.target)).collect();
    let bare = |line: Line| if is_excluded(line.referrer.trim_start_matches(SITE)) { line.from("-") } else { line };
    let never = mined(&others.into_iter().map(bare).collect::<Vec<_>>());
    let told = |folder: &Folder| {
        let site = site(folder, &["site.model"]);
        let of = |p: &serde_json::Value| (text(p, "pattern").to_owned(), count(p, "urls"), count(p, "visits"));
        patterns(&site).iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(told(&folder), told(&never));
    let json = folder.run(&[&["mine", "access.log", "--format", "json"], &EXCLUDE[..]].concat()).ok().json();
    assert!(count(&json, "excluded_visits") > 50, "{json}");
}

#[test]
fn ours_what_is_excluded_is_said_to_be() {
    let folder = without();
    let urls = format!("{SITE}/search?q=oak\nhttp://example.org/about\n{SITE}/\n");
    let ran = fed(&folder, &["score", "site.model"], &urls).ok();
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[..2], [format!("0\tx\t{SITE}/search?q=oak"), "0\tx\thttp://example.org/about".to_owned()]);
    assert!(!lines[2].starts_with("0\t"), "{}", lines[2]);
    ran.says(&["3 URLs: 1 in a pattern, 2 excluded by the model (x)"]);
    let json = fed(&folder, &["score", "site.model", "--format", "json"], &urls).ok().stdout;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&first["excluded"], &first["pattern"]), (&true.into(), &serde_json::Value::Null));
    let told = folder.run(&["explain", "site.model", &format!("{SITE}/about")]).ok().stdout;
    assert!(told.contains("made without URLs like it (mine --exclude)"), "{told}");
    // A model without such a list is as it was.
    let plain = mined(&shop());
    assert!(!fs::read_to_string(plain.path("site.model")).unwrap().contains("exclude"));
}

#[test]
fn ours_a_model_is_not_judged_by_what_it_excludes() {
    let folder = without();
    let later: Vec<Line> = shop().into_iter().map(|line| Line { time: line.time + 31 * DAY, ..line }).collect();
    folder.write("later.log", combined(&later));
    let ran = folder.run(&["quality", "site.model", "later.log", "--format", "json"]).ok().json();
    let judged = &ran["sites"][0];
    let excluded = later.iter().filter(|line| is_excluded(&line.target)).count() as u64;
    assert_eq!(count(judged, "left_out_as_excluded"), excluded);
    assert_eq!(count(judged, "visits"), later.len() as u64 - excluded);
    assert_eq!(judged["trees"]["tran"]["traffic_coverage"], 1.0);
}

#[test]
fn ours_lists_of_urls_leave_out_what_is_excluded() {
    let folder = mined(&shop());
    folder.ledger(&["-o", "visits"]);
    for input in ["site.model", "visits"] {
        let list = |args: &[&str]| {
            let ran = folder.run(&[&["urls", input, "--top", "1000", "--format", "json"], args].concat()).ok();
            let rows = ran.json();
            let urls = rows.as_array().unwrap().iter().map(|row| text(row, "url").to_owned()).collect::<Vec<_>>();
            (urls, ran)
        };
        let (all, _) = list(&[]);
        let (rest, ran) = list(&EXCLUDE);
        let expected: Vec<String> =
            all.iter().filter(|url| !is_excluded(url.trim_start_matches(SITE))).cloned().collect();
        assert!(expected.len() < all.len() && rest == expected, "{input}: {rest:?}");
        ran.says(&["not listed: ", "that --exclude fits"]);
    }
}

#[test]
fn ours_globs_that_are_none_or_fit_nothing_are_named() {
    let folder = Folder::with_log(combined(&shop()));
    for args in [&["mine", "access.log", "--exclude", "/a[b"][..], &["urls", "nowhere.model", "--exclude", "/a[b"]] {
        fails(&folder, args, &["--exclude", "/a[b"]);
    }
    let ran = folder.run(&["mine", "access.log", "--exclude", "/baskt/*"]).ok();
    ran.says(&["warning: nobody visited a URL that --exclude /baskt/* fits"]);
    fails(&folder, &["mine", "access.log", "--exclude", "/*"], &["no visit is left", "--exclude"]);
    folder.write("urls.txt", format!("{SITE}/search?q=never\n{SITE}/new\n"));
    let args = ["mine", "access.log", "--urls", "urls.txt", "-o", "site.model"];
    folder.run(&[&args[..], &EXCLUDE].concat()).ok().says(&["1 known URLs are of sites", "1 are excluded (--exclude)"]);
    // A model that others made is not believed blindly.
    let model = fs::read_to_string(folder.path("site.model")).unwrap();
    folder.write("odd.model", model.replace("/search*", "/a[b"));
    fails(&folder, &["patterns", "odd.model"], &["odd.model"]);
}
