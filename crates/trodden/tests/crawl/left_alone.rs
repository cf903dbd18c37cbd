//! How long are servers left alone? Times are those at which servers were asked: an answer comes later, so that the pauses
//! that they saw were no longer.

use std::time::{Duration, Instant};

use crate::run::{Folder, Ran};
use crate::server::{Reply, Server, html, linking, status, typed};

const DELAY: Duration = Duration::from_millis(300);
const DELAY_WORD: &str = "300ms";
/// Clocks are read a little early or late.
const SLACK: Duration = Duration::from_millis(5);
const NONE: &str = "0ms";

/// A crawl with these delays, of a host and of an address; both are waited for.
fn crawl(folder: &Folder, [host, address]: [&str; 2], words: &[&str]) -> Ran {
    let usual = "crawl --allow-private --format json --contact=tests@example.org -o c --set crawl.patience_s=5";
    let usual: Vec<&str> = usual.split(' ').chain(["--delay", host, "--address-delay", address]).collect();
    folder.run(&[&usual[..], words].concat())
}

/// Between any two requests there was a pause.
#[track_caller]
fn apart(asked: &[(String, Instant)]) {
    for pair in asked.windows(2) {
        let pause = pair[1].1 - pair[0].1;
        assert!(pause >= DELAY - SLACK, "{pause:?} from {} to {}", pair[0].0, pair[1].0);
    }
}

/// They came one after another, with a pause each: how late a single one came depends on the machine.
#[track_caller]
fn apart_in_all(asked: &[(String, Instant)]) {
    let times = asked.iter().map(|(_, time)| *time);
    let span = times.clone().max().unwrap() - times.min().unwrap();
    let pauses = u32::try_from(asked.len() - 1).unwrap();
    assert!(span >= DELAY * pauses * 9 / 10, "{pauses} pauses in {span:?}");
}

fn robots(text: &str) -> Reply {
    typed("text/plain", text.as_bytes())
}

