//! What sites ask for is done.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use crate::run::Folder;
use crate::server::{Reply, Server, html, linking, status, typed};

fn robots(text: &str) -> Reply {
    typed("text/plain", text.as_bytes())
}

#[test]
fn rfc9309_what_is_disallowed_is_never_asked_for() {
    let server = Server::of(&[
        ("/robots.txt", robots("User-agent: *\nDisallow: /private\nAllow: /private/open\n")),
        ("/", linking("Home", &["/private/1", "/private/open", "/b"])),
        ("/b", linking("B", &["/private/2"])),
        ("/private/open", html("<title>open</title>")),
        ("/private/1", html("<title>secret</title>")),
    ]);
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/")]).told();
    told.came_to(&[("page", 3), ("robots-denied", 2)]);
    assert_eq!(server.asked_sorted(), ["/", "/b", "/private/open"]);
    assert_eq!(server.times().iter().filter(|(path, _)| path == "/robots.txt").count(), 1);
    assert_eq!(server.times()[0].0, "/robots.txt");
}

#[test]
fn ours_forbidden_links_are_counted_once_where_they_are_found_and_use_no_budget() {
    let server = Server::of(&[
        ("/robots.txt", robots("User-agent: *\nDisallow: /private\n")),
        ("/", linking("Home", &["/private/1", "/private/2", "/b"])),
        ("/b", linking("B", &["/private/2", "/private/3", "/c"])),
        ("/c", linking("C", &["/private/1"])),
    ]);
    let folder = Folder::new();
    folder.crawl(&[&server.url("/"), "--pages", "1"]).told().came_to(&[("page", 1), ("robots-denied", 2)]);
    let told = folder.crawl(&["--pages", "9", "--pages-per-site", "3"]).told();
    told.came_to(&[("page", 3), ("robots-denied", 3)]);
    // A seed is refused in its turn, and is the same URL still.
    let told = folder.crawl(&[&server.url("/private/1")]).told();
    told.came_to(&[("page", 3), ("robots-denied", 3)]);
    assert_eq!(server.asked_sorted(), ["/", "/b", "/c"]);
}

#[test]
fn rfc9309_a_robots_txt_that_fails_closes_the_site() {
    let server = Server::of(&[("/robots.txt", status(500)), ("/", linking("Home", &[]))]);
    let ran = Folder::new().crawl(&[&server.url("/")]);
    let robots = server.url("/robots.txt");
    ran.nothing(&[&robots, "the server answered 500", "without it nothing else may be fetched"]).ended("later");
    ran.says(&["to resume: trodden crawl -o c"]);
    assert!(server.asked().is_empty(), "{:?}", server.asked());
}

#[test]
fn ours_a_crawl_delay_is_kept() {
    let server = Server::of(&[
        ("/robots.txt", robots("User-agent: *\nCrawl-delay: 0.3\n")),
        ("/", linking("Home", &["/a", "/b"])),
        ("/a", html("<title>a</title>")),
        ("/b", html("<title>b</title>")),
    ]);
    Folder::new().crawl(&[&server.url("/"), "--set", "crawl.patience_s=5"]).told().came_to(&[("page", 3)]);
    for pair in server.times().windows(2) {
        let gap = pair[1].1 - pair[0].1;
        assert!(gap >= Duration::from_millis(295), "{gap:?} from {} to {}", pair[0].0, pair[1].0);
    }
}

#[test]
fn ours_links_that_must_not_be_followed_are_not() {
    let server = Server::of(&[
        (
            "/",
            html(
                "<title>h</title><a href=/a>a</a><a rel='nofollow' href=/no1>x</a><a href=/meta>m</a><a href=/head>h</a>",
            ),
        ),
        ("/a", html("<title>a</title>")),
        ("/meta", html("<title>m</title><meta name=robots content='noindex, nofollow'><a href=/no2>x</a>")),
        ("/head", linking("h", &["/no3"]).header("X-Robots-Tag", "nofollow")),
    ]);
    Folder::new().crawl(&[&server.url("/")]).told().came_to(&[("page", 4)]);
    assert_eq!(server.asked_sorted(), ["/", "/a", "/head", "/meta"]);
}

#[test]
fn ours_a_page_that_asks_not_to_be_kept_is_not_kept() {
    let server = Server::of(&[
        ("/", linking("Home", &["/a"])),
        ("/a", linking("a", &["/b"]).header("X-Robots-Tag", "noarchive")),
        ("/b", html("<title>b</title>")),
    ]);
    let folder = Folder::new();
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 3)]);
    let kept: Vec<String> = folder.archived().into_keys().collect();
    assert_eq!(kept, [server.url("/"), server.url("/b")]);
}

#[test]
fn rfc9309_a_robots_txt_that_breaks_off_or_stalls_is_not_whole() {
    let broken =
        b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /a"
            .to_vec();
    let stalled = Arc::new(|stream: &mut TcpStream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nUser-agent: *\n");
        std::thread::sleep(Duration::from_secs(5));
    });
    for robots in [Reply::Bytes(broken), Reply::Beast(stalled)] {
        let server = Server::of(&[("/robots.txt", robots), ("/", html("<title>home</title>"))]);
        let folder = Folder::new();
        let url = server.url("/");
        folder.crawl(&[&url, "--set", "crawl.stall_ms=500", "--set", "crawl.patience_s=0"]).nothing(&["robots.txt"]);
        assert!(server.asked().is_empty(), "{:?}", server.asked());
    }
}

#[test]
fn rfc9309_a_redirect_of_robots_txt_out_of_the_web_opens_nothing() {
    for to in ["file:///etc/passwd", "http://", "ftp://127.0.0.1/robots.txt"] {
        let server =
            Server::of(&[("/robots.txt", status(302).header("Location", to)), ("/", html("<title>home</title>"))]);
        Folder::new().crawl(&[&server.url("/"), "--set", "crawl.patience_s=0"]).nothing(&["robots.txt"]);
        assert!(server.asked().is_empty(), "{to}: {:?}", server.asked());
    }
}

#[test]
fn rfc9309_a_redirect_of_robots_txt_leads_nowhere_that_forbids_it() {
    let victim = Server::of(&[
        ("/robots.txt", typed("text/plain", b"User-agent: *\nDisallow: /costly\n")),
        ("/costly", typed("text/plain", b"")),
    ]);
    let server = Server::of(&[
        ("/robots.txt", status(302).header("Location", &victim.url("/costly"))),
        ("/", html("<title>home</title>")),
    ]);
    let url = server.url("/");
    Folder::new().crawl(&[&url, "--set", "crawl.patience_s=0"]).nothing(&["robots.txt"]);
    assert!(victim.asked().is_empty() && server.asked().is_empty(), "{:?}", victim.asked());
}
