//! Is the order of a real crawl judged by what people read, in the order in which pages were really fetched?

use serde_json::Value;

use crate::run::Folder;
use crate::server::{Server, linking};

/// Home links to a, b, c, d in this order; a leads on to e.
fn site() -> Server {
    Server::of(&[
        ("/", linking("home", &["/a", "/b", "/c", "/d"])),
        ("/a", linking("a", &["/e"])),
        ("/b", linking("b", &[])),
        ("/c", linking("c", &[])),
        ("/d", linking("d", &[])),
        ("/e", linking("e", &[])),
    ])
}

/// One reader a line; each loads a picture, or would be no person.
fn log(server: &Server, reads: &[(&str, usize)]) -> String {
    let mut lines = Vec::new();
    for (page, times) in reads {
        for _ in 0..*times {
            let reader = lines.len();
            let line = |path: &str, second: usize, from: &str| {
                format!(
                    "10.0.{}.{} - - [01/Jan/2026:{:02}:{:02}:{second:02} +0000] \"GET {path} HTTP/1.1\" 200 500 \"{from}\" \"Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0\"\n",
                    reader / 250,
                    reader % 250,
                    reader / 60 % 24,
                    reader % 60
                )
            };
            lines.push(line(page, 0, "-") + &line("/logo.png", 1, &server.url(page)));
        }
    }
    lines.concat()
}

fn crawled(folder: &Folder, server: &Server, out: &str, more: &[&str]) {
    let usual = ["crawl", "--delay", "0ms", "--address-delay", "0ms", "--contact=tests@example.org", "--allow-private"];
    let own = ["--at-once", "1", "--policy", "breadth-first", "-o", out, "--format", "json"];
    let ran = folder.run(&[&usual[..], &own, more, &[&server.url("/")]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

fn judged(folder: &Folder, server: &Server, args: &[&str]) -> Value {
    let site = server.url("/");
    let fixed = ["report", "c", "--log", "later.log", "--site", &site, "--format", "json"];
    let ran = folder.run(&[&fixed[..], args].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn ours_a_real_order_is_judged_by_hand() {
    let (server, folder) = (site(), Folder::new());
    crawled(&folder, &server, "c", &[]);
    assert_eq!(server.asked(), ["/", "/a", "/b", "/c", "/d", "/e"]);
    folder.write("later.log", log(&server, &[("/", 10), ("/e", 25), ("/b", 15), ("/elsewhere", 7)]));
    let told = judged(&folder, &server, &[]);
    let judgment = &told["judgment"];
    assert_eq!((&judgment["pages"], &judgment["traffic"]), (&6.into(), &50.into()), "{told}");
    assert_eq!((&judgment["elsewhere"], &judgment["readers"]), (&7.into(), &50.into()));
    let own = &judgment["crawls"][0];
    // 10, 10, 25, 25, 25, 50 of 50 after one to six pages.
    assert!((own["auc"].as_f64().unwrap() - 145.0 / 300.0).abs() < 1e-9, "{own}");
    assert_eq!(own["pages_for"]["80"], 1.0);
    // 25, 40, 50 …
    let ideal = &judgment["ideal"];
    assert!((ideal["auc"].as_f64().unwrap() - 265.0 / 300.0).abs() < 1e-9, "{ideal}");
    assert!((ideal["pages_for"]["80"].as_f64().unwrap() - 2.0 / 6.0).abs() < 1e-9);
    let interval = own["auc_interval"].as_array().unwrap();
    assert!(interval[0].as_f64() < own["auc"].as_f64() && own["auc"].as_f64() < interval[1].as_f64());
    assert!(told["conclusion"].as_str().unwrap().contains("With only 6 pages this proves little."));
    let page = std::fs::read_to_string(folder.path("c/report.html")).unwrap();
    assert!(page.contains("Was the order any good?"));
}

#[test]
fn ours_two_crawls_are_compared_and_ties_are_ties() {
    let (server, folder) = (site(), Folder::new());
    crawled(&folder, &server, "c", &[]);
    crawled(&folder, &server, "same", &[]);
    crawled(&folder, &server, "short", &["--pages", "2"]);
    folder.write("later.log", log(&server, &[("/", 10), ("/e", 25), ("/b", 15)]));
    let told = judged(&folder, &server, &["--beside", "same"]);
    assert_eq!(told["judgment"]["ahead"], serde_json::json!([0.0, 0.0]));
    assert!(told["conclusion"].as_str().unwrap().starts_with("The two are level"), "{told}");
    let told = judged(&folder, &server, &["--beside", "short"]);
    assert!(told["judgment"]["ahead"][0].as_f64().unwrap() > 0.0, "{told}");
    assert_eq!(told["judgment"]["crawls"][1]["share"], 0.2);
    let said = told["conclusion"].as_str().unwrap();
    assert!(said.starts_with("c has the better order of the two, by more than chance"), "{said}");
}

#[test]
fn ours_what_cannot_be_judged_is_said() {
    let (server, folder) = (site(), Folder::new());
    crawled(&folder, &server, "c", &["--pages", "2"]);
    folder.run(&["report", "c", "--beside", "c"]).fails(&["--beside needs a log"]);
    folder.write("later.log", log(&server, &[("/elsewhere", 7)]));
    let told = judged(&folder, &server, &[]);
    assert!(told["conclusion"].as_str().unwrap().contains("nothing to judge by"), "{told}");
    folder
        .run(&["report", "c", "--log", "later.log", "--site", &server.url("/"), "--beside", "nowhere"])
        .fails(&["--beside nowhere", "holds no crawl"]);
}
