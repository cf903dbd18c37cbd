//! How slow is everybody just now?
//!
//! Our own loop, the link or the machine may be busy: then answers of all hosts take longer by about the same time. That time is the
//! median of how much longer than usual the last answers of *other* hosts took; without enough of those it is nothing.

use std::collections::VecDeque;

use trodden_frontier::{QueueId, Span};

/// Answers that are remembered: some seconds of a busy crawl.
const REMEMBERED: usize = 64;
/// Answers of other hosts without which nothing is known: fewer could be one host and a neighbor.
const ENOUGH: usize = 8;

/// How much longer than usual the last answers took.
#[derive(Clone, Debug, Default)]
pub struct Weather {
    last: VecDeque<(QueueId, f64)>,
}

impl Weather {
    /// An answer of a host took so many milliseconds longer than usual.
    pub fn answered(&mut self, host: QueueId, excess_ms: f64) {
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back((host, excess_ms));
    }

    /// How much longer than usual hosts beside this one take.
    #[must_use]
    pub fn beside(&self, host: QueueId) -> Span {
        let mut others: Vec<f64> = self.last.iter().filter(|(other, _)| *other != host).map(|(_, ms)| *ms).collect();
        if others.len() < ENOUGH {
            return Span::ZERO;
        }
        let middle = others.len() / 2;
        let (_, median, _) = others.select_nth_unstable_by(middle, f64::total_cmp);
        Span(*median as u64)
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
                let lag = weather.beside(QueueId(host));
                if let Some(excess) = pacer.excess_ms(took) {
                    weather.answered(QueueId(host), excess);
                }
                pacer.answered(Span(took.0.saturating_sub(lag.0)));
            }
        }
        (0..hosts).filter(|host| pacers[*host as usize].delay(WANTED) > WANTED).collect()
    }

    #[test]
    fn ours_when_all_get_slow_at_once_it_is_nobody_s_fault() {
        assert_eq!(throttled(40, |round, _| if round < 10 { 5 } else { 300 }), [] as [u32; 0]);
    }

    #[test]
    fn ours_who_gets_slow_beside_the_others_is_throttled_busy_or_not() {
        let took = |round: u32, host: u32| {
            let busy = if round < 10 { 0 } else { 200 };
            busy + if host == 7 && round > 15 { 900 } else { 5 }
        };
        assert_eq!(throttled(40, took), [7]);
        assert_eq!(throttled(1, |round, _| if round < 10 { 5 } else { 600 }), [0], "alone, it is the host");
    }
}
