//! Many sites in a log, many models in a file.

use std::fs;

use serde_json::Value;

use crate::generate::Dice;
use crate::lines::{MARCH, get};
use crate::mining::shop::{count, fails, fed, site, text};
use crate::run::Folder;

const SITES: u32 = 50;

fn host(site: u32) -> String {
    format!("site{site:02}.example.com")
}

/// Every seventh has three users, the others six or more.
fn is_small(site: u32) -> bool {
    site.is_multiple_of(7)
}

fn log() -> String {
    let mut dice = Dice::new(3);
    let mut lines = Vec::new();
    for site in 0..SITES {
        let users = if is_small(site) { 3 } else { 6 + u64::from(site % 5) };
        for visit in 0..60 {
            let user = visit % users;
            let time = MARCH + dice.below(80_000).cast_signed();
            let path = match dice.below(4) {
                0 => "/".to_owned(),
                1 => "/about".to_owned(),
                _ => format!("/item/{}", dice.below(30)),
            };
            let line = get(time, &format!("198.51.{site}.{user}"), &path).from(&format!("https://{}/", host(site)));
            lines.push((time, format!("{}:443 {}", host(site), line.combined())));
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

fn mined() -> Folder {
    let folder = Folder::with_log(log());
    folder.run(&["mine", "access.log", "-o", "sites.model"]).ok();
    folder
}

fn large() -> Vec<String> {
    (0..SITES).filter(|site| !is_small(*site)).map(host).collect()
}

#[test]
fn ours_each_site_with_enough_users_has_a_line_by_name() {
    let folder = mined();
    let text = fs::read_to_string(folder.path("sites.model")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sites: Vec<&str> = lines.iter().map(|line| line["site"].as_str().unwrap()).collect();
    assert_eq!(sites, large());
    for (line, site) in text.lines().zip(&sites) {
        assert!(line.starts_with(&format!("{{\"trodden_model\":2,\"site\":\"{site}\",")), "{line}");
    }
    for site in (0..SITES).filter(|site| is_small(*site)).map(host) {
        assert!(!text.contains(&site), "{site} has three users");
    }
}

#[test]
fn ours_sites_with_few_users_are_left_out_and_counted() {
    let folder = Folder::with_log(log());
    let ran = folder.run(&["mine", "access.log"]).ok();
    ran.says(&["left out: 8 sites: fewer than 5 users", "42 sites, "]);
    ran.says_none_of(&["site00", "site07", "site49"]);
    let json = folder.run(&["mine", "access.log", "--format", "json"]).ok().json();
    assert_eq!(count(&json, "sites"), 42);
    let skipped = json["skipped"].as_object().unwrap();
    assert_eq!(skipped.values().map(|n| n.as_u64().unwrap()).collect::<Vec<_>>(), [8], "{json}");
    assert!(skipped.keys().all(|why| why.contains("fewer than 5 users")), "{json}");
    let json = folder.run(&["mine", "access.log", "--format", "json", "--min-users", "3"]).ok().json();
    assert_eq!((count(&json, "sites"), json["skipped"].as_object().unwrap().len()), (50, 0));
}

#[test]
fn ours_a_named_site_restricts() {
    let folder = mined();
    folder.ingest(&["access.log", "-o", "visits"]);
    let all = fs::read_to_string(folder.path("sites.model")).unwrap();
    let line = all.lines().find(|line| line.contains("\"site\":\"site05.example.com\"")).unwrap();
    for input in ["access.log", "visits"] {
        folder.run(&["mine", input, "--site", "https://site05.example.com", "-o", "one.model"]).ok();
        assert_eq!(fs::read_to_string(folder.path("one.model")).unwrap(), format!("{line}\n"), "{input}");
        // Too few users, and nobody.
        let few = ["mine", input, "--site", "https://site07.example.com"];
        fails(&folder, &few, &["1 left out", "fewer than 5 users", "no site could be mined"]);
        fails(&folder, &["mine", input, "--site", "https://nobody.example.com"], &["there are no visits"]);
    }
    let json = folder.run(&["patterns", "sites.model", "--site", "site05.example.com", "--format", "json"]).ok().json();
    assert_eq!(json.as_array().unwrap().len(), 1);
    let urls = folder.run(&["urls", "sites.model", "--site", "site05.example.com", "--format", "json"]).ok().json();
    let urls = urls.as_array().unwrap();
    assert!(!urls.is_empty() && urls.iter().all(|row| text(row, "site") == "site05.example.com"), "{urls:?}");
    let nobody = ["patterns", "sites.model", "--site", "nobody.example.com"];
    fails(&folder, &nobody, &["nobody.example.com", "site01.example.com", "37 more"]);
}

#[test]
fn ours_a_packed_file_is_the_same_in_less() {
    let folder = mined();
    folder.run(&["mine", "access.log", "-o", "sites.jsonl.zst"]).ok();
    let (plain, packed) =
        (fs::read(folder.path("sites.model")).unwrap(), fs::read(folder.path("sites.jsonl.zst")).unwrap());
    assert!(packed.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) && packed.len() * 3 < plain.len());
    for args in [
        &["patterns"][..],
        &["patterns", "--format", "json"],
        &["urls", "--format", "json"],
        &["patterns", "--format", "tree", "--site", "site08.example.com"],
    ] {
        let of = |model: &str| folder.run(&[&args[..1], &[model], &args[1..]].concat()).ok().stdout;
        assert_eq!(of("sites.jsonl.zst"), of("sites.model"), "{args:?}");
    }
    let json = folder.run(&["patterns", "sites.jsonl.zst", "--format", "json"]).ok().json();
    let sites: Vec<&str> = json.as_array().unwrap().iter().map(|s| text(s, "site")).collect();
    assert_eq!(sites, large());
    let url = "https://site09.example.com/item/7";
    assert_eq!(
        fed(&folder, &["score", "sites.jsonl.zst"], url).ok().stdout,
        fed(&folder, &["score", "sites.model"], url).ok().stdout
    );
    let explain = folder.run(&["explain", "sites.jsonl.zst", url]).ok().stdout;
    assert!(explain.contains("of site09.example.com ("), "{explain}");
}

#[test]
fn ours_models_concatenate_and_are_asked_together() {
    let folder = mined();
    let all = fs::read_to_string(folder.path("sites.model")).unwrap();
    let lines: Vec<&str> = all.split_inclusive('\n').collect();
    folder.write("a.model", lines[..10].concat());
    folder.write("b.model", lines[10..].concat());
    for args in [&["patterns", "--format", "json"][..], &["urls", "--format", "json", "--top", "500"], &["urls"]] {
        let whole = folder.run(&[args, &["sites.model"]].concat()).ok().stdout;
        assert_eq!(folder.run(&[args, &["a.model", "b.model"]].concat()).ok().stdout, whole, "{args:?}");
    }
    let urls: String = (0..SITES).map(|site| format!("https://{}/item/3\n", host(site))).collect();
    let whole = fed(&folder, &["score", "sites.model"], &urls).ok().stdout;
    assert_eq!(fed(&folder, &["score", "b.model", "a.model"], &urls).ok().stdout, whole);
    let without = whole.lines().filter(|line| line.starts_with("0\t-\t")).count();
    assert_eq!((whole.lines().count(), without), (50, 8));
}

#[test]
fn ours_the_most_visited_site_is_the_one_that_is_shown() {
    let mut text = log();
    for n in 0..300_i64 {
        let line = get(MARCH + n * 200, &format!("192.0.2.{}", n % 50), &format!("/much/read/{n}"));
        text += &format!("large.example.com:443 {}", line.combined());
    }
    let folder = Folder::with_log(text);
    let ran = folder.run(&["mine", "access.log", "-o", "sites.model"]).ok();
    assert!(ran.stdout.starts_with("large.example.com: 300 URLs, 300 visits"), "{}", ran.stdout);
    ran.says(&["43 sites, ", "the most visited site, large.example.com"]);
    assert_eq!(count(&site(&folder, &["sites.model", "--site", "large.example.com"]), "urls"), 300);
}
