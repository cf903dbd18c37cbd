//! What does it cost to count where nobody listens? Nanoseconds for what is counted and told when a page is settled: two counters, a histogram and an
//! event, with neither a recorder nor a subscriber.
//!
//! `cargo run --release -p trodden-fetch --example meter_cost`

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use metrics::{counter, histogram};

const TIMES: u32 = 100_000_000;

fn main() {
    let (settled, bytes) = (counter!("settled_total", "outcome" => "page"), counter!("bytes_total"));
    let took = histogram!("seconds");
    let url = String::from("https://example.org/");
    let started = Instant::now();
    for n in 0..TIMES {
        let n = black_box(n);
        black_box(&settled).increment(1);
        black_box(&bytes).increment(u64::from(n));
        black_box(&took).record(f64::from(n) / 1e3);
        tracing::debug!(name: "crawl.fetch.settled", url = url, outcome = "page", status = 200, bytes = n);
    }
    println!("{:.2} ns a page", started.elapsed().as_secs_f64() * 1e9 / f64::from(TIMES));
}
