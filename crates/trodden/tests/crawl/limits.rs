//! Budgets and scope.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::run::Folder;
use crate::server::{Beast, Reply, Server, html, linking, status, typed};

/// A site of pages that link to each other: `/0` to `/n`, in three sections.
pub(crate) fn web(pages: usize) -> Server {
    Server::new(move |path| page(path, pages))
}

/// A page of such a site.
pub(crate) fn page(path: &str, pages: usize) -> Option<Reply> {
    let n: usize = match path {
        "/" => 0,
        path => path.rsplit('/').next()?.parse().ok()?,
    };
    let to = |n: usize| format!("/{}/{n}", ["news", "shop", "help"][n % 3]);
    let links: Vec<String> = [2 * n + 1, 2 * n + 2, n * 7 + 3, n * 13 + 5, n / 2]
        .into_iter()
        .map(|n| to(n % pages))
        .filter(|to| *to != "/news/0")
        .collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    (n < pages && path != "/news/0").then(|| linking(&format!("Page {n} about gardens and stones"), &links))
}

#[test]
fn ours_a_budget_of_pages_holds_and_a_larger_one_goes_on_with_no_page_twice() {
    let (server, folder) = (web(60), Folder::new());
    let told = folder.crawl(&[&server.url("/"), "--pages", "10"]).told();
    told.ended("budget");
    told.came_to(&[("page", 10)]);
    assert_eq!(server.asked().len(), 10);
    let ran = folder.crawl(&["--pages", "25"]);
    ran.told().came_to(&[("page", 25)]);
    ran.says(&["resuming the crawl in c", "to resume: trodden crawl -o c"]);
    let told = folder.crawl(&["--pages", "1000"]).told();
    told.ended("drained");
    told.came_to(&[("page", 60)]);
    let asked = server.asked();
    assert_eq!(asked.len(), asked.iter().collect::<BTreeSet<_>>().len(), "{asked:?}");
    let archived = folder.archived();
    assert_eq!(archived.len(), 60);
    assert!(archived.values().all(|n| *n == 1));
    assert_eq!(server.times().iter().filter(|(path, _)| path == "/robots.txt").count(), 1);
}

