//! `bench swap`: a crawl with millions of URLs waiting goes by another model. How long does it stop, and does the best by the
//! new model come next?
//!
//! One made-up site, `/section/year/kind/article`. People first read some sections ([`Taste::Sections`]); then either other
//! sections, and of them the late years ([`Taste::LateSections`]), or certain kinds and years of all sections
//! ([`Taste::Across`]): there the best URLs are a few of every lane, the worst case. Models are mined from what they read.
//! The best by the new model are found by asking it of every URL.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use trodden_frontier::{DiskFrontier, DiskSettings, Priority, QueueId, Rotation, Time, UrlId};
use trodden_mining::model::LearntFrom;
use trodden_mining::{
    Entrance, From, Goal, MiningSettings, SiteModel, SiteTableBuilder, Strategy, TableOrigin, Triple, mine_site,
};
use trodden_ordering::policy::pattern::ByPattern;
use trodden_ordering::standing::{CompiledModels, Standings};
use trodden_ordering::{Engine, Limits, Next, Outcome, OutcomeKind};

use super::table::{self, Bar, Good};
use crate::child::{own_cpu, own_memory};
use crate::random::Random;
use crate::repo;

/// Milliseconds of the swap itself.
const SWAP_BAR: f64 = 100.0;
/// The share of the next hand-outs that must belong to the best.
const BEST_BAR: f64 = 0.9;

const SITE: &str = "site.example";
const SECTIONS: usize = 300;
const YEARS: usize = 12;
const KINDS: usize = 8;
/// URLs that people read, from which models are mined.
const READ: usize = 60_000;
const STEP: u32 = 1_000;
const HAND_OUTS: usize = 10_000;
const NOW: Time = Time(1_000);

/// Arguments of `bench swap`.
#[derive(clap::Args)]
pub(crate) struct SwapArguments {
    /// How many URLs wait.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    urls: u32,
}

/// What people read.
#[derive(Clone, Copy)]
enum Taste {
    Sections,
    LateSections,
    Across,
}

/// A URL, before it is written out.
#[derive(Clone, Copy)]
struct Article {
    section: usize,
    year: usize,
    kind: usize,
    number: u32,
}

impl Article {
    fn of(number: u32, seed: u64) -> Self {
        let mut random = Random::new(seed ^ u64::from(number));
        Self { section: random.below(SECTIONS), year: random.below(YEARS), kind: random.below(KINDS), number }
    }

    fn write(self, text: &mut String) -> Result<()> {
        let Self { section, year, kind, number } = self;
        text.clear();
        write!(text, "https://{SITE}/section-{section}/{}/kind-{kind}/article-{number}.html", 2014 + year)?;
        Ok(())
    }

    /// How often it is read.
    fn visits(self, taste: Taste) -> usize {
        // Few sections are read much, others in another order.
        let popular = |rank: usize| 60 / (1 + rank);
        match taste {
            Taste::Sections => popular(self.section * 7 % SECTIONS),
            Taste::LateSections => popular(self.section * 11 % SECTIONS) * (self.year + 1) / YEARS,
            Taste::Across => 40 / (1 + 2 * (self.kind * 3 % KINDS)) * (1 + self.year) / YEARS / (YEARS - self.year),
        }
    }
}

/// Runs the bench; false when a bar was missed.
pub(super) fn run(arguments: &SwapArguments) -> Result<bool> {
    println!("# bench swap\n");
    println!("| new model | lanes | swap ms | commit ms | of the best 10,000 | µs a hand-out | placed anew | GB |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    let near = case("other sections, late years", Taste::LateSections, arguments.urls)?;
    let across = case("kinds and years of all sections", Taste::Across, arguments.urls)?;
    let bar = |what, good, bar, unit, measured| Bar { what, good, bar, aim: None, unit, measured };
    let bars = [
        bar("swap, other sections", Good::Below, SWAP_BAR, "ms", near.swap_ms),
        bar("the best of the next 10,000, other sections", Good::AtLeast, BEST_BAR, "", near.share),
        bar("swap, across all lanes", Good::Below, SWAP_BAR, "ms", across.swap_ms),
        bar("the best of the next 10,000, across all lanes", Good::AtLeast, BEST_BAR, "", across.share),
    ];
    println!("\n## Bars\n\n{}", table::bars(&bars));
    Ok(bars.iter().all(Bar::is_met))
}

/// What a case came to.
struct Case {
    swap_ms: f64,
    share: f64,
}

type Crawl = Engine<DiskFrontier, ()>;

fn case(what: &str, taste: Taste, urls: u32) -> Result<Case> {
    let store = repo::target_dir()?.join("bench");
    std::fs::create_dir_all(&store)?;
    let folder = tempfile::tempdir_in(&store)?;
    let settings = DiskSettings { seed: 7, ..DiskSettings::default() };
    let frontier = DiskFrontier::open(folder.path(), settings, Rotation::Even)?;
    let old = Model::of(Taste::Sections)?;
    let mut crawl = Engine::new(frontier, Box::new(old.policy()), Limits::default(), ());
    fill(&mut crawl, urls)?;
    let mut is_out = vec![false; urls as usize];
    for key in hand_out(&mut crawl, HAND_OUTS)? {
        is_out[key.index()] = true;
    }
    let new = Model::of(taste)?;
    let worst = new.worst_of_the_best(&is_out)?;

    let started = Instant::now();
    crawl.swap_policy(Box::new(new.policy()), [], NOW)?;
    let swap = started.elapsed();
    crawl.frontier_mut().commit()?;
    let commit = started.elapsed() - swap;
    crawl.take_swap_work();
    let cpu = own_cpu()?;
    let next = hand_out(&mut crawl, HAND_OUTS)?;
    let cost = (own_cpu()? - cpu).as_secs_f64() * 1e6 / HAND_OUTS as f64;
    let placed = crawl.take_swap_work().placed();
    let mut judge = new.judge();
    let mut best = 0;
    for key in &next {
        best += usize::from(judge.worth(key.0)? >= worst);
    }
    let share = best as f64 / HAND_OUTS as f64;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "| {what} | {} → {} | {:.1} | {:.1} | {:.1} % | {cost:.0} | {placed} | {:.2} |",
        old.lanes(),
        new.lanes(),
        ms(swap),
        ms(commit),
        100.0 * share,
        own_memory()? as f64 / 1e9
    );
    Ok(Case { swap_ms: ms(swap), share })
}

