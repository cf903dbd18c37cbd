//! What is well-formed and endless, or says something else than it means.

use super::{Comes, meet};
use crate::run::Folder;
use crate::server::{Server, home_of, html, linking, path_of, typed};

#[test]
fn rfc9309_beast_a_robots_txt_of_ten_megabytes_is_obeyed_as_far_as_it_is_read() {
    let mut robots = b"User-agent: *\nDisallow: /private\n".to_vec();
    robots.resize(10 << 20, b'#');
    robots.extend_from_slice(b"\nDisallow: /a\n");
    let server = Server::of(&[
        ("/robots.txt", typed("text/plain", &robots)),
        ("/", linking("h", &["/private", "/a"])),
        ("/a", html("<title>a</title>")),
    ]);
    let folder = Folder::new();
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 2), ("robots-denied", 1)]);
    assert_eq!(folder.archived().len(), 2);
}

#[test]
fn ours_beast_a_sitemap_of_a_billion_laughs_is_a_listing_of_what_is_no_joke() {
    let mut laughs = "<?xml version=\"1.0\"?><!DOCTYPE z [<!ENTITY a0 \"ha\">".to_owned();
    for n in 1..10 {
        laughs += &format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10));
    }
    let server = Server::new(move |path| match path {
        "/" => Some(linking("h", &[])),
        "/laughs.xml" => {
            let urls = "<url><loc>&a9;</loc></url><url><loc>/never</loc></url>";
            Some(typed("application/xml", format!("{laughs}]><urlset>{urls}</urlset>").as_bytes()))
        }
        _ => None,
    });
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/"), "--sitemap", &server.url("/laughs.xml")]).told();
    told.came_to(&[("page", 1), ("listing", 1)]);
    assert_eq!(folder.archived().len(), 2);
}

#[test]
fn ours_beast_a_calendar_without_end_ends_with_the_budget() {
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
fn ours_beast_sessions_in_urls_make_no_new_pages() {
    let server = Server::new(|path| match path.split('?').next()? {
        "/" => Some(linking(
            "h",
            &["/a?PHPSESSID=0123456789abcdef0123456789abcdef", "/a?PHPSESSID=fedcba9876543210fedcba9876543210"],
        )),
        "/a" => Some(html("<title>a</title>")),
        _ => None,
    });
    let folder = Folder::new();
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 2)]);
    assert_eq!(folder.archived().len(), 2);
}

#[test]
fn ours_beast_a_page_that_says_there_is_none_is_not_found_softly() {
    let met = meet(html("<title>404 Not Found</title><a href=/never>x</a>"), Comes::To("soft-not-found"), &[]);
    assert!(!met.has_asked("/never"), "its links lead nowhere");
}

#[test]
fn ours_beast_links_are_found_whatever_the_charset() {
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
    let folder = Folder::new();
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 5)]);
    assert_eq!(folder.archived().len(), 5);
}

#[test]
fn ours_beast_sitemaps_of_sitemaps_without_end_cost_what_a_site_may_cost() {
    let server = Server::by_head("127.0.0.1:0", |head| match path_of(head) {
        "/" => Some(linking("h", &["/a", "/b", "/c"])),
        "/robots.txt" => None,
        path if path.starts_with("/map") => {
            let home = home_of(head);
            let maps: String =
                (0..400).map(|n| format!("<sitemap><loc>{home}{path}-{n}.xml</loc></sitemap>")).collect();
            Some(typed("application/xml", format!("<sitemapindex>{maps}</sitemapindex>").as_bytes()))
        }
        _ => Some(html("<title>page</title>")),
    });
    let folder = Folder::new();
    let (home, map) = (server.url("/"), server.url("/map.xml"));
    let lists = ["--sitemap", &map, "--set", "crawl.lists.number=40", "--policy", "breadth-first"];
    let told = folder.crawl(&[&[home.as_str()], &lists[..]].concat()).told();
    told.came_to(&[("page", 4), ("listing", 40)]);
    // Only the first few come before all pages.
    let asked = server.asked();
    assert_eq!(asked.iter().position(|path| path == "/"), Some(8), "{asked:?}");
}

