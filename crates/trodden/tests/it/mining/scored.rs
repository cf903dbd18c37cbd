//! `score`: a line in, a line out.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::mining::shop::{SITE, count, fed, mined, number, patterns, shop, site, text};
use crate::run::Folder;

/// Scores as they are printed: score, pattern, URL.
#[track_caller]
fn scores(folder: &Folder, args: &[&str], input: &str) -> Vec<(String, String, String)> {
    let ran = fed(folder, &[&["score", "site.model"], args].concat(), input).ok();
    let row = |line: &str| {
        let mut fields = line.splitn(3, '\t').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_else(|| panic!("three fields: {line:?}"));
        (next(), next(), next())
    };
    ran.stdout.lines().map(row).collect()
}

/// URLs of all kinds: in patterns, uncovered, of other sites, none.
fn all_kinds() -> Vec<String> {
    let mut urls: Vec<String> = (0..40).map(|n| format!("{SITE}/product/{}/oak-lamp", 1_000 + n * 7)).collect();
    let others = [
        "https://www.example.org/",
        "http://example.org/about",
        "https://www.example.org/product/5/oak-lamp?colour=red",
        "https://www.example.org/never/seen/by/anyone/ever",
        "https://other.example/",
        "https://www.example.net/about",
        "no URL",
        "/about",
        "mailto:someone@example.org",
        "https://www.example.org/search?q=oak",
        "https://",
    ];
    urls.extend(others.map(str::to_owned));
    urls
}

#[test]
fn ours_every_url_has_a_line_in_its_place() {
    let folder = mined(&shop());
    let urls = all_kinds();
    // The end of the last line may be missing, and ends may be those of another system.
    for input in [urls.join("\n"), urls.join("\n") + "\n", urls.join("\r\n")] {
        let scores = scores(&folder, &[], &input);
        let told: Vec<&String> = scores.iter().map(|(_, _, url)| url).collect();
        assert_eq!(told, urls.iter().collect::<Vec<_>>());
        for (score, pattern, url) in &scores {
            let score: f64 = score.parse().unwrap();
            let sign = match url.as_str() {
                url if url.contains("other.example") || url.contains("example.net") => "-",
                "no URL" | "/about" | "https://" | "mailto:someone@example.org" => "-",
                url if url.contains("colour") || url.contains("never") => "~",
                _ => "",
            };
            match sign {
                "-" => assert_eq!((score, pattern.as_str()), (0.0, "-"), "{url}"),
                "~" => {
                    assert!(0.0 < score && score < 0.1, "{url}: {score}");
                    assert!(pattern.strip_prefix('~').is_some_and(|n| n.parse::<u32>().is_ok()), "{url}: {pattern}");
                }
                _ => assert!(score > 0.0 && pattern.parse::<u32>().is_ok(), "{url}: {score} {pattern}"),
            }
        }
    }
    let ran = fed(&folder, &["score", "site.model"], &urls.join("\n")).ok();
    ran.says(&["51 URLs: 43 in a pattern, 2 in none", "2 of sites without a model", "4 are no URLs"]);
}

