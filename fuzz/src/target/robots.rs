//! What sites ask of crawlers: robots.txt, `X-Robots-Tag`, `<meta name=robots>`.

use trodden_fetch::robots::{CRAWL_DELAY, PATTERN_BYTES, RULES, Reason, SITEMAP_BYTES, SITEMAPS};
use trodden_fetch::robots_tag::PageUse;
use trodden_fetch::{RobotsFile, RobotsTag, Verdict};

/// Paths that are asked about, beside the patterns themselves.
const PATHS: &[&str] = &["/", "/a/b?c=d", "/robots.txt", "/%41%2f*$", "/index.html"];

/// Rules are within their caps, and decide every path; robots.txt itself is always allowed.
pub(super) fn file(input: &[u8]) {
    let file = RobotsFile::parse(input);
    assert!(file.sitemaps().len() <= SITEMAPS && file.sitemaps().iter().all(|url| url.len() <= SITEMAP_BYTES));
    for agent in ["trodden", "other-bot"] {
        let rules = file.rules_for(agent);
        assert!(rules.iter().count() <= RULES);
        assert!(rules.crawl_delay().is_none_or(|delay| delay <= CRAWL_DELAY));
        let mut patterns = Vec::new();
        for rule in rules.iter().take(20) {
            assert!(rule.pattern.as_str().len() <= PATTERN_BYTES);
            patterns.push(rule.pattern.as_str());
            if !rule.pattern.as_str().contains(['*', '$']) {
                let decision = rules.decide(rule.pattern.as_str());
                assert!(decision.reason != Reason::NoRule, "a rule does not hold for its own pattern");
            }
        }
        for path in PATHS.iter().copied().chain(patterns) {
            let decision = rules.decide(path);
            assert_eq!(decision.verdict, rules.verdict(path));
        }
        assert_eq!(rules.verdict("/robots.txt"), Verdict::Allowed);
    }
}

/// Reading a tag ends, and one refusal more takes none back.
pub(super) fn tag(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let lines: Vec<&str> = text.lines().collect();
    let tag = RobotsTag::parse(lines.iter().copied(), "trodden");
    let both = tag.clone().and(RobotsTag::parse_meta(lines.iter().map(|line| ("robots", *line)), "trodden"));
    for what in [PageUse::Index, PageUse::Follow, PageUse::Archive] {
        assert!(!tag.refuses(what) || both.refuses(what));
    }
    assert!(tag.unavailable_after().is_none_or(|date| date.len() <= 64));
    let json = serde_json::to_string(&both).expect("a tag is JSON");
    assert_eq!(serde_json::from_str::<RobotsTag>(&json).expect("as it was written"), both);
}
