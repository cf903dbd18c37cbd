//! A topic: crawls that look for words, and what they need for it.

use super::site::{SITE, large, left_out, names, policy, told};
use crate::lines::{MARCH, combined, get};
use crate::run::Folder;

/// Twenty pages of HTML, five of them about lamps; each links to two more.
fn folder() -> Folder {
    let lines: Vec<_> =
        (0..40_i64).map(|n| get(MARCH + n * 60, &format!("192.0.2.{n}"), &format!("/page{}.html", n % 20))).collect();
    let folder = Folder::with_log(combined(&lines));
    let page = |n: u32| {
        let topic = if n % 4 == 3 { "lamp" } else { "chair" };
        let link =
            |to: u32| format!("<a href=\"page{to}.html\">about {}</a>", if to % 4 == 3 { "a lamp" } else { "chairs" });
        format!("<title>{topic} {n}</title><p>{topic} {topic}</p>{}{}", link((2 * n + 1) % 20), link((2 * n + 2) % 20))
    };
    for n in 0..20 {
        folder.write(&format!("kept/www.example.org/page{n}.html"), page(n));
    }
    let home = "<title>home</title><a href=\"page0.html\">in</a><a href=\"docs/\">read</a>";
    folder.write("kept/www.example.org/index.html", home);
    folder.write("kept/www.example.org/docs/index.html", "<title>docs</title>");
    folder
}

const HTML: [&str; 8] = ["simulate", "kept", "--log", "access.log", "--site", SITE, "--format", "json"];

#[test]
fn www98_topical_orders_run_on_pages_with_text() {
    let folder = folder();
    let with_topic = |more: &[&str]| folder.run(&[&HTML[..], &["--topic", "lamp"], more].concat()).ok().json();
    let result = with_topic(&["--importance", "similarity"]);
    let ran = names(&result);
    for name in ["similarity:breadth-first", "similarity-near:breadth-first", "similarity-near:pagerank"] {
        assert!(ran.contains(&name), "{ran:?} {}", result["left_out"]);
    }
    assert_eq!(result["importance"][0]["metric"], "similarity");
    let area = |name: &str| {
        let all = result["importance"][0]["policies"].as_array().unwrap();
        all.iter().find(|policy| policy["name"] == name).unwrap()["threshold_auc"].as_f64().unwrap()
    };
    // Lamps first finds lamps sooner than as found.
    assert!(area("similarity:breadth-first") > area("breadth-first"));
    // Asked for by name, without a topic, there is nothing to look for.
    let named = ["--policy", "similarity:opic", "--policy", "breadth-first"];
    let result = folder.run(&[&HTML[..], &named].concat()).ok().json();
    assert!(left_out(&result, "similarity:opic").contains("--topic"));
    assert_eq!(names(&result), ["breadth-first"]);
}

#[test]
fn www98_what_is_near_needs_the_text_of_pages() {
    let folder = large();
    let result = told(&folder, &["--topic", "help"]);
    for inner in ["breadth-first", "backlink", "pagerank"] {
        assert!(left_out(&result, &format!("similarity-near:{inner}")).contains("no page text"));
    }
    // Words in URLs are enough for the plain one.
    let area = |name| policy(&result, name)["auc"].as_f64().unwrap();
    assert!(area("similarity:breadth-first") > area("breadth-first"));
    assert_eq!(result["record"]["settings"]["topic"], "help");
}

#[test]
fn ours_a_topic_has_words() {
    for words in ["", "  ", "!?"] {
        super::site::simulate(&large(), &["--topic", words]).failed(1).says(&["--topic"]);
    }
}

#[test]
fn ours_an_index_page_is_its_folder_whichever_way_it_was_read() {
    // Before the cut people asked for /docs/ twice and for its index.html twice: more than for /page0.html.
    let folder = folder();
    let read = [("/docs/", 2), ("/docs/index.html", 2), ("/page0.html", 3), ("/docs/index.html", 1)];
    let paths = read.into_iter().flat_map(|(path, times)| std::iter::repeat_n(path, times));
    let lines: Vec<_> =
        (0_i64..).zip(paths).map(|(n, path)| get(MARCH + n * 60, &format!("192.0.2.{n}"), path)).collect();
    folder.write("access.log", combined(&lines));
    let words = ["--policy", "url-visit", "--train-share", "0.9"];
    let result = folder.run(&[&HTML[..], &words].concat()).ok().json();
    super::site::close(&result["traffic"], 1.0);
    super::site::close(&policy(&result, "url-visit")["curve"][2][1], 1.0);
}

#[test]
fn kdd02_people_and_links_lead_to_the_pages_of_a_topic() {
    let folder = folder();
    // Some read lamps only, others chairs only: pages 3, 7, 11 … are about lamps.
    let mut lines = Vec::new();
    for person in 0..12_i64 {
        for step in 0..6_i64 {
            let page = if person % 3 == 0 {
                (step * 4 + 3 + person) % 20 / 4 * 4 + 3
            } else {
                (person * 5 + step * 4) % 20 / 4 * 4 + person % 3
            };
            lines.push(get(
                MARCH + person * 100 + step * 5,
                &format!("192.0.2.{person}"),
                &format!("/page{page}.html"),
            ));
        }
    }
    folder.write("access.log", combined(&lines));
    let words = ["--topic", "title:lamp and not url:/print/", "--train-share", "0.9", "--policy", "breadth-first"];
    let others = ["--policy", "collaborative", "--policy", "collaborative:users", "--policy", "collaborative:links"];
    let result = folder.run(&[&HTML[..], &words, &others].concat()).ok().json();
    assert_eq!(result["satisfying"], 5);
    for name in ["collaborative", "collaborative:users", "collaborative:links"] {
        let harvest = &policy(&result, name)["harvest"];
        let found: Vec<f64> = harvest["found"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        assert!(found.len() == 3 && found.is_sorted(), "{name}: {harvest}");
        // All of them in the end.
        let last = harvest["curve"].as_array().unwrap().last().unwrap();
        super::site::close(&last[1], 1.0);
    }
    let told = folder.run(&[&HTML[..6], &words, &others].concat()).ok();
    assert!(told.stdout.contains("by topic") && told.stdout.contains("lift"), "{}", told.stdout);
}

#[test]
fn ours_a_topic_can_be_a_category_of_a_table() {
    let folder = folder();
    let rows: String = (0..20)
        .map(|n| format!("{SITE}/page{n}.html\tkind.{}\n", if n % 4 == 3 { "lamps" } else { "chairs" }))
        .collect();
    folder.write("labels.tsv", format!("url\tcategory\n{rows}http://elsewhere.example/\tkind.none\n"));
    let words = ["--topic", "category:lamps", "--labels", "labels.tsv", "--policy", "collaborative:users"];
    let ran = folder.run(&[&HTML[..], &words].concat()).ok();
    assert_eq!(ran.json()["satisfying"], 5);
    assert!(ran.stderr.contains("1 row of --labels"), "{}", ran.stderr);
    folder.write("labels.tsv", "nothing of it\n");
    folder.run(&[&HTML[..], &words].concat()).failed(1).says(&["--labels", "labels.tsv"]);
}

#[test]
fn ours_a_topic_that_is_none_is_told_with_the_place() {
    let topic = "title:rust and (body:x";
    super::site::simulate(&large(), &["--topic", topic]).failed(1).says(&["--topic", "character 16", "not closed"]);
    let deep = "(".repeat(1_000);
    super::site::simulate(&large(), &["--topic", &deep]).failed(1).says(&["nest at most"]);
}
