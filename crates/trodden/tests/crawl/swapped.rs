//! A crawl that is under way goes by another model; killed in the middle of changing over, it loses nothing.
//!
//! A site has three sections, all of whose pages the home page knows. Its readers once read one section, now another.

use std::fs;
use std::time::Duration;

use crate::killed::Kills;
use crate::run::{Folder, Ran};
use crate::server::{Reply, Server, linking};

const SECTIONS: [&str; 3] = ["item", "story", "thread"];
/// Pages of each.
const PAGES: usize = 60;
const ALL: usize = 1 + SECTIONS.len() * PAGES;
/// Pages that are fetched by the first model.
const FIRST: usize = 30;
/// One crawl is killed so often at most.
const MOST_KILLS: u64 = 10;
/// Milliseconds in which a program starts and changes models.
const LONGEST_START: u64 = 30;

/// Every page takes so long.
fn site(pause: Duration) -> Server {
    let paths: Vec<String> =
        SECTIONS.iter().flat_map(|section| (0..PAGES).map(move |n| format!("/{section}/{n}"))).collect();
    Server::new(move |path| {
        std::thread::sleep(pause);
        page(path, &paths)
    })
}

fn page(path: &str, paths: &[String]) -> Option<Reply> {
    match path {
        "/" => Some(linking("Home", &paths.iter().map(String::as_str).collect::<Vec<_>>())),
        path => paths.iter().any(|page| page == path).then(|| linking(path, &["/"])),
    }
}

/// A folder with a model of readers who read every other page of one section, and little else.
fn read_by(folder: &Folder, server: &Server, loved: &str) -> String {
    let mut log = String::new();
    for section in SECTIONS {
        let readers = if section == loved { 40 } else { 6 };
        for (n, user) in (0..PAGES).step_by(2).flat_map(|n| (0..readers).map(move |user| (n, user))) {
            log += &format!(
                "192.0.2.{user} - - [{:02}/Mar/2026:10:{n:02}:00 +0000] \"GET /{section}/{n} HTTP/1.1\" 200 5 \"-\" \
                 \"Mozilla/5.0 (X11; rv:{user}.0) Firefox/130.0\"\n",
                1 + user % 20
            );
        }
    }
    let (log_name, model) = (format!("{loved}.log"), format!("{loved}.model"));
    folder.write(&log_name, log);
    let ran = folder.run(&["mine", &log_name, "--site", &server.url("/"), "-o", &model]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    model
}

/// A crawl that fetched its first pages by one model, and another model.
fn under_way() -> (Server, Folder, String) {
    let (server, folder) = (site(Duration::ZERO), Folder::new());
    let (first, second) = (read_by(&folder, &server, "item"), read_by(&folder, &server, "thread"));
    let pages = FIRST.to_string();
    let words = [&server.url("/"), "--model", &first, "--linked-only", "--at-once", "1", "--pages", &pages];
    folder.crawl(&words).told().ended("budget");
    assert!(loved(&server.asked(), "item") >= FIRST - 4, "{:?}", server.asked());
    (server, folder, second)
}

fn loved(asked: &[String], section: &str) -> usize {
    asked.iter().filter(|path| path.starts_with(&format!("/{section}/"))).count()
}

#[test]
fn ours_a_crawl_under_way_goes_by_another_model_from_there_on() {
    let (server, folder, second) = under_way();
    let ran = folder.crawl(&["--model", &second, "--pages", &(2 * FIRST).to_string()]);
    ran.told().ended("budget");
    ran.says(&["using another model"]);
    let after = server.asked().split_off(FIRST);
    assert!(loved(&after, "thread") >= FIRST - 4, "{after:?}");
    let ran = folder.crawl(&["--pages", "1000"]);
    ran.told().came_to(&[("page", ALL as u64)]);
    assert!(!ran.stderr.contains("another model"), "once is enough: {}", ran.stderr);
    let ran = Folder::new().crawl(&[&server.url("/"), "--watch-models"]);
    ran.fails(&["--watch-models: there is no model to watch"]);
}

#[test]
fn ours_a_crawl_that_runs_takes_a_model_that_is_newer_and_none_that_is_broken() {
    let (server, folder) = (site(Duration::from_millis(25)), Folder::new());
    let [first, second] = ["item", "thread"].map(|loved| folder.path(&read_by(&folder, &server, loved)));
    let put = |model: &[u8]| {
        folder.write("new.model", model);
        fs::rename(folder.path("new.model"), folder.path("site.model")).unwrap();
    };
    put(&fs::read(first).unwrap());
    let words = [&server.url("/"), "--model", "site.model", "--watch-models", "--linked-only", "--at-once", "1"];
    let mut child = folder.crawling(&words);
    assert!(server.comes_to(3, &mut child));
    put(b"no model");
    let copied = folder.path("c/model-1-0.jsonl");
    while !copied.exists() {
        assert!(server.comes_to(server.requests() + 1, &mut child), "it ended before it looked");
    }
    put(&fs::read(second).unwrap());
    let ran = Ran::of(child.wait_with_output().unwrap());
    ran.told().came_to(&[("page", ALL as u64)]);
    ran.says(&["the newer model cannot be used; the old one stays in use", "using another model from now on"]);
    let asked = server.asked();
    let last = |is: fn(&str) -> bool| asked.iter().rposition(|path| is(path)).unwrap();
    let thread = last(|path| path.strip_prefix("/thread/").is_some_and(|n| n.parse::<usize>().unwrap() % 2 == 0));
    let item = last(|path| path.starts_with("/item/"));
    assert!(thread < item, "{asked:?}");
    assert_eq!(folder.archived().len(), ALL);
    let index = fs::read_to_string(folder.path("c/archive/index.cdxj")).unwrap();
    assert_eq!(index.lines().filter(|line| !line.contains("/robots.txt")).count(), ALL, "no pause loses lines");
    let models = fs::read_dir(folder.path("c"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("model-"));
    assert_eq!(models.count(), 2, "that in force, and the one before");
}

#[test]
fn ours_a_crawl_that_is_killed_while_it_changes_models_loses_nothing() {
    let mut kills = Kills::from_environment();
    while kills.left > 0 {
        let (server, folder, second) = under_way();
        let mut killed = 0;
        let told = loop {
            // Some of those who take it up again name the model once more, which is one more change.
            let model: &[&str] = if kills.below(2) == 0 { &["--model", &second] } else { &[] };
            let mut child = folder.crawling(&[model, &["--at-once", "1", "--pages", "1000"]].concat());
            if kills.left == 0 || killed == MOST_KILLS {
                break Ran::of(child.wait_with_output().unwrap()).told();
            }
            // Before it asks for anything, or soon after.
            match kills.below(3) {
                0 => drop(server.comes_to(server.requests() + kills.below(8) as usize, &mut child)),
                _ => std::thread::sleep(Duration::from_millis(kills.below(LONGEST_START))),
            }
            kills.kill(child);
            killed += 1;
        };
        told.ended("drained");
        told.came_to(&[("page", ALL as u64)]);
        let archived = folder.archived();
        assert_eq!((archived.len(), archived.values().max()), (ALL, Some(&1)), "after {killed} kills");
    }
}
