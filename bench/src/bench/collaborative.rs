//! `bench collaborative`: a topic is looked for in the trace of 200,000 users. What does a page cost, on the mean and at worst, and how much memory does it take?
//!
//! Ten million accesses to a million pages. Pages belong to a thousand subjects; a user has a few of them and reads some pages of each, popular ones more often.
//! A few users read a hundred thousand pages each, of all subjects, as the worst of proxies and scrapers do. The topic is twenty subjects. The crawl is that of the
//! lab: engine, frontier in memory, policy with users, signatures and locality.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use trodden_frontier::{MemoryFrontier, QueueId, Time, UrlId};
use trodden_mining::{Trace, TraceBuilder};
use trodden_ordering::policy::by_value::Fineness;
use trodden_ordering::policy::collaborative::{Collaborative, CollaborativeSettings, Reference};
use trodden_ordering::{Engine, Limits, Next, OrderingPolicy, Outcome, PageLabels, Predicate};

use super::table::{self, Bar, Good};
use crate::child::own_memory;
use crate::random::Random;

/// Megabytes of trace, learner and frontier together.
const MEMORY_BAR: f64 = 400.0;
/// Pages a second.
const SPEED_BAR: f64 = 5_000.0;
const SUBJECTS: usize = 1_000;
/// Every so many-th subject is on topic.
const ON_TOPIC: usize = 50;
/// Users who read everything, and how much.
const BUSY: u32 = 5;
const BUSY_ACCESSES: u32 = 100_000;
const NOW: Time = Time(0);

/// Arguments of `bench collaborative`.
#[derive(clap::Args)]
pub(crate) struct CollaborativeArguments {
    /// Accesses, in millions.
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    millions: f64,
    /// Pages that are fetched.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    fetched: u32,
}

/// Runs the bench; false when a bar was missed.
pub(super) fn run(arguments: &CollaborativeArguments) -> Result<bool> {
    let accesses = (arguments.millions * 1e6) as u64;
    let (users, pages) = ((accesses / 50).max(100) as u32, (accesses / 10).max(10_000) as u32);
    println!("# bench collaborative\n");
    let before = own_memory()?;
    let labels = Arc::new(labels(pages));
    let labelled = own_memory()?;
    let begin = Instant::now();
    let trace = Arc::new(made_up(accesses, users, pages));
    println!(
        "{} accesses of {} users to {pages} pages, the longest {}; built in {:.1} s.\n",
        trace.len(),
        trace.users(),
        (0..trace.users()).map(|user| trace.span(user).len()).max().unwrap_or(0),
        begin.elapsed().as_secs_f64()
    );
    let mut crawl = Crawl::new(trace, labels, pages)?;
    let mut took: Vec<Duration> = Vec::with_capacity(arguments.fetched as usize);
    let begin = Instant::now();
    for _ in 0..arguments.fetched {
        took.push(crawl.step()?);
    }
    let speed = f64::from(arguments.fetched) / begin.elapsed().as_secs_f64();
    // What a crawler needs to know which page has which label is the world, not the crawl.
    let memory = (own_memory()?.saturating_sub(labelled)) as f64 / 1e6;
    took.sort_unstable();
    let micros = |duration: Duration| duration.as_secs_f64() * 1e6;
    let mean = took.iter().copied().map(micros).sum::<f64>() / took.len().max(1) as f64;
    let at = |share: f64| micros(took[((took.len() - 1) as f64 * share) as usize]);
    println!("| a settled page | µs |\n|---|--:|");
    for (what, micros) in
        [("mean", mean), ("median", at(0.5)), ("p99", at(0.99)), ("p99.9", at(0.999)), ("worst", at(1.0))]
    {
        println!("| {what} | {micros:.0} |");
    }
    let (fetched, satisfying) = crawl.found;
    println!(
        "\n{satisfying} of {fetched} pages satisfied, {:.1} times chance. Labels of pages (the world's): {:.0} MB.",
        satisfying as f64 / fetched as f64 * ON_TOPIC as f64,
        (labelled - before) as f64 / 1e6
    );
    let bars = [
        Bar {
            what: "trace, learner and frontier",
            good: Good::Below,
            bar: MEMORY_BAR,
            aim: None,
            unit: "MB",
            measured: memory,
        },
        Bar {
            what: "settled pages",
            good: Good::AtLeast,
            bar: SPEED_BAR,
            aim: None,
            unit: "a second",
            measured: speed,
        },
    ];
    println!("\n## Bars\n\n{}", table::bars(&bars));
    Ok(bars.iter().all(Bar::is_met))
}

