//! Budgets and scope.

use std::collections::BTreeSet;

use crate::run::Folder;
use crate::server::{Server, html, linking, typed};

/// A site of pages that link to each other: `/0` to `/n`, in three sections.
pub(crate) fn web(pages: usize) -> Server {
    Server::new(move |path| page(path, pages))
}

/// A page of such a site.
pub(crate) fn page(path: &str, pages: usize) -> Option<crate::server::Reply> {
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
    ran.says(&["going on with the crawl in c", "to go on: trodden crawl -o c"]);
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
}
