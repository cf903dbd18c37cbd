//! How good are the patterns of a model on a later log?
//!
//! A shop of a hundred items and a hundred articles is learnt in March; April to June bring items that fit and a kind of
//! page that was not there.

use std::fmt::Write as _;

use crate::lines::{DAY, MARCH, get, page};
use crate::run::{Folder, Ran};

/// March: every item twice, every article once, by six people who come from nowhere.
fn march() -> String {
    let mut log = String::new();
    for n in 0..100_i64 {
        for (visit, target) in
            [format!("/item/{n}"), format!("/item/{n}"), format!("/article/{n}/read")].iter().enumerate()
        {
            let visit = i64::try_from(visit).unwrap();
            let address = format!("192.0.2.{}", (n + visit) % 6);
            let line = get(MARCH + n % 25 * DAY + n * 600 + visit * 120, &address, target);
            log.push_str(&line.combined());
        }
    }
    log
}

/// April to June: the day, the target.
const LATER: [(i64, &str); 8] = [
    (31, "/item/500"),
    (32, "/item/500"),
    (33, "/article/7/read"),
    (61, "/item/500"),
    (62, "/video/some-film.html"),
    (92, "/item/3"),
    (93, "/video/some-film.html"),
    (94, "/video/some-film.html"),
];

fn later() -> String {
    let mut log = String::new();
    for (number, (day, target)) in (0_i64..).zip(LATER) {
        // A person's browser loads the stylesheet too, and no two come at the same minute.
        let lines = page(MARCH + day * DAY + 3_600 + number * 777, &format!("192.0.2.{number}"), target, "-");
        lines.iter().for_each(|line| log.push_str(&line.combined()));
    }
    log
}

const SITE: [&str; 2] = ["--site", "https://www.example.org"];

#[track_caller]
fn quality(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&["quality", "model"], args, &SITE].concat()).ok()
}

fn learnt() -> Folder {
    let folder = Folder::new();
    folder.write("march.log", march());
    folder.write("later.log", later());
    folder.run(&[&["mine", "march.log", "-o", "model"], &SITE[..]].concat()).ok();
    folder
}

#[test]
fn cikm11_coverage_and_months_come_out_as_computed_by_hand() {
    let json = quality(&learnt(), &["later.log", "--format", "json"]).json();
    let site = &json["sites"][0];
    assert_eq!(site["site"], "example.org");
    assert_eq!((&site["urls"], &site["visits"]), (&4.into(), &8.into()));
    assert_eq!((&site["judged_by"], &site["left_out_as_training"]), (&"later".into(), &0.into()));
    for tree in ["syn", "visit", "tran"] {
        let tree = &site["trees"][tree];
        assert_eq!((&tree["url_coverage"], &tree["traffic_coverage"]), (&0.75.into(), &0.625.into()), "{tree}");
        assert!(tree["divergence"].as_f64().is_some_and(|d| (0.0..1.0).contains(&d)), "{tree}");
        assert!(tree["leaves"].as_u64().is_some_and(|n| n >= 1), "{tree}");
    }
    assert_eq!(site["period"], "month");
    let mut months = String::new();
    for month in site["reliability"].as_array().unwrap() {
        let c = &month["coverage"]["tran"];
        let _ = writeln!(
            months,
            "{} {}/{} URLs {}/{} visits",
            month["period"].as_str().unwrap(),
            c["located_urls"],
            c["urls"],
            c["located_visits"],
            c["visits"]
        );
    }
    let expected = "2024-04 2/2 URLs 3/3 visits\n2024-05 1/2 URLs 1/2 visits\n2024-06 1/2 URLs 1/3 visits\n";
    assert_eq!(months, expected);
}

#[test]
fn ours_visits_of_training_are_left_out_and_counted() {
    let folder = learnt();
    let both = quality(&folder, &["march.log", "later.log", "--format", "json"]).json();
    assert_eq!(both["sites"][0]["visits"], 8);
    assert_eq!(both["sites"][0]["left_out_as_training"], 300);
    let table = quality(&folder, &["march.log", "later.log"]).stdout;
    assert!(table.contains("300 visits of the time of training"), "{table}");
}

