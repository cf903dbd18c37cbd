//! `patterns`: documented names, ranks, and what fits a screen.

use unicode_width::UnicodeWidthChar;

use crate::lines::{Line, MARCH, get};
use crate::mining::shop::{SITE, count, mined, names, number, on_screen, patterns, shop, site, text};
use crate::run::Folder;

#[test]
fn ours_the_json_has_the_documented_names() {
    let folder = mined(&shop());
    let site = site(&folder, &["site.model"]);
    let mut expected = vec!["site", "urls", "visits", "trees", "patterns", "rounds", "residual", "tree", "heights"];
    expected.sort_unstable();
    assert_eq!(names(&site), expected);
    for trees in ["trees", "heights"] {
        assert_eq!(names(&site[trees]), ["syn", "tran", "visit"]);
    }
    let mut expected =
        vec!["id", "pattern", "urls", "visits", "referrals", "auth", "hub", "fetch", "discovery", "score"];
    expected.sort_unstable();
    for pattern in patterns(&site) {
        assert_eq!(names(pattern), expected);
    }
    // They mean what they say.
    assert_eq!(text(&site, "site"), "example.org");
    assert_eq!(count(&site["trees"], "tran"), patterns(&site).len() as u64);
    assert!(count(&site["trees"], "syn") >= count(&site["trees"], "visit"));
    assert!(count(&site["trees"], "visit") >= count(&site["trees"], "tran"));
    for name in ["urls", "visits"] {
        assert_eq!(patterns(&site).iter().map(|p| count(p, name)).sum::<u64>(), count(&site, name), "{name}");
    }
}

#[test]
fn cikm11_patterns_are_ranked_by_what_was_asked_for() {
    let folder = mined(&shop());
    let share = |of: &str, p: &serde_json::Value| count(p, of) as f64 / count(p, "urls") as f64;
    type Score<'s> = &'s dyn Fn(&serde_json::Value) -> f64;
    let expected: [(&str, &str, Score<'_>); 7] = [
        ("fetch", "behavior", &|p| number(p, "fetch")),
        ("fetch", "volume", &|p| count(p, "urls") as f64),
        ("fetch", "overall-visit", &|p| count(p, "visits") as f64),
        ("fetch", "average-visit", &|p| share("visits", p)),
        ("discovery", "behavior", &|p| number(p, "discovery")),
        ("discovery", "overall-referral", &|p| count(p, "referrals") as f64),
        ("discovery", "average-referral", &|p| share("referrals", p)),
    ];
    let mut orders = Vec::new();
    for (goal, by, score) in expected {
        let site = site(&folder, &["site.model", "--goal", goal, "--by", by]);
        let scores: Vec<f64> = patterns(&site).iter().map(|p| number(p, "score")).collect();
        assert!(scores.len() > 5 && scores.is_sorted_by(|a, b| a >= b), "{goal} {by}: {scores:?}");
        for pattern in patterns(&site) {
            let (told, due) = (number(pattern, "score"), score(pattern));
            assert!((told - due).abs() <= due.abs() * 1e-12, "{goal} {by}: {pattern}");
        }
        // The table has the same order.
        let table = on_screen(&folder, "300", &["patterns", "site.model", "--goal", goal, "--by", by]).ok().stdout;
        let ids: Vec<u64> = patterns(&site).iter().map(|p| count(p, "id")).collect();
        assert_eq!(ids_of(&table), ids, "{table}");
        orders.push(ids);
    }
    let ids = |args: &[&str]| -> Vec<u64> {
        let site = site(&folder, &[&["site.model"], args].concat());
        patterns(&site).iter().map(|p| count(p, "id")).collect()
    };
    assert_eq!(ids(&[]), ids(&["--by", "blend"]));
    assert_eq!(ids(&["--by", "expected"]), ids(&["--by", "blend"]));
    assert_ne!(ids(&[]), orders[0]);
    orders.sort();
    orders.dedup();
    assert!(orders.len() > 3, "they tell different things: {orders:?}");
}

/// The second column of a table's rows.
fn ids_of(table: &str) -> Vec<u64> {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        words.next()?.parse::<u64>().ok()?;
        words.next()?.parse().ok()
    };
    table.lines().filter_map(row).collect()
}

#[test]
fn ours_top_shows_the_first_and_counts_the_rest() {
    let folder = mined(&shop());
    let all = site(&folder, &["site.model"]);
    let first = site(&folder, &["site.model", "--top", "3"]);
    assert_eq!(patterns(&first), &patterns(&all)[..3]);
    let table = folder.run(&["patterns", "site.model", "--top", "3"]).ok().stdout;
    assert_eq!(ids_of(&table).len(), 3, "{table}");
    let rest = table.lines().find(|line| line.contains("all further patterns")).unwrap();
    let urls: u64 = patterns(&all)[3..].iter().map(|p| count(p, "urls")).sum();
    assert!(rest.split_whitespace().any(|word| word == urls.to_string()), "{rest}");
}

