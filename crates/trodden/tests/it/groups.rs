//! Groups: addresses that ask more than a person can, and proxies in front of a log.
//!
//! The rules on behavior are off here, so that only the count of lines decides.

use crate::lines::{DAY, FIREFOX, Line, MARCH, combined, get, people};
use crate::run::{Folder, Ledger};

const ONLY_GROUPS: [&str; 4] = ["--set", "cleaning.embedded=false", "--set", "cleaning.scanners=false"];
const HEAVY: &str = "198.51.100.50";

/// `n` pages by one address, all in the first minute.
fn in_a_minute(n: i64) -> Vec<Line> {
    (0..n).map(|i| get(MARCH + i % 60, HEAVY, &format!("/read/{}", i % 7))).collect()
}

#[track_caller]
fn ledger(lines: &[Line], args: &[&str]) -> Ledger {
    Folder::with_log(combined(lines)).ledger(&[&ONLY_GROUPS, args].concat())
}

#[track_caller]
fn among_people(heavy: Vec<Line>, args: &[&str]) -> Ledger {
    ledger(&[people(100), heavy].concat(), args)
}

#[test]
fn kdd02_more_than_a_hundred_lines_in_a_minute_are_no_person() {
    assert_eq!(among_people(in_a_minute(100), &[]).dropped("group"), 0);
    let over = among_people(in_a_minute(101), &[]);
    assert_eq!((over.dropped("group"), over.visits), (101, 200));
    // A no-op rule would show here.
    let off = among_people(in_a_minute(101), &["--set", "cleaning.groups=false"]);
    assert_eq!((off.dropped("group"), off.visits), (0, 301));
}

#[test]
fn kdd02_all_lines_of_a_heavy_address_go_whenever_they_were_written() {
    let mut lines = in_a_minute(101);
    lines.push(get(MARCH + 3 * DAY, HEAVY, "/read/1"));
    assert_eq!(among_people(lines, &[]).dropped("group"), 102);
}

#[test]
fn kdd02_minutes_are_minutes_of_the_clock() {
    // 200 lines in 60 seconds, but 100 on each side of the full minute.
    let lines: Vec<Line> = (0..200).map(|i| get(MARCH + 30 + i * 60 / 200, HEAVY, "/read/1")).collect();
    assert_eq!(among_people(lines, &[]).dropped("group"), 0);
}

#[test]
fn kdd02_groups_are_counted_on_raw_lines() {
    let mut lines = in_a_minute(60);
    lines.extend((0..20).map(|i| get(MARCH + i, HEAVY, "/style.css")));
    lines.extend((0..20).map(|i| get(MARCH + i, HEAVY, "/gone").status(404)));
    assert_eq!(among_people(lines.clone(), &[]).dropped("group"), 0);
    lines.push(get(MARCH + 5, HEAVY, "/form").method("POST"));
    let over = among_people(lines, &[]);
    // Each line goes under its own reason; only what would have been visits goes as a group.
    assert_eq!((over.dropped("group"), over.dropped("asset"), over.dropped("status")), (60, 220, 20));
}

#[test]
fn kdd02_an_address_is_a_group_whatever_its_agents() {
    let lines = in_a_minute(102).into_iter().enumerate();
    let lines = lines.map(|(i, line)| line.agent(&format!("{FIREFOX} Build/{}", i % 3))).collect();
    assert_eq!(among_people(lines, &[]).dropped("group"), 102);
}

#[test]
fn kdd02_more_than_two_thousand_lines_a_day_are_no_person() {
    // Twenty a minute at most.
    let a_day = |n: i64, start: i64| (0..n).map(move |i| get(start + i * 3, HEAVY, "/read/1"));
    let crowd = people(1_800);
    let with = |heavy: Vec<Line>, args: &[&str]| ledger(&[crowd.clone(), heavy].concat(), args);
    assert_eq!(with(a_day(2_000, MARCH).collect(), &[]).dropped("group"), 0);
    assert_eq!(with(a_day(2_001, MARCH).collect(), &[]).dropped("group"), 2_001);
    assert_eq!(with(a_day(2_001, MARCH).collect(), &["--set", "cleaning.group_day=2001"]).dropped("group"), 0);
    // Days are days in UTC: the same number over midnight is two days' reading.
    assert_eq!(with(a_day(2_001, MARCH + DAY - 3_000).collect(), &[]).dropped("group"), 0);
}

