//! Promises by a table: a file, who asks, for what, and the verdict.

use super::super::*;

/// `\n`, `\r`, `\t`, `\xNN` and `\\` as in a string; commas are written as `\x2C`.
fn plain(field: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = field.bytes();
    while let Some(byte) = rest.next() {
        out.push(match byte {
            b'\\' => match rest.next().unwrap() {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits = [rest.next().unwrap(), rest.next().unwrap()];
                    u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                other => other,
            },
            other => other,
        });
    }
    out
}

fn check(section: &str) -> usize {
    let cases = include_str!("../../../tests/data/robots-cases.csv");
    let mut checked = 0;
    for (index, row) in cases.lines().enumerate().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [robots, agent, path, expected, from] = fields[..] else { panic!("row {}: {row}", index + 1) };
        if !from.starts_with(section) {
            continue;
        }
        let rules = RobotsFile::parse(&plain(robots)).rules_for(agent);
        let expected = match expected {
            "allowed" => Verdict::Allowed,
            "disallowed" => Verdict::Disallowed,
            other => panic!("row {}: {other}", index + 1),
        };
        let decision = rules.decide(std::str::from_utf8(&plain(path)).unwrap());
        assert_eq!(decision.verdict, expected, "row {}: {row}\n{decision:?}", index + 1);
        checked += 1;
    }
    checked
}

#[test]
fn rfc9309_every_case_of_the_table() {
    assert!(check("rfc9309") > 75);
}

#[test]
fn google_every_case_of_the_table() {
    assert!(check("google") > 40);
}

#[test]
fn google_lines_are_counted_whatever_ends_them() {
    for end in ["\n", "\r", "\r\n"] {
        let file = ["# a", "", "User-agent: a", "", "Disallow: /x%79*", ""].join(end);
        let rules = RobotsFile::parse(file.as_bytes()).rules_for("a");
        let Reason::Rule(rule) = rules.decide("/xy").reason else { panic!("no rule") };
        assert_eq!((rule.line, rule.pattern.as_str(), rule.pattern.octets()), (5, "/xy*", 4));
    }
    let mixed = RobotsFile::parse(b"\r\n\n\rUser-agent: a\n\rDisallow: /x").rules_for("a");
    assert_eq!(mixed.iter().next().unwrap().line, 6);
}

#[test]
fn rfc9309_what_decided_is_told() {
    let rules = RobotsFile::parse(b"User-agent: a\nAllow: /x\nDisallow: /\nDisallow: /").rules_for("a");
    assert_eq!(rules.iter().count(), 2, "duplicates are dropped");
    let line = |path: &str| match rules.decide(path).reason {
        Reason::Rule(rule) => Some(rule.line),
        Reason::NoRule | Reason::RobotsFile => None,
    };
    assert_eq!((line("/x"), line("/y"), line("/robots.txt")), (Some(2), Some(3), None));
    assert_eq!(rules.decide("/robots.txt").reason, Reason::RobotsFile);
    assert_eq!(RobotsRules::default().decide("/x").reason, Reason::NoRule);
}

#[test]
fn rfc9309_a_token_is_letters_hyphens_and_underscores() {
    for good in ["Foobot", "Foobot-Bar", "Foo_Bar"] {
        assert!(is_product_token(good), "{good}");
    }
    for bad in ["", "ツ", "Foobot*", " Foobot ", "Foobot/2.1", "Foobot Bar", "a1"] {
        assert!(!is_product_token(bad), "{bad}");
    }
}

#[test]
fn ours_a_delay_is_seconds_of_the_agents_before_it() {
    let delay = |file: &str, agent: &str| RobotsFile::parse(file.as_bytes()).rules_for(agent).crawl_delay();
    let of = |value: &str| delay(&format!("User-agent: a\nCrawl-delay: {value}\nDisallow: /x"), "a").map(|span| span.0);
    assert_eq!(
        (of("10"), of("0.5"), of(".25"), of("1.0001"), of("0")),
        (Some(10_000), Some(500), Some(250), Some(1_001), Some(0))
    );
    assert_eq!((of("99999999999999999999"), of("86401")), (Some(CRAWL_DELAY.0), Some(CRAWL_DELAY.0)));
    for nonsense in ["", "-1", "1e3", "inf", "NaN", "10 s", "1,5", "..", "."] {
        assert_eq!(of(nonsense), None, "{nonsense:?}");
    }
    let file = "Crawl-delay: 9\nUser-agent: a\nCrawl-delay: 2\nUser-agent: *\nDisallow: /x\nCrawl-delay: 1\nUser-agent: a\nCrawl-delay: 3";
    let seconds = |agent| delay(file, agent).map(|span| span.0 / 1_000);
    assert_eq!((seconds("a"), seconds("b")), (Some(3), Some(1)));
}

#[test]
fn rfc9309_sitemaps_are_of_the_whole_file() {
    let file = RobotsFile::parse(
        b"Sitemap: https://e.org/1\nUser-agent: a\nsite-map: /2#x\nSitemaps https://e.org/3\nSITEMAP:\nSitemap: \xFF\nSitemap https://e.org/4 5",
    );
    assert_eq!(file.sitemaps(), ["https://e.org/1", "/2", "https://e.org/3"]);
}
