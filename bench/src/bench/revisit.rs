//! `bench revisit`: how long does it take to divide a budget among ten million pages?
//!
//! Importance and change rates are made up, both with heavy tails over six powers of ten. Each schedule is computed once, alone, on all
//! cores.

use std::time::Instant;

use anyhow::Result;
use trodden_lab::chance::Chance;
use trodden_ordering::revisit::{ChangeEvidence, Perishable, PriorRate, RateEstimate, Schedule};

use super::table::{self, Bar, Good};

/// Seconds that a schedule may take.
const BAR: f64 = 5.0;
/// Requests a page and day.
const BUDGETS: [f64; 3] = [0.001, 0.02, 1.0];
/// Intervals that estimates are made of.
const INTERVALS: u32 = 6;

/// Arguments of `bench revisit`.
#[derive(clap::Args)]
pub(crate) struct RevisitArguments {
    /// Pages.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pages: u32,
}

/// Runs it; false when a bar was missed.
pub(super) fn run(arguments: &RevisitArguments) -> Result<bool> {
    let known = made_up(arguments.pages);
    let estimated: Vec<Perishable> = known.iter().map(estimated).collect();
    println!("# bench revisit\n\n{} pages\n", arguments.pages);
    println!("| schedule | {} |", BUDGETS.map(|budget| format!("{budget} requests a page and day, s")).join(" | "));
    println!("|---|{}", "--:|".repeat(BUDGETS.len()));
    let mut slowest = 0.0_f64;
    let all = Schedule::ALL.map(|schedule| (schedule.name().to_owned(), schedule, &known));
    let last = ("fixed-interval, estimated rates".to_owned(), Schedule::FixedInterval, &estimated);
    for (name, schedule, pages) in all.into_iter().chain([last]) {
        let seconds = BUDGETS.map(|budget| {
            let started = Instant::now();
            let rates = schedule.rates(pages, budget * pages.len() as f64);
            let seconds = started.elapsed().as_secs_f64();
            std::hint::black_box(rates);
            seconds
        });
        println!("| {name} | {} |", seconds.map(|seconds| format!("{seconds:.2}")).join(" | "));
        slowest = seconds.into_iter().fold(slowest, f64::max);
    }
    println!("\nChange rates of as many pages, {INTERVALS} intervals each: {:.2} s.\n", estimating(arguments.pages));
    let bar =
        Bar { what: "the slowest schedule", good: Good::Below, bar: BAR, aim: None, unit: "s", measured: slowest };
    let bars = [bar];
    println!("## Bars\n\n{}", table::bars(&bars));
    Ok(bars.iter().all(Bar::is_met))
}

fn made_up(pages: u32) -> Vec<Perishable> {
    let mut random = Chance::new(1);
    let mut number = |least: f64| least * (random.unit() * 1e6_f64.ln()).exp();
    (0..pages).map(|_| Perishable::new(number(1e-3), number(1e-5))).collect()
}

/// As if the rate had been estimated from one change, and half of one that was not seen.
fn estimated(page: &Perishable) -> Perishable {
    Perishable::estimated(page.importance(), RateEstimate { rate: page.change_rate(), shape: 1.5 })
}

/// Seconds for estimates.
fn estimating(pages: u32) -> f64 {
    let mut random = Chance::new(2);
    let mut evidence = |_| {
        let mut evidence = ChangeEvidence::default();
        let days = 100.0 * random.unit() + 0.1;
        (0..INTERVALS).for_each(|_| evidence.add(days * (0.8 + 0.4 * random.unit()), random.unit() < 0.3));
        evidence
    };
    let all: Vec<ChangeEvidence> = (0..pages).map(&mut evidence).collect();
    let started = Instant::now();
    let prior = PriorRate::Like { rate: 0.01 };
    let sum: f64 = all.iter().map(|evidence| evidence.estimate(prior).rate).sum();
    std::hint::black_box(sum);
    started.elapsed().as_secs_f64()
}