fn fill(crawl: &mut Crawl, urls: u32) -> Result<()> {
    let mut text = String::new();
    for number in 0..urls {
        Article::of(number, 0).write(&mut text)?;
        let key = crawl.frontier_mut().number(&text)?;
        crawl.seed(QueueId(0), key, &text, NOW)?;
        if number % STEP == 0 {
            crawl.frontier_mut().commit()?;
        }
    }
    crawl.frontier_mut().commit()?;
    Ok(())
}

fn hand_out(crawl: &mut Crawl, most: usize) -> Result<Vec<UrlId>> {
    let mut keys = Vec::with_capacity(most);
    while keys.len() < most
        && let Next::Fetch(task) = crawl.next(NOW)?
    {
        crawl.settle(&task, "", &Outcome::of(OutcomeKind::NotFound), &mut [], NOW)?;
        keys.push(task.key);
        if keys.len().is_multiple_of(STEP as usize) {
            crawl.frontier_mut().commit()?;
        }
    }
    Ok(keys)
}

/// A model, and what it says its patterns are worth.
struct Model {
    compiled: Arc<CompiledModels>,
    scores: Vec<f64>,
}

impl Model {
    fn of(taste: Taste) -> Result<Self> {
        let model = mined(taste)?;
        let compiled = Arc::new(CompiledModels::new([&model]));
        let scores = compiled.scores([&model], Goal::Fetch, Strategy::AverageVisit);
        Ok(Self { compiled, scores })
    }

    fn lanes(&self) -> usize {
        self.scores.iter().filter(|score| **score > 0.0).count()
    }

    fn policy(&self) -> ByPattern {
        ByPattern::new(Standings::new(self.compiled.clone()), self.scores.clone())
    }

    fn judge(&self) -> Judge<'_> {
        Judge { standings: Standings::new(self.compiled.clone()), scores: &self.scores, text: String::new() }
    }

    /// What the last of the best that wait is worth.
    fn worst_of_the_best(&self, is_out: &[bool]) -> Result<Priority> {
        let mut judge = self.judge();
        let mut by_worth: BTreeMap<Priority, usize> = BTreeMap::new();
        for (number, _) in (0..).zip(is_out).filter(|(_, is_out)| !**is_out) {
            *by_worth.entry(judge.worth(number)?).or_default() += 1;
        }
        let mut left = HAND_OUTS;
        for (worth, urls) in by_worth.iter().rev() {
            if *urls >= left {
                return Ok(*worth);
            }
            left -= urls;
        }
        by_worth.keys().next().copied().context("nothing waits")
    }
}

/// Says what single URLs are worth.
struct Judge<'a> {
    standings: Standings,
    scores: &'a [f64],
    text: String,
}

impl Judge<'_> {
    fn worth(&mut self, number: u32) -> Result<Priority> {
        Article::of(number, 0).write(&mut self.text)?;
        let lane = self.standings.lane(&self.text);
        Ok(Priority::of(self.scores.get(lane.0 as usize).copied().unwrap_or(0.0)))
    }
}

fn mined(taste: Taste) -> Result<SiteModel> {
    let mut table = SiteTableBuilder::new(5);
    let mut text = String::new();
    let mut visits = 0;
    for number in 0..READ as u32 {
        // Articles that the crawl has not met.
        let article = Article { number: u32::MAX - number, ..Article::of(number, 1 << 40) };
        article.write(&mut text)?;
        let url = table.url(text.trim_start_matches("https://"));
        for user in 0..article.visits(taste) as u32 {
            table.add(Triple { from: From::Outside(Entrance::Direct), target: url });
            table.add_user(url, user);
            visits += 1;
        }
    }
    let learnt = LearntFrom { first_ms: 0, last_ms: 864_000_000, dedup_days: 30, visits, users: 60 };
    let origin = TableOrigin { origins: BTreeMap::new(), learnt };
    let model = mine_site(&table.finish(SITE.to_owned()), &origin, 1, &MiningSettings::default())?;
    Ok(model)
}
