//! What does a crawl call itself, and is it remembered, so that logs can be cleaned of it?

use crate::run::Folder;
use crate::server::{Reply, Server, html, typed};

fn site(robots: &'static str) -> Server {
    Server::of(&[("/robots.txt", robots_txt(robots)), ("/", html("<title>home</title>"))])
}

fn robots_txt(text: &str) -> Reply {
    typed("text/plain", text.as_bytes())
}

fn agents(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("config/trodden/agents")).unwrap_or_default()
}

#[test]
fn ours_a_crawl_has_the_name_that_it_was_given_and_every_name_is_remembered() {
    let (server, folder) = (site(""), Folder::new());
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 1)]);
    let sent = |name: &str| {
        folder.requests().iter().filter(|head| head.to_lowercase().contains(&format!("user-agent: {name}"))).count()
    };
    assert_eq!(sent("trodden/"), 2, "{:?}", folder.requests());
    assert_eq!(agents(&folder), "trodden\n");
    // A crawl keeps its name when it goes on; names are kept once.
    folder.crawl(&[&server.url("/a"), "--user-agent", "mybot/2.0"]).told();
    folder.crawl(&[&server.url("/b")]).told();
    assert_eq!(sent("mybot/2.0 (+tests@example.org)"), 2, "{:?}", folder.requests());
    assert_eq!(agents(&folder), "trodden\nmybot\n");
    // People call themselves Mozilla, too.
    folder.crawl(&[&server.url("/c"), "--user-agent", "Mozilla/5.0 (X11; rv:130.0) Gecko/20100101 Firefox/130.0"]);
    assert_eq!(agents(&folder), "trodden\nmybot\n");
    folder.crawl(&[&server.url("/d"), "--user-agent", "röbot"]).fails(&["--user-agent \"röbot\"", "mybot/1.0"]);
}

#[test]
fn rfc9309_robots_txt_is_obeyed_under_the_name_that_the_crawl_has() {
    let server = site("User-agent: mybot\nDisallow: /\n");
    Folder::new().crawl(&[&server.url("/")]).told().came_to(&[("page", 1)]);
    let folder = Folder::new();
    folder.write("trodden.toml", "[crawl]\nuser_agent = \"mybot/2.0\"\n");
    let ran = folder.crawl(&[&server.url("/")]);
    ran.nothing(&["does not allow", "for mybot", "/robots.txt"]).came_to(&[("robots-denied", 1)]);
    assert_eq!(server.asked(), ["/"], "the second crawl asked for nothing");
    assert_eq!(agents(&folder), "mybot\n");
}
