//! Packing, naming and cutting a log changes nothing in its ledger.

use std::io::Write as _;

use crate::run::{Folder, Ledger, fixtures};

fn log() -> Vec<u8> {
    std::fs::read(fixtures().join("formats/combined.log")).unwrap()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// The ledger without the names of files, which differ.
#[track_caller]
fn numbers(folder: &Folder, args: &[&str], input: &[u8]) -> Ledger {
    let mut ledger = folder.try_ingest(args, input).ok().ledger();
    ledger.places.iter_mut().for_each(|(_, file, _)| file.clear());
    ledger
}

#[track_caller]
fn plain() -> Ledger {
    numbers(&Folder::with_log(log()), &["access.log"], &[])
}

/// The log, packed, under a name.
#[track_caller]
fn same_as_plain(name: &str, packed: Vec<u8>) {
    let folder = Folder::new();
    folder.write(name, &packed);
    assert_eq!(numbers(&folder, &[name], &[]), plain(), "{name}");
    assert_eq!(numbers(&folder, &["-"], &packed), plain(), "{name} by standard input");
}

#[test]
fn ours_gzip_changes_nothing() {
    same_as_plain("access.log.gz", gzip(&log()));
}

#[test]
fn rfc1952_gzip_of_many_members_is_one_log() {
    let log = log();
    // Cut in the middle of lines, as `cat a.gz b.gz` of a rotated log may be.
    let members: Vec<u8> = log.chunks(333).flat_map(gzip).collect();
    same_as_plain("access.log.gz", members);
}

#[test]
fn ours_zstd_changes_nothing() {
    same_as_plain("access.log.zst", zstd(&log()));
}

#[test]
fn rfc8878_zstd_of_many_frames_is_one_log() {
    same_as_plain("access.log.zst", log().chunks(333).flat_map(zstd).collect());
}

#[test]
fn ours_bzip2_changes_nothing() {
    same_as_plain("access.log.bz2", bzip2(&log()));
    same_as_plain("access.log.bz2", log().chunks(333).flat_map(bzip2).collect());
}

#[test]
fn ours_xz_changes_nothing() {
    same_as_plain("access.log.xz", xz(&log()));
    same_as_plain("access.log.xz", log().chunks(333).flat_map(xz).collect());
}

#[test]
fn ours_a_misleading_name_changes_nothing() {
    same_as_plain("access.log.gz", log());
    same_as_plain("picture.jpg", zstd(&log()));
    same_as_plain("access.log.bz2", xz(&log()));
    same_as_plain("visits.parquet", gzip(&log()));
}

#[test]
fn ours_windows_line_ends_change_nothing() {
    for file in ["combined.log", "common.log", "vhost-combined.log", "squid.log", "w3c-iis.log", "w3c-cloudfront.log"] {
        crlf_changes_nothing(file);
    }
    for file in ["json-caddy.log", "json-nginx.log", "visits.csv", "visits.tsv"] {
        crlf_changes_nothing(file);
    }
}

#[track_caller]
fn crlf_changes_nothing(file: &str) {
    let unix = std::fs::read_to_string(fixtures().join("formats").join(file)).unwrap();
    let folder = Folder::with_log(&unix);
    folder.write("windows.log", unix.replace('\n', "\r\n"));
    let site = ["--site", "https://www.example.org"];
    let ledger = |name: &str| numbers(&folder, &[&[name], &site[..]].concat(), &[]);
    assert_eq!(ledger("windows.log"), ledger("access.log"), "{file}");
}

#[test]
fn ours_globs_folders_and_lists_are_the_same_files() {
    let log = String::from_utf8(log()).unwrap();
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let folder = Folder::new();
    folder.write("logs/a.log", lines[..10].concat());
    folder.write("logs/b.log.gz", gzip(lines[10..20].concat().as_bytes()));
    folder.write("logs/deeper/c.log.zst", zstd(lines[20..].concat().as_bytes()));
    // Hidden files are no logs.
    folder.write("logs/.hidden", "nothing");
    let sums = |args: &[&str]| {
        let mut ledger = numbers(&folder, args, &[]);
        ledger.places.clear();
        ledger
    };
    let mut whole = plain();
    whole.places.clear();
    assert_eq!(sums(&["logs"]), whole);
    assert_eq!(sums(&["logs/**/*.log*"]), whole);
    assert_eq!(sums(&["logs/*.log*", "logs/deeper"]), whole);
    assert_eq!(sums(&["logs/a.log", "logs/b.log.gz", "logs/deeper/c.log.zst"]), whole);
    assert_eq!(sums(&["logs/{a.log,b.log.gz}", "logs/*/c.log.?st"]), whole);
}

#[test]
fn ours_files_and_standard_input_are_added_up() {
    let log = String::from_utf8(log()).unwrap();
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let folder = Folder::with_log(lines[..12].concat());
    let mut both = numbers(&folder, &["access.log", "-"], lines[12..].concat().as_bytes());
    both.places.clear();
    let mut whole = plain();
    whole.places.clear();
    assert_eq!(both, whole);
}