#[test]
fn cikm11_a_url_scores_as_its_pattern() {
    let folder = mined(&shop());
    let rows = folder.run(&["urls", "site.model", "--format", "json", "--top", "1000"]).ok().json();
    let rows = rows.as_array().unwrap();
    let input: String = rows.iter().map(|row| format!("{}\n", text(row, "url"))).collect();
    let behavior = ["--goal", "discovery", "--by", "behavior"];
    for rank in [&["--by", "behavior"][..], &behavior, &["--by", "average-visit"], &["--by", "volume"]] {
        let site = site(&folder, &[&["site.model"], rank].concat());
        let of_pattern: BTreeMap<u64, f64> =
            patterns(&site).iter().map(|p| (count(p, "id"), number(p, "score"))).collect();
        let told = fed(&folder, &[&["score", "site.model", "--format", "json"], rank].concat(), &input).ok().stdout;
        let told: Vec<serde_json::Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let table = scores(&folder, rank, &input);
        assert_eq!((told.len(), table.len()), (rows.len(), rows.len()));
        for ((row, told), (score, pattern, url)) in rows.iter().zip(&told).zip(table) {
            assert_eq!(text(row, "url"), text(told, "url"));
            assert_eq!(count(row, "pattern_id"), count(told, "pattern"), "{told}");
            assert_eq!(number(told, "score"), of_pattern[&count(told, "pattern")], "{rank:?}: {told}");
            assert_eq!(pattern, count(told, "pattern").to_string(), "{url}");
            let (printed, exact) = (score.parse::<f64>().unwrap(), number(told, "score"));
            assert!((printed - exact).abs() <= exact * 1e-6, "{url}: {printed} {exact}");
            assert_eq!(url, text(told, "url"));
        }
    }
    assert!(rows.len() > 30);
}

#[test]
fn ours_the_first_column_is_the_visits_a_day_to_be_expected() {
    let folder = mined(&shop());
    let rows = folder.run(&["urls", "site.model", "--format", "json", "--top", "1000"]).ok().json();
    let rows = rows.as_array().unwrap();
    folder.write("urls.txt", rows.iter().map(|row| format!("{}\n", text(row, "url"))).collect::<String>());
    // What people type: the file behind the model.
    let ran = folder.run(&["score", "site.model", "urls.txt"]).ok();
    ran.says(&["the first column is visits a day"]);
    assert_eq!(ran.stdout.lines().count(), rows.len());
    for (line, row) in ran.stdout.lines().zip(rows) {
        let score: f64 = line.split('\t').next().unwrap().parse().unwrap();
        assert!((score - number(row, "score")).abs() <= score * 1e-6, "{line} {row}");
        // About what it had in the nine days of the log.
        let daily = count(row, "visits") as f64 / 9.0;
        assert!(score > daily * 0.4 && score < daily * 1.6, "{line}: {daily} a day");
    }
    // A page that the model does not name counts as those of its pattern that have no name.
    let unread = scores(&folder, &[], &format!("{SITE}/product/4711/never-seen\n"));
    assert!(unread[0].0.parse::<f64>().unwrap() > 0.0, "{unread:?}");
    assert!(unread[0].0.parse::<f64>().unwrap() < number(&rows[0], "score") / 10.0, "{unread:?}");
}

#[test]
fn ours_json_is_one_object_a_line() {
    let folder = mined(&shop());
    let input = "https://www.example.org/\nhttps://www.example.org/?new=1\nhttps://other.example/\n\"no URL\"\n";
    let told = fed(&folder, &["score", "site.model", "--format", "json"], input).ok().stdout;
    let told: Vec<serde_json::Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [covered, uncovered, elsewhere, none] = &told[..] else { panic!("{told:?}") };
    assert!(number(covered, "score") > 0.0 && covered["pattern"].is_u64() && covered["uncovered_at"].is_null());
    assert!(uncovered["pattern"].is_null() && uncovered["uncovered_at"].is_u64(), "{uncovered}");
    for nowhere in [elsewhere, none] {
        assert!(nowhere["pattern"].is_null() && nowhere["uncovered_at"].is_null(), "{nowhere}");
        assert_eq!(number(nowhere, "score"), 0.0);
    }
    assert_eq!(text(none, "url"), "\"no URL\"");
}

#[test]
fn ours_sorted_means_highest_first_and_nothing_lost() {
    let folder = mined(&shop());
    let input = all_kinds().join("\n");
    let plain = scores(&folder, &[], &input);
    let sorted = scores(&folder, &["--sort"], &input);
    let mut expected = plain.clone();
    // Equal scores stay in the order they came in.
    expected.sort_by(|a, b| b.0.parse::<f64>().unwrap().total_cmp(&a.0.parse().unwrap()));
    assert_eq!(sorted, expected);
    assert_ne!(sorted, plain);
}

