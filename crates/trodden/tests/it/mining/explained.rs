//! `explain`: why a URL stands where it stands.

use crate::mining::shop::{SITE, count, fails, fed, mined, number, patterns, shop, site, text};

#[test]
fn ours_a_covered_url_is_explained_down_to_its_rank() {
    let folder = mined(&shop());
    let all = site(&folder, &["site.model"]);
    for path in ["/", "/product/4711/never-seen", "/c/rugs?page=3&sort=price"] {
        let url = format!("{SITE}{path}");
        let told = folder.run(&["explain", "site.model", &url, "--format", "json"]).ok().json();
        let scored = fed(&folder, &["score", "site.model", "--format", "json"], &url).ok().json();
        let id = count(&told["pattern"], "id");
        assert_eq!(id, count(&scored, "pattern"), "{path}");
        assert_eq!((text(&told, "url"), text(&told, "site")), (url.as_str(), "example.org"));
        assert_eq!(
            (count(&told, "site_urls"), count(&told, "site_visits")),
            (count(&all, "urls"), count(&all, "visits"))
        );
        assert!(told["uncovered"].is_null());
        // From all of the site down to the pattern.
        let walk = told["walk"].as_array().unwrap();
        assert_eq!((count(&walk[0], "node"), count(walk.last().unwrap(), "node")), (0, id));
        assert!(walk.is_sorted_by(|a, b| count(a, "urls") >= count(b, "urls")));
        let at = patterns(&all).iter().position(|p| count(p, "id") == id).unwrap();
        let rank = &told["pattern"]["ranks"][0];
        assert_eq!((text(rank, "goal"), count(rank, "rank")), ("fetch", at as u64 + 1));
        assert_eq!(count(rank, "of"), patterns(&all).len() as u64);
        assert_eq!((text(rank, "by"), number(&told, "score")), ("expected", number(&scored, "score")));
        assert_eq!((text(&told, "unit"), &told["score"]), ("visits a day", &told["expectation"]["a_day"]));
        for name in ["urls", "visits", "referrals"] {
            assert_eq!(told["pattern"][name], patterns(&all)[at][name], "{name}");
        }
        // The same for people.
        let words = folder.run(&["explain", "site.model", &url]).ok().stdout;
        for said in
            [&url, &format!("so it is in pattern {id}: {}", text(&patterns(&all)[at], "pattern")), "\nso: fetch it"]
        {
            assert!(words.contains(said), "{said:?} is not in {words}");
        }
        assert_eq!(words.lines().last(), told["conclusion"].as_str());
    }
}

#[test]
fn ours_no_much_visited_url_is_told_to_be_fetched_late() {
    let folder = mined(&shop());
    let rows = folder.run(&["urls", "site.model", "--by", "url-visit", "--format", "json", "--top", "5"]).ok().json();
    let rows = rows.as_array().unwrap();
    assert!(rows.is_sorted_by(|a, b| count(a, "visits") >= count(b, "visits")) && rows.len() == 5);
    for (place, row) in rows.iter().enumerate() {
        let told = folder.run(&["explain", "site.model", text(row, "url"), "--format", "json"]).ok().json();
        assert!(count(&told, "urls_before") <= place as u64 + 3, "{told}");
        let conclusion = text(&told, "conclusion");
        assert!(conclusion.contains(if place == 0 { "fetch it first" } else { "fetch it early" }), "{conclusion}");
    }
}

#[test]
fn ours_what_people_did_with_a_url_is_told_if_enough_did() {
    let folder = mined(&shop());
    let rows = folder.run(&["urls", "site.model", "--format", "json", "--top", "1"]).ok().json();
    let told = folder.run(&["explain", "site.model", text(&rows[0], "url"), "--format", "json"]).ok().json();
    for name in ["visits", "users", "referrals"] {
        assert_eq!(told["itself"][name], rows[0][name], "{name}");
    }
    let told = folder.run(&["explain", "site.model", "/product/4711/never-seen", "--format", "json"]).ok().json();
    assert!(told["itself"].is_null(), "{told}");
    assert_eq!(count(&told, "min_users"), 5);
}

#[test]
fn ours_an_uncovered_url_is_told_why() {
    let folder = mined(&shop());
    let explain = |path: &str| folder.run(&["explain", "site.model", path, "--format", "json"]).ok().json();
    let told = explain("/product/4711/never-seen?colour=red");
    assert!(told["pattern"].is_null(), "{told}");
    assert_eq!((text(&told["uncovered"], "why"), text(&told["uncovered"], "key")), ("new-key", "?colour"));
    assert!(text(&told["uncovered"], "words").contains("?colour was never seen there"));
    let words = folder.run(&["explain", "site.model", "/product/4711/never-seen?colour=red"]).ok().stdout;
    assert!(words.contains("it is in no pattern: its ?colour was never seen there"), "{words}");
    assert!(words.contains("\nso: fetch it late: 100.0 % of the site's URLs can expect more visits"), "{words}");
    let words = folder.run(&["explain", "site.model", "/?new=1", "--goal", "discovery"]).ok().stdout;
    assert!(words.contains("so: look there for new links late: "), "{words}");
    // Wherever the walk ends, `score` says the same.
    for path in ["/product/4711/never-seen?colour=red", "/a/b/c/d/e/f/g", "/c/rugs?sort=name&page=1", "/x.pdf"] {
        let told = explain(path);
        let scored = fed(&folder, &["score", "site.model", "--format", "json"], &format!("{SITE}{path}")).ok().json();
        let end = count(told["walk"].as_array().unwrap().last().unwrap(), "node");
        let (uncovered, covered) = (scored["uncovered_at"].as_u64(), scored["pattern"].as_u64());
        assert_eq!(uncovered.or(covered), Some(end), "{path}");
        assert_eq!(told["uncovered"].is_null(), covered.is_some(), "{path}: {told}");
    }
}

#[test]
fn ours_urls_of_other_sites_and_what_is_no_url_are_refused_in_words() {
    let folder = mined(&shop());
    fails(&folder, &["explain", "site.model", "https://other.example/x"], &["other.example", "example.org"]);
    fails(&folder, &["explain", "site.model", "https://other.example/", "--format", "json"], &["other.example"]);
    for wrong in ["not a URL", "ftp://example.org/", "", "http://"] {
        fails(&folder, &["explain", "site.model", wrong], &["is no URL"]);
    }
}

#[test]
fn ours_a_strategy_adds_its_rank() {
    let folder = mined(&shop());
    let args = ["--goal", "discovery", "--by", "overall-referral"];
    let told = folder.run(&[&["explain", "site.model", "/", "--format", "json"], &args[..]].concat()).ok().json();
    let rank = &told["pattern"]["ranks"][0];
    assert_eq!((text(rank, "goal"), text(rank, "by")), ("discovery", "overall-referral"));
    let ranked = site(&folder, &[&["site.model"], &args[..]].concat());
    let at = patterns(&ranked).iter().position(|p| count(p, "id") == count(&told["pattern"], "id")).unwrap();
    assert_eq!(count(rank, "rank"), at as u64 + 1);
}
