//! The result depends on the lines alone: not on their order, on the cut into files, on threads or on memory.
//!
//! Every run gets the same key, so that users can be compared; the names of Parquet files are digests of what is in
//! them, so they must be the same, too.

use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::Value;

use crate::generate::{Dice, Kind, Log, log};
use crate::rows::{Row, parquet_names, rows};
use crate::run::Folder;

/// `about.json` and `key` of a directory that a first ingest made.
fn identity() -> &'static (Vec<u8>, Vec<u8>) {
    static IDENTITY: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    IDENTITY.get_or_init(|| {
        let folder = Folder::with_log(log(1, 50, 1, Kind::Vhost).text());
        folder.ledger(&["-o", "visits"]);
        let read = |name: &str| std::fs::read(folder.path("visits").join(name)).unwrap();
        (read("about.json"), read("key"))
    })
}

/// All that came of a run, without the names of its files.
#[derive(Debug, PartialEq)]
struct Result {
    ledger: Value,
    names: Vec<String>,
    rows: Vec<Row>,
}

struct Run {
    result: Result,
    stdout: String,
    stderr: String,
}

/// Ingests pieces of a log, with these further arguments.
fn run(pieces: &[String], args: &[&str]) -> Run {
    let folder = Folder::new();
    let (about, key) = identity();
    folder.write("visits/about.json", about);
    folder.write("visits/key", key);
    let names: Vec<String> = (0..pieces.len()).map(|n| format!("piece-{n}.log")).collect();
    names.iter().zip(pieces).for_each(|(name, piece)| folder.write(name, piece));
    let mut words: Vec<&str> = names.iter().map(String::as_str).collect();
    words.extend(["-o", "visits"]);
    words.extend(args);
    let ran = folder.ingest(&words);
    ran.ledger();
    let mut ledger = ran.json();
    for of_files in ["formats", "places"] {
        ledger.as_object_mut().unwrap().remove(of_files);
    }
    let visits = folder.path("visits");
    let result = Result { ledger, names: parquet_names(&visits), rows: rows(&visits) };
    assert_eq!(result.rows.len() as u64, ran.ledger().visits, "a row a visit");
    Run { result, stdout: ran.stdout, stderr: ran.stderr }
}

/// The log cut at these shares of its lines; a header stays with the first piece, and a line with it.
fn cut(log: &Log, at: &[prop::sample::Index]) -> Vec<String> {
    let mut cuts: Vec<usize> =
        at.iter().map(|i| i.index(log.lines.len()).max(usize::from(log.header.is_some()))).collect();
    cuts.sort_unstable();
    cuts.push(log.lines.len());
    let mut from = 0;
    let mut pieces = Vec::new();
    for cut in cuts {
        pieces.push(log.lines[from..cut].concat());
        from = cut;
    }
    if let Some(header) = &log.header {
        pieces[0].insert_str(0, header);
    }
    pieces
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Combined), Just(Kind::Vhost), Just(Kind::Proxied), Just(Kind::Anonymous)]
}

fn few() -> ProptestConfig {
    ProptestConfig { cases: 24, failure_persistence: None, max_shrink_iters: 60, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn ours_cutting_a_log_into_files_changes_nothing(
        seed: u64,
        length in 50_usize..400,
        kind in kinds(),
        at in prop::collection::vec(any::<prop::sample::Index>(), 1..=3),
    ) {
        let log = log(seed, length, 3, kind);
        let whole = run(&[log.text()], &[]).result;
        let pieces = run(&cut(&log, &at), &[]).result;
        prop_assert_eq!(&whole, &pieces);
    }

    #[test]
    fn ours_threads_change_nothing(seed: u64, length in 50_usize..400, kind in kinds()) {
        let log = log(seed, length, 3, kind);
        // Small files are one piece of work each: several of them keep several threads busy.
        let step = log.lines.len() / 5 + 1;
        let mut pieces: Vec<String> = log.lines.chunks(step).map(<[String]>::concat).collect();
        pieces[0].insert_str(0, log.header.as_deref().unwrap_or_default());
        let one = run(&pieces, &["--threads", "1"]);
        for threads in ["2", "8"] {
            let more = run(&pieces, &["--threads", threads]);
            prop_assert_eq!(&one.stdout, &more.stdout);
            prop_assert_eq!(&one.result, &more.result);
        }
    }

    #[test]
    fn ours_memory_changes_nothing(seed: u64, length in 50_usize..400, kind in kinds()) {
        let text = [log(seed, length, 3, kind).text()];
        let roomy = run(&text, &[]);
        // So little that nothing fits.
        let tight = run(&text, &["--memory", "4KiB"]);
        prop_assert!(tight.stderr.contains("scratch files"), "{}", tight.stderr);
        prop_assert_eq!(&roomy.stdout, &tight.stdout);
        prop_assert_eq!(&roomy.result, &tight.result);
    }

    #[test]
    fn ours_the_order_of_lines_changes_nothing(seed: u64, length in 50_usize..400, kind in kinds()) {
        let mut log = log(seed, length, 3, kind);
        let ordered = run(&[log.text()], &[]).result;
        Dice::new(seed ^ 1).shuffle(&mut log.lines);
        let shuffled = run(&[log.text()], &[]).result;
        prop_assert_eq!(&ordered, &shuffled);
    }
}

#[test]
fn ours_a_large_log_is_the_same_by_any_threads_and_memory() {
    for kind in [Kind::Vhost, Kind::Proxied] {
        let text = [log(7, 60_000, 5, kind).text()];
        let roomy = run(&text, &["--threads", "1"]);
        assert!(!roomy.stderr.contains("scratch files"), "{}", roomy.stderr);
        assert!(roomy.result.rows.len() > 5_000);
        assert_eq!(roomy.stderr.contains("the forwarded clients count"), kind == Kind::Proxied);
        for args in [
            &["--threads", "2"][..],
            &["--threads", "8"],
            &["--memory", "1MiB"],
            &["--memory", "1MiB", "--threads", "1"],
        ] {
            let other = run(&text, args);
            assert_eq!(other.stderr.contains("scratch files"), args.contains(&"1MiB"), "{}", other.stderr);
            assert_eq!(roomy.stdout, other.stdout, "{args:?}");
            assert!(roomy.result == other.result, "{args:?}: other rows");
        }
    }
}

#[test]
fn ours_generated_logs_have_all_that_cleaning_is_about() {
    // Properties of logs without the thing in question would prove nothing.
    let folder = Folder::with_log(log(11, 20_000, 3, Kind::Vhost).text());
    let ledger = folder.ledger(&[]);
    for reason in
        ["asset", "bot", "embedded", "group", "login-admin", "machine", "method", "redirect", "scanner", "status"]
    {
        assert!(ledger.dropped(reason) > 0, "no {reason}: {ledger:?}");
    }
    assert!(ledger.bad("blank") > 0 && ledger.bad("malformed") > 0 && ledger.visits > 2_000 && ledger.sites == 3);
}
