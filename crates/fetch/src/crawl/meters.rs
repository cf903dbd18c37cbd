//! What can be measured of a crawl while it runs? Counters, gauges and histograms, for whoever installs a recorder of the crate `metrics`.
//!
//! Handles are made once, when a crawl is opened. Without a recorder each is empty, and counting is one look at an empty handle: no key is
//! made, no clock is read for it. The names are in docs/observe.md; they are part of what we promise, like the columns of a list.
//!
//! What the session does is counted by the session itself (`trodden_session_steps_total`); it reads no clock, so the time that commits and
//! checkpoints take is measured here.

use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};
use trodden_session::UrlRecord;

use super::Tally;
use crate::outcome::OutcomeKind;

/// The handles of a crawl.
pub(super) struct Meters {
    /// By the code of the outcome.
    settled: Vec<Counter>,
    deferred: Vec<Counter>,
    bytes: Counter,
    took: Histogram,
    commit: Histogram,
    checkpoint: Histogram,
    waiting: Gauge,
    known: Gauge,
    hosts: Gauge,
    under_way: Gauge,
}

impl Meters {
    /// As the recorder of this process has them.
    pub(super) fn new() -> Self {
        metrics::describe_counter!("trodden_urls_settled_total", "URLs that came to something, by outcome");
        metrics::describe_counter!(
            "trodden_fetches_deferred_total",
            "Tries that failed and are made again, by outcome"
        );
        metrics::describe_counter!("trodden_fetched_bytes_total", "Bytes of bodies, as sent");
        metrics::describe_histogram!("trodden_fetch_seconds", "From a request to the end of its answer");
        metrics::describe_histogram!("trodden_commit_seconds", "Writing a batch of outcomes to the store");
        metrics::describe_histogram!(
            "trodden_checkpoint_seconds",
            "Writing a checkpoint of the session, where one was due"
        );
        metrics::describe_gauge!("trodden_urls_waiting", "URLs that wait, deferred ones among them");
        metrics::describe_gauge!("trodden_urls_known", "URLs that were ever seen");
        metrics::describe_gauge!("trodden_hosts", "Hosts that were ever seen");
        metrics::describe_gauge!("trodden_requests_under_way", "Requests that were sent and are not answered");
        Self {
            settled: by_outcome("trodden_urls_settled_total"),
            deferred: by_outcome("trodden_fetches_deferred_total"),
            bytes: counter!("trodden_fetched_bytes_total"),
            took: histogram!("trodden_fetch_seconds"),
            commit: histogram!("trodden_commit_seconds"),
            checkpoint: histogram!("trodden_checkpoint_seconds"),
            waiting: gauge!("trodden_urls_waiting"),
            known: gauge!("trodden_urls_known"),
            hosts: gauge!("trodden_hosts"),
            under_way: gauge!("trodden_requests_under_way"),
        }
    }

    /// Something came of a URL.
    pub(super) fn settled(&self, record: &UrlRecord) {
        self.settled[usize::from(record.kind.code())].increment(1);
        self.bytes.increment(record.bytes);
        if record.status != 0 {
            self.took.record(f64::from(record.took_ms) / 1e3);
        }
    }

    /// A try failed, and is made again.
    pub(super) fn deferred(&self, kind: OutcomeKind) {
        self.deferred[usize::from(kind.code())].increment(1);
    }

    /// A batch was written.
    pub(super) fn committed(&self, took: Duration) {
        self.commit.record(took);
    }

    /// A checkpoint was written.
    pub(super) fn checkpointed(&self, took: Duration) {
        self.checkpoint.record(took);
    }

    /// How far the crawl is.
    pub(super) fn show(&self, tally: &Tally) {
        self.waiting.set(tally.waiting as f64);
        self.known.set(tally.known as f64);
        self.hosts.set(tally.hosts as f64);
        self.under_way.set(tally.under_way as f64);
    }
}

/// A counter for each outcome, by its code.
fn by_outcome(name: &'static str) -> Vec<Counter> {
    let most = OutcomeKind::ALL.iter().map(|kind| kind.code()).max().unwrap_or(0);
    let mut counters = vec![Counter::noop(); usize::from(most) + 1];
    for kind in OutcomeKind::ALL {
        counters[usize::from(kind.code())] = counter!(name, "outcome" => kind.name());
    }
    counters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_every_outcome_has_a_counter() {
        let counters = by_outcome("x_total");
        assert!(OutcomeKind::ALL.iter().all(|kind| usize::from(kind.code()) < counters.len()));
    }
}