/// The subject of a page. Popular pages are of all subjects.
fn subject(page: u32) -> usize {
    page as usize % SUBJECTS
}

fn labels(pages: u32) -> PageLabels {
    let names: Vec<String> = (0..SUBJECTS)
        .map(|subject| if subject % ON_TOPIC == 0 { format!("topic.{subject}") } else { format!("other.{subject}") })
        .collect();
    let mut labels = PageLabels::default();
    (0..pages).for_each(|page| labels.add(UrlId(page), &names[subject(page)]));
    labels
}

fn made_up(accesses: u64, users: u32, pages: u32) -> Trace {
    let mut builder = TraceBuilder::default();
    let of_a_subject = pages as usize / SUBJECTS;
    let busy = BUSY_ACCESSES.min(pages / 2);
    for _ in 0..BUSY {
        let user = builder.new_user();
        let mut random = Random::new(u64::from(user) ^ 0xb);
        (0..busy).for_each(|n| builder.add(user, random.below(pages as usize) as u32, i64::from(n)));
    }
    let rest = accesses.saturating_sub(u64::from(BUSY) * u64::from(busy));
    let mean = rest as f64 / f64::from(users - BUSY);
    for _ in BUSY..users {
        let user = builder.new_user();
        let mut random = Random::new(u64::from(user));
        // Few read much: between a fifth of the mean and fifty times that.
        let unit = (random.below(1 << 20) as f64 + 1.0) / f64::from(1 << 20);
        let long = (mean * 0.2 / unit.powf(0.8)).min(mean * 50.0);
        let tastes = [random.below(SUBJECTS), random.below(SUBJECTS), random.below(SUBJECTS)];
        let mut taste = tastes[0];
        for n in 0..long.max(1.0) as u32 {
            if random.below(8) == 0 {
                taste = tastes[random.below(3)];
            }
            // The first pages of a subject are popular.
            let rank = (random.below(of_a_subject) * random.below(of_a_subject)) / of_a_subject;
            builder.add(user, (rank * SUBJECTS + taste) as u32, i64::from(n));
        }
    }
    builder.finish()
}

/// A crawl of all pages.
struct Crawl {
    engine: Engine<MemoryFrontier, ()>,
    labels: Arc<PageLabels>,
    found: (u64, u64),
}

impl Crawl {
    fn new(trace: Arc<Trace>, labels: Arc<PageLabels>, pages: u32) -> Result<Self> {
        let topic = Predicate::parse("category:topic").context("the topic of the bench")?;
        let recipe = "users+signatures+locality".parse().context("the evidence of the bench")?;
        let reference = Reference { topic, trace, labels: labels.clone(), classes: None };
        let settings = CollaborativeSettings::default();
        let policy = Box::new(Collaborative::new(reference, recipe, settings, Fineness::Levels, 1));
        let frontier = MemoryFrontier::new(policy.rotation());
        let mut engine = Engine::new(frontier, policy as Box<dyn OrderingPolicy>, Limits::default(), ());
        for page in 0..pages {
            engine.seed(QueueId(0), UrlId(page), "", NOW)?;
        }
        Ok(Self { engine, labels, found: (0, 0) })
    }

    /// One page: from being asked what comes next until it is settled.
    fn step(&mut self) -> Result<Duration> {
        let begin = Instant::now();
        let Next::Fetch(task) = self.engine.next(NOW)? else { anyhow::bail!("nothing waits any more") };
        self.engine.settle(&task, "", &Outcome::page(None), &mut [], NOW)?;
        let took = begin.elapsed();
        self.found.0 += 1;
        self.found.1 += u64::from(self.labels.names_of(task.key).iter().any(|name| name.starts_with("topic.")));
        Ok(took)
    }
}
