//! Is the page of a crawl whole, safe and the same every time?

use trodden_testing::parsed;

use super::*;
use crate::crawl::report::{
    BrokenRow, CrawlTraffic, FetchedPage, Group, GroupedBy, HostPace, MAX_HOSTS, OutcomeCount, Shown,
};

fn sample() -> CrawlReport {
    let curve = |power: f64, end: f64| -> Vec<[f64; 2]> {
        (0..=20).map(|i| f64::from(i) / 20.0).map(|x| [x, end * x.powf(power)]).collect()
    };
    let page = |path: &str, bytes, took_ms| FetchedPage { url: format!("https://example.org{path}"), bytes, took_ms };
    let group = |name: &str, pages, visits| Group { name: name.to_owned(), pages, bytes: pages * 12_000, visits };
    let outcome =
        |kind: &str, count, is_success| OutcomeCount { kind: kind.to_owned(), count, is_success, examples: Vec::new() };
    let mut failed = outcome("not-found", 2, false);
    failed.examples = vec![
        ("https://example.org/gone?a=1&b=2".to_owned(), Some("https://example.org/".to_owned())),
        ("https://example.org/typo".to_owned(), None),
    ];
    CrawlReport {
        name: "example.org".to_owned(),
        policy: "blend".to_owned(),
        version: "1.2.3".to_owned(),
        pages: 1_200,
        bytes: 14_400_000,
        elapsed_ms: 1_234_567,
        known: 5_431,
        traffic: Some(CrawlTraffic {
            visits: 10_000.0,
            fetched: 6_340.0,
            curve: curve(0.5, 0.634),
            expected: curve(0.7, 0.634),
            best: curve(0.3, 0.634),
        }),
        judged: None,
        pace: curve(1.0, 1.0),
        span_ms: 1_230_000,
        grouped_by: GroupedBy::Pattern,
        groups: Shown::first(vec![group("/wiki/{word}", 900, 6_000.0), group("/about/*", 300, 340.0)], 1),
        outcomes: vec![outcome("page", 1_200, true), outcome("redirect", 7, true), failed],
        put_off: vec![("time-out".to_owned(), 3)],
        broken: Shown::first(
            vec![
                BrokenRow {
                    url: "https://example.org/gone?a=1&b=2".to_owned(),
                    outcome: "not-found".to_owned(),
                    status: 404,
                    linked: Some(2),
                    pages: vec!["https://example.org/".to_owned(), "https://example.org/about/us".to_owned()],
                },
                BrokenRow {
                    url: "https://elsewhere.example/".to_owned(),
                    outcome: "no-such-host".to_owned(),
                    status: 0,
                    linked: None,
                    pages: Vec::new(),
                },
            ],
            9,
        ),
        hosts: Shown::first(
            vec![HostPace {
                host: "example.org".to_owned(),
                requests: 1_209,
                mean_ms: 120,
                most_ms: 1_400,
                delay_ms: 1_000,
                errors: 2,
            }],
            MAX_HOSTS,
        ),
        largest: vec![page("/huge", 4_000_000, 900)],
        slowest: vec![page("/slow", 4_000, 9_000)],
        waiting: Shown::first(vec![("example.org".to_owned(), 4_222)], MAX_HOSTS),
        waiting_in_all: 4_222,
        settings: vec![("policy".to_owned(), "blend".to_owned()), ("crawl.delay_ms".to_owned(), "1000".to_owned())],
    }
}

/// Without its style and script, which are the same for all pages.
fn body(page: &str) -> &str {
    let page = &page[page.find("<body>").unwrap()..];
    &page[..page.find("<script>").unwrap()]
}

#[test]
fn ours_the_page_of_a_crawl_says_what_came_of_it() {
    insta::assert_snapshot!("crawl", body(&crawl_html(&sample())));
}

#[test]
fn ours_the_page_of_any_crawl_is_well_formed_and_shows_no_odd_number() {
    let mut odd = sample();
    odd.traffic = Some(CrawlTraffic {
        visits: f64::NAN,
        curve: vec![[0.0, f64::NAN], [f64::NAN, 1.0]],
        ..CrawlTraffic::default()
    });
    odd.pace = vec![[f64::NAN, 0.0], [f64::INFINITY, 1.0]];
    odd.groups.rows[0].visits = f64::NAN;
    let mut one = sample();
    (one.pages, one.waiting_in_all, one.traffic) = (1, 0, None);
    let mut visit = sample();
    visit.traffic.iter_mut().for_each(|traffic| traffic.visits = 1.0);
    assert!(crawl_html(&visit).contains("Share of the 1 visit in the logs"), "{}", crawl_html(&visit));
    for report in [CrawlReport::default(), sample(), odd, one, visit] {
        let page = crawl_html(&report);
        let (elements, text) = parsed(&page);
        assert_eq!(elements.iter().filter(|name| *name == "html").count(), 1);
        assert!(text.replace('\u{a0}', " ").contains(&words::headline(&report)));
        assert!(!body(&page).contains("NaN") && !body(&page).contains("inf"), "{}", body(&page));
    }
}

#[test]
fn ours_no_url_becomes_part_of_the_page() {
    const EVIL: &str =
        "https://e.example/</title></script><script>alert(1)</script><img src=x onerror='a' \"b\"> & \0 ]]> <!--";
    let evil = || EVIL.to_owned();
    let plain = sample();
    let mut report = sample();
    (report.name, report.policy, report.version) = (evil(), evil(), evil());
    report.groups.rows[0].name = evil();
    report.outcomes[2].kind = evil();
    report.put_off[0].0 = evil();
    report.outcomes[2].examples = vec![(evil(), Some(evil())), (evil(), None)];
    (report.broken.rows[0].url, report.broken.rows[0].outcome) = (evil(), evil());
    report.broken.rows[0].pages[0] = evil();
    report.hosts.rows[0].host = evil();
    (report.largest[0].url, report.slowest[0].url) = (evil(), evil());
    report.waiting.rows[0].0 = evil();
    report.settings = vec![(evil(), evil()), (evil(), evil())];
    // A URL may have places where a line ends, and nothing else.
    let elements = |of: &CrawlReport| {
        let mut names = parsed(&crawl_html(of)).0;
        names.retain(|name| *name != "wbr");
        names
    };
    let (ours, theirs) = (elements(&plain), elements(&report));
    assert_eq!(ours, theirs, "the same elements in the same order");
}

#[test]
fn ours_what_is_long_is_cut_and_what_is_left_out_is_counted() {
    let mut report = sample();
    report.largest[0].url = "é".repeat(100_000);
    let page = crawl_html(&report);
    assert!(page.contains(&format!("{}…", "é".repeat(MAX_CHARS))) && !page.contains(&"é".repeat(MAX_CHARS + 1)));
    assert!(page.contains("and 1 more"), "one of the two groups is left out");
}

#[test]
fn ours_the_page_asks_nobody_for_anything() {
    let page = crawl_html(&sample());
    let page = page.replace("http://www.w3.org/2000/svg", "");
    let page = page.replace("https://example.org", "").replace("https://elsewhere.example", "");
    for loads in ["http:", "https:", "src=", "url(", "@import", "<link", "<a "] {
        assert!(!page.contains(loads), "{loads}");
    }
}
