//! Where do answers lead beside links?

use std::io::Write;

use flate2::write::GzEncoder;

use crate::run::Folder;
use crate::server::{Reply, Server, html, linking, status, typed};

fn moved(to: &str) -> Reply {
    status(301).header("Location", to)
}

#[test]
fn ours_a_redirect_is_noted_and_followed_once() {
    let server = Server::of(&[
        ("/", linking("Home", &["/old", "/older"])),
        ("/old", moved("/new")),
        ("/older", moved("/new")),
        ("/new", html("<title>new</title>")),
    ]);
    let folder = Folder::new();
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 2), ("redirect", 2)]);
    assert_eq!(server.asked_sorted(), ["/", "/new", "/old", "/older"]);
    assert_eq!(folder.archived().len(), 4);
}

#[test]
fn ours_redirects_that_never_end_do() {
    let server = Server::new(|path| match path {
        "/" => Some(linking("Home", &["/loop", "/n0"])),
        "/loop" => Some(moved("/pool")),
        "/pool" => Some(moved("/loop")),
        "/robots.txt" => None,
        n => Some(moved(&format!("/n{}", n[2..].parse::<u32>().unwrap() + 1))),
    });
    let told = Folder::new().crawl(&[&server.url("/")]).told();
    told.ended("drained");
    told.came_to(&[("page", 1), ("redirect", 12), ("too-many-redirects", 1)]);
}

#[test]
fn ours_sitemaps_of_robots_txt_are_read_packed_ones_and_lists_of_them_too() {
    let server = Server::new({
        let base = std::sync::OnceLock::new();
        move |path| {
            let (path, at) = path.split_once("?at=").unwrap_or((path, ""));
            let base: &String = base.get_or_init(|| at.to_owned());
            Some(match path {
                "/robots.txt" => typed("text/plain", format!("Sitemap: http://{base}/index.xml\n").as_bytes()),
                "/" => linking("Home", &[]),
                "/index.xml" => typed(
                    "application/xml",
                    format!("<sitemapindex><sitemap><loc>http://{base}/one.xml.gz</loc></sitemap></sitemapindex>")
                        .as_bytes(),
                ),
                "/one.xml.gz" => {
                    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
                    write!(packed, "<urlset><url><loc>http://{base}/hidden</loc></url><url><loc>http://else.example/x</loc></url></urlset>").unwrap();
                    typed("application/gzip", &packed.finish().unwrap())
                }
                "/hidden" => html("<title>hidden</title>"),
                _ => status(404),
            })
        }
    });
    // The server must know its own name before robots.txt is asked for.
    let mut ask = std::net::TcpStream::connect(server.address).unwrap();
    write!(ask, "GET /x?at={} HTTP/1.1\r\n\r\n", server.address).unwrap();
    server.wait_for(1);
    let told = Folder::new().crawl(&[&server.url("/")]).told();
    told.came_to(&[("page", 2), ("listing", 2)]);
    let alone = Folder::new().crawl(&[&server.url("/"), "--no-sitemaps"]).told();
    alone.came_to(&[("page", 1)]);
}

#[test]
fn ours_feeds_headers_canonical_links_and_next_pages_lead_on() {
    let feed = "<rss><channel><item><link>/from-feed</link></item></channel></rss>";
    let head = "<title>h</title><link rel=alternate type='application/rss+xml' href=/feed><link rel=canonical href=/canonical>";
    let server = Server::of(&[
        ("/", html(format!("{head}<link rel=next href=/page2>")).header("Link", "</from-header>; rel=\"next\"")),
        ("/feed", typed("application/rss+xml", feed.as_bytes())),
        ("/from-feed", html("<title>1</title>")),
        ("/from-header", html("<title>2</title>")),
        ("/canonical", html("<title>3</title>")),
        ("/page2", html("<title>4</title>")),
    ]);
    Folder::new().crawl(&[&server.url("/")]).told().came_to(&[("page", 5), ("listing", 1)]);
    assert_eq!(server.asked_sorted(), ["/", "/canonical", "/feed", "/from-feed", "/from-header", "/page2"]);
}

#[test]
fn ours_lists_that_lead_to_lists_for_ever_come_to_an_end() {
    let server = Server::new(|path| match path {
        "/" => Some(html("<title>Home</title>")),
        "/robots.txt" => None,
        list => Some(moved(&format!("/s{}", list[2..].parse::<u32>().unwrap() + 1))),
    });
    let told = Folder::new().crawl(&[&server.url("/"), "--sitemap", &server.url("/s0")]).told();
    told.ended("drained");
    assert_eq!(server.asked_sorted(), ["/", "/s0", "/s1", "/s2", "/s3"]);
}
