//! A crawl that is killed again and again loses nothing and keeps nothing twice.
//!
//! `TRODDEN_KILLS` says how often (`cargo xtask soak crawl` asks for many); `TRODDEN_KILL_SEED` says when. What may
//! differ from a crawl that nobody disturbs: a page that was under way is asked for once more.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command};

use crate::limits::{page, web};
use crate::run::{Folder, Ran, archives};
use crate::server::Server;

/// Outcomes that are written together: so many pages are asked for again after a kill, at most.
const BATCH: usize = 32;
const PAGES: usize = 240;
/// A run is killed after so many requests at most.
const LONGEST_RUN: u64 = 90;

/// Says when, unless another is asked for; odd.
const SEED: u64 = 20_261_117;

/// How often programs are killed, and when.
pub(crate) struct Kills {
    pub(crate) left: u64,
    chance: u64,
}

impl Kills {
    pub(crate) fn from_environment() -> Self {
        let number = |name: &str, usual| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
        Self { left: number("TRODDEN_KILLS", 5), chance: number("TRODDEN_KILL_SEED", SEED) | 1 }
    }

    pub(crate) fn some(left: u64) -> Self {
        Self { left, chance: SEED }
    }

    /// A number below that, as if by chance (xorshift).
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        let state = &mut self.chance;
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state % end
    }

    pub(crate) fn kill(&mut self, mut child: Child) {
        child.kill().unwrap();
        child.wait().unwrap();
        self.left -= 1;
    }
}

fn first_times(asked: &[String]) -> Vec<&String> {
    let mut seen = BTreeSet::new();
    asked.iter().filter(|path| seen.insert(*path)).collect()
}

#[test]
fn ours_a_crawl_that_is_killed_loses_nothing_and_keeps_nothing_twice() {
    killed(&["--policy", "blend"], Kills::from_environment(), |_| {});
}

#[test]
fn ours_a_breadth_first_crawl_that_is_killed_keeps_its_order() {
    killed(&["--policy", "breadth-first"], Kills::from_environment(), |_| {});
}

#[test]
fn ours_a_crawl_that_is_killed_near_a_change_of_archive_files_keeps_nothing_twice() {
    killed(&["--policy", "breadth-first", "--warc-size", "10kB"], Kills::from_environment(), |_| {});
}

#[test]
fn warc11_warcio_reads_what_was_kept_of_a_crawl_that_is_killed() {
    let Some(python) = trodden_testing::python("warcio") else { return };
    killed(&["--policy", "breadth-first"], Kills::some(2), |folder| warcio_reads(folder, &python));
}

/// Crawls until enough were killed; `check` looks at what each left.
fn killed(words: &[&str], mut kills: Kills, check: impl Fn(&Folder)) {
    let calm = (web(PAGES), Folder::new());
    let expected = calm.1.crawl(&[&[calm.0.url("/").as_str(), "--at-once", "1"], words].concat()).told();
    expected.ended("drained");
    let calm_order = calm.0.asked();
    while kills.left > 0 {
        let (server, folder) = (Server::new(|path| page(path, PAGES)), Folder::new());
        let (url, mut killed) = (server.url("/"), 0);
        let told = loop {
            let mut child = folder.crawling(&[&[url.as_str(), "--at-once", "1"], words].concat());
            if kills.left > 0 {
                let until = server.requests() + usize::try_from(kills.below(LONGEST_RUN)).unwrap();
                if server.comes_to(until, &mut child) {
                    kills.kill(child);
                    killed += 1;
                    continue;
                }
            }
            break Ran::of(child.wait_with_output().unwrap()).told();
        };
        told.ended("drained");
        assert_eq!(told.outcomes(), expected.outcomes());
        let asked = server.asked();
        assert_eq!(first_times(&asked), first_times(&calm_order), "after {killed} kills");
        assert!(
            asked.len() <= PAGES + killed * BATCH,
            "{} requests for {PAGES} pages after {killed} kills",
            asked.len()
        );
        let archived = folder.archived();
        assert_eq!(archived.len(), PAGES);
        let twice: Vec<_> = archived.iter().filter(|(_, n)| **n != 1).collect();
        assert!(twice.is_empty(), "after {killed} kills: {twice:?}");
        assert_eq!(fetched_events(&folder), fetched_events(&calm.1), "every event once, after {killed} kills");
        let checked = folder.run(&["check", "c"]);
        assert_eq!(checked.code, Some(0), "after {killed} kills: {}{}", checked.stdout, checked.stderr);
        check(&folder);
    }
}

/// The numbers of URLs that were fetched, as the events tell it.
fn fetched_events(folder: &Folder) -> Vec<u64> {
    let bytes = std::fs::read(folder.path("c/events.jsonl.zst")).unwrap();
    let mut text = String::new();
    zstd::Decoder::new(&bytes[..]).unwrap().read_to_string(&mut text).unwrap();
    let events = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    events.filter(|event| event["event"] == "fetched").map(|event| event["key"].as_u64().unwrap()).collect()
}

/// Another program reads all of it.
fn warcio_reads(folder: &Folder, python: &OsStr) {
    let script = "import sys\nfrom warcio.archiveiterator import ArchiveIterator as A\nn = 0\n\
        for f in sys.argv[1:]:\n    for r in A(open(f, 'rb'), check_digests='raise'):\n        \
        r.content_stream().read(); n += r.rec_type in ('response', 'revisit')\nprint(n)";
    let files = archives(&folder.path("c/archive"));
    let output = Command::new(python).arg("-c").arg(script).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: usize = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    assert!(seen >= PAGES, "warcio reads {seen} answers");
}