#[test]
fn ours_a_host_that_failed_is_left_alone_as_long_as_any() {
    let server = Server::of(&[
        ("/", linking("Home", &["/500", "/garbage", "/nothing", "/cut", "/gone", "/good"])),
        ("/500", status(500)),
        ("/garbage", Reply::Bytes(b"HELLO\r\n\r\n".to_vec())),
        ("/nothing", Reply::Bytes(Vec::new())),
        ("/cut", Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Le".to_vec())),
        ("/good", html("<title>good</title>")),
    ]);
    crawl(&Folder::new(), [DELAY_WORD, NONE], &[&server.url("/")]).told().ended("later");
    assert_eq!(server.requests(), 8, "each once, and robots.txt: {:?}", server.asked());
    apart(&server.times());
}

#[test]
fn ours_a_host_that_was_asked_for_robots_txt_alone_is_left_alone_as_long_as_any() {
    let shut = || Server::of(&[("/robots.txt", robots("User-agent: *\nDisallow: /\n"))]);
    let broken = || Server::of(&[("/robots.txt", status(404)), ("/", status(500))]);
    // Ports of one host: each has a robots.txt of its own, all are asked by one.
    let servers = [shut(), shut(), broken(), shut()];
    let urls: Vec<String> = servers.iter().map(|server| server.url("/")).collect();
    let words: Vec<&str> = urls.iter().map(String::as_str).collect();
    let told = crawl(&Folder::new(), [DELAY_WORD, NONE], &words).nothing(&["does not allow", "answered 500"]);
    assert_eq!(told.outcome("robots-denied"), 3, "{}", told.0);
    let mut asked: Vec<_> = servers.iter().flat_map(Server::times).collect();
    assert_eq!(asked.len(), 5);
    asked.sort_by_key(|(_, time)| *time);
    apart(&asked);
}

#[test]
fn ours_a_delay_that_robots_txt_asks_for_holds_when_the_crawl_goes_on() {
    let server = Server::of(&[
        ("/robots.txt", robots("User-agent: *\nCrawl-delay: 0.3\n")),
        ("/", linking("Home", &["/a", "/b", "/c", "/d"])),
        ("/a", html("<title>a</title>")),
        ("/b", html("<title>b</title>")),
        ("/c", html("<title>c</title>")),
        ("/d", html("<title>d</title>")),
    ]);
    let folder = Folder::new();
    crawl(&folder, [NONE, NONE], &[&server.url("/"), "--pages", "2"]);
    crawl(&folder, [NONE, NONE], &["--pages", "100"]).told().came_to(&[("page", 5)]);
    assert_eq!(server.requests(), 6, "robots.txt is asked for once");
    apart(&server.times());
}

#[test]
fn ours_an_address_is_left_alone_whatever_the_hosts_on_it() {
    let server = Server::new(|path| match path {
        "/robots.txt" => None,
        "/" => Some(linking("Home", &["/a", "/b"])),
        _ => Some(html("<title>page</title>")),
    });
    let hosts = ["one.example", "two.example"];
    let urls = hosts.map(|host| format!("http://{host}:{}/", server.address.port()));
    let addresses = hosts.map(|host| format!("{host}:127.0.0.1"));
    let mut words: Vec<&str> = urls.iter().map(String::as_str).collect();
    addresses.iter().for_each(|address| words.extend(["--resolve", address]));
    words.extend(["--at-once", "1"]);
    crawl(&Folder::new(), [NONE, DELAY_WORD], &words).told().came_to(&[("page", 6)]);
    assert_eq!(server.requests(), 8);
    apart(&server.times());
}

#[test]
fn ours_an_address_is_left_alone_by_many_new_hosts_at_once() {
    let server = Server::new(|path| (path == "/").then(|| html("<title>page</title>")));
    let hosts: Vec<String> = (0..8).map(|n| format!("host{n}.example")).collect();
    let urls: Vec<String> = hosts.iter().map(|host| format!("http://{host}:{}/", server.address.port())).collect();
    let addresses: Vec<String> = hosts.iter().map(|host| format!("{host}:127.0.0.1")).collect();
    let mut words: Vec<&str> = urls.iter().map(String::as_str).collect();
    addresses.iter().for_each(|address| words.extend(["--resolve", address]));
    words.extend(["--at-once", "32"]);
    crawl(&Folder::new(), [NONE, DELAY_WORD], &words).told().came_to(&[("page", 8)]);
    assert_eq!(server.requests(), 16, "robots.txt and the page of each");
    apart_in_all(&server.times());
}

#[test]
fn rfc9309_a_redirect_of_robots_txt_is_no_way_around_delays() {
    let to = |path: &str| status(302).header("Location", path);
    let server = Server::of(&[
        ("/robots.txt", to("/r1")),
        ("/r1", to("/r2")),
        ("/r2", robots("User-agent: *\nDisallow: /no\n")),
        ("/", linking("Home", &["/no"])),
    ]);
    let told = crawl(&Folder::new(), [DELAY_WORD, NONE], &[&server.url("/")]).told();
    told.came_to(&[("page", 1), ("robots-denied", 1)]);
    assert_eq!(server.requests(), 4);
    apart(&server.times());
}

#[test]
fn rfc9309_many_hosts_whose_robots_txt_is_elsewhere_take_turns_there() {
    let victim = Server::new(|path| (path == "/robots.txt").then(|| robots("User-agent: *\nAllow: /\n")));
    let elsewhere = format!("http://victim.example:{}/robots.txt", victim.address.port());
    let server = Server::new(move |path| match path {
        "/robots.txt" => Some(status(301).header("Location", &elsewhere)),
        _ => Some(html("<title>page</title>")),
    });
    let hosts: Vec<String> = (0..5).map(|n| format!("host{n}.example")).collect();
    let urls: Vec<String> = hosts.iter().map(|host| format!("http://{host}:{}/", server.address.port())).collect();
    let mut addresses: Vec<String> = hosts.iter().map(|host| format!("{host}:127.0.0.1")).collect();
    addresses.push("victim.example:127.0.0.1".to_owned());
    let mut words: Vec<&str> = urls.iter().map(String::as_str).collect();
    addresses.iter().for_each(|address| words.extend(["--resolve", address]));
    crawl(&Folder::new(), [DELAY_WORD, NONE], &words).told().came_to(&[("page", 5)]);
    assert_eq!(victim.requests(), 5);
    apart_in_all(&victim.times());
}
