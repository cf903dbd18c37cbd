//! How did hosts answer?

use std::collections::BTreeMap;

use super::collect::SettledUrl;
use super::{HostPace, MAX_HOSTS, Shown};
use crate::crawl::{CrawlRecord, Error};

#[derive(Default)]
struct HostAnswers {
    took: Vec<u32>,
    errors: u64,
}

/// Hosts that were asked, the slowest first.
pub(super) fn hosts(settled: &[SettledUrl], delay_ms: u64, record: &CrawlRecord<'_>) -> Result<Shown<HostPace>, Error> {
    let mut queues: BTreeMap<u32, HostAnswers> = BTreeMap::new();
    // What robots.txt kept us from was not asked for: it is neither a request nor an error of the host.
    for url in settled.iter().filter(|url| !url.kind.is_by_robots()) {
        let answers = queues.entry(url.queue).or_default();
        answers.took.push(url.took_ms);
        answers.errors += u64::from(!url.kind.is_success());
    }
    let asked: Vec<(String, u64)> =
        record.crawl_delays()?.into_iter().map(|(origin, delay)| (host_of(&origin).to_owned(), delay.0)).collect();
    let delay = |host: &str| {
        let theirs = asked.iter().filter(|(asked, _)| asked == host_of(host)).map(|(_, ms)| *ms).max();
        delay_ms.max(theirs.unwrap_or(0))
    };
    let mut hosts: Vec<HostPace> = Vec::new();
    for (queue, mut answers) in queues {
        answers.took.sort_unstable();
        let host = record.host(queue).to_owned();
        let n = answers.took.len() as u64;
        hosts.push(HostPace {
            requests: n,
            mean_ms: answers.took.iter().map(|ms| u64::from(*ms)).sum::<u64>() / n.max(1),
            most_ms: answers
                .took
                .get((answers.took.len() * 95).div_ceil(100).saturating_sub(1))
                .map_or(0, |ms| u64::from(*ms)),
            delay_ms: delay(&host),
            errors: answers.errors,
            host,
        });
    }
    hosts.sort_by(|a, b| b.mean_ms.cmp(&a.mean_ms).then_with(|| a.host.cmp(&b.host)));
    Ok(Shown::first(hosts, MAX_HOSTS))
}

/// The host of an origin: without scheme and port.
#[must_use]
pub fn host_of(origin: &str) -> &str {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_host_is_found_by_its_origin() {
        for (origin, host) in [
            ("http://a.example", "a.example"),
            ("https://a.example:8443", "a.example"),
            ("a.example:80", "a.example"),
            ("http://[::1]", "[::1]"),
            ("http://[::1]:80", "[::1]"),
        ] {
            assert_eq!(host_of(origin), host);
        }
    }
}
