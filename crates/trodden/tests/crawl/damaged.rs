//! A crawl that lost something says so: it is refused, or mended with a sentence; nothing is lost or doubled without a word.
//!
//! Every kind of file of a crawl directory is cut, flipped, zeroed and deleted, at rest and after a kill. `TRODDEN_DAMAGES` says how often each
//! (`cargo xtask soak crawl` asks for more).

use std::fs;
use std::path::{Path, PathBuf};

use crate::killed::Kills;
use crate::limits::{page, web};
use crate::run::Folder;
use crate::server::Server;

const PAGES: usize = 120;
/// Pages that are fetched before something is damaged.
const BEFORE: usize = 60;
/// Small, so that there are several.
const SMALL_FILES: [&str; 2] = ["--warc-size", "20kB"];

/// What is done to a file.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Cut,
    Flip,
    Zero,
    Delete,
}

const DAMAGES: [Damage; 4] = [Damage::Cut, Damage::Flip, Damage::Zero, Damage::Delete];

fn damage(path: &Path, how: Damage, chance: &mut Kills) {
    let mut bytes = fs::read(path).unwrap();
    if matches!(how, Damage::Delete) || bytes.is_empty() {
        return fs::remove_file(path).unwrap();
    }
    let at = usize::try_from(chance.below(bytes.len() as u64)).unwrap();
    match how {
        Damage::Cut => bytes.truncate(at),
        Damage::Flip => bytes[at] ^= 1 << (at % 8),
        Damage::Zero => bytes[at..].iter_mut().take(64).for_each(|byte| *byte = 0),
        Damage::Delete => {}
    }
    fs::write(path, bytes).unwrap();
}

/// A crawl of some pages of a site; ended, or killed.
fn begun(is_killed: bool) -> (Server, Folder) {
    let (server, folder) = (web(PAGES), Folder::new());
    let (home, budget) = (server.url("/"), BEFORE.to_string());
    let words = [&[home.as_str()], &SMALL_FILES[..]].concat();
    if is_killed {
        let mut child = folder.crawling(&words);
        assert!(server.comes_to(BEFORE, &mut child));
        child.kill().unwrap();
        child.wait().unwrap();
    } else {
        folder.crawl(&[&words[..], &["--pages", &budget]].concat()).told().ended("budget");
    }
    (server, folder)
}

/// The last file of a folder whose name has this in it.
fn last_with(folder: &Path, part: &str) -> Option<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.is_file() && file.file_name().unwrap().to_string_lossy().contains(part));
    files.sort();
    files.pop()
}

fn first_with(folder: &Path, part: &str) -> Option<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.file_name().unwrap().to_string_lossy().contains(part));
    files.sort();
    files.into_iter().next()
}

/// Goes on with a crawl that was damaged: it is refused with a sentence, or ends with every page in the archive once.
fn goes_on(server: &Server, folder: &Folder, what: &str) {
    let refused = folder.crawl(&["--pages", "100000"]);
    let mended = if refused.code == Some(0) {
        refused
    } else {
        let said = refused.stderr.to_lowercase();
        let words = ["restore", "put the file back", "--mend", "start anew", "in another folder"];
        assert!(words.iter().any(|word| said.contains(word)), "{what}: {said}");
        assert!(!said.contains("panicked"), "{what}: {said}");
        let mended = folder.crawl(&["--pages", "100000", "--mend"]);
        if mended.code != Some(0) {
            // What the order has learnt, or what waits, cannot be fetched again.
            let said = mended.stderr.to_lowercase();
            assert!(words.iter().any(|word| said.contains(word)), "{what}, mended: {said}");
            return;
        }
        assert!(mended.stderr.contains("mended: "), "{what}: {}", mended.stderr);
        mended
    };
    mended.told().ended("drained");
    let archived = folder.archived();
    let wrong: Vec<_> = archived.iter().filter(|(_, n)| **n != 1).collect();
    assert!(archived.len() == PAGES && wrong.is_empty(), "{what}: {} pages, {wrong:?}", archived.len());
    let checked = folder.run(&["check", "c"]);
    assert_eq!(checked.code, Some(0), "{what}: {}{}", checked.stdout, checked.stderr);
    assert!(server.asked().len() >= PAGES);
}

fn damaged(part: &str, find: impl Fn(&Path) -> Option<PathBuf>) {
    let mut chance = Kills::some(0);
    let times = std::env::var("TRODDEN_DAMAGES").map_or(1, |times| times.parse().unwrap());
    for is_killed in [false, true] {
        for how in DAMAGES {
            for _ in 0..times {
                let (server, folder) = begun(is_killed);
                let Some(file) = find(&folder.path("c")) else { continue };
                damage(&file, how, &mut chance);
                goes_on(&server, &folder, &format!("{part}, {how:?}, killed: {is_killed}"));
            }
        }
    }
}

#[test]
fn ours_a_damaged_archive_is_refused_and_can_be_mended() {
    damaged("the last archive", |crawl| last_with(&crawl.join("archive"), ".warc.gz"));
}

#[test]
fn ours_a_damaged_closed_archive_is_refused_and_can_be_mended() {
    damaged("the first archive", |crawl| first_with(&crawl.join("archive"), ".warc.gz"));
}

#[test]
fn ours_a_damaged_index_is_made_anew() {
    damaged("the index", |crawl| last_with(&crawl.join("archive"), "index.cdxj"));
}

#[test]
fn ours_damaged_events_are_told() {
    damaged("the events", |crawl| last_with(crawl, "events.jsonl"));
}

#[test]
fn ours_a_damaged_checkpoint_is_refused() {
    damaged("the checkpoint", |crawl| last_with(crawl, ".checkpoint"));
    damaged("the mark", |crawl| last_with(crawl, "session.mark"));
}

#[test]
fn ours_a_damaged_store_is_refused() {
    damaged("the journal of the store", |crawl| last_with(&crawl.join("frontier"), ".jnl"));
    let tables = |crawl: &Path| last_with(&crawl.join("frontier/keyspaces/5/tables"), "");
    damaged("a table of the store", tables);
}

#[test]
fn ours_a_store_that_is_gone_is_no_new_crawl() {
    let (_server, folder) = begun(false);
    fs::remove_dir_all(folder.path("c/frontier")).unwrap();
    folder.crawl(&["--pages", "100000"]).fails(&["has lost its last", "--mend"]);
}

#[test]
fn ours_check_reads_all_and_changes_nothing() {
    let (server, folder) = (Server::new(|path| page(path, PAGES)), Folder::new());
    folder.crawl(&[&[server.url("/").as_str()], &SMALL_FILES[..]].concat()).told().ended("drained");
    let checked = folder.run(&["check", "c"]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
    for part in ["frontier", "session", "records", "archive/index.cdxj", "events.jsonl.zst"] {
        assert!(
            checked.stdout.lines().any(|line| line.starts_with(part) && line.contains("whole")),
            "{}",
            checked.stdout
        );
    }
    let file = first_with(&folder.path("c/archive"), ".warc.gz").unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let checked = folder.run(&["check", "c", "--format", "json"]);
    assert_eq!(checked.code, Some(1));
    let parts: Vec<serde_json::Value> = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!(parts.iter().filter(|part| part["is_whole"] == false).count(), 1, "{}", checked.stdout);
    assert_eq!(fs::read(&file).unwrap(), bytes);
}