#[test]
fn ours_urls_come_from_files_or_standard_input() {
    let folder = mined(&shop());
    folder.write("one.txt", "https://www.example.org/\n");
    folder.write("two.txt", "https://www.example.org/about\n");
    let told = scores(&folder, &["--input", "two.txt", "--input", "one.txt"], "https://www.example.org/c/rugs\n");
    let urls: Vec<&str> = told.iter().map(|(_, _, url)| url.as_str()).collect();
    assert_eq!(urls, ["https://www.example.org/about", "https://www.example.org/"]);
    let told = scores(&folder, &["--input", "-"], "https://www.example.org/c/rugs\n");
    assert_eq!(told.len(), 1);
    assert!(scores(&folder, &[], "").is_empty());
    folder.run(&["score", "site.model", "--input", "gone.txt"]).failed(1).says(&["gone.txt"]);
}

#[test]
fn ours_ways_to_write_a_url_score_alike() {
    let folder = mined(&shop());
    let ways = [
        "https://www.example.org/about",
        "http://example.org/about",
        "HTTPS://WWW.Example.ORG:443/about#team",
        "https://www.example.org/about?utm_source=mail&utm_medium=x",
    ];
    let told = scores(&folder, &[], &ways.join("\n"));
    assert!(told[0].0.parse::<f64>().unwrap() > 0.0, "{told:?}");
    assert!(told.iter().all(|(score, pattern, _)| (score, pattern) == (&told[0].0, &told[0].1)), "{told:?}");
}

/// Standard output as it is, which need not be text.
fn raw(folder: &Folder, args: &[&str], input: &[u8]) -> Vec<u8> {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder.path(""))
        .args(args)
        .write_stdin(input)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn ours_a_line_that_is_no_text_has_its_line_too() {
    let folder = mined(&shop());
    let input = b"https://www.example.org/about\nhttps://www.example.org/\xff\xfe\n\x80\nhttps://www.example.org/\n";
    for format in ["table", "json"] {
        for sort in [&[][..], &["--sort"]] {
            let told = raw(&folder, &[&["score", "site.model", "--format", format], sort].concat(), input);
            let lines = told.iter().filter(|b| **b == b'\n').count();
            assert_eq!(lines, 4, "{format}: {}", String::from_utf8_lossy(&told));
        }
    }
}

#[test]
fn ours_a_line_of_any_length_is_one_line() {
    let folder = mined(&shop());
    for length in [70_000, 200_000, 1_000_000] {
        let input = format!("https://www.example.org/{}\nhttps://www.example.org/about\n", "a".repeat(length));
        let told = scores(&folder, &[], &input);
        assert_eq!(told.len(), 2, "{length}: {:?}", told.iter().map(|(score, id, _)| (score, id)).collect::<Vec<_>>());
        assert_eq!((told[0].0.as_str(), told[0].1.as_str()), ("0", "-"));
        assert!(told[1].0.parse::<f64>().unwrap() > 0.0);
    }
}

/// Reads one byte of what is said and goes away: the exit status and what is said about it.
fn closed(folder: &Folder, args: &[&str], input: &[u8]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder.path(""))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // It may stop reading before the end.
            let _ = stdin.write_all(input);
        });
        stdout.read_exact(&mut [0]).unwrap();
        drop(stdout);
    });
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn ours_a_reader_that_goes_away_is_no_error() {
    let folder = mined(&shop());
    let many: String = (0..40_000).map(|n| format!("{SITE}/product/{n}/oak-lamp\n")).collect();
    for args in [
        &["score", "site.model"][..],
        &["score", "site.model", "--sort"],
        &["score", "site.model", "--format", "json"],
        &["score", "site.model", "--format", "json", "--sort"],
    ] {
        let (code, said) = closed(&folder, args, many.as_bytes());
        assert_eq!(code, Some(0), "{args:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("pipe"), "{args:?}: {said}");
    }
}
