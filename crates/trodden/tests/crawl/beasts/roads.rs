//! What leads astray: redirects, addresses, names, certificates.

use std::net::TcpListener;

use super::{Comes, caged, meet};
use crate::run::Folder;
use crate::server::{Reply, Server, html, linking, status};
use crate::zoo::names::{NameServer, Said};
use crate::zoo::tls::Authority;
use crate::zoo::{hole, plain, tls};

/// One of the addresses of this machine may be asked, the others may not.
const ALLOWED: [&str; 2] = ["--set", "crawl.allow_addresses=[\"127.0.0.2\"]"];

fn to(location: &str) -> Reply {
    status(302).header("Location", location)
}

/// A server that must not be asked.
fn private() -> Server {
    Server::of(&[("/", html("<title>secret</title>")), ("/a", html("<title>secret</title>"))])
}

#[test]
fn ours_beast_a_redirect_to_itself_is_a_redirect() {
    meet(to("/beast"), Comes::To("redirect"), &[]);
}

#[test]
fn ours_beast_a_ring_of_redirects_is_gone_round_once() {
    let server = Server::of(&[
        ("/", linking("Home", &["/a", "/good"])),
        ("/a", to("/b")),
        ("/b", to("/a")),
        ("/good", html("x")),
    ]);
    let folder = Folder::new();
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 2), ("redirect", 2)]);
    assert_eq!(server.asked_sorted(), ["/", "/a", "/b", "/good"]);
    assert_eq!(folder.archived().len(), 4);
}

#[test]
fn ours_beast_a_redirect_to_nowhere_is_no_redirect() {
    let nowhere = ["http://[::bad/", "javascript:alert(1)", "mailto:a@b.example", "http://"];
    let links: Vec<String> = (0..nowhere.len()).map(|n| format!("/{n}")).chain(["/none".to_owned()]).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let home = linking("Home", &links);
    let server = Server::new(move |path| match path.strip_prefix('/')? {
        "" => Some(home.clone()),
        "none" => Some(status(302)),
        n => Some(to(nowhere.get(n.parse::<usize>().ok()?)?)),
    });
    let folder = Folder::new();
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 1), ("bad-redirect", 5)]);
}

#[test]
fn ours_beast_redirects_without_end_are_too_many() {
    let server = Server::new(|path| match path.strip_prefix("/hop/") {
        Some(hop) => Some(to(&format!("/hop/{}", hop.parse::<u64>().ok()? + 1))),
        None => (path != "/robots.txt").then(|| linking("Home", &["/hop/0", "/good"])),
    });
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/")]).told();
    told.came_to(&[("page", 2), ("redirect", 10), ("too-many-redirects", 1)]);
    assert_eq!(folder.archived().len(), 13);
}

#[test]
fn ours_beast_a_redirect_to_a_private_address_is_not_followed() {
    let private = private();
    let port = private.address.port();
    let public = Server::of_at(
        "127.0.0.2:0",
        &[
            ("/", linking("Home", &["/address", "/name", "/good"])),
            ("/address", to(&private.url("/"))),
            ("/name", to(&format!("http://public.example:{port}/"))),
            ("/good", html("<title>good</title>")),
        ],
    );
    let folder = Folder::new();
    let home = public.url("/");
    let more = [home.as_str(), "--anywhere", "--resolve", "public.example:127.0.0.1"];
    let ran = folder.crawl_outside(&[&more[..], &ALLOWED].concat());
    ran.told().came_to(&[("page", 2), ("redirect", 2), ("address-refused", 2)]);
    ran.told().ended("drained");
    ran.says(&["127.0.0.1 is this machine", "--allow-private"]);
    assert_eq!(private.requests(), 0);
    assert_eq!(folder.archived().len(), 4);
}

#[test]
fn ours_beast_a_robots_txt_in_a_private_network_is_not_asked_for() {
    let private = private();
    let public = Server::of_at(
        "127.0.0.2:0",
        &[("/robots.txt", to(&private.url("/robots.txt"))), ("/", html("<title>never</title>"))],
    );
    let home = public.url("/");
    let told = Folder::new().crawl_outside(&[&[home.as_str()], &ALLOWED[..]].concat()).nothing(&["robots.txt"]);
    told.came_to(&[]);
    told.deferred(&[("robots-unreachable", 1)]);
    assert_eq!((private.requests(), public.asked().len()), (0, 0));
}

