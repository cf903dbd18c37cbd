//! A model names nothing that fewer than five users visited, nothing that looks like a secret, and nobody.
//!
//! A log with planted secrets is mined. Then the model and all that is said of it are searched for them; with
//! `--min-users 0` they are found, so that the search is known to work.

use std::fs;

use serde_json::Value;

use crate::lines::{Line, MARCH, combined, get, vhost};
use crate::mining::shop::SITE;
use crate::run::{Folder, Ran};

/// What four people visited, often or seldom, wherever a URL can hold it.
const RARE: &[&str] = &[
    "clinic",      // a path value with many URLs
    "oncology",    // a page
    "psychiatry",  // a page that they came to so often that it would be a leaf of its own
    "zoltan",      // a word among words
    "anna-",       // a word inside a shape
    "gwendolyn",   // the same behind a number
    "hortensia",   // the same between two
    "zqx",         // an extension
    "ward",        // a parameter's name
    "secretorder", // a parameter's value
    "bertram",     // a word inside the shape of one
    "Umläut",      // a value that is percent-encoded
    "soloist",     // a path value of one user with many visits
    "solokey",     // a parameter of the same
];

/// What looks like a secret, though many visited it.
const TOKENS: &[&str] = &[
    "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
    "eyJhbGciOiJIUzI1NiJ9",
    "shortpw1",
    "dora.doe",
    "dora%40",
    "mail.example",
    "SESS0011AABB",
];

/// Who visited.
const PEOPLE: &[&str] = &["192.0.2.", "198.51.100.", "erin.username", "Zaphodbrowser"];

/// What exactly five visited.
const NAMED: &str = "quincunx";

struct Planted {
    lines: Vec<Line>,
}

impl Planted {
    fn see(&mut self, user: u64, path: &str, referrer: &str) {
        let time = MARCH + self.lines.len() as i64 * 41;
        let mut line = get(time, &format!("192.0.2.{user}"), path).via(referrer);
        if user == 3 {
            line.address = "198.51.100.3".to_owned();
            line.agent = "Mozilla/5.0 (X11; Linux) Zaphodbrowser/42".to_owned();
        }
        self.lines.push(line);
    }
}

/// The log.
fn planted() -> Vec<Line> {
    let mut log = Planted { lines: Vec::new() };
    for user in 0..40 {
        log.see(user, "/", "/");
        log.see(user, "/about", "/");
        for n in 0..8 {
            log.see(user, &format!("/product/{}", (user * 7 + n * 13) % 40), "/");
        }
        for n in 0..3 {
            log.see(user, &format!("/find?who=common-{}", n * 4 + user), "/");
            log.see(user, &format!("/doc/{}.html", n * 41 + user), "/");
        }
        let sort = ["name", "price"][user as usize % 2];
        log.see(user, &format!("/list?sort={sort}&page={}", user % 9), "/");
        for path in [
            "/reset/9f8e7d6c5b4a39281706f5e4d3c2b1a0",
            "/go?x=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "/go?password=shortpw1",
            "/mail/dora.doe@mail.example",
            "/mail?to=dora%40mail.example",
            "/about;jsessionid=SESS0011AABB",
        ] {
            log.see(user, path, "/");
        }
    }
    for user in 0..4 {
        for n in 0..12 {
            let own = n * 4 + user;
            for path in [
                format!("/clinic/{own}"),
                format!("/people/anna-{own}"),
                format!("/doc/{own}-gwendolyn.html"),
                format!("/x{user}-hortensia-{n}/y"),
                format!("/doc/{own}.zqx"),
                format!("/list?page={n}&ward={user}"),
                format!("/list?sort=secretorder&page={own}"),
                format!("/find?who=bertram-{own}"),
                format!("/Uml%C3%A4ut/{own}"),
                "/oncology".to_owned(),
            ] {
                log.see(user, &path, "/");
            }
            log.see(user, "/psychiatry", &format!("/product/{}", (user * 7 + n * 13) % 40));
        }
        log.see(user, "/team/zoltan-the-great", "/");
    }
    for n in 0..40 {
        log.see(9, &format!("/soloist/{n}"), "/");
        log.see(9, &format!("/product/{n}?solokey={n}"), "/");
    }
    for user in 0..5 {
        log.see(user, &format!("/five/{NAMED}"), "/");
    }
    log.lines
}

