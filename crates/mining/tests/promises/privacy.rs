//! Does a model name nothing that too few people visited, and nothing that is a secret?

use trodden_mining::model::Way;
use trodden_mining::{MiningSettings, NoModel, TreeKind};

use crate::site::{Site, syn, word};

const TOKEN: &str = "a3f8c19be47d2056";

/// Many pages that many people visit, so that whatever is rare stands among what is not.
fn busy() -> Site {
    let mut site = Site::default();
    for i in 0..60 {
        site.visit(format!("a.com/item/{i}"), i..i + 6);
        site.visit(format!("a.com/news/{}?page={}", word(i as usize), i % 5), i..i + 6);
        site.visit(format!("b.a.com/talk/thread-{i}-1.html"), i..i + 6);
    }
    site
}

/// The lines of all three trees of a site, so that nothing hides in one of them.
fn lines(site: &Site, k: u32) -> String {
    let lines = TreeKind::ALL.map(|tree| {
        // Small numbers make many branches: what is rare has every chance to get one.
        let settings = MiningSettings { tree, min_support: 2, min_leaf: 2, ..MiningSettings::default() };
        site.mine(k, &settings).unwrap().to_line().unwrap()
    });
    lines.concat()
}

#[test]
fn ours_what_fewer_than_k_users_visited_is_nowhere_in_the_model() {
    for k in [2, 5] {
        let few = 0..k - 1;
        let secrets = [
            ("a path value", "a.com/item/zebrafish", "zebrafish"),
            ("a folder", "a.com/narwhal/1", "narwhal"),
            ("a number", "a.com/item/1234567899", "1234567899"),
            ("the value of a parameter", "a.com/news/wa?page=wombat", "wombat"),
            ("a number in a parameter", "a.com/news/wa?page=987654", "987654"),
            ("the name of a parameter", "a.com/item/7?quagga=1", "quagga"),
            ("the name of a parameter without a value", "a.com/item/7?numbat", "numbat"),
            ("a short word beside digits", "a.com/item/kip-44", "kip"),
            ("an extension", "a.com/item/x.zoril", "zoril"),
            ("a host", "okapi.a.com/item/3", "okapi"),
            ("a host with a port", "tapir.a.com:8086/item/3", "8086"),
            ("a title", "a.com/news/how-to-feed-a-quokka?page=1", "quokka"),
            ("letters of another script", "a.com/item/%D8%A7%D8%A8", "اب"),
            ("the same as written", "a.com/item/%D8%A7%D8%A8", "%D8%A7"),
            ("something beside it", "a.com/item/5?page=3&serval=1", "serval"),
            ("a deep path", "a.com/x/y/z/ocelot", "ocelot"),
        ];
        let mut site = busy();
        for (_, url, _) in secrets {
            site.visit(url, few.clone());
            // Again and again: what counts are people. It is more than one percent of all visits.
            site.visit(url, std::iter::repeat_n(0, 30));
            let host = url.split('/').next().unwrap();
            site.origin.origins.insert(host.to_owned(), format!("https://www.{host}"));
        }
        // Somebody came from there, which is no visit to it.
        site.step("a.com/item/dugong?page=dugong", "a.com/item/1", 50);
        let lines = lines(&site, k);
        for (what, url, secret) in secrets {
            assert!(!lines.contains(secret), "k = {k}: {what} of {url}, {}", around(&lines, secret));
        }
        assert!(!lines.contains("dugong"), "a referrer");
        // What enough people visited is there.
        for common in ["item", "news", "page", "thread-#-#.html", "a.com/item/7"] {
            assert!(lines.contains(common), "{common}");
        }
    }
}

fn around(lines: &str, secret: &str) -> String {
    lines
        .find(secret)
        .map_or_else(String::new, |at| lines[at.saturating_sub(80)..(at + 80).min(lines.len())].to_owned())
}

#[test]
fn ours_a_secret_is_not_named_however_many_visited_it() {
    let mut site = busy();
    let filler: String = (0..40).map(|i| format!("{}=1&", word(i))).collect();
    let urls = [
        format!("a.com/reset/{TOKEN}"),
        format!("a.com/item/5?sid={TOKEN}"),
        format!("a.com/item/5?{TOKEN}=1"),
        format!("a.com/item/5?{TOKEN}"),
        format!("a.com/item/5?=&x={TOKEN}"),
        format!("a.com/item/5?={TOKEN}"),
        format!("a.com/item/5?p=1&p={TOKEN}"),
        format!("{TOKEN}.a.com/item/5"),
        format!("a.com/item/5?{filler}zzz={TOKEN}"),
        format!("a.com{}/{TOKEN}", "/d".repeat(33)),
        "a.com/reset/~token~".to_owned(),
        "a.com/item/5?auth=~token~".to_owned(),
        "a.com/item/5?to=~token~&to=1".to_owned(),
        "a.com/item/5?=~token~".to_owned(),
        "a.com/list/abc~token~12".to_owned(),
        "a.com/user/jane@doe.org".to_owned(),
        "a.com/user/jane%40doe.org".to_owned(),
        "a.com/item/5?to=jane@doe.org&to=x".to_owned(),
    ];
    for url in &urls {
        site.visit(url.clone(), 0..50);
        let host = url.split('/').next().unwrap();
        site.origin.origins.insert(host.to_owned(), format!("https://{host}"));
    }
    for i in 0..20 {
        site.visit(format!("a.com/reset/{TOKEN}{i}"), 0..50);
    }
    for k in [2, 5] {
        let lines = lines(&site, k);
        for secret in [TOKEN, "~token~", "jane", "doe.org"] {
            assert!(!lines.contains(secret), "k = {k}: {}", around(&lines, secret));
        }
        assert!(lines.contains("reset"), "the folder is no secret");
    }
}