#[test]
fn ours_the_training_log_itself_is_named_as_such() {
    let folder = learnt();
    let table = quality(&folder, &["march.log"]).stdout;
    assert!(table.contains("this is the training log itself"), "{table}");
    let json = quality(&folder, &["march.log", "--format", "json"]).json();
    assert_eq!((&json["sites"][0]["judged_by"], &json["sites"][0]["visits"]), (&"training".into(), &300.into()));
    assert_eq!(json["sites"][0]["trees"]["tran"]["url_coverage"], 1.0);
    assert_eq!(json["sites"][0]["period"], "day");
}

#[test]
fn ours_published_numbers_stand_beside_ours() {
    let table = quality(&learnt(), &["later.log"]).stdout;
    for published in ["283.7", "91.2 %", "99.9 %", "0.165"] {
        assert!(table.contains(published), "{table}");
    }
    assert!(!table.contains("layout"), "no pages, no layouts: {table}");
}

#[test]
fn cikm11_pages_of_a_pattern_are_compared_with_each_other() {
    let folder = learnt();
    for n in 0..4 {
        folder.write(&format!("pages/www.example.org/item/{n}"), "no page by its name");
        folder.write(&format!("pages/example.org/item/{n}.html"), "<html><body><p>not in a pattern</p></body></html>");
    }
    let plain = quality(&folder, &["later.log", "--pages", "pages", "--format", "json"]).json();
    assert_eq!(plain["pages"]["kept"], 4);
    assert!(plain["sites"][0]["layout"]["trees"]["tran"].is_null(), "{plain}");
    assert_eq!(plain["sites"][0]["layout"]["random"], 1.0);

    let record = |path: &str, html: &str| {
        let http =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}", html.len());
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://www.example.org{path}\r\n\
             WARC-Date: 2024-03-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:0>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let item = "<html><body><div><img><p>price</p></div></body></html>";
    let article = "<table><tr><td><b>long</b><i>text</i></td></tr></table>";
    let warc: String =
        [("/item/1", item), ("/item/2", item), ("/article/1/read", article), ("/article/2/read", article)]
            .iter()
            .map(|(path, html)| record(path, html))
            .collect();
    folder.write("pages.warc", warc);
    let json = quality(&folder, &["later.log", "--pages", "pages.warc", "--format", "json"]).json();
    let layout = &json["sites"][0]["layout"];
    assert_eq!(layout["pages"], 4);
    for tree in ["syn", "visit", "tran"] {
        let tree = &layout["trees"][tree];
        // T_TRAN may hold both kinds in one pattern where transits tell no difference; then it is no worse than random.
        assert!(tree["likeness"].as_f64().unwrap() > layout["random"].as_f64().unwrap() - 1e-9, "{layout}");
    }
    assert_eq!(layout["trees"]["syn"]["likeness"], 1.0);
    // Two of six pairs are of one kind; the others share no more than the frame of a page.
    assert!(layout["random"].as_f64().is_some_and(|random| (0.33..0.7).contains(&random)), "{layout}");
}

#[test]
fn ours_a_log_of_another_site_is_refused_in_words() {
    let folder = learnt();
    let ran = folder.run(&["quality", "model", "later.log", "--site", "https://other.example"]).failed(1);
    ran.says(&["none of the sites", "is it the model of another site?"]);
}

#[test]
fn ours_a_log_without_visits_is_no_riddle() {
    let folder = learnt();
    folder.write("robots.log", get(MARCH, "192.0.2.1", "/robots.txt").combined());
    folder
        .run(&[&["quality", "model", "robots.log"], &SITE[..]].concat())
        .failed(1)
        .says(&["there are no visits in robots.log"]);
}

/// April to June with so many visits to items, and so many to films, which March did not have.
fn crowd(items: i64, films: i64) -> String {
    let mut log = String::new();
    let all =
        (0..items).map(|n| format!("/item/{}", n % 100)).chain((0..films).map(|n| format!("/video/film-{n}.html")));
    for (number, target) in (0_i64..).zip(all) {
        // Films come last, so that the share falls from month to month.
        let time = MARCH + 31 * DAY + number * (88 * DAY / (items + films));
        let lines = page(time, &format!("192.0.2.{}", number % 200), &target, "-");
        lines.iter().for_each(|line| log.push_str(&line.combined()));
    }
    log
}

/// The last line on standard error.
#[track_caller]
fn verdict(folder: &Folder, log: &str) -> String {
    let ran = quality(folder, &[log]);
    let last = ran.stderr.lines().last().unwrap().to_owned();
    assert!(last.starts_with("so: "), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("so: ").count(), 1, "{}", ran.stderr);
    last
}

