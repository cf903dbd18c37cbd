//! `bench frontier`: how many URLs a second does the frontier on disk take in, and what does it need as it grows?
//!
//! Every URL is new: it gets a number, goes into one of 200 lanes (20 sites of 10), and every 1,000 are committed and synced.
//! Then 100,000 of them are met again, and 200,000 handed out and settled, in the same steps; then the frontier is opened again. CPU time is that of the
//! whole process, the store's own threads among it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use trodden_frontier::{
    DiskFrontier, DiskSettings, Disposition, Due, Frontier, LaneId, LaneSettings, Pick, Placement, Priority, QueueId,
    Rotation, Span, Time, UrlId,
};

use super::table::{self, Bar, Good};
use crate::child::{own_cpu, own_memory};
use crate::random::Random;
use crate::repo;

/// Durable puts a second, at any size.
const PUTS_BAR: f64 = 50_000.0;
/// Cost of a put at the end, in costs of one of the first million. What grows is merging (files of lanes are merged with all that
/// is there, once in some five million URLs) and the way to a place in a sieve that no cache holds.
const GROWTH_BAR: f64 = 1.3;
/// Gigabytes of the whole process.
const MEMORY_BAR: f64 = 1.0;

const QUEUES: u32 = 20;
const LANES: u32 = 10;
const STEP: u32 = 1_000;
const HAND_OUTS: u32 = 200_000;
const AGAIN: u32 = 100_000;
const NOW: Time = Time(1_000);
const LEASE: Span = Span::seconds(600);
const MILLION: u32 = 1_000_000;

/// Arguments of `bench frontier`.
#[derive(clap::Args)]
pub(crate) struct FrontierArguments {
    /// How many URLs.
    #[arg(long, value_name = "N", default_value_t = 20 * MILLION)]
    urls: u32,
    /// Put the frontier here, and leave it.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Runs the bench; false when a bar was missed.
pub(super) fn run(arguments: &FrontierArguments) -> Result<bool> {
    let store = repo::target_dir()?.join("bench");
    std::fs::create_dir_all(&store)?;
    let temporary = tempfile::tempdir_in(&store)?;
    let folder = arguments.keep.clone().unwrap_or_else(|| temporary.path().join("frontier"));
    println!("# bench frontier\n");
    let settings = DiskSettings { seed: 7, ..DiskSettings::default() };
    let mut frontier = DiskFrontier::open(&folder, settings, Rotation::Even)?;
    if frontier.numbered() > 0 {
        bail!("{} holds a frontier already; name an empty folder", folder.display());
    }
    let bars = puts(&mut frontier, &folder, arguments.urls)?;
    known_again(&mut frontier)?;
    hand_outs(&mut frontier)?;
    drop(frontier);
    let (started, cpu) = (Instant::now(), own_cpu()?);
    let frontier = DiskFrontier::open(&folder, settings, Rotation::Even)?;
    println!(
        "Opened again in {:.1} s ({:.1} s CPU): {} URLs, {} wait; {:.2} GB resident.\n",
        started.elapsed().as_secs_f64(),
        (own_cpu()? - cpu).as_secs_f64(),
        frontier.numbered(),
        frontier.waiting(),
        gigabytes(own_memory()?)
    );
    println!("## Bars\n\n{}", table::bars(&bars));
    Ok(bars.iter().all(Bar::is_met))
}

fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}

