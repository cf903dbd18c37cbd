//! A crawl over more hosts than it has room for.

use super::*;
use crate::outcome::OutcomeKind;

const HOSTS: usize = 60;
/// The one that asks for a delay, and for which.
const SLOW: &str = "http://h7.test/";
const ASKED: Duration = Duration::from_millis(200);

/// Each host has three pages; the first knows all hosts.
fn answer(head: &str) -> String {
    let url = url_of(head);
    match url.strip_suffix("/robots.txt") {
        Some(_) if url.starts_with(SLOW) => said("text/plain", "User-agent: *\nCrawl-delay: 0.2\nDisallow: /private\n"),
        Some(_) => said("text/plain", "User-agent: *\nDisallow: /private\n"),
        None => {
            let others = (0..HOSTS).filter(|_| url == "http://h0.test/").map(|n| format!("http://h{n}.test/"));
            let own = ["/a", "/b", "/private"].into_iter().filter(|_| url.ends_with(".test/")).map(str::to_owned);
            let links = others.chain(own).map(|to| format!("<a href=\"{to}\">x</a>"));
            said("text/html", &links.collect::<String>())
        }
    }
}

#[test]
fn ours_a_crawl_of_many_hosts_keeps_few_of_them_in_mind_and_forgets_nothing_that_matters() {
    let (folder, asked) = (tempfile::tempdir().unwrap(), Asked::default());
    let settings = CrawlSettings { archive: false, ..CrawlSettings::default() };
    let mut crawl = crawl(folder.path(), &web(&asked, answer), settings);
    crawl.hosts = Hosts::with_room(8, 2_048, 4);
    drain(&mut crawl, "http://h0.test/");

    assert_eq!(crawl.tally.of(OutcomeKind::Page), 3 * HOSTS as u64);
    assert_eq!(crawl.tally.of(OutcomeKind::RobotsDenied), HOSTS as u64);
    assert_eq!(crawl.tally.hosts, HOSTS as u64);
    assert_eq!(crawl.tally.robots, HOSTS as u64, "what was forgotten is on disk");
    let [robots, hosts, addresses] = crawl.hosts.sizes();
    assert!(robots <= 18 && hosts <= 16 && addresses <= 8, "{robots} {hosts} {addresses}");
    assert!(crawl.by_site.is_empty(), "no site has a budget");
    let asked = asked.lock().unwrap();
    let slow = asked.iter().filter(|(head, _)| url_of(head).starts_with(SLOW));
    let slow: Vec<Instant> = slow.map(|(_, time)| *time).collect();
    assert_eq!(slow.len(), 4);
    for pair in slow.windows(2) {
        assert!(pair[1] - pair[0] >= ASKED - Duration::from_millis(5), "{:?}", pair[1] - pair[0]);
    }
}
