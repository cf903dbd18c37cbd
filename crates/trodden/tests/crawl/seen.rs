//! What is seen of a crawl: while it runs, in a pipe and in a terminal, and when it is done.

use std::io::{BufRead, BufReader};

use crate::run::{Folder, interrupt};
use crate::server::{Server, html, linking, typed};
use crate::terminal::Terminal;

const PAGES: usize = 100;

/// A home page that leads to many others, of a server that wants to be asked once in so many seconds.
fn slow(robots: &'static str) -> Server {
    Server::new(move |path| match path {
        "/robots.txt" => Some(typed("text/plain", robots.as_bytes())),
        "/" => {
            let links: Vec<String> = (0..PAGES).map(|n| format!("/{n}")).collect();
            Some(linking("Home", &links.iter().map(String::as_str).collect::<Vec<_>>()))
        }
        _ => Some(html("<title>page</title>")),
    })
}

#[test]
fn ours_progress_is_told_in_a_pipe_with_the_delays_and_the_time_that_they_take() {
    let (server, folder) = (slow("User-agent: *\nCrawl-delay: 1.5\n"), Folder::new());
    let patient = ["--set", "crawl.patience_s=60", "--set", "crawl.progress_s=1"];
    let mut child = folder.crawling(&[&[server.url("/").as_str()], &patient[..]].concat());
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = lines.find(|line| line.contains("URLs wait")).unwrap();
    interrupt(&child);
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    // About a hundred pages at a second and a half each.
    for words in [" URLs wait, 1 host, ", "delay none, Crawl-delay 1.5 s of 127.0.0.1", "minutes left", "; at http://"]
    {
        assert!(line.contains(words), "{words:?} is not in {line:?}");
    }
    assert!(line.starts_with("1 page, ") || line.split_once(' ').unwrap().1.starts_with("pages, "), "{line}");
}

#[test]
fn ours_a_terminal_shows_where_the_crawl_is_and_how_long_hosts_are_left_alone() {
    let Some(terminal) = Terminal::new() else { return };
    let (server, folder) = (slow("User-agent: *\nCrawl-delay: 0.4\n"), Folder::new());
    let home = server.url("/");
    let words = [&home, "--allow-private", "--contact=tests@example.org", "--delay", "100ms", "-o", "c"];
    let (code, seen) = terminal.run(&folder, &words, "Crawl-delay 400 ms of 127.0.0.1", "\\x03");
    assert_eq!(code, 0, "{seen}");
    for words in ["URLs wait  1 host", "at http://127.0.0.1:", "delay 100 ms, Crawl-delay", "seconds left", "no errors"]
    {
        assert!(seen.contains(words), "{words:?} is not in {seen}");
    }
    assert!(seen.contains("stopping … (once more to stop at once)\r\n"), "{seen}");
    // What changed is gone when it is done.
    let end = &seen[seen.find("stopping").unwrap()..];
    let screen = &end[end.rfind('\u{1b}').unwrap_or(0)..];
    assert!(!screen.contains("URLs wait"), "{screen}");
    assert!(seen.contains("stopped\r\n") && seen.contains("to resume: trodden crawl -o c\r\n"), "{seen}");
}

#[test]
fn ours_who_goes_away_when_asked_for_a_contact_leaves_nothing() {
    let Some(terminal) = Terminal::new() else { return };
    let (server, folder) = (Server::of(&[("/", html("<title>home</title>"))]), Folder::new());
    let home = server.url("/");
    let words = [home.as_str(), "--allow-private", "--delay", "0", "-o", "c"];
    let (code, seen) = terminal.run(&folder, &words, "press Enter for none", "\\x03");
    assert_ne!(code, 0, "{seen}");
    assert!(!folder.path("c").exists() && !folder.path("config/trodden/contact").exists(), "{seen}");
    assert_eq!(server.requests(), 0);
    // The same again, and an answer.
    let (code, seen) = terminal.run(&folder, &words, "press Enter for none", "me@example.org\\n");
    assert_eq!((code, server.asked().len()), (0, 1), "{seen}");
    assert!(folder.requests()[0].contains("(+me@example.org)"), "{:?}", folder.requests());
}

#[test]
fn ours_what_is_left_of_a_crawl_that_never_began_is_not_in_the_way() {
    let (server, folder) = (Server::of(&[("/", html("<title>home</title>"))]), Folder::new());
    std::fs::create_dir(folder.path("c")).unwrap();
    folder.write("c/model-0-0.jsonl", "half of a mo");
    folder.write("c/.crawl.toml.part", "trodden_cr");
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 1)]);
}

#[test]
fn ours_a_crawl_says_where_its_report_is_and_counts_as_people_do() {
    let (server, folder) = (Server::of(&[("/", linking("Home", &["http://elsewhere.example/"]))]), Folder::new());
    let ran = folder.crawl_for_people(&[&server.url("/")]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("1 page, ") && lines[0].ends_with(": all that was in scope is fetched"), "{lines:?}");
    assert_eq!(lines[1..], ["         1  page", "         1  link out of scope", "report  c/report.html"]);
    assert!(folder.path("c/report.html").is_file());
    let told = folder.crawl(&[]).told();
    assert_eq!(told.0["report"], "c/report.html");
    ran.says(&["1 URL to start from"]);
}