#[test]
fn ours_quality_ends_with_a_verdict_and_what_to_do() {
    let folder = learnt();
    for (items, films, word, words) in [
        (980, 20, "good", &["the model of example.org is still good", "98.0 % of 1,000 visits", "95 % is good"][..]),
        (900, 100, "aging", &["is getting old", "90.0 % of 1,000 visits", "mine again", "trodden mine LOG -o model"]),
        (
            500,
            500,
            "outdated",
            &["does not fit any more", "50.0 %", "100.0 % in 2024-04", "0.0 % in 2024-06", "mine again"],
        ),
        (
            390,
            9,
            "thin",
            &["nothing can be said", "399 visits are too few", "from 400 on", "five points", "give more logs"],
        ),
    ] {
        folder.write("crowd.log", crowd(items, films));
        let said = verdict(&folder, "crowd.log");
        for word in words {
            assert!(said.contains(word), "{word:?} is not in {said}");
        }
        let json = quality(&folder, &["crowd.log", "--format", "json"]).json();
        assert_eq!(json["sites"][0]["verdict"], word);
    }
    assert!(!verdict(&folder, "crowd.log").contains("mine again"), "more visits, not another model");
    let said = verdict(&folder, "march.log");
    assert!(said.contains("this is the log that it was learnt from") && said.contains("give a later log"), "{said}");
}

/// Two sites with a model each; to the first come readers of what it knows, half of those of the second read something else.
fn two_sites() -> Folder {
    let folder = Folder::new();
    let of = |host: &str, log: String| log.lines().map(|line| format!("{host}:443 {line}\n")).collect::<String>();
    folder.write("march.log", of("a.example", march()) + &of("b.example", march()));
    folder.run(&["mine", "march.log", "-o", "model"]).ok();
    let log = of("a.example", crowd(1_000, 0)) + &of("b.example", crowd(500, 500));
    folder.write("later.log", log.replace("https://www.example.org", "https://a.example"));
    folder
}

#[test]
fn ours_the_verdict_on_many_sites_is_one_sentence() {
    let folder = two_sites();
    let ran = folder.run(&["quality", "model", "later.log"]).ok();
    let last = ran.stderr.lines().last().unwrap();
    assert_eq!(
        last,
        "so: of 2 models 1 still good (a.example), 1 not fitting any more (b.example); mine again with newer logs: trodden mine LOG -o model"
    );
}

#[test]
fn cikm11_urls_of_a_mirror_are_covered_or_not_visited_or_not() {
    let folder = learnt();
    // Two fit, one of them written in another way; one is of a kind that nobody met; one of another site.
    folder.write(
        "urls.txt",
        "https://www.example.org/item/900\nhttp://example.org/item/900\nhttps://www.example.org/article/901/read\n\
         https://www.example.org/video/x.html\nhttps://other.example/item/1\n",
    );
    let ran = quality(&folder, &["later.log", "--urls", "urls.txt", "--format", "json"]);
    ran.says(&["left out: 1 URL of --urls"]);
    for tree in ["syn", "visit", "tran"] {
        let of = &ran.json()["sites"][0]["mirror"][tree];
        assert_eq!((&of["located_urls"], &of["urls"]), (&2.into(), &3.into()), "{tree}");
    }
    let table = quality(&folder, &["later.log", "--urls", "urls.txt"]).stdout;
    let row = table.lines().find(|line| line.starts_with("mirror coverage")).unwrap();
    assert!(row.contains("66.7 %") && row.contains("91.2 %"), "{row}");
}

#[test]
fn cikm11_several_sites_have_a_least_a_mean_and_a_most() {
    let folder = two_sites();
    let json = folder.run(&["quality", "model", "later.log", "--format", "json"]).ok().json();
    let of_site = |site: usize| json["sites"][site]["trees"]["tran"]["traffic_coverage"].as_f64().unwrap();
    let all = &json["summary"]["traffic_coverage"]["tran"];
    let number = |name: &str| all[name].as_f64().unwrap();
    assert_eq!((number("least"), number("most")), (of_site(1), of_site(0)));
    assert!((number("mean") - f64::midpoint(of_site(0), of_site(1))).abs() < 1e-12);
    assert!(folder.run(&["quality", "model", "later.log"]).ok().stdout.contains("all 2 sites together"));
}