#[test]
fn ours_the_users_of_many_urls_count_together() {
    for k in [2, 5] {
        let named = |users: u32| {
            let mut site = busy();
            for i in 0..20 {
                // Each by one user only.
                site.visit(format!("a.com/gazelle/{i}?ibex={i}"), [100 + i % users]);
                site.visit(format!("a.com/item/{i}?sort=oryx"), [100 + i % users]);
                site.visit(format!("kudu.a.com/item/{i}"), [100 + i % users]);
            }
            site.origin.origins.insert("kudu.a.com".to_owned(), "https://kudu.a.com".to_owned());
            let line = site.mine(k, &syn()).unwrap().to_line().unwrap();
            ["gazelle", "ibex", "oryx", "kudu", "https://kudu.a.com"].map(|literal| line.contains(literal))
        };
        assert_eq!(named(k - 1), [false; 5], "k = {k}");
        assert_eq!(named(k), [true; 5], "k = {k}");
    }
}

#[test]
fn ours_the_same_user_of_many_urls_counts_once() {
    let mut site = busy();
    for i in 0..500 {
        site.visit(format!("a.com/gazelle/{i}"), [7, 8, 7, 8]);
    }
    let line = site.mine(3, &syn()).unwrap().to_line().unwrap();
    assert!(!line.contains("gazelle"));
    assert!(site.mine(2, &syn()).unwrap().to_line().unwrap().contains("gazelle"));
}

#[test]
fn ours_what_the_operator_gave_may_be_named() {
    let mut site = busy();
    for i in 0..20 {
        site.know(&format!("a.com/catalog/{i}?color=red"));
    }
    let model = site.mine(5, &syn()).unwrap();
    let line = model.to_line().unwrap();
    for literal in ["catalog", "color", "red"] {
        assert!(line.contains(literal), "{literal}");
    }
    let catalog = model.patterns().find(|(_, node)| node.pattern.contains("catalog")).unwrap().1;
    assert_eq!((catalog.urls, catalog.visited, catalog.visits), (20, 0, 0));
    // But not as a URL that people visited: nobody did.
    assert!(model.urls.iter().all(|url| !url.url.contains("catalog")));
    // A secret is one even if the operator gave it.
    site.know(&format!("a.com/catalog/{TOKEN}")).know("a.com/catalog/~token~");
    let lines = lines(&site, 5);
    assert!(!lines.contains(TOKEN) && !lines.contains("~token~"));
}

#[test]
fn ours_urls_of_a_model_have_k_users_and_the_most_visited_come_first() {
    let mut site = busy();
    site.visit("a.com/item/3", std::iter::repeat_n(3, 40));
    site.visit("a.com/item/99", 0..4);
    let model = site.mine(5, &syn()).unwrap();
    assert!(model.urls.iter().all(|url| url.users >= 5));
    assert_eq!(model.urls.len(), 180, "item 99 had four users");
    assert_eq!((model.urls[0].url.as_str(), model.urls[0].visits, model.urls[0].users), ("a.com/item/3", 46, 6));
    assert!(model.urls.is_sorted_by_key(|url| std::cmp::Reverse(url.visits)));
    // The cap takes the least visited away.
    let capped = site.mine(5, &MiningSettings { max_urls: 7, ..syn() }).unwrap();
    assert_eq!(capped.urls[..], model.urls[..7]);
}

#[test]
fn ours_a_site_of_too_few_users_has_no_model() {
    let with = |users: u32| {
        let mut site = Site::default();
        for i in 0..50 {
            site.visit(format!("a.com/item/{i}"), 0..users);
        }
        site
    };
    let fault = with(4).mine(5, &syn()).unwrap_err();
    assert_eq!(fault, NoModel::FewUsers(5));
    assert!(fault.to_string().contains("fewer than 5 users"), "{fault}");
    assert!(with(5).mine(5, &syn()).is_ok());
    assert!(with(1).mine(2, &syn()).is_err());
}

#[test]
fn ours_no_page_of_a_rare_host_is_a_leaf_of_its_own() {
    let mut site = busy();
    site.visit("okapi.a.com/", 0..4);
    let model = site.mine(5, &syn()).unwrap();
    assert!(model.nodes.iter().all(|node| !matches!(&node.way, Way::Page(url) if url.contains("okapi"))));
    site.visit("okapi.a.com/", 4..5);
    let model = site.mine(5, &syn()).unwrap();
    assert!(model.nodes.iter().any(|node| matches!(&node.way, Way::Page(url) if url.contains("okapi"))));
}

#[test]
fn ours_a_rare_url_of_common_parts_is_not_named() {
    // Many visit items, many visit news 777, and three visit item 777, again and again: no part of it is rare.
    for (k, users) in [(5, 4), (5, 3), (2, 1)] {
        let mut site = busy();
        site.visit("a.com/item/777", (0..100).map(|visit| visit % users));
        site.visit("a.com/news/777", 0..50);
        let lines = lines(&site, k);
        assert!(!lines.contains("item/777"), "k = {k}: {}", around(&lines, "item/777"));
        assert!(lines.contains("news/777"));
        site.visit("a.com/item/777", users..k);
        assert!(self::lines(&site, k).contains("item/777"), "k = {k}, and k users");
    }
}
