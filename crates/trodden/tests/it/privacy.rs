//! Nothing about people leaves the visits, and no secret enters them.
//!
//! A log with planted secrets is ingested; then every stream and every byte of every file is searched for them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::lines::{Line, MARCH, combined, get, page, people};
use crate::rows::{files_below, rows};
use crate::run::Folder;

/// In the log, and nowhere else.
const SECRETS: &[&str] = &[
    // Credentials in URLs.
    "bobsname",
    "hunter2pass",
    "carolsname",
    "s3cretpw",
    // Tokens in path, query and fragment.
    "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
    "eyJhbGciOiJIUzI1NiJ9",
    "pw-reset-4711",
    "AKIAIOSFODNN7EXAMPLE",
    "fragmentsecret",
    // Sessions.
    "SESS0011AABB",
    "sessphp778899",
    // People.
    "dora.doe",
    "dora%40",
    "erin.username",
    "frank@",
    "Zaphodbrowser",
    // What they looked for, and where they were before.
    "secretillness",
    "secretpath",
    "secretquery",
    // Addresses.
    "192.0.2.",
    "198.51.100.",
    "2001:db8",
];

/// Read by one person only.
const ONE_READER: &str = "/diary/of-one-reader";

fn planted() -> String {
    let visits = [
        ("/read/1", "https://bobsname:hunter2pass@www.example.org/"),
        ("http://carolsname:s3cretpw@www.example.org/read/2", "-"),
        ("/reset/9f8e7d6c5b4a39281706f5e4d3c2b1a0", "-"),
        ("/read/3?x=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "-"),
        ("/confirm?token=pw-reset-4711&step=2", "https://www.example.org/reset/9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        ("/files?api_key=AKIAIOSFODNN7EXAMPLE", "-"),
        ("/read/4", "https://www.example.org/app#access_token=fragmentsecret"),
        ("/read/5;jsessionid=SESS0011AABB", "-"),
        ("/read/6?PHPSESSID=sessphp778899&page=2", "-"),
        ("/profile/dora.doe@mail.example", "-"),
        ("/profile?contact=dora%40mail.example", "https://www.example.org/profile/dora.doe@mail.example"),
        ("/read/1", "https://www.google.com/search?q=secretillness"),
        ("/read/1", "https://intranet.example.net/secretpath?q=secretquery"),
        (ONE_READER, "-"),
    ];
    let mut lines: Vec<Line> = people(12);
    for (n, (target, referrer)) in (0_i64..).zip(visits) {
        let address = ["198.51.100.7", "2001:db8::7"][n as usize % 2];
        let [mut view, style] = page(MARCH + 2_000 + n * 60, address, target, referrer);
        view.agent = "Mozilla/5.0 (X11; Linux) Zaphodbrowser/42".to_owned();
        lines.extend([view.clone(), style.agent(&view.agent)]);
    }
    let named = get(MARCH + 5_000, "198.51.100.8", "/read/1").combined().replace(" - - [", " - erin.username [");
    let bad = "198.51.100.9 frank@mail.example dora.doe Zaphodbrowser secretpath\n";
    combined(&lines) + &named + &named.replace("/read/1", "/style.css") + bad
}

#[test]
fn ours_no_secret_is_in_any_output() {
    let folder = Folder::with_log(planted());
    let json = folder.ingest(&["access.log", "-o", "visits"]);
    // All of it is people reading: what is tested is not dropped before it could leak.
    assert_eq!(json.ledger().visits, 24 + 14 + 1, "{}", json.stdout);
    assert_eq!(json.ledger().bad("malformed"), 1);
    for ran in [
        json,
        folder.run(&["ingest", "access.log"]).ok(),
        folder.run(&["ingest", "access.log", "--memory", "4KiB", "-o", "visits"]).ok(),
        folder.run(&["ingest", "visits", "-o", "again"]).ok(),
    ] {
        ran.says_none_of(SECRETS);
        ran.says_none_of(&[ONE_READER, "diary"]);
    }
    for ran in [
        folder.run(&["urls", "visits", "--top", "1000"]).ok(),
        folder.run(&["urls", "visits", "again", "--format", "json", "--top", "1000"]).ok(),
    ] {
        ran.says_none_of(SECRETS);
    }
}

#[test]
fn ours_no_secret_is_in_the_visits() {
    let folder = Folder::with_log(planted());
    folder.ledger(&["-o", "visits"]);
    let visits = folder.path("visits");
    for file in files_below(&visits) {
        let bytes = fs::read(&file).unwrap();
        for secret in SECRETS {
            let found = bytes.windows(secret.len()).any(|w| w == secret.as_bytes());
            assert!(!found, "{} holds {secret:?}", file.display());
        }
    }
    let rows = rows(&visits);
    for row in &rows {
        let text = format!("{row:?}");
        SECRETS.iter().for_each(|secret| assert!(!text.contains(secret), "{secret:?} in {text}"));
    }
    // Nothing was hidden by losing it.
    assert!(rows.iter().any(|row| row.target.ends_with(ONE_READER)));
    assert!(rows.iter().any(|row| row.target.ends_with("/read/6?page=2")));
    assert!(rows.iter().any(|row| row.target.ends_with("/confirm?token=~token~&step=2")));
    assert!(rows.iter().any(|row| row.referrer.as_deref() == Some("https://intranet.example.net/")));
}

#[test]
fn ours_urls_that_held_a_token_are_counted_but_not_listed() {
    let folder = Folder::with_log(planted());
    folder.ledger(&["-o", "visits"]);
    let ran = folder.run(&["urls", "visits", "--top", "1000"]).ok();
    ran.says(&["not listed: ", "held a token"]);
    assert!(!ran.stdout.contains("~token~"), "{}", ran.stdout);
}

#[test]
fn ours_visits_are_private_and_nothing_is_left_lying_about() {
    let folder = Folder::with_log(planted());
    folder.ledger(&["-o", "visits", "--memory", "4KiB"]);
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("visits"), mode("visits/key")), (0o700, 0o600));
    let mut names: Vec<String> =
        fs::read_dir(folder.path("visits")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["about.json", "day=2024-03-01", "key"]);
    let files = files_below(&folder.path("visits"));
    assert_eq!(files.len(), 3, "{files:?}");
}