#[test]
fn ours_beast_lists_take_turns_with_pages() {
    // Each page leads to ten more; each list to two hundred lists.
    let server = Server::by_head("127.0.0.1:0", |head| match path_of(head) {
        "/robots.txt" => None,
        path if path.starts_with("/map") => {
            let home = home_of(head);
            let maps: String =
                (0..200).map(|n| format!("<sitemap><loc>{home}{path}-{n}.xml</loc></sitemap>")).collect();
            Some(typed("application/xml", format!("<sitemapindex>{maps}</sitemapindex>").as_bytes()))
        }
        path => {
            let links: Vec<String> = (0..10).map(|n| format!("{}/{n}", path.trim_end_matches('/'))).collect();
            Some(linking("page", &links.iter().map(String::as_str).collect::<Vec<_>>()))
        }
    });
    for policy in ["breadth-first", "blend"] {
        let (folder, before) = (Folder::new(), server.asked().len());
        let (home, map) = (server.url("/"), server.url("/map.xml"));
        let words = [home.as_str(), "--sitemap", &map, "--pages", "160", "--policy", policy];
        let told = folder.crawl(&words).told();
        let lists = told.outcome("listing");
        assert!((16..=20).contains(&lists), "eight first, then one in sixteen: {lists} by {policy}");
        let asked = server.asked().split_off(before);
        let pages = asked.iter().skip(8).take(33).filter(|path| !path.starts_with("/map")).count();
        assert!(pages >= 30, "{asked:?}");
    }
}

#[test]
fn ours_beast_an_endless_calendar_of_an_unknown_site_comes_to_an_end() {
    let server = Server::new(|path| match path {
        "/robots.txt" => None,
        "/" => Some(linking("Home", &["/shop/calendar/1", "/about", "/shop/lamps/1"])),
        "/about" | "/shop/lamps/1" => Some(html("<title>page</title>")),
        path => {
            let day: u64 = path.strip_prefix("/shop/calendar/")?.parse().ok()?;
            Some(linking("Day", &[&format!("/shop/calendar/{}", day + 1), &format!("/shop/calendar/{}", day + 7)]))
        }
    });
    let folder = Folder::new();
    let ran = folder.crawl(&[&server.url("/"), "--pages-per-prefix", "20", "--at-once-per-host", "4"]);
    ran.told().came_to(&[("page", 23)]);
    ran.told().ended("budget");
    ran.says(&["to resume: trodden crawl -o c --pages-per-prefix 40"]);
    folder.crawl(&["--pages-per-prefix", "40"]).told().came_to(&[("page", 43)]);
}

#[test]
fn ours_beast_a_sitemap_gives_no_more_urls_than_a_site_may_have_from_it() {
    let server = Server::by_head("127.0.0.1:0", |head| match path_of(head) {
        "/map.xml" => {
            let home = home_of(head);
            let urls: String = (0..500).map(|n| format!("<url><loc>{home}/p/{n}</loc></url>")).collect();
            Some(typed("application/xml", format!("<urlset>{urls}</urlset>").as_bytes()))
        }
        "/robots.txt" => None,
        _ => Some(html("<title>page</title>")),
    });
    let folder = Folder::new();
    let (home, map) = (server.url("/"), server.url("/map.xml"));
    folder
        .crawl(&[&home, "--sitemap", &map, "--set", "crawl.lists.urls=30"])
        .told()
        .came_to(&[("page", 31), ("listing", 1)]);
}

#[test]
fn ours_beast_links_that_append_to_themselves_end_by_themselves() {
    let server = Server::new(|path| {
        (path != "/robots.txt").then(|| linking("trap", &[&format!("{}/a/b", path.trim_end_matches('/'))]))
    });
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/"), "--pages", "50"]).told();
    told.ended("drained");
    told.came_to(&[("page", 3)]);
}