/// The log as text; one of its users has a name.
fn text() -> String {
    combined(&planted())
        .lines()
        .map(|line| match line.starts_with("192.0.2.7 ") {
            true => line.replacen(" - - [", " - erin.username [", 1) + "\n",
            false => format!("{line}\n"),
        })
        .collect()
}

/// All texts that must not occur, also as a URL would write them.
fn forbidden() -> Vec<&'static str> {
    let mut all = [RARE, TOKENS, PEOPLE].concat();
    all.extend(["Uml%C3%A4ut", "Uml"]);
    all
}

/// Everything that is said of a model.
fn said(folder: &Folder, model: &str) -> Vec<Ran> {
    let runs: [&[&str]; 12] = [
        &["patterns", model],
        &["patterns", model, "--format", "tree"],
        &["patterns", model, "--format", "json"],
        &["patterns", model, "--goal", "discovery", "--by", "average-referral"],
        &["urls", model, "--top", "9999"],
        &["urls", model, "--top", "9999", "--format", "json", "--min-users", "1"],
        &["urls", model, "--top", "9999", "--format", "sitemap"],
        &["explain", model, "https://www.example.org/about"],
        &["explain", model, "https://www.example.org/product/7", "--format", "json"],
        &["explain", model, "https://www.example.org/list?page=1&new=2"],
        &["quality", model, "access.log"],
        &["quality", model, "access.log", "--format", "json"],
    ];
    runs.iter().map(|args| folder.run(args).ok()).collect()
}

#[test]
fn ours_no_model_and_nothing_said_of_it_holds_a_secret() {
    let folder = Folder::with_log(text());
    // All of it is people reading: what is tested is not dropped before it could leak.
    assert_eq!(folder.ledger(&["-o", "visits"]).visits, planted().len() as u64);
    let mut runs = vec![
        folder.run(&["mine", "access.log", "-o", "log.model"]).ok(),
        folder.run(&["mine", "visits", "-o", "visits.model", "--format", "json"]).ok(),
    ];
    for tree in ["syn", "visit", "tran"] {
        runs.push(folder.run(&["mine", "visits", "--tree", tree, "-o", &format!("{tree}.model")]).ok());
    }
    for model in ["log.model", "visits.model", "syn.model", "visit.model", "tran.model"] {
        let line = fs::read_to_string(folder.path(model)).unwrap();
        for secret in forbidden() {
            assert!(!line.contains(secret), "{model} holds {secret:?}: {line}");
        }
        assert!(line.contains("\"product\"") && line.contains(NAMED), "{line}");
    }
    runs.extend(said(&folder, "syn.model"));
    runs.extend(said(&folder, "log.model"));
    for ran in runs {
        ran.says_none_of(&forbidden());
    }
}

#[test]
fn ours_the_same_search_finds_what_is_named_without_a_floor() {
    let folder = Folder::with_log(text());
    folder.run(&["mine", "access.log", "--min-users", "0", "-o", "open.model", "--tree", "syn"]).ok();
    let line = fs::read_to_string(folder.path("open.model")).unwrap();
    for rare in RARE {
        assert!(line.contains(rare), "{rare} is nowhere: {line}");
    }
    let all: String = said(&folder, "open.model").iter().map(|ran| ran.stdout.clone()).collect();
    for rare in RARE.iter().filter(|rare| !rare.contains('ä')) {
        assert!(all.contains(rare), "{rare} is never said");
    }
    // What looks like a secret is not even in the visits.
    for secret in [TOKENS, PEOPLE].concat() {
        assert!(!line.contains(secret) && !all.contains(secret), "{secret}");
    }
}