#[test]
fn ours_an_open_empty_folder_becomes_private() {
    let folder = Folder::with_log(planted());
    fs::create_dir(folder.path("visits")).unwrap();
    fs::set_permissions(folder.path("visits"), fs::Permissions::from_mode(0o755)).unwrap();
    folder.ledger(&["-o", "visits"]);
    assert_eq!(fs::metadata(folder.path("visits")).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn ours_scratch_files_go_where_they_are_told_and_disappear() {
    let folder = Folder::with_log(planted());
    fs::create_dir(folder.path("scratch")).unwrap();
    folder.ingest(&["access.log", "--memory", "4KiB", "--scratch", "scratch"]).says(&["scratch files"]);
    assert_eq!(fs::read_dir(folder.path("scratch")).unwrap().count(), 0);
    folder.try_ingest(&["access.log", "--memory", "4KiB", "--scratch", "nowhere"], &[]).failed(1).says(&["--scratch"]);
}

#[test]
fn ours_two_directories_cannot_be_joined_by_their_users() {
    let folder = Folder::with_log(planted());
    folder.ledger(&["-o", "one"]);
    folder.ledger(&["-o", "two"]);
    let users = |name: &str| -> Vec<i64> {
        let mut users: Vec<i64> = rows(&folder.path(name)).iter().filter_map(|row| row.user).collect();
        users.sort_unstable();
        users.dedup();
        users
    };
    let (one, two) = (users("one"), users("two"));
    assert_eq!(one.len(), two.len());
    assert!(one.iter().all(|user| !two.contains(user)));
    assert_ne!(fs::read(folder.path("one/key")).unwrap(), fs::read(folder.path("two/key")).unwrap());
}
