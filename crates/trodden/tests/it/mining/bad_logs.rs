//! Logs that little or nothing can be learnt from.

use std::fmt::Write as _;
use std::fs;

use crate::generate::Dice;
use crate::lines::{Line, MARCH, combined, get};
use crate::mining::shop::{SITE, count, fails, fed, on_screen, patterns, site, text};
use crate::run::Folder;

/// `n` visits by nine people, a minute apart.
fn visits(n: i64, path: impl Fn(i64) -> String) -> Vec<Line> {
    (0..n).map(|i| get(MARCH + i * 61, &format!("192.0.2.{}", i % 9), &path(i))).collect()
}

/// Mines a log and asks for all that can be asked.
#[track_caller]
fn mined(lines: &[Line]) -> (Folder, serde_json::Value) {
    let folder = Folder::with_log(combined(lines));
    folder.run(&["mine", "access.log", "--site", SITE, "-o", "site.model"]).ok().says(&["\nso: "]);
    for args in [
        &["patterns", "site.model"][..],
        &["patterns", "site.model", "--format", "tree"],
        &["urls", "site.model"],
        &["explain", "site.model", "/"],
        &["quality", "site.model", "access.log", "--site", SITE],
    ] {
        on_screen(&folder, "80", args).ok().says_none_of(&["panicked"]);
    }
    let site = site(&folder, &["site.model"]);
    (folder, site)
}

#[test]
fn ours_a_site_of_one_url_has_one_pattern() {
    let (folder, site) = mined(&visits(20, |_| "/only".to_owned()));
    let [pattern] = patterns(&site) else { panic!("{site}") };
    assert_eq!((text(pattern, "pattern"), count(pattern, "urls"), count(pattern, "visits")), ("/only", 1, 9));
    let urls = folder.run(&["urls", "site.model", "--format", "json"]).ok().json();
    assert_eq!(text(&urls[0], "url"), format!("{SITE}/only"));
    let scores = fed(&folder, &["score", "site.model"], &format!("{SITE}/only\n{SITE}/other\n")).ok().stdout;
    let [one, other] = scores.lines().collect::<Vec<_>>()[..] else { panic!("{scores}") };
    let score = |line: &str| line.split('\t').next().unwrap().parse::<f64>().unwrap();
    assert!(score(one) > 1.5 * score(other) && other.contains("\t~0\t"), "{scores}");
}

#[test]
fn ours_urls_that_are_all_different_have_few_patterns() {
    // Nothing is asked for twice, and hardly any word is the same.
    let word = |n: i64| -> String {
        let mut dice = Dice::new(n.cast_unsigned());
        (0..7).map(|_| char::from(b'a' + dice.below(26) as u8)).collect()
    };
    let (folder, site) = mined(&visits(900, |n| format!("/{}/{}-{}", word(n), word(n + 7_000), word(n + 90_000))));
    assert!(count(&site, "urls") > 890 && patterns(&site).len() < 20, "{site}");
    let urls = folder.run(&["urls", "site.model", "--format", "json"]).ok().json();
    assert_eq!(urls, serde_json::json!([]), "nobody else saw them");
}

#[test]
fn ours_a_log_without_visits_is_said_in_a_sentence() {
    let failed: Vec<Line> = visits(50, |n| format!("/page/{n}")).into_iter().map(|line| line.status(404)).collect();
    let assets = visits(30, |n| format!("/style{n}.css"));
    for (name, log) in [
        ("failed.log", combined(&failed)),
        ("assets.log", combined(&assets)),
        ("empty.log", String::new()),
        ("blank.log", "\n\n\n".to_owned()),
    ] {
        let folder = Folder::new();
        folder.write(name, log);
        let kept = "{\"trodden_model\":1,\"kept\":true}";
        folder.write("old.model", kept);
        let args = ["mine", name, "--site", SITE, "-o", "old.model"];
        fails(&folder, &args, &["there are no visits in", name]);
        fails(&folder, &[&args[..], &["--format", "json"]].concat(), &["there are no visits in", name]);
        assert_eq!(fs::read_to_string(folder.path("old.model")).unwrap(), kept);
        let names = fs::read_dir(folder.path("")).unwrap().count();
        assert_eq!(names, 2, "nothing is left lying about");
    }
}

#[test]
fn ours_thousands_of_parameters_are_no_more_than_a_few() {
    // Five thousand names in a log, and five hundred in a URL.
    let (_, site) = mined(&visits(5_000, |n| format!("/list?key{n}=1&page={}", n % 7)));
    assert_eq!(count(&site, "urls"), 5_000);
    let longest = patterns(&site).iter().map(|p| text(p, "pattern").len()).max().unwrap();
    assert!(patterns(&site).len() < 20 && longest < 100, "{site}");
    let many: String = (0..500).fold(String::new(), |mut text, n| {
        let _ = write!(text, "&k{n}={n}");
        text
    });
    let (folder, site) = mined(&visits(60, |n| format!("/list?page={n}{many}")));
    assert_eq!(count(&site, "urls"), 60);
    let table = on_screen(&folder, "80", &["patterns", "site.model"]).ok().stdout;
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

#[test]
fn ours_values_of_two_thousand_bytes_are_values() {
    let long = "abc-".repeat(500);
    let in_query = |n: i64| format!("/find?q={long}{n}");
    let in_path = |n: i64| format!("/p/{long}{n}/x");
    let places: [&dyn Fn(i64) -> String; 2] = [&in_query, &in_path];
    for path in places {
        let (folder, site) = mined(&visits(60, path));
        assert_eq!((count(&site, "urls"), count(&site, "visits")), (60, 60), "{site}");
        let model = fs::metadata(folder.path("site.model")).unwrap().len();
        assert!(model < 20_000, "it has no long values: {model} bytes");
        let known = fed(&folder, &["score", "site.model"], &format!("{SITE}{}\n", path(999))).ok().stdout;
        assert!(!known.starts_with("0\t"), "a new one like them: {known}");
    }
}

#[test]
fn ours_what_cannot_be_written_is_said_and_leaves_nothing() {
    let folder = Folder::with_log(combined(&visits(40, |n| format!("/page/{}", n % 5))));
    fs::create_dir(folder.path("folder")).unwrap();
    for place in ["nowhere/site.model", "folder", "folder/.."] {
        fails(&folder, &["mine", "access.log", "--site", SITE, "-o", place], &[place.split('/').next().unwrap()]);
    }
    let mut names: Vec<String> =
        fs::read_dir(folder.path("")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["access.log", "folder"]);
}

#[test]
fn ours_what_is_no_log_is_said() {
    let folder = Folder::with_log(combined(&visits(40, |n| format!("/page/{}", n % 5))));
    folder.run(&["mine", "access.log", "--site", SITE, "-o", "site.model"]).ok();
    fails(&folder, &["mine", "gone.log"], &["gone.log"]);
    fails(&folder, &["mine", "site.model"], &["site.model"]);
    folder.ledger(&["--site", SITE, "-o", "visits"]);
    fails(&folder, &["mine", "visits", "access.log"], &["mixed"]);
    folder.run(&["mine"]).failed(2).says(&["Usage"]);
}
