//! What is said about what cannot be done.

use crate::limits::web;
use crate::run::Folder;

#[test]
fn ours_what_cannot_be_begun_is_said() {
    let folder = Folder::new();
    folder.run(&["crawl"]).fails(&["name a URL to start from"]);
    folder.crawl(&[]).fails(&["c holds no crawl to resume; name a URL to start from"]);
    folder.crawl(&["nonsense"]).fails(&["\"nonsense\" is neither a URL nor a file"]);
    folder.crawl(&["http://"]).fails(&["is no URL"]);
    folder.crawl(&["http://127.0.0.1:1/", "--policy", "wild"]).fails(&["wild"]);
    let elsewhere = ["http://127.0.0.1:1/", "--prefix", "https://example.org/docs/"];
    folder.crawl(&elsewhere).fails(&["none of the URLs is in scope"]);
    assert!(!folder.path("c").exists(), "nothing is left of what was never begun");
    std::fs::create_dir(folder.path("c")).unwrap();
    folder.write("c/letter.txt", "dear");
    folder.crawl(&["http://127.0.0.1:1/"]).fails(&["c is there and holds no crawl", "-o DIR"]);
}

#[test]
fn ours_settings_of_the_network_that_make_no_sense_are_told() {
    let folder = Folder::new();
    for (set, told) in [
        ("crawl.connect_ms=0", "crawl.connect_ms is 0; it must be from 1 to 3600000"),
        ("crawl.whole_ms=999999999", "crawl.whole_ms is 999999999"),
        ("crawl.first_byte_ms=soon", "crawl.first_byte_ms"),
        ("crawl.allow_addresses=[\"intranet\"]", "\"intranet\" is no network; write it as 10.0.0.0/8"),
        ("crawl.name_servers=[\"ns.example\"]", "crawl.name_servers"),
        ("crawl.ca_files=[\"none.pem\"]", "crawl.ca_files: cannot read none.pem"),
    ] {
        folder.crawl(&["http://127.0.0.1:1/", "--set", set]).fails(&[told]);
        assert!(!folder.path("c").exists(), "nothing is left of what was never begun: {set}");
    }
}

#[test]
fn ours_a_policy_that_cannot_run_says_why_and_leaves_nothing() {
    let (server, folder) = (web(5), Folder::new());
    folder.crawl(&[&server.url("/"), "--policy", "behavior"]).fails(&["--policy behavior cannot run"]);
    folder.crawl(&[&server.url("/"), "--policy", "similarity:backlink"]).fails(&["cannot run"]);
    // What was refused is not gone on with.
    folder.crawl(&[&server.url("/"), "--policy", "breadth-first"]).told().came_to(&[("page", 5)]);
}

#[test]
fn ours_a_crawl_goes_on_as_it_was_begun() {
    let (server, folder) = (web(9), Folder::new());
    folder.crawl(&[&server.url("/"), "--policy", "breadth-first", "--pages", "3"]).told();
    folder.crawl(&["--policy", "random"]).fails(&["begun with --policy breadth-first", "start in a new folder"]);
    folder.crawl(&["--goal", "discovery"]).fails(&["another --goal"]);
    folder.crawl(&["--pages", "9"]).told().came_to(&[("page", 9)]);
}

#[test]
fn ours_private_addresses_are_left_alone_unless_allowed() {
    let (server, folder) = (web(5), Folder::new());
    let ran = folder.crawl_outside(&[&server.url("/")]);
    assert_eq!(server.requests(), 0);
    let told = ran.nothing(&["127.0.0.1 is this machine", "add --allow-private", "crawl.allow_addresses"]);
    told.came_to(&[("address-refused", 1)]);
    told.ended("drained");
    // What is said to help does.
    let allowed = Folder::new();
    let ran = allowed.crawl_outside(&[&server.url("/"), "--set", "crawl.allow_addresses=[\"127.0.0.1\"]"]);
    ran.told().came_to(&[("page", 5)]);
}
