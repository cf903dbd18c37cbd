//! What is heard of a run by whoever asks: events and metrics; and nothing by whoever does not.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::run::{Folder, Told};
use crate::server::{Server, linking, status};

fn site() -> Server {
    Server::of(&[
        ("/", linking("home", &["/a", "/gone", "/secret", "/fails"])),
        ("/a", linking("a", &["/"])),
        ("/fails", status(500)),
        ("/robots.txt", crate::server::typed("text/plain", b"User-agent: *\nDisallow: /secret\n")),
    ])
}

fn events(stderr: &str) -> Vec<Value> {
    let lines = stderr.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect()
}

fn named<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

#[test]
fn ours_every_url_is_told_of_with_vv_and_nothing_without() {
    let (server, folder) = (site(), Folder::new());
    let quiet = folder.crawl(&[&server.url("/")]);
    quiet.told();
    assert!(!quiet.stderr.contains("crawl.") && !quiet.stderr.contains("command.run"), "{}", quiet.stderr);
    let loud = Folder::new();
    let ran = loud.crawl(&["-vv", "--trace-format", "json", &server.url("/")]);
    let told = ran.told();
    let events = events(&ran.stderr);
    let settled = named(&events, "crawl.fetch.settled");
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    for event in &settled {
        assert_eq!(event["level"], "debug");
        *outcomes.entry(event["outcome"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    // What robots.txt forbids when it is found is never handed out.
    let mut asked = told.outcomes();
    asked.remove("robots-denied");
    assert_eq!(outcomes, asked);
    let deferred = named(&events, "crawl.fetch.deferred");
    assert_eq!((deferred.len(), &deferred[0]["outcome"]), (1, &"server-error".into()));
    assert_eq!(named(&events, "command.run.started")[0]["command"], "crawl");
    assert_eq!(named(&events, "command.run.ended")[0]["is_well"], true);
    assert!(!named(&events, "crawl.checkpoint.written").is_empty());
    let brief = Folder::new();
    let ran = brief.crawl(&["-v", &server.url("/")]);
    ran.told();
    assert!(ran.stderr.contains(" INFO  crawl.run.ended ended=Later"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("crawl.fetch"), "{}", ran.stderr);
}

#[test]
fn ours_every_command_tells_of_itself() {
    let folder = Folder::new();
    folder.write(
        "access.log",
        "1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0\"\n",
    );
    let ran = folder.run(&["ingest", "access.log", "-v", "--site", "http://a.example"]);
    assert!(ran.stderr.contains(" INFO  command.run.started command=ingest"), "{}", ran.stderr);
    let ran = folder.run(&["-v", "check", "nothing"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("command.run.ended command=check") && ran.stderr.contains("is_well=false"),
        "{}",
        ran.stderr
    );
}

/// Metrics by name and labels.
fn metrics(folder: &Folder, file: &str) -> BTreeMap<String, f64> {
    let text = std::fs::read_to_string(folder.path(file)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit_once(' ').unwrap()).map(|(name, n)| (name.to_owned(), n.parse().unwrap())).collect()
}

#[test]
fn ours_metrics_add_up_with_the_summary() {
    let (server, folder) = (site(), Folder::new());
    let told: Told = folder.crawl(&["--metrics", "crawl.prom", &server.url("/")]).told();
    let metrics = metrics(&folder, "crawl.prom");
    for (outcome, n) in told.outcomes() {
        let name = format!("trodden_urls_settled_total{{outcome=\"{outcome}\"}}");
        assert_eq!(metrics.get(&name), Some(&(n as f64)), "{name}: {metrics:?}");
    }
    assert_eq!(metrics["trodden_fetches_deferred_total{outcome=\"server-error\"}"], 1.0);
    assert_eq!(metrics["trodden_urls_waiting"], told.0["waiting"].as_f64().unwrap());
    assert_eq!(metrics["trodden_urls_known"], told.0["known"].as_f64().unwrap());
    assert_eq!(metrics["trodden_requests_under_way"], 0.0);
    assert_eq!(metrics["trodden_fetched_bytes_total"], told.0["bytes"].as_f64().unwrap());
    assert_eq!(metrics["trodden_session_steps_total{step=\"seeded\"}"], 1.0);
    assert!(metrics["trodden_fetch_seconds_count"] >= 3.0);
    assert!(metrics["trodden_checkpoint_seconds_count"] >= 1.0 && metrics["trodden_commit_seconds_count"] >= 1.0);
    folder.run(&["check", "c", "--metrics", "no/such/folder/x.prom"]).fails(&["--metrics: cannot write"]);
}