#[test]
fn ours_the_tree_draws_every_pattern_once() {
    let folder = mined(&shop());
    let site = site(&folder, &["site.model"]);
    let drawn = on_screen(&folder, "500", &["patterns", "site.model", "--format", "tree"]).ok().stdout;
    let mut expected: Vec<String> = patterns(&site)
        .iter()
        .map(|p| {
            let counted = |name: &str, one: &str| {
                let n = count(p, name);
                format!("{n} {one}{}", if n == 1 { "" } else { "s" })
            };
            format!("{} ({}, {})", text(p, "pattern"), counted("urls", "URL"), counted("visits", "visit"))
        })
        .collect();
    // Branches that do not split further; after the condition.
    let mut leaves: Vec<String> = drawn
        .lines()
        .filter(|line| line.contains("─ ") && !line.contains(": split "))
        .map(|line| line.rsplit_once(": ").unwrap().1.to_owned())
        .collect();
    expected.sort();
    leaves.sort();
    assert_eq!(leaves, expected, "{drawn}");
    assert!(expected.len() > 5);
}

/// Bytes above ASCII as a browser sends them.
fn encoded(path: &str) -> String {
    let byte = |b: u8| if b.is_ascii_graphic() { char::from(b).to_string() } else { format!("%{b:02X}") };
    path.bytes().map(byte).collect()
}

/// A site with long patterns of wide, combining, right-to-left and unruly characters.
fn wide() -> Folder {
    let mut lines: Vec<Line> = Vec::new();
    let parameters: String = (0..9).map(|n| format!("&parameter{n}name={n}")).collect();
    for reader in 0..30_i64 {
        let mut see = |path: &str| {
            let time = MARCH + lines.len() as i64 * 37;
            lines.push(get(time, &format!("192.0.2.{reader}"), &encoded(path)).from(&format!("{SITE}/")));
        };
        see("/");
        for n in 0..9 {
            see(&format!("/产品目录/手机全部分类列表/很长很长的名字在这里再写一遍/{}", n * 31 + reader));
            see(&format!("/list/of/many/things/with/a/long/way/{}?page={n}{parameters}", n * 31 + reader));
            see(&format!("/خرید/یخچال/{}", n * 7 + reader));
            see(&format!("/e\u{301}\u{302}te\u{301}/x{}", n * 7 + reader));
            see(&format!("/a\u{1b}[31mred/\u{202e}turned/{}", n * 7 + reader));
        }
    }
    let folder = mined(&lines);
    folder.run(&["mine", "access.log", "--tree", "syn", "-o", "syn.model"]).ok();
    folder
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().map(|c| c.width().unwrap_or(0)).sum()).max().unwrap_or(0)
}

#[test]
fn ours_tables_fit_the_columns_there_are() {
    for (folder, models) in [(wide(), &["site.model", "syn.model"][..]), (mined(&shop()), &["site.model"])] {
        for model in models {
            let on = |columns: &str| on_screen(&folder, columns, &["patterns", model]).ok().stdout;
            let (narrow, broad) = (on("80"), on("200"));
            assert!(widest(&narrow) <= 80, "{}: {narrow}", widest(&narrow));
            assert!(widest(&broad) <= 200, "{}: {broad}", widest(&broad));
            assert_eq!(ids_of(&narrow), ids_of(&broad));
            assert!(!ids_of(&narrow).is_empty(), "{narrow}");
            for text in [&narrow, &broad] {
                assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
            }
        }
        let mine = on_screen(&folder, "80", &["mine", "access.log"]).ok().stdout;
        assert!(widest(&mine) <= 80 && !ids_of(&mine).is_empty(), "{mine}");
    }
}

#[test]
fn ours_a_broad_screen_shows_more() {
    let folder = wide();
    let on = |columns: &str| on_screen(&folder, columns, &["patterns", "syn.model"]).ok().stdout;
    assert!(widest(&on("200")) > 100, "{}", on("200"));
    assert!(on("80").contains('…'), "{}", on("80"));
    assert!(on("80").contains("品") && on("400").contains("/产品目录/手机全部分类列表/"), "{}", on("400"));
}

#[test]
fn ours_what_does_not_serve_the_goal_is_refused_with_what_does() {
    let folder = mined(&shop());
    let urls = folder.path("urls.txt");
    std::fs::write(urls, "https://www.example.org/\n").unwrap();
    for command in [
        &["patterns", "site.model"][..],
        &["urls", "site.model"],
        &["score", "site.model", "--input", "urls.txt"],
        &["explain", "site.model", "/"],
    ] {
        for (goal, by, serving) in [
            ("discovery", "volume", "expected, behavior, overall-referral, average-referral"),
            ("discovery", "average-visit", "expected, behavior, overall-referral, average-referral"),
            ("fetch", "overall-referral", "blend, expected, url-visit, behavior, volume, overall-visit, average-visit"),
        ] {
            let ran = folder.run(&[command, &["--goal", goal, "--by", by]].concat()).failed(1);
            ran.says(&[&format!("--by {by}"), &format!("--goal {goal}"), serving]);
            assert_eq!(ran.stdout, "");
        }
        folder.run(&[command, &["--goal", "discovery", "--by", "overall-referral"]].concat()).ok();
    }
}
