//! Inputs that fall between the usual kinds: pipes by name, heads without a body, visits where logs are expected.

use std::io::Write;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::lines::{MARCH, combined, get, people, vhost};
use crate::run::Folder;

fn log() -> String {
    combined(&people(12))
}

fn gz(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn ours_a_pipe_with_a_name_is_read_like_a_file() {
    let folder = Folder::with_log(log());
    let plain = folder.ledger(&[]);
    for bytes in [log().into_bytes(), gz(&log())] {
        let pipe = folder.path("pipe");
        let _ = std::fs::remove_file(&pipe);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let writer = std::thread::spawn(move || std::fs::write(&pipe, bytes).unwrap());
        let ledger = folder.ingest(&["pipe"]).ledger();
        writer.join().unwrap();
        assert_eq!((ledger.lines, ledger.visits), (plain.lines, plain.visits));
    }
}

#[test]
fn ours_a_packed_file_that_gives_nothing_is_an_entry() {
    let folder = Folder::with_log(log());
    let packed = gz(&log());
    folder.write("cut.gz", &packed[..12]);
    let mut damaged = packed.clone();
    damaged[12..20].fill(0xff);
    folder.write("damaged.gz", damaged);
    let cut = folder.ingest(&["cut.gz"]).ledger();
    assert_eq!((cut.lines, cut.bad("truncated-file")), (1, 1));
    let damaged = folder.ingest(&["access.log", "damaged.gz"]).ledger();
    assert_eq!(damaged.bad("damaged-file"), 1);
    assert_eq!(damaged.visits, folder.ledger(&[]).visits);
}

#[test]
fn ours_blank_lines_alone_are_counted_as_that() {
    let folder = Folder::with_log("\n\n  \n");
    let ledger = folder.ledger(&[]);
    assert_eq!((ledger.lines, ledger.bad("blank")), (3, 3));
}

#[test]
fn ours_a_header_may_stand_in_a_file_of_its_own() {
    let folder = Folder::with_log("time,target\n1700000000,http://www.example.org/a\n");
    folder.write("1.csv", "time,target\n");
    folder.write("2.csv", "1700000000,http://www.example.org/a\n");
    let (cut, whole) = (folder.ingest(&["1.csv", "2.csv"]).ledger(), folder.ledger(&[]));
    assert_eq!((cut.lines, cut.visits, cut.dropped("header")), (whole.lines, whole.visits, 1));
}

#[test]
fn ours_visits_cannot_come_through_a_pipe_and_the_site_counts_for_them_too() {
    let mut lines = people(8);
    lines.iter_mut().for_each(|line| *line = line.clone().host("www.example.org"));
    lines.push(get(MARCH + 9_000, "192.0.2.200", "/other").host("www.example.net"));
    let folder = Folder::with_log(vhost(&lines));
    let all = folder.ledger(&["-o", "visits", "--set", "cleaning.scanners=false"]);
    let one = folder.ingest(&["visits", "--site", "example.net"]).ledger();
    assert_eq!((one.visits, one.dropped("other-site")), (1, all.visits - 1));
    let file = crate::rows::parquet_files(&folder.path("visits")).remove(0);
    folder.try_ingest(&["-"], &std::fs::read(&file).unwrap()).failed(1).says(&["cannot be read from a pipe"]);
    std::fs::write(&file, b"PAR1 and then nothing").unwrap();
    let beside = folder.ingest(&["access.log", file.to_str().unwrap()]).ledger();
    assert_eq!(beside.bad("damaged-file"), 1);
}

#[test]
fn ours_more_threads_than_cores_are_no_crash() {
    let folder = Folder::with_log(log());
    assert_eq!(folder.ledger(&["--threads", "100000"]), folder.ledger(&["--threads", "1"]));
}

#[test]
fn ours_sites_and_urls_of_few_readers_are_not_named() {
    let mut lines = people(8);
    lines.iter_mut().for_each(|line| *line = line.clone().host("www.example.org"));
    lines.push(get(MARCH + 9_000, "192.0.2.200", "/diary").host("www.rare.example"));
    let folder = Folder::with_log(vhost(&lines));
    for format in ["json", "table"] {
        let rule = "cleaning.scanners=false";
        let ran = folder.run(&["ingest", "access.log", "--set", rule, "--format", format, "-o", "visits"]).ok();
        ran.says_none_of(&["rare.example", "diary"]);
        assert!(ran.stdout.contains("example.org"), "{}", ran.stdout);
    }
    let listed = folder.run(&["urls", "visits"]).ok();
    listed.says_none_of(&["rare.example", "diary"]);
    listed.says(&["fewer than 5 users"]);
    let all = folder.run(&["urls", "visits", "--min-users", "1"]).ok();
    assert!(all.stdout.contains("www.rare.example/diary"), "{}", all.stdout);
}
