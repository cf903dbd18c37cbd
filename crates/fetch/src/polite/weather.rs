//! How slow is everybody just now?
//!
//! The link, a proxy or the machine may be busy: then answers of all hosts take longer, some of them much longer. A host is slow beside the
//! others only if its answer took over twice as long as nine in ten of the last answers of *other* hosts. Without enough of those, it is compared
//! with itself alone.

use std::collections::VecDeque;

use trodden_frontier::{QueueId, Span};

/// Answers that are remembered: a second or so of a busy crawl.
const REMEMBERED: usize = 128;
/// Answers of other hosts without which nothing is known: fewer could be one host and a neighbor.
const ENOUGH: usize = 8;
/// Slower than this many times the slow ones of the others.
const BESIDE: u64 = 2;

/// How long the last answers took.
#[derive(Clone, Debug, Default)]
pub struct Weather {
    last: VecDeque<(QueueId, u64)>,
}

impl Weather {
    /// An answer of a host took so long.
    pub fn answered(&mut self, host: QueueId, took: Span) {
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back((host, took.0));
    }

    /// Whether an answer that took so long is as slow as others are.
    #[must_use]
    pub fn is_usual(&self, host: QueueId, took: Span) -> bool {
        let mut others: Vec<u64> = self.last.iter().filter(|(other, _)| *other != host).map(|(_, ms)| *ms).collect();
        if others.len() < ENOUGH {
            return false;
        }
        let ninetieth = others.len() * 9 / 10;
        let (_, slow, _) = others.select_nth_unstable(ninetieth);
        took.0 <= slow.saturating_mul(BESIDE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polite::Pacer;

    const WANTED: Span = Span(10);

    /// Rounds of answers of so many hosts, each after this time; the last round as well; which hosts are throttled.
    fn throttled(hosts: u32, took: impl Fn(u32, u32) -> u64) -> Vec<u32> {
        let mut pacers = vec![Pacer::default(); hosts as usize];
        let mut weather = Weather::default();
        for round in 0..30 {
            for host in 0..hosts {
                let (pacer, took) = (&mut pacers[host as usize], Span(took(round, host)));
                let is_usual = weather.is_usual(QueueId(host), took);
                weather.answered(QueueId(host), took);
                pacer.answered(if is_usual { pacer.usual(took) } else { took });
            }
        }
        (0..hosts).filter(|host| pacers[*host as usize].delay(WANTED) > WANTED).collect()
    }

    #[test]
    fn ours_when_all_get_slow_at_once_it_is_nobody_s_fault() {
        assert_eq!(throttled(40, |round, _| if round < 10 { 5 } else { 300 }), [] as [u32; 0]);
        // Some much more than others.
        let uneven =
            |round: u32, host: u32| if round < 10 { 5 } else { 100 + u64::from((host * 7 + round * 13) % 40) * 50 };
        assert_eq!(throttled(40, uneven), [] as [u32; 0]);
    }

    #[test]
    fn ours_who_gets_slow_beside_the_others_is_throttled_busy_or_not() {
        let took = |round: u32, host: u32| {
            let busy = if round < 10 { 0 } else { 200 };
            busy + if host == 7 && round > 15 { 1_900 } else { 5 }
        };
        assert_eq!(throttled(40, took), [7]);
        assert_eq!(throttled(1, |round, _| if round < 10 { 5 } else { 600 }), [0], "alone, it is the host");
    }
}
