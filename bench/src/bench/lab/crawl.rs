//! How long does a crawl of the whole graph take, in every order that goes by links?

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use trodden_lab::crawl::{Progress, crawl};
use trodden_ordering::policy::backlink::Backlink;
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::policy::pagerank::{PageRankSoFar, Rerank};
use trodden_ordering::policy::random::Random;
use trodden_ordering::policy::rankmass::RankMass;
use trodden_ordering::{Limits, OrderingPolicy};

use super::graph::Loaded;
use crate::bench::table::{Bar, Good};
use crate::child::own_cpu;

/// Seconds of wall time.
const BREADTH_FIRST_BAR: f64 = 1.0;
const BREADTH_FIRST_AIM: f64 = 0.3;
const PAGERANK_BAR: f64 = 30.0;
const PAGERANK_AIM: f64 = 5.0;

/// The best counts: noise only ever adds time.
const RUNS: usize = 3;
/// PageRank is brought up to date after each such part of the pages.
const RERANKS: u32 = 100;
const SEED: u64 = 1;

/// An order that is measured.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Order {
    BreadthFirst,
    Random,
    Backlink,
    Pagerank,
    Opic,
    Rankmass,
}

impl Order {
    const ALL: [Self; 6] =
        [Self::BreadthFirst, Self::Random, Self::Backlink, Self::Pagerank, Self::Opic, Self::Rankmass];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::Random => "random",
            Self::Backlink => "backlink",
            Self::Pagerank => "pagerank",
            Self::Opic => "opic",
            Self::Rankmass => "rankmass",
        }
    }

    pub(super) fn policy(self, pages: u32) -> Box<dyn OrderingPolicy> {
        match self {
            Self::BreadthFirst => Box::new(BreadthFirst::default()),
            Self::Random => Box::new(Random::new(SEED)),
            Self::Backlink => Box::new(Backlink::default()),
            Self::Pagerank => Box::new(PageRankSoFar::new(Rerank::Every(pages.div_ceil(RERANKS)))),
            Self::Opic => Box::new(Opic::new(1)),
            Self::Rankmass => Box::new(RankMass::new(1)),
        }
    }
}

/// What a crawl took.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    cpu: Duration,
}

fn measured(loaded: &Loaded, order: Order) -> Result<Took> {
    let mut best: Option<Took> = None;
    for _ in 0..RUNS {
        let (started, cpu) = (Instant::now(), own_cpu()?);
        let policy = order.policy(loaded.mirror.pages());
        let log = crawl(&loaded.mirror, &[loaded.start], policy, Limits::default(), &Progress::default())?;
        let took = Took { wall: started.elapsed(), cpu: own_cpu()? - cpu };
        ensure!(log.order.len() == loaded.reached, "{} fetched {} pages", order.name(), log.order.len());
        best = best.into_iter().chain([took]).min_by_key(|took| took.wall);
    }
    Ok(best.expect("it ran at least once"))
}

/// Crawls the graph in each order.
pub(super) fn run(loaded: &Loaded) -> Result<[Bar; 2]> {
    println!("## Crawl\n\n| order | pages | wall s | CPU s | ns per link |\n|---|--:|--:|--:|--:|");
    let links = loaded.mirror.graph.links() as f64;
    let mut seconds = [0.0; 2];
    for order in Order::ALL {
        eprintln!("crawl: {}", order.name());
        let took = measured(loaded, order)?;
        let (wall, cpu) = (took.wall.as_secs_f64(), took.cpu.as_secs_f64());
        println!("| {} | {} | {wall:.3} | {cpu:.3} | {:.0} |", order.name(), loaded.reached, cpu * 1e9 / links);
        match order {
            Order::BreadthFirst => seconds[0] = wall,
            Order::Pagerank => seconds[1] = wall,
            _ => {}
        }
    }
    println!("\nEach best of {RUNS} by wall time, on one thread. PageRank is brought up to date {RERANKS} times.\n");
    let bar = |what, bar, aim, measured| Bar { what, good: Good::Below, bar, aim: Some(aim), unit: "s", measured };
    Ok([
        bar("virtual crawl, breadth-first", BREADTH_FIRST_BAR, BREADTH_FIRST_AIM, seconds[0]),
        bar("virtual crawl, PageRank order", PAGERANK_BAR, PAGERANK_AIM, seconds[1]),
    ])
}
