//! A crawl that fetched nothing says why and what to do about it, fails, and is not in the way of the next try.

use std::net::TcpListener;

use crate::beasts::caged;
use crate::run::Folder;
use crate::server::{Server, html, linking, status, typed};
use crate::zoo::names::NameServer;
use crate::zoo::tls::Authority;
use crate::zoo::{plain, tls};

/// Nothing is left.
#[track_caller]
fn is_gone(folder: &Folder) {
    assert!(!folder.path("c").exists(), "what fetched nothing leaves nothing");
}

#[test]
fn ours_a_host_that_does_not_exist_is_named() {
    let names = caged(NameServer::new());
    let asked = format!("crawl.name_servers=[\"{}\"]", names.address);
    let folder = Folder::new();
    let ran = folder.crawl(&["http://nowhere.example/a", "--set", &asked]);
    let told = ran.nothing(&["there is no host nowhere.example"]);
    told.ended("drained");
    assert!(told.0["problem"].as_str().unwrap().contains("nowhere.example"), "{}", told.0);
    assert!(told.0["folder"].is_null() && told.0["report"].is_null(), "{}", told.0);
    assert!(!ran.stderr.contains("to resume"), "there is nothing to resume: {}", ran.stderr);
    is_gone(&folder);
    let ran = folder.crawl_for_people(&["http://nowhere.example/a", "--set", &asked]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.starts_with("0 pages, 0 B in 0 seconds: nothing was fetched\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("all that was in scope"), "{}", ran.stdout);
}

#[test]
fn ours_a_refused_address_is_named_and_the_same_command_with_the_flag_works() {
    let (server, folder) = (Server::of(&[("/", html("<title>home</title>"))]), Folder::new());
    folder.crawl_outside(&[&server.url("/")]).nothing(&["this machine", "to crawl it, add --allow-private"]);
    is_gone(&folder);
    folder.crawl_outside(&[&server.url("/"), "--allow-private"]).told().came_to(&[("page", 1)]);
}

#[test]
fn ours_a_site_that_forbids_everything_is_told_and_what_would_ask() {
    let robots = typed("text/plain", b"User-agent: *\nDisallow: /\n");
    let (server, folder) = (Server::of(&[("/robots.txt", robots), ("/", html("x"))]), Folder::new());
    let urls = [server.url("/"), server.url("/a"), server.url("/b")];
    let ran = folder.crawl(&[&urls[0], &urls[1], &urls[2]]);
    ran.nothing(&["robots.txt does not allow", &server.url("/robots.txt"), "for trodden", "(2 more like this)"]);
    is_gone(&folder);
}

#[test]
fn ours_a_page_that_is_not_there_and_one_that_is_no_page_are_told() {
    let server = Server::of(&[
        ("/pdf", typed("application/pdf", b"%PDF")),
        ("/shut", status(403)),
        ("/away", status(302).header("Location", "http://elsewhere.example/new")),
    ]);
    for (path, words) in [
        ("/typo", &["/typo: the server answered 404; check the URL"][..]),
        ("/pdf", &["/pdf has the media type application/pdf, and only HTML is kept; add --type 'application/pdf'"]),
        ("/shut", &["/shut: the server answered 403", "[auth]"]),
        ("/away", &["/away leads to http://elsewhere.example/new", "start there, or add --host elsewhere.example"]),
    ] {
        let folder = Folder::new();
        folder.crawl(&[&server.url(path)]).nothing(words);
        is_gone(&folder);
    }
    let folder = Folder::new();
    folder.crawl(&[&server.url("/pdf"), "--type", "application/pdf"]).told().came_to(&[("document", 1)]);
}

#[test]
fn ours_a_certificate_that_nobody_signed_is_told_and_how_to_trust_it() {
    let authority = Authority::new();
    let signed = authority.signs("right.example");
    let server = caged(async move { tls::says(&signed, plain::PAGE).await });
    let folder = Folder::new();
    let (url, resolve) = (server.url_as("https", "right.example", "/"), "--resolve=right.example:127.0.0.1");
    let ran = folder.crawl(&[&url, resolve]);
    ran.nothing(&["nobody we trust has signed the certificate", "crawl.ca_files"]).came_to(&[("tls", 1)]);
    is_gone(&folder);
    folder.write("ca.pem", authority.pem());
    folder.crawl(&[&url, resolve, "--set=crawl.ca_files=[\"ca.pem\"]"]).told().came_to(&[("page", 1)]);
}

#[test]
fn ours_where_nobody_listens_nobody_is_waited_for_and_the_next_try_begins_anew() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (folder, url) = (Folder::new(), format!("http://{address}/"));
    // A server that is only busy is waited for as long as this; this one is not there at all.
    let ran = folder.crawl(&[&url, "--set", "crawl.patience_s=3600"]);
    ran.nothing(&["nobody listens at the address", "is it running"]).deferred(&[("connect", 1)]);
    is_gone(&folder);
    let server = Server::of_at(&address.to_string(), &[("/", linking("Home", &[]))]);
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 1)]);
}

#[test]
fn ours_a_crawl_that_stays_is_told_to_go_on_or_to_begin_anew() {
    let (server, folder) = (Server::of(&[("/", status(503).header("Retry-After", "3600"))]), Folder::new());
    let ran = folder.crawl(&[&server.url("/")]);
    ran.nothing(&["the server answered 503; try again later", "to resume: trodden crawl -o c"]).ended("later");
    // The server said when; it is not asked sooner.
    folder.crawl(&[]).nothing(&["nothing was fetched: what is left must wait for 60 minutes"]).ended("later");
    assert_eq!(server.asked(), ["/"]);
}

#[test]
fn ours_a_sitemap_of_other_hosts_is_told() {
    let map = "<urlset><url><loc>http://else.example/x</loc></url></urlset>";
    let (server, folder) = (Server::of(&[("/map.xml", typed("application/xml", map.as_bytes()))]), Folder::new());
    let ran = folder.crawl(&["--sitemap", &server.url("/map.xml")]);
    ran.nothing(&["the sitemap names no URL of the crawl's hosts, but 1 URL of others; see --host"]);
    is_gone(&folder);
}

#[test]
fn ours_what_looks_like_a_file_and_is_none_is_no_host() {
    let folder = Folder::new();
    let ran = folder.run(&["crawl", "urls.txt"]);
    ran.fails(&["there is no file urls.txt to read URLs from", "https://urls.txt"]);
    assert!(!folder.path("urls.txt.crawl").exists());
    folder.run(&["crawl", "lists/sitemap.xml.gz"]).fails(&["there is no file lists/sitemap.xml.gz"]);
    // A file that is there is read.
    let server = Server::of(&[("/", html("<title>home</title>"))]);
    folder.write("urls.txt", server.url("/"));
    folder.crawl(&["urls.txt"]).told().came_to(&[("page", 1)]);
}