fn puts(frontier: &mut DiskFrontier, folder: &Path, urls: u32) -> Result<[Bar; 3]> {
    println!("| URLs | puts/s | CPU µs a put | resident GB | disk bytes a URL |\n|--:|--:|--:|--:|--:|");
    for lane in 0..LANES {
        let priority = Priority::of(f64::from(lane));
        frontier.set_lane(LaneId(lane), LaneSettings::arrival(priority));
    }
    let mut maker = Maker { random: Random::new(11), text: String::new() };
    let (mut slowest, mut costs, mut peak): (f64, Vec<f64>, f64) = (f64::MAX, Vec::new(), 0.0);
    let mut done = 0;
    for until in [1, 2, 5, 10, 15, 20].map(|millions| millions * MILLION).into_iter().chain([urls]) {
        let until = until.min(urls);
        if until == done {
            continue;
        }
        let (started, cpu) = (Instant::now(), own_cpu()?);
        let from = done;
        while done < until {
            for number in done..(done + STEP).min(until) {
                let url = maker.url(number)?;
                let key = frontier.number(url)?;
                let (queue, lane) = (QueueId(number % QUEUES), LaneId(maker.random.below(LANES as usize) as u32));
                frontier.offer(queue, key, Placement::Lane(lane), NOW)?;
            }
            done = (done + STEP).min(until);
            frontier.sync()?;
            peak = peak.max(if done % (100 * STEP) == 0 { gigabytes(own_memory()?) } else { 0.0 });
        }
        let puts = f64::from(until - from);
        let rate = puts / started.elapsed().as_secs_f64();
        let cost = (own_cpu()? - cpu).as_secs_f64() * 1e6 / puts;
        println!(
            "| {from} … {until} | {rate:.0} | {cost:.2} | {:.2} | {:.0} |",
            gigabytes(own_memory()?),
            size_of(folder)? as f64 / f64::from(until)
        );
        slowest = slowest.min(rate);
        costs.push(cost);
    }
    println!();
    let growth = costs.last().context("no URLs")? / costs.first().context("no URLs")?;
    let bar = |what, good, bar, unit, measured| Bar { what, good, bar, aim: None, unit, measured };
    Ok([
        bar("durable puts, slowest stretch", Good::AtLeast, PUTS_BAR, "/s", slowest),
        bar("CPU a put: last stretch : first", Good::Below, GROWTH_BAR, "×", growth),
        bar("resident memory while it grows", Good::Below, MEMORY_BAR, "GB", peak),
    ])
}

/// URLs that were seen long ago, in no order: the worst case of a link to a known page.
fn known_again(frontier: &mut DiskFrontier) -> Result<()> {
    let mut random = Random::new(12);
    let asked: Vec<String> = (0..AGAIN)
        .map(|_| frontier.url(UrlId(random.below(frontier.numbered() as usize) as u32))?.context("a number has a URL"))
        .collect::<Result<_>>()?;
    let cpu = own_cpu()?;
    let known = frontier.numbered();
    for url in &asked {
        frontier.number(url)?;
    }
    if frontier.numbered() != known {
        bail!("a URL that was seen is new");
    }
    let cost = (own_cpu()? - cpu).as_secs_f64() * 1e6 / f64::from(AGAIN);
    println!("{AGAIN} of them seen again, in no order: {cost:.2} CPU µs each.\n");
    Ok(())
}

fn hand_outs(frontier: &mut DiskFrontier) -> Result<()> {
    let (started, cpu) = (Instant::now(), own_cpu()?);
    let mut taken = 0_u32;
    while taken < HAND_OUTS
        && let Due::Queue(queue) = frontier.due_queue(NOW)
    {
        let leased = frontier.take(queue, Pick::Best, LEASE, NOW)?.context("a due queue has a URL")?;
        frontier.settle(leased.lease, Disposition::Done, NOW)?;
        taken += 1;
        if taken.is_multiple_of(STEP) {
            frontier.sync()?;
        }
    }
    let cost = (own_cpu()? - cpu).as_secs_f64() * 1e6 / f64::from(taken.max(1));
    println!(
        "{taken} taken and settled: {:.0}/s, {cost:.2} CPU µs each.\n",
        f64::from(taken) / started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Makes URLs as long as those of real sites, all different.
struct Maker {
    random: Random,
    text: String,
}

impl Maker {
    fn url(&mut self, number: u32) -> Result<&str> {
        self.text.clear();
        let (site, section, name) = (number % QUEUES, self.random.below(300), self.random.below(1 << 40));
        write!(self.text, "https://site-{site}.example/section-{section}/{name:x}/article-{number}.html")?;
        Ok(&self.text)
    }
}

fn size_of(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in walkdir::WalkDir::new(folder) {
        // Files come and go while the store sorts.
        if let Ok(metadata) = entry.map_err(anyhow::Error::from).and_then(|entry| Ok(entry.metadata()?)) {
            bytes += if metadata.is_file() { metadata.len() } else { 0 };
        }
    }
    Ok(bytes)
}