#[test]
fn ours_limits_of_groups_are_settings() {
    assert_eq!(among_people(in_a_minute(51), &["--set", "cleaning.group_minute=50"]).dropped("group"), 51);
    assert_eq!(among_people(in_a_minute(101), &["--set", "cleaning.group_minute=101"]).dropped("group"), 0);
}

/// A log written behind a proxy: one peer, 300 lines in three minutes, of 30 clients in a last column.
fn behind_proxy(clients: bool) -> String {
    let lines = (0..300).map(|i| {
        let line = get(MARCH + i * 60 / 100, "192.0.2.1", &format!("/read/{}", i % 7)).combined();
        let client = if clients { format!("198.51.100.{}", i % 30) } else { "-".to_owned() };
        format!("{} \"{client}\"\n", line.trim_end())
    });
    lines.collect()
}

#[test]
fn ours_behind_a_proxy_the_forwarded_clients_count() {
    let folder = Folder::with_log(behind_proxy(true));
    let ran = folder.ingest(&[&["access.log"], &ONLY_GROUPS[..]].concat());
    ran.says(&["100 %", "behind a proxy", "the forwarded clients count"]);
    let ledger = ran.ledger();
    assert_eq!((ledger.visits, ledger.users, ledger.dropped("group")), (300, 30, 0));
}

#[test]
fn kdd02_behind_a_proxy_clients_that_ask_too_much_are_groups() {
    let heavy: String = in_a_minute(101)
        .iter()
        .map(|l| l.combined().replace(HEAVY, "192.0.2.1").trim_end().to_owned() + " \"198.51.100.99\"\n")
        .collect();
    let folder = Folder::with_log(behind_proxy(true) + &heavy);
    let ledger = folder.ledger(&ONLY_GROUPS);
    assert_eq!((ledger.visits, ledger.users, ledger.dropped("group")), (300, 30, 101));
}

#[test]
fn ours_behind_a_proxy_that_names_no_clients_the_rule_is_left_out() {
    let folder = Folder::with_log(behind_proxy(false));
    let ran = folder.ingest(&[&["access.log"], &ONLY_GROUPS[..]].concat());
    ran.says(&["warning", "names no clients", "left out"]);
    assert_eq!((ran.ledger().visits, ran.ledger().users, ran.ledger().dropped("group")), (300, 1, 0));
}

#[test]
fn ours_the_peer_counts_if_the_operator_says_so() {
    let folder = Folder::with_log(behind_proxy(true));
    let ran = folder.ingest(&[&["access.log", "--client-field", "peer"], &ONLY_GROUPS[..]].concat());
    // 100 lines a minute are allowed, so it takes the day's limit to see that the peer is counted.
    assert_eq!((ran.ledger().users, ran.ledger().dropped("group")), (1, 0));
    let ran = folder.ingest(
        &[&["access.log", "--client-field", "peer", "--set", "cleaning.group_day=299"], &ONLY_GROUPS[..]].concat(),
    );
    assert_eq!((ran.ledger().visits, ran.ledger().dropped("group")), (0, 300));
}

#[test]
fn ours_the_forwarded_client_counts_if_the_operator_says_so() {
    // Ten proxies: none of them has so many lines that it is seen as one.
    let lines: String = (0..300)
        .map(|i| {
            let line = get(MARCH + i, &format!("192.0.2.{}", i % 10), "/read/1").combined();
            format!("{} \"198.51.100.{}\"\n", line.trim_end(), i % 30)
        })
        .collect();
    let folder = Folder::with_log(lines);
    let users = |field: &str| folder.ledger(&[&["--client-field", field], &ONLY_GROUPS[..]].concat()).users;
    assert_eq!((users("auto"), users("peer"), users("forwarded")), (10, 10, 30));
}

#[test]
fn ours_an_address_below_the_share_is_no_proxy() {
    // 30 % and no more: 120 of 400 lines.
    let heavy: Vec<Line> = (0..120).map(|i| get(MARCH + i * 60, HEAVY, "/read/1")).collect();
    let lines = [people(70), heavy].concat();
    assert_eq!(lines.len(), 400);
    let ran = Folder::with_log(combined(&lines)).ingest(&["access.log"]);
    assert!(!ran.stderr.contains("proxy"), "{}", ran.stderr);
    let ran = Folder::with_log(combined(&[lines, vec![get(MARCH, HEAVY, "/read/1")]].concat())).ingest(&["access.log"]);
    ran.says(&["proxy"]);
}
