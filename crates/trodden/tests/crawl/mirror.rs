//! A crawl is a mirror, and a list of URLs.

use crate::limits::web;
use crate::run::Folder;

#[test]
fn ours_a_crawl_is_a_mirror_to_simulate_on() {
    let (server, folder) = (web(50), Folder::new());
    folder.crawl(&[&server.url("/"), "--pages", "30"]).told();
    let ran = folder.run(&["simulate", "c", "--format", "json", "--policy", "breadth-first"]);
    assert_eq!(ran.told().0["pages"], 30);
    // One that was cut off is, too.
    let name = crate::run::archives(&folder.path("c/archive")).remove(0);
    std::fs::rename(&name, format!("{}.open", name.display())).unwrap();
    let ran = folder.run(&["simulate", "c", "--format", "json", "--policy", "breadth-first"]);
    assert_eq!(ran.told().0["pages"], 30);
}

#[test]
fn ours_a_crawl_is_a_list_of_urls_to_mine_with() {
    let (server, folder) = (web(50), Folder::new());
    folder.crawl(&[&server.url("/")]).told();
    let host = server.address;
    let line = |n: usize, path: &str| {
        format!(
            "192.0.2.{n} - - [01/Mar/2026:10:00:{n:02} +0000] \"GET {path} HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 Firefox/130.0\"\n"
        )
    };
    let log: String = (0..40).map(|n| line(n, &format!("/{}/{n}", ["news", "shop", "help"][n % 3]))).collect();
    folder.write("access.log", log);
    let site = format!("http://{host}");
    let ran = folder.run(&[
        "mine",
        "access.log",
        "--site",
        &site,
        "--urls",
        "c",
        "--set",
        "privacy.min_users=1",
        "-o",
        "m.model",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.says(&["URL"]);
}
