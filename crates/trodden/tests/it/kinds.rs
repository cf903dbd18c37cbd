//! A file that is not what was wanted is named for what it is, with what to do.

use std::fs;
use std::os::unix::fs::symlink;

use crate::lines::{combined, people};
use crate::packed::gzip;
use crate::run::Folder;

const PDF: &[u8] = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n";
const DATABASE: &[u8] = b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20GET /secret-table HTTP/1.1\0\0\n";
const IMAGE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\n";
const PAGE: &str =
    "<!DOCTYPE html>\n<html><head><title>Log of a year</title></head>\n<body><p>text</p></body></html>\n";

fn folder() -> Folder {
    let folder = Folder::with_log(combined(&people(40)));
    folder.run(&["mine", "access.log", "-o", "site.model"]).ok();
    folder.ledger(&["-o", "visits"]);
    folder.write("page.html", PAGE);
    folder.write("empty.log", "");
    folder.write("paper.pdf", PDF);
    folder
}

/// Fails with these words in its last line.
#[track_caller]
fn fails(folder: &Folder, args: &[&str], words: &[&str]) {
    let ran = folder.run(args).failed(1);
    let last = ran.stderr.lines().last().unwrap_or_default();
    for word in words {
        assert!(last.contains(word), "{args:?} lacks {word:?}: {}", ran.stderr);
    }
    assert_eq!(ran.stdout, "", "{args:?}");
    assert!(ran.stderr.lines().count() <= 3, "{args:?}: {}", ran.stderr);
}

#[test]
fn ours_a_log_in_place_of_a_model_is_told_how_to_become_one() {
    let folder = folder();
    folder.write("packed.log.zst", zstd::encode_all(combined(&people(40)).as_bytes(), 1).unwrap());
    folder.write("packed.log.gz", gzip(combined(&people(40)).as_bytes()));
    for (file, what) in [
        ("access.log", "is a log (combined)"),
        ("packed.log.zst", "is a log (combined)"),
        ("packed.log.gz", "is a log (combined)"),
        ("visits", "holds visits"),
        ("page.html", "is an HTML page"),
        ("paper.pdf", "is a PDF document"),
    ] {
        for args in [
            &["patterns", file][..],
            &["urls", file],
            &["score", file],
            &["explain", file, "https://www.example.org/"],
            &["quality", file, "access.log"],
        ] {
            // Visits have URLs of their own.
            if args != ["urls", "visits"] {
                fails(&folder, args, &[file, what, "trodden mine", "-o site.model"]);
            }
        }
    }
    fails(&folder, &["patterns", "access.log"], &["trodden mine access.log -o site.model"]);
    fails(&folder, &["urls", "empty.log"], &["empty.log", "neither a model nor visits"]);
}

#[test]
fn ours_what_is_no_log_is_named_where_one_is_wanted() {
    let folder = folder();
    folder.write("logs.tar.gz", gzip(&[&b"access.log"[..], &[0; 247], b"ustar\x0000", &[0; 500]].concat()));
    for (file, words) in [
        ("site.model", &["site.model is a model already", "trodden patterns site.model"][..]),
        ("page.html", &["page.html is no log", "an HTML page"]),
        ("paper.pdf", &["paper.pdf is no log", "a PDF document"]),
        ("logs.tar.gz", &["logs.tar.gz", "a tar archive", "unpack"]),
    ] {
        fails(&folder, &["mine", file], words);
        fails(&folder, &["ingest", file], words);
        fails(&folder, &["quality", "site.model", file], words);
        fails(&folder, &["simulate", "visits", "--log", file], words);
    }
    fails(&folder, &["mine", "empty.log"], &["no visits in empty.log", "not a line"]);
    // Beside a log each costs an entry, and is named.
    let ran = folder.ingest(&["access.log", "paper.pdf", "site.model"]);
    ran.says(&["paper.pdf: a PDF document, left out", "site.model: a model, left out"]);
    let alone = folder.ledger(&[]);
    assert_eq!((ran.ledger().visits, ran.ledger().bad("unknown-format")), (alone.visits, 2));
    assert_eq!(ran.json()["formats"][1]["kind"], "a PDF document");
}

#[test]
fn ours_json_with_other_keys_is_told_what_to_type_and_that_works() {
    let folder = Folder::new();
    let line = |n: i64| {
        format!(
            r#"{{"when":"2024-03-01T00:{:02}:00Z","peer":"192.0.2.{n}","call":{{"page":"https://www.example.org/a/{}"}},"browser":"Mozilla/5.0 Firefox/140.0"}}"#,
            n,
            n % 3
        ) + "\n"
    };
    folder.write("app.log", (0..30).map(line).collect::<String>());
    for command in ["ingest", "mine"] {
        fails(&folder, &[command, "app.log"], &["app.log", "JSON", "call.page", "peer", "--field target=call.page"]);
    }
    let said = folder.run(&["ingest", "app.log"]).failed(1).stderr;
    let fields = said.lines().last().unwrap().split_once("as in ").unwrap().1.to_owned();
    let args: Vec<&str> = ["app.log"].into_iter().chain(fields.split_whitespace()).collect();
    assert!(
        args.contains(&"time=when") && args.contains(&"address=peer") && args.contains(&"agent=browser"),
        "{args:?}"
    );
    let ledger = folder.ingest(&args).ledger();
    assert_eq!((ledger.visits, ledger.users, ledger.urls), (30, 30, 3));
    folder.write("list.json", format!("[\n{}\n]\n", line(1).trim_end()));
    fails(&folder, &["ingest", "list.json"], &["list.json", "a JSON document", "jq"]);
}