/// A home page that leads to everything that is no page before it leads to pages.
fn mostly_none(pages: usize) -> Server {
    Server::new(move |path| {
        let number = |start: &str| path.strip_prefix(start).and_then(|n| n.parse::<usize>().ok());
        if path == "/" {
            let kinds = ["gone", "moved", "picture", "page"];
            let all: Vec<String> =
                kinds.iter().flat_map(|kind| (0..pages).map(move |n| format!("/{kind}/{n}"))).collect();
            return Some(linking("Home", &all.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        if let Some(n) = number("/moved/") {
            return Some(status(301).header("Location", &format!("/gone/too/{n}")));
        }
        if number("/picture/").is_some() {
            return Some(typed("image/png", b"no picture"));
        }
        number("/page/").map(|n| html(format!("<title>{n}</title>")))
    })
}

/// How a crawl is told to have many requests under way.
const CROWDED: [&str; 6] = ["--at-once", "16", "--at-once-per-host", "16", "--policy", "breadth-first"];

#[test]
fn ours_a_budget_counts_pages_and_nothing_else_and_is_never_exceeded() {
    let (server, folder) = (mostly_none(40), Folder::new());
    let told = folder.crawl(&[&[server.url("/").as_str(), "--pages", "10"][..], &CROWDED].concat()).told();
    told.ended("budget");
    assert_eq!((told.0["pages"].as_u64(), told.outcome("page")), (Some(10), 10), "{}", told.0);
    assert_eq!([told.outcome("not-found"), told.outcome("redirect"), told.outcome("not-wanted")], [40, 40, 40]);
    let told = folder.crawl(&["--pages", "1000"]).told();
    told.ended("drained");
    told.came_to(&[("page", 41), ("not-found", 80), ("redirect", 40), ("not-wanted", 40)]);
    // That is what help says.
    let help = folder.run(&["crawl", "--help"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("A page is an answer with a status of 2xx and a type that is kept (--type)"), "{help}");
    // The same for a site.
    let folder = Folder::new();
    let told = folder.crawl(&[&[server.url("/").as_str(), "--pages-per-site", "10"][..], &CROWDED].concat()).told();
    told.ended("budget");
    told.came_to(&[("page", 10), ("not-found", 40), ("redirect", 40), ("not-wanted", 40)]);
}

#[test]
fn ours_a_site_without_pages_ends_by_itself_whatever_the_budget() {
    let server = Server::new(|path| match path {
        "/robots.txt" => None,
        "/" => Some(linking("Home", &["/1", "/2", "/3", "/4"])),
        _ => Some(status(404)),
    });
    let told = Folder::new().crawl(&[&server.url("/"), "--pages", "1000"]).told();
    told.ended("drained");
    told.came_to(&[("page", 1), ("not-found", 4)]);
}

#[test]
fn ours_after_a_spent_budget_the_command_to_go_on_does() {
    let budgets = [
        (vec!["--pages", "10"], "the budget of 10 pages is spent"),
        (vec!["--pages-per-site", "7"], "the budget of 7 pages a site is spent"),
        (vec!["--bytes", "2kB"], "the budget of 2kB is spent"),
        (vec!["--pages", "1"], "the budget of 1 page is spent"),
    ];
    for (budget, why) in budgets {
        let (server, folder) = (web(200), Folder::new());
        let ran = folder.crawl_for_people(&[&[server.url("/").as_str()], &budget[..]].concat());
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
        let line = ran.stderr.lines().find_map(|line| line.strip_prefix("to resume: trodden crawl "));
        let words: Vec<&str> = line.unwrap_or_else(|| panic!("{}", ran.stderr)).split(' ').collect();
        let before = server.asked().len();
        let ran = folder.run(&[&["crawl", "--allow-private", "--delay", "0"], &words[..]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(server.asked().len() > before, "{words:?} asked for nothing");
        // What was typed before holds, and without a larger budget nothing more is fetched.
        let before = server.asked().len();
        folder.crawl(&[]).told().ended("budget");
        assert_eq!(server.asked().len(), before);
    }
}

#[test]
fn ours_a_budget_of_bytes_and_of_a_site_hold() {
    let (server, folder) = (web(60), Folder::new());
    let told = folder.crawl(&[&server.url("/"), "--bytes", "2kB"]).told();
    told.ended("budget");
    assert!(told.0["bytes"].as_u64().unwrap() < 3_000, "{}", told.0);
    let (folder, before) = (Folder::new(), server.asked().len());
    let told = folder.crawl(&[&server.url("/"), "--pages-per-site", "7"]).told();
    told.came_to(&[("page", 7)]);
    assert_eq!(server.asked().len(), before + 7);
    folder.crawl(&["--pages-per-site", "9"]).told().came_to(&[("page", 9)]);
    assert_eq!(server.asked().len(), before + 9);
}

#[test]
fn ours_what_robots_txt_denies_costs_a_site_nothing_before_and_after_a_pause() {
    let server = Server::new(|path| match path {
        "/robots.txt" => Some(typed("text/plain", b"User-agent: *\nDisallow: /shop\n")),
        path => page(path, 60),
    });
    let folder = Folder::new();
    for (budget, words) in [(7, vec![server.url("/")]), (12, vec![])] {
        let most = budget.to_string();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.extend(["--pages-per-site", &most]);
        let told = folder.crawl(&words).told();
        assert!(told.outcome("robots-denied") > 0, "{}", told.0);
        assert_eq!(told.outcome("page"), budget, "{}", told.0);
    }
}

#[test]
fn ours_a_budget_of_time_holds_over_all_runs() {
    let (server, folder) = (
        Server::new(|path| {
            let n: u64 = path.trim_start_matches('/').parse().unwrap_or(0);
            (path != "/robots.txt").then(|| linking("endless", &[&format!("/{}", n + 1)]))
        }),
        Folder::new(),
    );
    let told = folder.crawl(&[&server.url("/"), "--time", "1s"]).told();
    told.ended("budget");
    let before = server.requests();
    folder.crawl(&[]).told().ended("budget");
    assert_eq!(server.requests(), before);
}

#[test]
fn ours_scope_is_what_was_said() {
    let site = || {
        Server::of(&[
            ("/", linking("h", &["/docs/a", "/docs/b?print=1", "/blog/1", "/docs/deep"])),
            ("/docs/a", linking("a", &["/docs/c"])),
            ("/docs/b?print=1", html("<title>b</title>")),
            ("/docs/c", html("<title>c</title>")),
            ("/docs/deep", html("<title>d</title>")),
            ("/blog/1", html("<title>1</title>")),
        ])
    };
    let asked = |args: &dyn Fn(&Server) -> Vec<String>| {
        let server = site();
        let args = args(&server);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        Folder::new().crawl(&[&[server.url("/").as_str()][..], args.as_slice()].concat()).told();
        server.asked_sorted()
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        asked(&|_| words(&["--exclude", "*print=*", "--exclude", "/blog/*"])),
        ["/", "/docs/a", "/docs/c", "/docs/deep"]
    );
    assert_eq!(asked(&|_| words(&["--depth", "1"])), ["/", "/blog/1", "/docs/a", "/docs/b?print=1", "/docs/deep"]);
    assert_eq!(asked(&|_| words(&["--include", "/", "--include", "/blog/*"])), ["/", "/blog/1"]);
    // Filters are for what seeds lead to.
    assert_eq!(asked(&|_| words(&["--include", "/blog/*"])), ["/", "/blog/1"]);
    assert_eq!(asked(&|_| words(&["--exclude", "/", "--exclude", "/docs/*"])), ["/", "/blog/1"]);
    let prefix = |server: &Server| words(&["--prefix", &server.url("/docs/")]);
    assert_eq!(asked(&prefix), ["/", "/docs/a", "/docs/b?print=1", "/docs/c", "/docs/deep"]);
}

#[test]
fn ours_a_media_type_is_kept_beside_html() {
    let server = Server::of(&[
        ("/", linking("h", &["/a.png", "/b.pdf"])),
        ("/a.png", typed("image/png", b"png")),
        ("/b.pdf", typed("application/pdf", b"pdf")),
    ]);
    let told = Folder::new().crawl(&[&server.url("/"), "--type", "image/*"]).told();
    told.came_to(&[("page", 1), ("document", 1), ("not-wanted", 1)]);
    assert_eq!(told.0["pages"], 2, "what is kept counts");
}

#[test]
fn ours_where_a_seed_is_sent_is_a_seed_and_no_link_away() {
    let site = || {
        Server::of(&[
            ("/", status(302).header("Location", "/en/")),
            ("/en/", linking("h", &["/docs/a", "/blog/1", "/docs/moved"])),
            ("/docs/a", linking("a", &["/docs/far"])),
            ("/docs/moved", status(302).header("Location", "/blog/2")),
        ])
    };
    for (flag, value, asked) in [
        ("--include", "/docs/*", &["/", "/docs/a", "/docs/far", "/docs/moved", "/en/"][..]),
        ("--depth", "1", &["/", "/blog/1", "/blog/2", "/docs/a", "/docs/moved", "/en/"]),
    ] {
        let server = site();
        Folder::new().crawl(&[&server.url("/"), flag, value]).told().ended("drained");
        assert_eq!(server.asked_sorted(), asked, "{flag} {value}");
    }
}

#[test]
fn ours_what_is_left_out_is_told_with_the_flag_that_left_it_out() {
    let (server, folder) = (web(5), Folder::new());
    let ran = folder.crawl(&[&server.url("/"), "http://other.example/", "--host", "127.0.0.1"]);
    ran.told().came_to(&[("page", 5)]);
    ran.says(&["note: 1 URL to start from left out: http://other.example/ is on no host of the crawl"]);
    ran.says(&["--host 127.0.0.1;", "add --host other.example"]);
    let ran = Folder::new().crawl(&["http://other.example/", "--prefix", "https://example.org/docs/"]);
    ran.fails(&["none of the URLs is in scope: http://other.example/", "--prefix https://example.org/docs/"]);
}

#[test]
fn ours_time_that_is_up_cuts_off_what_drips() {
    let drip: Beast = Arc::new(|stream: &mut TcpStream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n");
        while stream.write_all(b"<p>drop</p>").is_ok() {
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    let server = Server::new(move |path| match path {
        "/robots.txt" => None,
        "/" => Some(linking("h", &["/drip"])),
        _ => Some(Reply::Beast(drip.clone())),
    });
    let begun = Instant::now();
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/"), "--time", "2s"]).told();
    told.ended("budget");
    told.came_to(&[("page", 1)]);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn ours_hosts_that_drip_leave_places_for_those_that_answer() {
    let drip: Beast = Arc::new(|stream: &mut TcpStream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n");
        while stream.write_all(&[b'x'; 512]).is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let dripping = Server::new(move |path| (path != "/robots.txt").then(|| Reply::Beast(drip.clone())));
    let links: Vec<String> = (0..12).map(|n| format!("/{n}")).collect();
    let good = Server::new(move |path| match path {
        "/robots.txt" => None,
        "/" => Some(linking("h", &links.iter().map(String::as_str).collect::<Vec<_>>())),
        _ => Some(html("<title>page</title>")),
    });
    let port = dripping.address.port();
    let urls: Vec<String> = (0..16).map(|n| format!("http://drip{n}.example:{port}/")).collect();
    let addresses: Vec<String> = (0..16).map(|n| format!("drip{n}.example:127.0.0.1")).collect();
    let first = good.url("/");
    let mut words = vec![first.as_str()];
    words.extend(urls.iter().map(String::as_str));
    addresses.iter().for_each(|address| words.extend(["--resolve", address]));
    words.extend(["--at-once", "8", "--time", "8s", "--set", "crawl.stall_ms=60000"]);
    Folder::new().crawl(&words).told();
    assert_eq!(good.asked().len(), 13, "{:?}", good.asked());
    assert!(dripping.asked().len() >= 6, "the others hold their share: {:?}", dripping.asked());
}

#[test]
fn ours_nobody_can_be_asked_by_none_at_once() {
    for words in [["--at-once", "0"], ["--at-once-per-host", "0"], ["--set", "crawl.at_once=0"]] {
        let ran = Folder::new().crawl(&[&["http://127.0.0.1:9/"], &words[..]].concat());
        ran.fails(&["at_once", "must be from 1"]);
    }
}
