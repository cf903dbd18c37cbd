//! A small site is fetched whole.

use crate::run::Folder;
use crate::server::{Server, html, linking};

fn small() -> Server {
    Server::of(&[
        ("/", linking("Home", &["/a", "/b", "/a#part", "https://elsewhere.example/", "mailto:me@example.org"])),
        ("/a", linking("A", &["/", "/c", "/missing"])),
        ("/b", linking("B", &["/c", "./b", "/a"])),
        ("/c", html("<title>C</title>the end")),
    ])
}

#[test]
fn ours_a_small_site_is_fetched_whole_and_each_page_once() {
    let (server, folder) = (small(), Folder::new());
    let told = folder.crawl(&[&server.url("/")]).told();
    told.ended("drained");
    told.came_to(&[("page", 4), ("not-found", 1)]);
    assert_eq!(told.0["out_of_scope"], 1);
    assert_eq!(server.asked_sorted(), ["/", "/a", "/b", "/c", "/missing"]);
    let archived = folder.archived();
    assert!(archived.values().all(|n| *n == 1), "{archived:?}");
    assert_eq!(archived.len(), 5);
}

#[test]
fn ours_a_crawl_that_is_done_asks_nothing_more() {
    let (server, folder) = (small(), Folder::new());
    folder.crawl(&[&server.url("/")]).told();
    let asked = server.asked();
    let told = folder.crawl(&[]).told();
    told.ended("drained");
    told.came_to(&[("page", 4), ("not-found", 1)]);
    assert_eq!(server.asked(), asked);
}

#[test]
fn ours_without_an_archive_no_page_is_kept() {
    let (server, folder) = (small(), Folder::new());
    folder.crawl(&[&server.url("/"), "--no-archive"]).told().came_to(&[("page", 4), ("not-found", 1)]);
    assert!(!folder.path("c/archive").exists());
}

#[test]
fn ours_many_at_once_fetch_the_same_pages() {
    let (server, folder) = (small(), Folder::new());
    let told = folder.crawl(&[&server.url("/"), "--at-once-per-host", "8"]).told();
    told.came_to(&[("page", 4), ("not-found", 1)]);
    assert_eq!(server.asked_sorted(), ["/", "/a", "/b", "/c", "/missing"]);
    assert_eq!(folder.archived().len(), 5);
}