#[test]
fn ours_other_files_in_a_folder_of_logs_are_passed_over_in_one_line() {
    let folder = folder();
    let alone = folder.ledger(&[]);
    folder.write("logs/access.log", combined(&people(40)));
    for (name, bytes) in [("a.pdf", PDF), ("visits.db", DATABASE), ("logo.png", IMAGE), ("page.html", PAGE.as_bytes())]
    {
        folder.write(&format!("logs/{name}"), bytes);
    }
    fs::copy(folder.path("site.model"), folder.path("logs/site.model")).unwrap();
    folder.write("logs/README", "These are the logs of the server.\nAsk Ann for more.\n");
    folder.write("logs/empty.log", "");
    let ran = folder.ingest(&["logs"]);
    assert_eq!(ran.ledger(), alone);
    let said: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("passed over")).collect();
    let [line] = said[..] else { panic!("{}", ran.stderr) };
    for word in ["6 files", "logs/README", "logs/a.pdf (a PDF document)", "logs/logo.png (an image)", "1 more"] {
        assert!(line.contains(word), "{line}");
    }
    ran.says_none_of(&["secret-table", "Ask Ann"]);
    folder.run(&["mine", "logs"]).ok().says(&["passed over: 6 files"]);
    // A format that was named does not make a log of them.
    assert_eq!(folder.ingest(&["logs", "--log-format", "combined"]).ledger(), alone);
    fs::remove_file(folder.path("logs/access.log")).unwrap();
    fs::remove_file(folder.path("logs/empty.log")).unwrap();
    fails(&folder, &["ingest", "logs"], &["logs/a.pdf is no log", "logs/README"]);
}

#[test]
fn ours_a_piece_of_a_log_in_a_folder_is_read_like_the_piece_before_it() {
    let folder = Folder::new();
    folder.write("logs/1.csv", "time,target\n1700000000,http://www.example.org/a\n");
    folder.write("logs/2.csv", "1700000001,http://www.example.org/b\n");
    folder.write("logs/3.txt", "to whom it may concern\n");
    let ran = folder.ingest(&["logs"]);
    assert_eq!((ran.ledger().visits, ran.ledger().bad.len()), (2, 0));
    ran.says(&["passed over: 1 file that is no log: logs/3.txt"]);
}

#[test]
fn ours_links_that_lead_nowhere_cost_an_entry_each() {
    let folder = folder();
    let alone = folder.ledger(&[]);
    folder.write("logs/access.log", combined(&people(40)));
    symlink("gone.log", folder.path("logs/dangling.log")).unwrap();
    symlink(".", folder.path("logs/loop")).unwrap();
    let ran = folder.ingest(&["logs"]);
    let ledger = ran.ledger();
    assert_eq!((ledger.visits, ledger.lines, ledger.bad("unreadable-file")), (alone.visits, alone.lines + 2, 2));
    assert_eq!(ledger.lines_of("unreadable-file", "logs/dangling.log"), [1]);
    assert_eq!(ledger.lines_of("unreadable-file", "logs/loop"), [1]);
    ran.says(&["cannot be read, left out"]);
    assert_eq!(folder.ingest(&["logs/*.log"]).ledger().bad("unreadable-file"), 1);
    folder.run(&["mine", "logs"]).ok().says(&["unreadable-file 2 (logs/dangling.log:1)"]);
    folder.run(&["simulate", "visits", "--log", "logs", "--policy", "blend"]).ok();
    // One that is named must be there.
    folder.try_ingest(&["logs/dangling.log"], &[]).failed(1).says(&["logs/dangling.log"]);
}

#[test]
fn ours_mining_says_what_could_not_be_read_and_what_was_dropped() {
    let folder = Folder::with_log(combined(&people(40)) + "no line of any log\n\n");
    let packed = gzip(combined(&people(2_000)).as_bytes());
    folder.write("cut.log.gz", &packed[..packed.len() / 2]);
    let ledger = folder.ledger(&["cut.log.gz"]);
    let ran = folder.run(&["mine", "access.log", "cut.log.gz"]).ok();
    let said: Vec<&str> = ran.stderr.lines().filter(|line| line.contains(" lines are ")).collect();
    let [line] = said[..] else { panic!("{}", ran.stderr) };
    for word in [
        "dropped 5",
        "asset 5",
        "could not be read: 3 (",
        "malformed 1 (access.log:161)",
        "blank 1 (access.log:162)",
        &format!("truncated-file 1 (cut.log.gz:{})", ledger.lines_of("truncated-file", "cut.log.gz")[0]),
    ] {
        assert!(line.contains(word), "{word}: {line}");
    }
    // A log without such lines is not burdened with words.
    let clean = Folder::with_log(combined(&people(40))).run(&["mine", "access.log"]).ok();
    assert!(!clean.stderr.contains("could not be read"), "{}", clean.stderr);
}
