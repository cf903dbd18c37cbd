//! Where training ends, and what it must not know.

use super::site::{SITE, close, large, left_out, names, policy, readers, sections, simulate, small, told, tree};
use crate::lines::{DAY, Line, MARCH, combined, get};
use crate::run::Folder;

/// Visits that were learnt from.
fn learnt(result: &serde_json::Value) -> &str {
    result["record"]["settings"]["training visits"].as_str().unwrap()
}

#[test]
fn ours_training_ends_at_a_date_or_a_time() {
    let folder = small();
    // Visit n is n + 2 hours after midnight: ten before noon.
    let by_share = told(&folder, &["--train-share", "0.5"]);
    let by_time = told(&folder, &["--train-until", "2024-03-01T12:00"]);
    assert_eq!(by_share["policies"], by_time["policies"]);
    assert_eq!((learnt(&by_share), learnt(&by_time)), ("10", "10"));
    assert_eq!(by_time["record"]["settings"]["training ends"], "2024-03-01T12:00:00Z");
    let later = told(&folder, &["--train-until", "2024-03-01T12:00:01"]);
    assert_eq!(learnt(&later), "11");
    close(&later["traffic"], 9.0);
}

#[test]
fn ours_visits_at_the_time_of_the_cut_are_judged_by() {
    // Ten people read in ten hours, but five of them at once.
    let at = |n: i64| if (3..8).contains(&n) { 3 } else { n };
    let lines: Vec<Line> = (0..10).map(|n| get(MARCH + at(n) * 3_600, &format!("192.0.2.{n}"), "/a")).collect();
    let folder = Folder::with_log(combined(&lines));
    folder.write("links.tsv", tree());
    for (share, training) in [("0.1", "1"), ("0.3", "3"), ("0.5", "3"), ("70%", "3"), ("0.8", "8"), ("0.9", "9")] {
        let result = told(&folder, &["--train-share", share, "--policy", "breadth-first"]);
        assert_eq!(learnt(&result), training, "{share}");
        close(&result["traffic"], 10.0 - training.parse::<f64>().unwrap());
    }
}

#[test]
fn ours_without_a_past_or_a_future_nothing_is_judged() {
    let folder = small();
    simulate(&folder, &["--train-share", "0"]).failed(1).says(&["no visit to learn from", "--train-share"]);
    simulate(&folder, &["--train-until", "2020-01-01"]).failed(1).says(&["no visit to learn from", "--train-until"]);
    for end in [["--train-share", "1"], ["--train-until", "2030-01-01"]] {
        simulate(&folder, &end).failed(1).says(&["no visits of the test period", "--train-share"]);
    }
    // All at one moment: whichever side they are on, the other is empty.
    let at_once: Vec<Line> = (0..9).map(|n| get(MARCH + 3_600, &format!("192.0.2.{n}"), "/a")).collect();
    folder.write("access.log", combined(&at_once));
    simulate(&folder, &[]).failed(1).says(&["no visit to learn from"]);
    simulate(&folder, &["--train-share", "1"]).failed(1).says(&["no visits of the test period"]);
    simulate(&folder, &["--train-share", "2"]).failed(2).says(&["between 0 and 1"]);
    simulate(&folder, &["--train-share", "0.5", "--train-until", "2024-03-01"])
        .failed(2)
        .says(&["cannot be used with"]);
}

