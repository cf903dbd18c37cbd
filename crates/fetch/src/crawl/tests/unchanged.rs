//! A robots.txt that is a day old is asked for only if it has changed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use trodden_archive::Caps;
use trodden_archive::warc::{RecordKind, WarcReader};

use super::*;
use crate::crawl::notes::{ROBOTS, Robots};
use crate::outcome::OutcomeKind;
use crate::robots::ROBOTS_LIFE;

const ORIGIN: &str = "http://h.test";
/// Whether the server wants to be left alone.
static TIRED: AtomicBool = AtomicBool::new(false);

fn answer(head: &str) -> String {
    match url_of(head) {
        "http://h.test/robots.txt" if TIRED.load(Ordering::Relaxed) => {
            "HTTP/1.1 503 Tired\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n".to_owned()
        }
        "http://h.test/robots.txt" if head.contains("If-None-Match: \"first\"") => {
            "HTTP/1.1 304 Not Modified\r\nETag: \"first\"\r\n\r\n".to_owned()
        }
        "http://h.test/robots.txt" => {
            let rules = "User-agent: *\nDisallow: /private\n";
            said("text/plain\r\nETag: \"first\"", rules)
        }
        _ => said("text/html", "<a href=/private/x>x</a>"),
    }
}

/// Time goes by for what is known of the robots.txt.
fn age(crawl: &mut Crawl) {
    let mut robots: Robots = crawl.session.records().driver_note(ROBOTS, ORIGIN.as_bytes()).unwrap().unwrap();
    robots.time_ms -= ROBOTS_LIFE.0;
    robots.read_ms -= ROBOTS_LIFE.0;
    crawl.session.driver_notes().put(ROBOTS, ORIGIN.as_bytes(), &robots).unwrap();
    crawl.hosts = Hosts::default();
}

#[test]
fn rfc9309_a_robots_txt_that_has_not_changed_is_good_for_another_day_and_a_revisit_in_the_archive() {
    let (folder, heads) = (tempfile::tempdir().unwrap(), Asked::default());
    let mut crawl = crawl(folder.path(), &web(&heads, answer), CrawlSettings::default());
    drain(&mut crawl, "http://h.test/a");
    for seed in ["http://h.test/b", "http://h.test/c"] {
        age(&mut crawl);
        drain(&mut crawl, seed);
    }
    assert_eq!((crawl.tally.of(OutcomeKind::Page), crawl.tally.of(OutcomeKind::RobotsDenied)), (3, 1));
    let robots = |heads: &[(String, Instant)]| {
        let robots = heads.iter().filter(|(head, _)| url_of(head).ends_with("robots.txt"));
        robots.map(|(head, _)| head.contains("If-None-Match")).collect::<Vec<bool>>()
    };
    assert_eq!(robots(&heads.lock().unwrap()), [false, true, true]);

    let (mut first, mut revisits) = (None, Vec::new());
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.path().join("archive")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.to_string_lossy().ends_with(".warc.gz")) {
        for record in WarcReader::open(file, Caps::default()).unwrap() {
            let record = record.unwrap();
            let header = |name: &str| record.headers.get(name).map(str::to_owned);
            if record.target.as_deref() != Some("http://h.test/robots.txt") {
                continue;
            }
            match record.kind {
                RecordKind::Response => first = Some((header("WARC-Record-ID"), header("WARC-Date"))),
                RecordKind::Revisit => {
                    assert!(header("WARC-Profile").unwrap().ends_with("server-not-modified"));
                    revisits.push((header("WARC-Refers-To"), header("WARC-Refers-To-Date")));
                }
                _ => {}
            }
        }
    }
    let first = first.unwrap();
    assert_eq!(revisits, [first.clone(), first]);

    // What an old copy allows is not asked for either while the server wants to be left alone.
    TIRED.store(true, Ordering::Relaxed);
    age(&mut crawl);
    let before = heads.lock().unwrap().len();
    assert_eq!(crawl.seed("http://h.test/d").unwrap(), Seeding::New);
    crawl.planted().unwrap();
    let started = wall_clock();
    let Ended::Later(until) = run(&mut crawl) else { panic!("somebody must wait") };
    // The crawl's own clock begins a little before: times of one crawl never go back.
    assert!(until + Span::seconds(5) >= started + Span::seconds(3_600), "{until:?}");
    assert_eq!(heads.lock().unwrap().len(), before + 1, "robots.txt alone");
}
