//! Real logs: the ledgers are as they were, and what is read most is what a person would call a page.
//!
//! The data is not in the repository: it is looked for where `TRODDEN_DATA` points, else at `../shared/data` beside
//! the repository. Without it the tests are skipped.

use trodden_testing::data;

use crate::run::Folder;

/// What is no page, by parts of its URL in lower case.
const NO_PAGES: &[&str] = &[
    ".jpg",
    ".jpeg",
    ".png",
    ".gif",
    ".svg",
    ".ico",
    ".css",
    ".js",
    ".xml",
    ".json",
    "logo",
    "image",
    "favicon",
    "feed",
    "rss",
    "robots.txt",
    "login",
    "admin",
    "register",
    "xmlrpc",
    "wp-cron",
    "/log/",
    "apache-log",
    "count",
    "pixel",
];

fn real_log(name: &str, args: &[&str]) {
    let Some(path) = data(&format!("logs/{name}.log.gz")) else { return };
    let folder = Folder::new();
    let ran = folder.ingest(&[&[path.to_str().unwrap(), "-o", "visits"], args].concat());
    ran.ledger();
    let mut json = ran.json();
    // Numbers only: nothing of other people's logs belongs into the repository.
    for names in ["places", "site_visits", "formats"] {
        json.as_object_mut().unwrap().remove(names);
    }
    insta::assert_json_snapshot!(name, json);
    let top = folder.run(&["urls", "visits", "--top", "10", "--format", "json"]).ok().json();
    let top: Vec<String> =
        top.as_array().unwrap().iter().map(|row| row["url"].as_str().unwrap().to_ascii_lowercase()).collect();
    assert_eq!(top.len(), 10);
    for (place, url) in (1..).zip(&top) {
        let path = url.split_once("://").unwrap().1.split_once('/').unwrap().1;
        let bad = NO_PAGES.iter().find(|part| path.contains(*part));
        assert!(bad.is_none(), "place {place} of the most visited URLs of {name} holds {bad:?}");
    }
}

#[test]
fn ours_the_shop_is_read_by_its_pages() {
    real_log("zanbil-2019", &[]);
}

#[test]
fn ours_the_blog_is_read_by_its_pages() {
    real_log("airisdata-2016", &[]);
}

#[test]
fn ours_the_hut_is_read_by_its_pages() {
    real_log("almhuette-2016", &[]);
}

#[test]
fn ours_a_real_squid_log_is_accounted_for() {
    let Some(path) = data("logs/squid-2020.log.gz") else { return };
    let ledger = Folder::new().ingest(&[path.to_str().unwrap()]).ledger();
    assert_eq!((ledger.lines, ledger.bad.len()), (1_247, 0));
}
