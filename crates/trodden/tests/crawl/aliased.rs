//! A model of a site orders the crawl of its copy elsewhere.
//!
//! The log is of `https://shop.example`; the copy is on loopback. Nothing links to most of its pages: what logs name is found
//! only if it is looked for at the copy.

use std::collections::BTreeSet;
use std::fs;

use crate::run::Folder;
use crate::server::{Server, linking};

const SITE: &str = "https://www.shop.example/";
const PAGES: usize = 12;

fn copy() -> Server {
    Server::new(|path| match path {
        "/" => Some(linking("Home", &["/new/1", "/item/0", "/story/0"])),
        "/new/1" => Some(linking("New", &[])),
        path => pages().any(|page| page == path).then(|| linking(path, &["/"])),
    })
}

fn pages() -> impl Iterator<Item = String> {
    ["item", "story"].into_iter().flat_map(|section| (0..PAGES).map(move |n| format!("/{section}/{n}")))
}

/// How often the page at this place is visited, each time by somebody else.
fn visits_of(place: usize) -> usize {
    6 + 2 * (2 * PAGES - place)
}

/// A folder with a log, visits and a model of the site itself.
fn read() -> Folder {
    let folder = Folder::new();
    let mut log = String::new();
    for (place, path) in pages().enumerate() {
        for user in 0..visits_of(place) {
            log += &format!(
                "192.0.2.{user} - - [{:02}/Mar/2026:10:{place:02}:00 +0000] \"GET {path} HTTP/1.1\" 200 5 \"-\" \
                 \"Mozilla/5.0 (X11; rv:{user}.0) Firefox/130.0\"\n",
                1 + user % 20
            );
        }
    }
    folder.write("access.log", log);
    for args in [&["ingest", "access.log", "--site", SITE, "-o", "visits"][..], &["mine", "visits", "-o", "site.model"]]
    {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    folder
}

fn all() -> BTreeSet<String> {
    pages().chain(["/".to_owned(), "/new/1".to_owned()]).collect()
}

#[test]
fn ours_a_model_that_knows_nothing_of_the_site_is_told() {
    let (server, folder) = (copy(), read());
    for from in [["--model", "site.model"], ["--seed-from", "visits"]] {
        fs::remove_dir_all(folder.path("c")).unwrap_or_default();
        let ran = folder.crawl(&[&[server.url("/").as_str()], &from[..]].concat());
        ran.told().came_to(&[("page", 4)]);
        let alias = format!("--alias {}=shop.example", server.address);
        ran.says(&["warning: the logs of this crawl are of shop.example", &server.address.to_string(), &alias]);
    }
    // Of a model that knows it nothing is said, nor of a crawl that has none.
    let ran = folder.crawl(&[]);
    ran.says(&["warning"]);
    let plain = Folder::new().crawl(&[&server.url("/")]);
    assert!(!plain.stderr.contains("warning"), "{}", plain.stderr);
}

#[test]
fn ours_a_copy_of_a_site_is_crawled_as_the_site_is_read() {
    let (server, folder) = (copy(), read());
    let alias = format!("{}=shop.example", server.address);
    for from in [["--model", "site.model"], ["--seed-from", "visits"]] {
        fs::remove_dir_all(folder.path("c")).unwrap_or_default();
        let before = server.asked().len();
        let home = server.url("/");
        let words = [&[home.as_str(), "--alias", &alias, "--at-once", "1"], &from[..]].concat();
        let ran = folder.crawl(&words);
        assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
        let told = ran.told();
        let asked = server.asked().split_off(before);
        assert_eq!(asked.iter().cloned().collect::<BTreeSet<_>>(), all(), "what logs name is found at the copy");
        assert!(told.0["traffic"].as_f64().unwrap() > 0.99, "{}", told.0);
        // By patterns of the site.
        let report = fs::read_to_string(folder.path("c/report.html")).unwrap();
        assert!(report.contains("By pattern"), "the model is of use");
        let groups = &report[report.find("By pattern").unwrap()..report.find("<h2>Outcomes</h2>").unwrap()];
        let count = |name: &str| groups.matches(name).count();
        assert!(count("/item/") > 0 && count("/story/") > 0, "{groups}");
        // What people read goes before what nobody does: at most a twentieth of the visits waits for a kind that the log does not have.
        let visits = |path: &String| pages().position(|page| page == *path).map_or(0, visits_of);
        let new = asked.iter().position(|asked| asked == "/new/1").unwrap();
        let (all, later): (usize, usize) = (asked.iter().map(visits).sum(), asked[new..].iter().map(visits).sum());
        assert!(later * 20 <= all, "{later} of {all} after {asked:?}");
    }
}

#[test]
fn ours_without_a_seed_the_copy_is_what_is_crawled() {
    let (server, folder) = (copy(), read());
    let alias = format!("{}=www.shop.example", server.address);
    let told = folder.crawl(&["--model", "site.model", "--alias", &alias]).told();
    assert_eq!(told.0["hosts"], 1, "{}", told.0);
    assert_eq!(server.asked().into_iter().collect::<BTreeSet<_>>(), all());
}

#[test]
fn ours_an_alias_holds_when_the_crawl_goes_on_and_may_come_later() {
    let (server, folder) = (copy(), read());
    let alias = format!("{}=shop.example", server.address);
    folder
        .crawl(&[&server.url("/"), "--model", "site.model", "--alias", &alias, "--pages", "5"])
        .told()
        .ended("budget");
    let settings = fs::read_to_string(folder.path("c/crawl.toml")).unwrap();
    assert!(settings.contains(&alias), "{settings}");
    let ran = folder.crawl(&["--pages", "1000"]);
    assert!(!ran.stderr.contains("warning") && !ran.stderr.contains("another model"), "{}", ran.stderr);
    ran.told().came_to(&[("page", all().len() as u64)]);
    // It was forgotten, and is said when the crawl goes on.
    let (server, folder) = (copy(), read());
    let alias = format!("{}=shop.example", server.address);
    folder.crawl(&[&server.url("/"), "--model", "site.model", "--pages", "2"]).says(&["--alias"]);
    let ran = folder.crawl(&["--alias", &alias, "--pages", "1000"]);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    ran.told().came_to(&[("page", all().len() as u64)]);
    assert_eq!(server.asked().into_iter().collect::<BTreeSet<_>>(), all());
    // Again, and what it went by before is not missed.
    folder.crawl(&["--alias", &alias]).told().ended("drained");
    folder.crawl(&["--alias", "other.example=shop.example"]).told().ended("drained");
    folder.crawl(&["--alias", &alias]).told().ended("drained");
}

#[test]
fn ours_aliases_that_make_no_sense_are_told() {
    let (server, folder) = (copy(), read());
    let home = server.url("/");
    folder.crawl(&[&home, "--alias", "a.example=b.example"]).fails(&["--alias: there are no logs", "--model"]);
    folder.crawl(&[&home, "--model", "site.model", "--alias", "a.example"]).fails(&["--alias", "HOST=HOST"]);
    assert!(!folder.path("c").exists());
}
