//! What do bad servers come to? The client's own zoo has each beast alone; here the crawl meets them, and goes on.

use std::io::Write as _;

use flate2::write::GzEncoder;

use crate::run::Folder;
use crate::server::{Reply, Server, html, linking, status, typed};

fn raw(bytes: &[u8]) -> Reply {
    Reply::Bytes(bytes.to_vec())
}

fn bomb() -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..200 {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    packed.finish().unwrap()
}

#[test]
fn ours_a_crawl_meets_bad_servers_and_goes_on() {
    let flood: String = (0..600).map(|n| format!("X-{n}: y\r\n")).collect();
    let server = Server::of(&[
        ("/", linking("Home", &["/flood", "/bomb", "/short", "/endless", "/soft", "/odd", "/bad", "/gone", "/good"])),
        ("/flood", raw(format!("HTTP/1.1 200 OK\r\n{flood}\r\n").as_bytes())),
        ("/bomb", typed("text/html", &bomb()).header("Content-Encoding", "gzip")),
        (
            "/short",
            raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\n<a href=/from-short>x</a>"),
        ),
        ("/from-short", html("<title>x</title>")),
        ("/endless", typed("text/html", &vec![b'a'; 3 << 20])),
        ("/soft", html("<title>404 Not Found</title><a href=/never>x</a>")),
        ("/odd", status(299)),
        ("/bad", raw(b"HELLO\r\n\r\n")),
        ("/gone", status(410)),
        ("/good", html("<title>good</title>")),
    ]);
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/"), "--set", "crawl.body_bytes=1000000"]).told();
    told.ended("later");
    let outcomes = told.outcomes();
    assert_eq!(told.outcome("too-large"), 1, "{outcomes:?}");
    assert_eq!(told.outcome("soft-not-found"), 1, "{outcomes:?}");
    assert_eq!(told.outcome("not-found"), 1, "{outcomes:?}");
    assert_eq!(told.0["put_off"], 1, "what is no HTTP is asked for again later: {}", told.0);
    assert!(server.asked().contains(&"/from-short".to_owned()) && !server.asked().contains(&"/never".to_owned()));
    let archived = folder.archived();
    assert!(archived.values().all(|n| *n == 1), "{archived:?}");
}

#[test]
fn ours_a_calendar_without_end_is_bounded_and_its_archive_sound() {
    let server = Server::new(|path| {
        let day: u64 = path.strip_prefix("/day/").and_then(|day| day.parse().ok()).unwrap_or(0);
        let next = [format!("/day/{}", day + 1), format!("/day/{}", day * 2 + 3)];
        (path != "/robots.txt").then(|| linking(&format!("Day {day}"), &[&next[0], &next[1]]))
    });
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/"), "--pages", "50"]).told();
    told.ended("budget");
    told.came_to(&[("page", 50)]);
    assert_eq!(folder.archived().len(), 50);
}

#[test]
fn ours_sessions_in_urls_make_no_new_pages() {
    let server = Server::new(|path| match path.split('?').next()? {
        "/" => Some(linking(
            "h",
            &["/a?PHPSESSID=0123456789abcdef0123456789abcdef", "/a?PHPSESSID=fedcba9876543210fedcba9876543210"],
        )),
        "/a" => Some(html("<title>a</title>")),
        _ => None,
    });
    Folder::new().crawl(&[&server.url("/")]).told().came_to(&[("page", 2)]);
}

#[test]
fn ours_links_are_found_whatever_the_charset() {
    let wide = |text: &str| {
        let mut bytes = vec![0xff, 0xfe];
        text.encode_utf16().for_each(|unit| bytes.extend_from_slice(&unit.to_le_bytes()));
        bytes
    };
    let server = Server::of(&[
        ("/", typed("text/html; charset=iso-8859-1", b"<title>caf\xe9</title><a href=/b>\xe9</a>")),
        ("/b", typed("text/html; charset=shift_jis", b"<title>\x83e\x83X\x83g</title><a href=/c>\x83e</a>")),
        ("/c", typed("text/html", &wide("<title>Ω</title><a href=/d>Ω</a>"))),
        ("/d", typed("text/html; charset=no-such-charset", b"<title>d</title><a href=/e>\xff\xfe\xfd</a>")),
        ("/e", html("<title>e</title>")),
    ]);
    Folder::new().crawl(&[&server.url("/")]).told().came_to(&[("page", 5)]);
}

#[test]
fn ours_a_large_robots_txt_and_a_sitemap_of_laughs_cost_little() {
    let laughs = "<?xml version=\"1.0\"?><!DOCTYPE z [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
        <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><urlset><url><loc>&c;</loc></url></urlset>";
    let mut robots = b"User-agent: *\nDisallow: /private\n".to_vec();
    robots.resize(10 << 20, b'#');
    let server = Server::of(&[
        ("/robots.txt", typed("text/plain", &robots)),
        ("/", linking("h", &["/private", "/a"])),
        ("/a", html("<title>a</title>")),
        ("/laughs.xml", typed("application/xml", laughs.as_bytes())),
    ]);
    let told = Folder::new().crawl(&[&server.url("/"), "--sitemap", &server.url("/laughs.xml")]).told();
    told.came_to(&[("page", 2), ("robots-denied", 1), ("listing", 1)]);
}

#[test]
fn ours_what_leads_to_a_private_address_is_refused_unless_allowed() {
    let server = Server::of(&[("/", linking("h", &[]))]);
    let port = server.address.port();
    let words = ["crawl", "--format", "json", "--set", "crawl.patience_s=0", "-o", "d"];
    let url = format!("http://public.example:{port}/");
    let folder = Folder::new();
    let ran = folder.run(&[&words[..], &[url.as_str(), "--resolve", "public.example:127.0.0.1"]].concat());
    ran.told();
    assert_eq!(server.requests(), 0);
}
