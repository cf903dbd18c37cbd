//! The same log again, two runs at once, and runs that were killed: nothing counts twice, and nothing is left behind.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::lines::{DAY, Line, combined, people};
use crate::packed::gzip;
use crate::rows::{parquet_files, rows};
use crate::run::Folder;

/// Twice as many lines are visits.
const OTHER: [&str; 4] = ["--set", "cleaning.assets=false", "--set", "cleaning.embedded=false"];

/// People of so many days.
fn days(n: i64) -> Vec<Line> {
    let of_day = |day: i64| people(20).into_iter().map(move |line| Line { time: line.time + day * DAY, ..line });
    (0..n).flat_map(of_day).collect()
}

#[track_caller]
fn taken(folder: &Folder, args: &[&str]) -> usize {
    folder.ingest(&[args, &["-o", "visits"]].concat());
    rows(&folder.path("visits")).len()
}

/// Refused, with nothing changed.
#[track_caller]
fn refused(folder: &Folder, args: &[&str], words: &[&str]) {
    let before = (parquet_files(&folder.path("visits")), rows(&folder.path("visits")));
    let ran = folder.try_ingest(&[args, &["-o", "visits"]].concat(), &[]).failed(1);
    ran.says(words);
    assert_eq!((parquet_files(&folder.path("visits")), rows(&folder.path("visits"))), before);
    let hidden = fs::read_dir(folder.path("visits")).unwrap().filter(|e| {
        let name = e.as_ref().unwrap().file_name().into_string().unwrap();
        name.starts_with('.')
    });
    assert_eq!(hidden.count(), 0);
}

#[test]
fn ours_the_same_log_under_other_settings_is_refused_or_replaced() {
    let folder = Folder::with_log(combined(&days(3)));
    assert_eq!(taken(&folder, &["access.log"]), 120);
    refused(
        &folder,
        &[&["access.log"], &OTHER[..]].concat(),
        &["visits has visits of the same log already", "2024-03-01 and 2 more days", "--replace"],
    );
    let ran = folder.ingest(&[&["access.log", "-o", "visits", "--replace"], &OTHER[..]].concat());
    ran.says(&["replaced: 3 files"]);
    assert_eq!(rows(&folder.path("visits")).len(), 240);
    assert_eq!(parquet_files(&folder.path("visits")).len(), 3);
    // And back, however the log is packed or cut.
    folder.write("packed.gz", gzip(combined(&days(3)).as_bytes()));
    refused(&folder, &["packed.gz"], &["--replace"]);
    let log = combined(&days(3));
    let cut = log.len() / 2 + log[log.len() / 2..].find('\n').unwrap() + 1;
    folder.write("pieces/1.log", &log[..cut]);
    folder.write("pieces/2.log", &log[cut..]);
    assert_eq!(taken(&folder, &["pieces", "--replace"]), 120);
    // Under the same settings it is no news, with the flag or without.
    assert_eq!(taken(&folder, &["access.log"]), 120);
    let again = folder.ingest(&["access.log", "-o", "visits", "--replace"]);
    assert!(!again.stderr.contains("replaced"), "{}", again.stderr);
    assert_eq!(rows(&folder.path("visits")).len(), 120);
    folder.try_ingest(&["access.log", "--replace"], &[]).failed(2).says(&["--output"]);
}

#[test]
fn ours_a_log_that_has_grown_counts_once() {
    let all = days(1);
    let folder = Folder::with_log(combined(&all[..30]));
    taken(&folder, &["access.log"]);
    folder.write("access.log", combined(&all));
    refused(&folder, &["access.log"], &["when it was shorter", "2024-03-01)", "--replace"]);
    assert_eq!(taken(&folder, &["access.log", "--replace"]), 40);
    // Another log of the same day is added.
    let others: Vec<Line> = all.iter().map(|line| Line { time: line.time + 7, ..line.clone() }).collect();
    folder.write("others.log", combined(&others));
    assert_eq!(taken(&folder, &["others.log"]), 80);
    // A day of several logs is replaced by all of them, or not at all.
    folder.write("visits2/about.json", fs::read(folder.path("visits/about.json")).unwrap());
    let both = ["access.log", "others.log", "-o", "visits2"];
    folder.ingest(&both);
    let ran = folder.try_ingest(&["access.log", "-o", "visits2", "--replace"], &[]).failed(1);
    ran.says(&["2024-03-01", "made of more than is read now", "all logs of that day"]);
    folder.ingest(&[&both[..], &["--replace"], &OTHER].concat()).says(&["replaced: 1 file "]);
}

#[test]
fn ours_a_day_without_visits_any_more_makes_room_too() {
    let folder = Folder::with_log(combined(&days(2)));
    assert_eq!(taken(&folder, &["access.log"]), 80);
    // An address with more than a line a day is no person then.
    let none = ["--set", "cleaning.group_day=1"];
    refused(&folder, &[&["access.log"], &none[..]].concat(), &["--replace"]);
    assert_eq!(taken(&folder, &[&["access.log", "--replace"], &none[..]].concat()), 0);
    assert_eq!(parquet_files(&folder.path("visits")), Vec::<PathBuf>::new());
}

#[test]
fn ours_two_at_once_do_not_write_to_one_directory() {
    let folder = Folder::with_log(combined(&days(1)));
    let mut first = Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder.path(""))
        .args(["ingest", "-", "--log-format", "combined", "-o", "visits"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !folder.path("visits/key").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the first run makes its directory");
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = folder.try_ingest(&["access.log", "-o", "visits"], &[]).failed(1);
    second.says(&["another trodden is writing to visits", "wait until it is done"]);
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    assert_eq!(taken(&folder, &["access.log"]), 40);
    // Readers do not wait for anybody.
    let lock = fs::File::open(folder.path("visits")).unwrap();
    lock.lock().unwrap();
    assert!(!folder.urls(&["visits"]).is_empty());
}

#[test]
fn ours_what_a_killed_run_left_is_swept_away() {
    let folder = Folder::with_log(combined(&days(1)));
    taken(&folder, &["access.log"]);
    folder.write("visits/.incoming-abc/5.parquet", "half of it");
    folder.write("visits/.trodden-scratch-xyz/run", "some");
    assert_eq!(taken(&folder, &["access.log"]), 40);
    assert!(!folder.path("visits/.incoming-abc").exists() && !folder.path("visits/.trodden-scratch-xyz").exists());
    // Half a directory is made whole.
    folder.write("begun/.incoming-about", "{");
    folder.ingest(&["access.log", "-o", "begun"]);
}
