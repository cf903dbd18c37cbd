//! Are all real files read within the caps?

use trodden_fetch::robots::{CRAWL_DELAY, PATTERN_BYTES, RULES, Reason, RobotsFile, SITEMAP_BYTES, SITEMAPS, Verdict};

use super::sites;

#[test]
fn ours_real_files_are_read_within_the_caps() {
    let Some(sites) = sites::all() else { return };
    assert_eq!(sites.len(), 4_231);
    let (mut with_rules, mut rules_read, mut with_delay, mut sitemaps, mut home_closed) = (0, 0, 0, 0, 0);
    for site in &sites {
        let file = RobotsFile::parse(&site.robots);
        assert!(file.sitemaps().len() <= SITEMAPS, "{}", site.name);
        assert!(file.sitemaps().iter().all(|url| url.len() <= SITEMAP_BYTES), "{}", site.name);
        let rules = file.rules_for("trodden");
        assert!(rules.iter().count() <= RULES, "{}", site.name);
        assert!(rules.iter().all(|rule| rule.pattern.as_str().len() <= PATTERN_BYTES), "{}", site.name);
        assert!(rules.crawl_delay().is_none_or(|delay| delay <= CRAWL_DELAY), "{}", site.name);
        // A path that is a pattern without stars is decided by a rule.
        for rule in rules.iter().filter(|rule| !rule.pattern.as_str().contains(['*', '$'])) {
            let decision = rules.decide(rule.pattern.as_str());
            assert!(decision.reason != Reason::NoRule, "{}: {}", site.name, rule.pattern.as_str());
        }
        with_rules += usize::from(rules.iter().count() > 0);
        rules_read += rules.iter().count();
        with_delay += usize::from(rules.crawl_delay().is_some());
        sitemaps += file.sitemaps().len();
        home_closed += usize::from(rules.verdict("/") == Verdict::Disallowed);
    }
    eprintln!(
        "{with_rules} files with rules for us, {rules_read} rules, {with_delay} delays, {sitemaps} sitemaps, {home_closed} homes closed"
    );
    assert!(with_rules > 3_000 && sitemaps > 1_000 && with_delay > 100 && home_closed < 500);
}
