//! Bad lines: each costs one entry of the ledger, says where it stands, and shows nothing of itself.

use crate::lines::{MARCH, combined, get, people};
use crate::packed::gzip;
use crate::run::{Folder, Ledger, Ran};

/// A word that is in no other line: it must never be printed.
const ODD: &str = "zanzibarquux";

fn good() -> Vec<String> {
    people(6).iter().map(crate::lines::Line::combined).collect()
}

/// Puts `bad` behind the third line of a good log and ingests it, plain and packed.
#[track_caller]
fn with_line(bad: &[u8]) -> (Ran, Ledger) {
    let mut log = good()[..3].concat().into_bytes();
    log.extend_from_slice(bad);
    log.push(b'\n');
    log.extend_from_slice(good()[3..].concat().as_bytes());
    let folder = Folder::with_log(&log);
    let ran = folder.ingest(&["access.log"]);
    let ledger = ran.ledger();
    assert_eq!(ledger.lines, good().len() as u64 + 1);
    ran.says_none_of(&[ODD, "192.0.2."]);
    folder.write("packed.log", gzip(&log));
    let mut packed = folder.ingest(&["packed.log"]).ledger();
    packed.places.iter_mut().for_each(|(_, file, _)| "access.log".clone_into(file));
    assert_eq!(packed, ledger, "packed and plain differ");
    (ran, ledger)
}

/// The line is bad for this reason, found at line 4, and changes nothing else.
#[track_caller]
fn bad(line: &[u8], reason: &str) {
    let (_, ledger) = with_line(line);
    let clean = Folder::with_log(good().concat()).ledger(&[]);
    assert_eq!(ledger.bad.iter().map(|(r, n)| (r.as_str(), *n)).collect::<Vec<_>>(), [(reason, 1)]);
    assert_eq!(ledger.lines_of(reason, "access.log"), [4]);
    assert_eq!((ledger.visits, &ledger.dropped), (clean.visits, &clean.dropped));
}

/// The line is a visit like any other.
#[track_caller]
fn visit(line: &str) {
    let (_, ledger) = with_line(line.trim_end().as_bytes());
    let clean = Folder::with_log(good().concat()).ledger(&[]);
    assert_eq!(ledger.bad.len(), 0, "{:?}", ledger.bad);
    assert_eq!(ledger.visits, clean.visits + 1, "{:?}", ledger.dropped);
}

#[test]
fn ours_blank_lines_are_counted() {
    bad(b"", "blank");
    bad(b"   \t ", "blank");
    bad(b"\r", "blank");
}

#[test]
fn ours_lines_over_the_cap_are_counted() {
    let long = get(MARCH, "192.0.2.1", &format!("/{ODD}/{}", "a".repeat(70_000))).combined();
    bad(long.trim_end().as_bytes(), "too-long");
    bad(ODD.repeat(70_000 / ODD.len() + 1).as_bytes(), "too-long");
    // Longer than any buffer.
    bad(ODD.repeat((3 << 20) / ODD.len()).as_bytes(), "too-long");
}

#[test]
fn ours_cap_on_lines_is_a_setting() {
    let folder = Folder::with_log(good().concat());
    let ledger = folder.ledger(&["--set", "caps.line_bytes=160"]);
    let long = good().iter().filter(|line| line.len() > 161).count() as u64;
    assert!(long > 0 && long < ledger.lines);
    assert_eq!(ledger.bad("too-long"), long);
}

#[test]
fn ours_urls_over_the_cap_are_bad_urls() {
    let line = get(MARCH, "192.0.2.1", &format!("/{ODD}/{}", "a/".repeat(5_000))).combined();
    bad(line.trim_end().as_bytes(), "bad-url");
}

#[test]
fn ours_lines_that_fit_no_format_are_malformed() {
    bad(ODD.as_bytes(), "malformed");
    bad(format!("192.0.2.1 - - {ODD}").as_bytes(), "malformed");
    bad(&[0, 1, 2, 0xff, 0xfe, b'z', 0x80], "malformed");
}

#[test]
fn ours_times_that_are_none_are_counted() {
    let line = get(MARCH, "192.0.2.1", &format!("/{ODD}")).combined();
    bad(line.trim_end().replace("01/Mar/2024", "31/Feb/2024").as_bytes(), "bad-time");
    bad(line.trim_end().replace("01/Mar/2024", "01/Mrz/2024").as_bytes(), "bad-time");
    bad(line.trim_end().replace(":00:00:00", ":25:00:00").as_bytes(), "bad-time");
}

#[test]
fn ours_requests_that_are_none_are_counted() {
    let line = get(MARCH, "192.0.2.1", &format!("/{ODD}")).combined();
    for request in ["-", "", r"\x16\x03\x01\x02", "zanzibarquux", "GET"] {
        let request = format!("\"{request}\" 200");
        bad(line.trim_end().replace(&format!("\"GET /{ODD} HTTP/1.1\" 200"), &request).as_bytes(), "bad-request");
    }
}