#[test]
fn ours_five_users_are_enough_and_four_are_not() {
    for readers in 3..8_u64 {
        let mut log = Planted { lines: planted() };
        for user in 0..readers {
            for n in 0..20 {
                log.see(user + 20, &format!("/borderline/{n}"), "/");
                log.see(user + 20, &format!("/list?borderkey={n}"), "/");
            }
        }
        let folder = Folder::with_log(combined(&log.lines));
        folder.run(&["mine", "access.log", "-o", "five.model", "--tree", "syn"]).ok();
        folder.run(&["mine", "access.log", "-o", "seven.model", "--tree", "syn", "--min-users", "7"]).ok();
        for (model, floor) in [("five.model", 5), ("seven.model", 7)] {
            let line = fs::read_to_string(folder.path(model)).unwrap();
            for word in ["borderline", "borderkey"] {
                assert_eq!(line.contains(word), readers >= floor, "{word} of {readers} users, floor {floor}");
            }
        }
    }
}

#[test]
fn ours_the_setting_and_the_flag_are_the_same_floor() {
    let folder = Folder::with_log(text());
    let model = |args: &[&str]| {
        folder.run(&[&["mine", "access.log", "-o", "out.model"], args].concat()).ok();
        fs::read_to_string(folder.path("out.model")).unwrap()
    };
    assert_eq!(model(&["--set", "privacy.min_users=9"]), model(&["--min-users", "9"]));
    assert!(!model(&["--min-users", "9"]).contains(NAMED));
    assert_eq!(model(&["--min-users", "5"]), model(&[]));
}

#[test]
fn ours_whole_urls_are_named_by_their_own_readers() {
    let folder = Folder::with_log(text());
    folder.run(&["mine", "access.log", "-o", "site.model"]).ok();
    let model: Value = serde_json::from_str(&fs::read_to_string(folder.path("site.model")).unwrap()).unwrap();
    let urls = model["urls"].as_array().unwrap();
    assert!(urls.len() > 20, "{urls:?}");
    for url in urls {
        assert!(url["users"].as_u64().unwrap() >= 5, "{url}");
        assert!(!url["url"].as_str().unwrap().contains('~'), "a token was removed: {url}");
    }
    let named: Vec<&str> = urls.iter().map(|url| url["url"].as_str().unwrap()).collect();
    // Pages with a leaf of their own are among them.
    let pages: Vec<&str> =
        model["nodes"].as_array().unwrap().iter().filter_map(|node| node["way"]["page"].as_str()).collect();
    assert!(pages.contains(&"example.org/") && pages.iter().all(|page| named.contains(page)), "{pages:?}");
    let visits = folder.run(&["urls", "site.model", "--format", "json", "--top", "9999"]).ok().json();
    assert!(visits.as_array().unwrap().iter().all(|row| row["url"].as_str().unwrap().starts_with(SITE)));
}

#[test]
fn ours_hosts_of_a_domain_need_their_readers_too() {
    let mut lines = Vec::new();
    for n in 0..400_i64 {
        let host = ["www.example.org", "shop.example.org"][(n % 2) as usize];
        lines.push(get(MARCH + n * 50, &format!("192.0.2.{}", n % 40), &format!("/i/{}", n % 30)).host(host));
        if n % 4 == 0 {
            let address = format!("192.0.2.{}", n / 4 % 4);
            let line = get(MARCH + n * 50 + 20, &address, &format!("/i/{}", n % 30));
            lines.push(line.host("hiddenstage.example.org"));
        }
    }
    let folder = Folder::with_log(vhost(&lines));
    for (floor, found) in [("5", false), ("0", true)] {
        let args = ["mine", "access.log", "--site-by", "domain", "--min-users", floor, "-o", "site.model"];
        let ran = folder.run(&args).ok();
        let line = fs::read_to_string(folder.path("site.model")).unwrap();
        assert_eq!(line.lines().count(), 1);
        assert_eq!(line.contains("hiddenstage"), found, "{line}");
        assert!(line.contains("https://shop.example.org"), "{line}");
        if !found {
            ran.says_none_of(&["hiddenstage"]);
        }
    }
}