#[test]
fn ours_a_hidden_section_is_cold_and_nobody_learns_of_it() {
    let folder = large();
    let open = told(&folder, &[]);
    let hidden = told(&folder, &["--hide-urls", "/help"]);
    assert_eq!(open["traffic"], hidden["traffic"]);
    let help = readers();
    let help = help[help.len() / 2..].iter().filter(|line| line.target.starts_with("/help")).count() as f64;
    assert!(hidden["cold_traffic"].as_f64().unwrap() >= help && help > 100.0);
    assert!(hidden["cold_traffic"].as_f64() > open["cold_traffic"].as_f64());
    // Who learns from visits does worse; who does not, the same.
    let area = |result, name| policy(result, name)["auc"].as_f64().unwrap();
    assert!(area(&hidden, "url-visit") < area(&open, "url-visit"));
    for name in ["breadth-first", "pagerank", "random", "ideal"] {
        assert_eq!(area(&hidden, name), area(&open, name), "{name}");
    }
    // What is hidden might as well never have been read: the same orders as without a line that names it.
    let seen = |line: &Line| line.time >= MARCH + 5 * DAY || !line.target.starts_with("/help");
    let dropped = |mut line: Line| {
        if line.time < MARCH + 5 * DAY && line.referrer.contains("/help") {
            "-".clone_into(&mut line.referrer);
        }
        line
    };
    let until = ["--train-until", "2024-03-06"];
    let hidden = told(&folder, &[&["--hide-urls", "/help"], &until[..]].concat());
    folder.write("access.log", combined(&readers().into_iter().filter(seen).map(dropped).collect::<Vec<_>>()));
    let never = told(&folder, &until);
    assert_eq!(names(&hidden), names(&never));
    assert_eq!(hidden["policies"], never["policies"]);
}

#[test]
fn ours_hiding_everything_leaves_nothing_to_learn_from() {
    for all in ["/", "1", "100%"] {
        simulate(&small(), &["--hide-urls", all]).failed(1).says(&["no visit to learn from"]);
    }
    for bad in ["help", "1.5", "-1"] {
        let ran = simulate(&small(), &[&format!("--hide-urls={bad}")]).failed(2);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn ours_hiding_and_cutting_need_a_log() {
    let folder = small();
    for flag in [["--hide-urls", "/a"], ["--train-until", "2024-03-01"]] {
        let ran = folder.run(&[&["simulate", "links.tsv"], &flag[..]].concat()).failed(1);
        ran.says(&[flag[0], "--log"]);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn ours_the_future_moves_nobody_but_the_oracles() {
    // Two logs with the same past. Later, readers of one flock to the last pages of /news, of the other to /shop.
    let past = || readers().into_iter().filter(|line| line.time < MARCH + 5 * DAY);
    let future = |section: &str| -> Vec<Line> {
        let marked = (0..300_i64).map(|n| {
            let path = format!("/{section}/{}", 40 + n % 26);
            get(MARCH + 6 * DAY + n, &format!("198.51.100.{}", n % 200), &path)
        });
        past().chain(marked).collect()
    };
    // Traffic that is the same for both: an export. So curves show orders alone.
    let result = |section: &str| {
        let folder = Folder::with_log(combined(&future(section)));
        folder.write("links.tsv", sections());
        let every: String = sections().lines().zip(1..).fold(String::new(), |mut out, (line, n)| {
            out += &format!("{}\t{}\n", line.split_once('\t').unwrap().1, n % 17 + 1);
            out
        });
        folder.write("clicks.tsv", every);
        let until = ["--train-until", "2024-03-06"];
        let by_clicks = told(&folder, &[&["--traffic", "clicks.tsv"], &until[..]].concat());
        (by_clicks, told(&folder, &until))
    };
    let ((news, news_traffic), (shop, shop_traffic)) = (result("news"), result("shop"));
    assert!(names(&news).len() == 19);
    for name in names(&news) {
        // Judged by the same clicks, even the oracles are the same: they know the clicks.
        assert_eq!(policy(&news, name)["curve"], policy(&shop, name)["curve"], "{name}");
    }
    // Judged by their own future, the oracles find it at once, each its own.
    for result in [&news_traffic, &shop_traffic] {
        let ideal = policy(result, "ideal")["pages_for"]["80"].as_f64().unwrap();
        assert!(ideal < policy(result, "url-visit")["pages_for"]["80"].as_f64().unwrap());
    }
}

#[test]
fn ours_users_that_a_model_needs_are_counted_in_training() {
    // Twenty people, and a model names nothing that fewer than a thousand read.
    let result = told(&small(), &["--min-users", "1000"]);
    for name in ["behavior", "overall-visit", "volume"] {
        assert!(left_out(&result, name).contains("no model"), "{}", left_out(&result, name));
    }
    assert!(names(&result).contains(&"breadth-first"));
    assert_eq!(SITE, "https://www.example.org");
}
