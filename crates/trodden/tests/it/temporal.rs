//! `trodden temporal`: what is read while it is new.

use crate::run::Folder;

/// Daily views of sixty days: a news site, whose pages live two days, and an encyclopedia, whose pages are read every day.
fn table() -> String {
    let mut text = String::from("url,date,views,users\n");
    for page in 0..12_i32 {
        for day in 0..60_i32 {
            let since = day - 4 * page;
            let news = [120, 60, 15, 4, 1].get(usize::try_from(since).unwrap_or(99)).copied().unwrap_or(0);
            let date = format!("2024-{:02}-{:02}", 1 + (day / 30), 1 + day % 30);
            if day / 30 == 1 && day % 30 > 27 {
                continue;
            }
            if news > 0 {
                text.push_str(&format!("https://news.example/story/{page},{date},{news},{news}\n"));
            }
            let steady = 40 + (day * 7 + page * 3) % 9;
            text.push_str(&format!("https://wiki.example/article/{page},{date},{steady},30\n"));
        }
    }
    text
}

#[test]
fn ijcnlp08_news_is_temporal_and_an_encyclopedia_is_not() {
    let folder = Folder::new();
    folder.write("daily.csv", table());
    let ran = folder.run(&["temporal", "--views", "daily.csv", "--format", "json", "--seeds", "seeds.txt"]).ok();
    let json = ran.json();
    let sites = json["sites"].as_array().unwrap();
    assert_eq!(sites[0]["site"], "news.example");
    assert!(sites[0]["score"].as_f64().unwrap() > 0.9, "{}", sites[0]);
    assert_eq!(sites[1]["site"], "wiki.example");
    assert_eq!(sites[1]["score"].as_f64().unwrap(), 0.0);
    let pages = json["pages"].as_array().unwrap();
    let story = pages.iter().find(|page| page["url"] == "news.example/story/3").unwrap();
    assert!(story["temporal"].as_bool().unwrap() && story["phi"].as_f64().unwrap() > 0.9, "{story}");
    assert!(story["birth"].as_str().unwrap().starts_with("2024-01-1"), "{story}");
    let seeds = std::fs::read_to_string(folder.path("seeds.txt")).unwrap();
    let seed: Vec<&str> = seeds.trim().split('\t').collect();
    assert_eq!(seed[0], "https://news.example/");
    let seconds: f64 = seed[1].parse().unwrap();
    assert!((600.0..=2.0 * 86_400.0).contains(&seconds), "{seeds}");
}

#[test]
fn ours_the_table_ends_with_a_sentence_and_lists_are_compared() {
    let folder = Folder::new();
    folder.write("daily.csv", table());
    folder.write("by-hand.txt", "wiki.example\n# a comment\nhttps://unknown.example/\n");
    let args =
        ["temporal", "--views", "daily.csv", "--compare", "by-hand.txt", "--folders", "1", "--report", "page.html"];
    let ran = folder.run(&args).ok();
    assert!(ran.stdout.contains("news.example") && ran.stdout.contains("news.example/story/"), "{}", ran.stdout);
    ran.says(&[
        "so: 12 of 24 pages",
        "these sites as a list of what is temporal: precision 1.000",
        "the list to compare, of which 1 site",
    ]);
    let page = std::fs::read_to_string(folder.path("page.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert!(page.matches("<figure>").count() > 10 && !page.contains("NaN"), "{page}");
}

#[test]
fn ours_pages_of_few_users_are_not_named_without_a_word() {
    let folder = Folder::new();
    folder.write(
        "wide.csv",
        "page,2024-01-01,2024-01-02,2024-01-03,2024-01-04,2024-01-05\nhttps://x.example/private,90,40,9,2,1\n",
    );
    let ran = folder.run(&["temporal", "--views", "wide.csv"]).ok();
    ran.says_none_of(&["private"]);
    ran.says(&["--public"]);
    let named = folder.run(&["temporal", "--views", "wide.csv", "--public"]).ok();
    assert!(named.stdout.contains("x.example/private"), "{}", named.stdout);
}

#[test]
fn ours_labels_tune_the_rule() {
    let folder = Folder::new();
    folder.write("daily.csv", table());
    let mut labels = String::from("url\tlabel\n");
    for page in 0..12 {
        labels.push_str(&format!(
            "https://news.example/story/{page}\ttemporal\nhttps://wiki.example/article/{page}\tnot\n"
        ));
    }
    folder.write("labels.tsv", labels);
    let typed = ["--days", "33", "--share", "0.99", "--report", "page.html", "--format", "json"];
    let args = ["temporal", "--views", "daily.csv", "--labels", "labels.tsv"];
    let ran = folder.run(&[&args[..], &typed[..]].concat()).ok();
    ran.says(&["12 found, 0 missed, 0 false"]);
    assert_eq!(ran.json()["sites"][0]["temporal_pages"], 12);
    let page = std::fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(page.contains("12 of 24 pages are temporal") && !page.contains("within 33 days"), "the tuned rule counts");
}

#[test]
fn ours_bad_tables_are_told_and_never_panic() {
    let folder = Folder::new();
    for (text, words) in [
        ("url,views\nhttps://x.example/,3\n", "when it was viewed"),
        ("", "no table of page views"),
        ("url,date,views\nhttps://x.example/,2024-01-01,-3\n", "when it was viewed"),
        ("url,date,views\n", "when it was viewed"),
    ] {
        folder.write("bad.csv", text);
        folder.run(&["temporal", "--views", "bad.csv"]).failed(1).says(&[words]);
    }
    let days: String = (1..=9).map(|day| format!(",2024-01-0{day}")).collect();
    let rows: String = [
        "zeros,0,0,0,0,0,0,0,0,0",
        "spike,0,0,0,1000000000,0,0,0,0,0",
        "gaps,,,5,,,9,,7,",
        "nan,NaN,1,2,3,4,5,6,7,8",
        "one,,,,,1,,,,",
        "negative,1,2,-3,4,5,6,7,8,9",
    ]
    .map(|row| format!("https://x.example/{row}\n"))
    .concat();
    folder.write("odd.csv", format!("page{days}\n{rows}"));
    let ran = folder.run(&["temporal", "--views", "odd.csv", "--public", "--format", "json"]).ok();
    assert!(!ran.stdout.contains("NaN") && !ran.stdout.contains("null"), "{}", ran.stdout);
    ran.says(&["negative 1"]);
    let spike = ran.json()["pages"]
        .as_array()
        .unwrap()
        .iter()
        .any(|page| page["url"] == "x.example/spike" && page["temporal"] == true);
    assert!(spike, "{}", ran.stdout);
}