#[test]
fn ours_statuses_that_are_none_are_counted() {
    let line = get(MARCH, "192.0.2.1", &format!("/{ODD}")).combined();
    bad(line.trim_end().replace("\" 200 ", "\" 20 ").as_bytes(), "bad-status");
    bad(line.trim_end().replace("\" 200 ", "\" OK ").as_bytes(), "bad-status");
}

#[test]
fn ours_targets_that_are_no_urls_are_counted() {
    for target in ["http://[zanzibarquux/", "http://", "zanzibarquux"] {
        bad(get(MARCH, "192.0.2.1", target).combined().trim_end().as_bytes(), "bad-url");
    }
}

#[test]
fn ours_bytes_that_are_no_text_are_read_in_targets_and_agents() {
    let line = get(MARCH, "192.0.2.1", "/caf@").via("/").agent("Mozilla/5.0 @ Firefox/140.0").combined();
    let bytes: Vec<u8> = line.trim_end().bytes().map(|b| if b == b'@' { 0xe9 } else { b }).collect();
    let (_, ledger) = with_line(&bytes);
    assert_eq!((ledger.bad.len(), ledger.lines), (0, good().len() as u64 + 1));
}

#[test]
fn ours_escapes_of_servers_are_undone() {
    // Same user as the good lines, so that only the escape is in question.
    visit(&get(MARCH + 30, "192.0.2.0", r"/read/\x22quoted\x22").via("/").combined());
    visit(&get(MARCH + 30, "192.0.2.0", r#"/read/\"quoted\""#).via("/").combined());
    let folder = Folder::with_log(combined(&people(3)) + &get(MARCH + 30, "192.0.2.0", r"/read/\x22q\x22").combined());
    folder.ledger(&["-o", "visits"]);
    assert_eq!(folder.visits_of("https://www.example.org/read/%22q%22", &["visits"]), 1);
}

#[test]
fn rfc5952_addresses_of_ipv6_are_users() {
    let line = |address: &str, path: &str| get(MARCH + 30, address, path).via("/").combined();
    let mut log = combined(&people(4));
    for address in ["2001:db8::1", "2001:db8::2", "::ffff:192.0.2.77"] {
        log += &line(address, "/read/1");
        log += &line(address, "/style.css");
    }
    let ledger = Folder::with_log(log).ledger(&[]);
    assert_eq!((ledger.users, ledger.bad.len()), (7, 0));
}

#[test]
fn ours_a_torn_last_line_is_counted_as_torn() {
    let whole = good().concat();
    for cut in [3, 20, 60] {
        let last = whole.trim_end().rfind('\n').unwrap() + 1;
        let folder = Folder::with_log(&whole[..last + cut]);
        let ran = folder.ingest(&["access.log"]);
        let ledger = ran.ledger();
        assert_eq!((ledger.lines, ledger.bad("torn")), (good().len() as u64, 1));
        assert_eq!(ledger.lines_of("torn", "access.log"), [good().len() as u64]);
        ran.says_none_of(&["192.0.2."]);
    }
    // Only the newline is missing: nothing is.
    let folder = Folder::with_log(whole.trim_end());
    assert_eq!((folder.ledger(&[]).lines, folder.ledger(&[]).bad.len()), (good().len() as u64, 0));
}

#[test]
fn ours_places_are_the_first_three_of_each_reason_by_file_and_line() {
    let folder = Folder::new();
    let with = |bad: &[usize]| {
        let mut lines = good();
        bad.iter().for_each(|at| lines[at - 1] = format!("{ODD}\n"));
        lines.concat()
    };
    folder.write("b.log", with(&[2, 9]));
    folder.write("a.log", with(&[5, 7, 11]));
    let ran = folder.ingest(&["b.log", "a.log"]);
    let ledger = ran.ledger();
    assert_eq!(ledger.bad("malformed"), 5);
    // In the order in which the files are named.
    assert_eq!((ledger.lines_of("malformed", "b.log"), ledger.lines_of("malformed", "a.log")), (vec![2, 9], vec![5]));
    ran.says_none_of(&[ODD]);
    let table = folder.run(&["ingest", "b.log", "a.log"]).ok();
    assert!(table.stdout.contains("b.log:2, b.log:9, a.log:5"), "{}", table.stdout);
    table.says_none_of(&[ODD]);
}

#[test]
fn ours_line_numbers_are_right_deep_in_large_files() {
    // Several blocks of a plain and of a packed file.
    let mut lines: Vec<String> = (0..400).flat_map(|_| good()).collect();
    assert!(lines.len() > 9_000);
    lines[8_765] = format!("{ODD}\n");
    lines[7_000] = format!("{}\n", ODD.repeat(10_000));
    let log = lines.concat();
    let folder = Folder::with_log(&log);
    folder.write("packed.gz", gzip(log.as_bytes()));
    for file in ["access.log", "packed.gz"] {
        let ledger = folder.ingest(&[file, "--threads", "4"]).ledger();
        assert_eq!(ledger.lines_of("malformed", file), [8_766]);
        assert_eq!(ledger.lines_of("too-long", file), [7_001]);
    }
}
