//! What holds the crawl up? The delays that are in force, and how long they make what is left take at least.
//!
//! A host is asked once in its delay, `at_once_per_host` at a time, so its `w` URLs that wait take at least
//! `w · delay / at_once_per_host`. Hosts are asked side by side: without a budget, all takes as long as the slowest of them.
//! With `n` pages left of a budget, it takes the shortest time `t` in which all hosts together can give `n`:
//!
//! ```text
//! Σ min(w, t · at_once_per_host / delay) ≥ n
//! ```

use std::time::{Duration, Instant};

use trodden_frontier::{Frontier, QueueId, Time};

use super::Crawl;

/// How often hosts are looked at.
const HOSTS_EVERY: Duration = Duration::from_secs(1);
/// A look at a hundred thousand hosts takes a while: it is not taken again before so many times that.
const LOOKS_APART: u32 = 200;
/// How often whoever watches is told, while nothing happens.
const SHOW_EVERY: Duration = Duration::from_millis(200);
/// Halvings of the time in which enough can be had: to a millionth of what all would take.
const HALVINGS: u32 = 20;

/// Delays in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// From an answer of a host to the next request, by the settings.
    pub own_ms: u64,
    /// Hosts that ask for longer ones in robots.txt, of those that something waits for.
    pub asked: HostDelays,
    /// Hosts that answer slower than they used to, or asked us to slow down.
    pub throttled: HostDelays,
    /// What is left takes so long at least.
    pub least_ms: u64,
}

/// Hosts with a delay of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostDelays {
    /// How many.
    pub hosts: u64,
    /// The one with the longest.
    pub host: String,
    /// How long that is.
    pub delay_ms: u64,
}

impl HostDelays {
    fn add(&mut self, host: &str, delay_ms: u64) {
        self.hosts += 1;
        if delay_ms > self.delay_ms {
            (self.host, self.delay_ms) = (host.to_owned(), delay_ms);
        }
    }
}

/// When it was looked last.
#[derive(Default)]
pub(super) struct Looked {
    /// When hosts may be looked at again.
    hosts_again: Option<Instant>,
    shown: Option<Instant>,
}

impl Crawl {
    /// Tells whoever watches, also while nothing happens.
    pub(super) fn show_if_due(&mut self, wait: Option<Time>) {
        self.tally.next_ms = wait.filter(|_| self.tally.under_way == 0).map(|until| until.0);
        if self.looked.shown.is_none_or(|shown| shown.elapsed() >= SHOW_EVERY) {
            self.show();
        }
    }

    pub(super) fn show(&mut self) {
        self.tally.waiting = self.session.frontier().waiting();
        self.tally.elapsed_ms = self.elapsed_ms();
        let begun = Instant::now();
        if self.looked.hosts_again.is_none_or(|again| again <= begun) {
            self.tally.delays = self.delays();
            self.looked.hosts_again = Some(begun + HOSTS_EVERY.max(LOOKS_APART * begun.elapsed()));
        }
        self.looked.shown = Some(Instant::now());
        self.progress.show(&self.tally);
        self.meters.show(&self.tally);
    }

    fn delays(&self) -> Delays {
        let (own, frontier) = (self.settings.delay(), self.session.frontier());
        let mut delays = Delays { own_ms: own.0, ..Delays::default() };
        for (queue, host) in self.hosts.asked.iter().filter(|(queue, _)| frontier.waiting_in(**queue) > 0) {
            let (name, delay) = (frontier.queue_name(*queue), host.pacer.delay(own).0);
            if host.pacer.crawl_delay().is_some_and(|asked| asked > own) {
                delays.asked.add(name, delay);
            }
            if host.pacer.is_throttled() {
                delays.throttled.add(name, delay);
            }
        }
        let hosts = (0..frontier.queues()).map(QueueId).map(|queue| {
            let waiting = frontier.waiting_in(queue).min(self.pages_left_of(queue).unwrap_or(u64::MAX));
            (waiting, self.hosts.asked.peek(&queue).map_or(own, |host| host.pacer.delay(own)).0)
        });
        let hosts: Vec<(u64, u64)> = hosts.filter(|(waiting, _)| *waiting > 0).collect();
        let left = self.settings.budget.pages.map(|pages| pages.saturating_sub(self.tally.pages()));
        delays.least_ms = least_ms(&hosts, self.settings.at_once_per_host, left);
        delays
    }
}

/// How long so many pages of hosts take at least, or all of them; by what waits for each host and its delay.
fn least_ms(hosts: &[(u64, u64)], at_once: u32, left: Option<u64>) -> u64 {
    let at_once = u64::from(at_once.max(1));
    let all = hosts.iter().map(|(waiting, delay)| waiting.saturating_mul(*delay) / at_once).max().unwrap_or(0);
    let Some(left) = left.filter(|left| *left < hosts.iter().map(|(waiting, _)| waiting).sum()) else { return all };
    let enough = |time: u64| {
        let got = |&(waiting, delay): &(u64, u64)| {
            time.saturating_mul(at_once).checked_div(delay).map_or(waiting, |turns| turns.min(waiting))
        };
        hosts.iter().map(got).sum::<u64>() >= left
    };
    let (mut short, mut long) = (0, all);
    for _ in 0..HALVINGS {
        let middle = short + (long - short) / 2;
        if enough(middle) {
            long = middle;
        } else {
            short = middle;
        }
    }
    long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_what_is_left_takes_as_long_as_the_delays_make_it() {
        assert_eq!(least_ms(&[(100, 10_000)], 1, None), 1_000_000, "a hundred pages, ten seconds each");
        assert_eq!(least_ms(&[(100, 10_000)], 4, None), 250_000);
        assert_eq!(least_ms(&[(100, 10_000), (500, 1_000)], 1, None), 1_000_000, "side by side");
        assert_eq!(least_ms(&[], 1, None), 0);
        assert_eq!(least_ms(&[(7, 0)], 1, Some(5)), 0);
        let near = |hosts: &[(u64, u64)], left: u64, expected: u64| {
            let least = least_ms(hosts, 1, Some(left));
            assert!(least.abs_diff(expected) <= expected / 1_000, "{least} for {expected}");
        };
        near(&[(100, 10_000)], 30, 300_000);
        // In ten seconds the quick one gives ten and the slow one one.
        near(&[(100, 10_000), (500, 1_000)], 110, 100_000);
        near(&[(100, 10_000), (500, 1_000)], 5_000, 1_000_000);
    }
}