/// A name server says another address with every question: first one that may be asked, then one that may not. What is
/// checked is what is connected to, so whoever is asked, it is never the private one. (Between the check and the
/// connection nobody can be made to look twice from outside; that is tested with the client alone.)
#[test]
fn ours_beast_a_name_that_moves_to_a_private_address_is_refused() {
    let pages =
        [("/", linking("Home", &["/a", "/b"])), ("/a", html("<title>a</title>")), ("/b", html("<title>b</title>"))];
    // In this order, since ports of 127.0.0.1 are in demand.
    let private = Server::of(&pages);
    let port = private.address.port();
    let public = Server::of_at(&format!("127.0.0.2:{port}"), &pages);
    let names = caged(NameServer::saying(|_, before| match before {
        0 => Said::Address([127, 0, 0, 2]),
        _ => Said::Address([127, 0, 0, 1]),
    }));
    let (folder, home) = (Folder::new(), format!("http://fickle.example:{port}/"));
    let asked = format!("crawl.name_servers=[\"{}\"]", names.address);
    let begin = [&[home.as_str(), "--pages", "1", "--set", asked.as_str()], &ALLOWED[..]].concat();
    folder.crawl_outside(&begin).told().came_to(&[("page", 1)]);
    // The next run asks for the name anew.
    let ran = folder.crawl_outside(&["--pages", "9"]);
    ran.told().came_to(&[("page", 1), ("address-refused", 2)]);
    assert_eq!((private.requests(), public.asked().len()), (0, 1));
    assert!(names.asked("fickle.example") > 1);
    assert_eq!(folder.archived().len(), 1);
}

#[test]
fn ours_beast_a_host_that_does_not_exist_is_told_for_all_its_urls() {
    let good = Server::of(&[("/", html("<title>good</title>"))]);
    let names = caged(NameServer::new());
    let asked = format!("crawl.name_servers=[\"{}\"]", names.address);
    let (a, b) = ("http://nowhere.example/a", "http://nowhere.example/b");
    let told = Folder::new().crawl(&[a, b, &good.url("/"), "--set", &asked]).told();
    told.came_to(&[("page", 1), ("no-such-host", 2)]);
    told.ended("drained");
}

#[test]
fn ours_beast_name_servers_that_fail_are_asked_again_later() {
    let good = Server::of(&[("/", html("<title>good</title>"))]);
    let names = caged(NameServer::new());
    let asked = format!("crawl.name_servers=[\"{}\"]", names.address);
    let told = Folder::new().crawl(&["http://broken.example/", &good.url("/"), "--set", &asked]).told();
    told.came_to(&[("page", 1)]);
    told.deferred(&[("dns", 1)]);
    told.ended("later");
}

#[test]
fn ours_beast_a_certificate_of_another_name_is_tls_and_one_handshake_tells_for_all() {
    let authority = Authority::new();
    let (right, wrong) = (authority.signs("right.example"), authority.signs("other.example"));
    let right = caged(async move { tls::says(&right, plain::PAGE).await });
    let wrong = caged(async move { tls::says(&wrong, plain::PAGE).await });
    let folder = Folder::new();
    folder.write("ca.pem", authority.pem());
    let told = folder
        .crawl(&[
            &wrong.url_as("https", "wrong.example", "/a"),
            &wrong.url_as("https", "wrong.example", "/b"),
            &right.url_as("https", "right.example", "/"),
            "--resolve=wrong.example:127.0.0.1",
            "--resolve=right.example:127.0.0.1",
            "--set=crawl.ca_files=[\"ca.pem\"]",
        ])
        .told();
    told.came_to(&[("page", 1), ("tls", 2)]);
    told.ended("drained");
    assert_eq!((wrong.connections(), wrong.requests().len()), (1, 0), "no request goes to whom we do not know");
    assert_eq!(folder.archived().len(), 1);
}

#[test]
fn ours_beast_where_nobody_listens_is_asked_again_later() {
    let nobody = TcpListener::bind("127.0.0.3:0").unwrap().local_addr().unwrap();
    let good = Server::of(&[("/", html("<title>good</title>"))]);
    let told = Folder::new().crawl(&[&format!("http://{nobody}/"), &good.url("/")]).told();
    told.came_to(&[("page", 1)]);
    told.deferred(&[("connect", 1)]);
    told.ended("later");
}

#[test]
fn ours_beast_a_black_hole_is_left_after_the_time_to_connect() {
    let hole = caged(hole::dig("127.0.0.3:0"));
    let good = Server::of(&[("/", html("<title>good</title>"))]);
    let urls = [format!("http://{}/", hole.address), good.url("/")];
    let told = Folder::new().crawl(&[&urls[0], &urls[1], "--set", "crawl.connect_ms=1000"]).told();
    told.came_to(&[("page", 1)]);
    told.deferred(&[("connect", 1)]);
}
