//! How long does one large site take, how much memory, and how does the time grow with the number of URLs?
//!
//! The input is one made-up site ([`super::urls`], [`super::people`]) with six triples a URL and fifty triples a
//! person. Time is that of mining: tree, cuts, ranks and writing the model, as the program itself counts it; start-up and
//! reading visits are not in it, because they would hide growth at small sizes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::mine::{self, Mined, Mining};
use super::people::{self, Crowd};
use super::urls::{TEMPLATES, UrlSpace};
use super::visits;
use crate::bench::table::{Bar, Good};

/// Seconds of mining and gigabytes of memory for the largest site.
const SECONDS_BAR: f64 = 10.0;
const SECONDS_AIM: f64 = 3.0;
const MEMORY_BAR: f64 = 2.0;
const MEMORY_AIM: f64 = 1.0;

/// Time for each URL and each doubling of URLs, largest size ÷ [`GROWTH_FROM`] URLs.
const GROWTH_BAR: f64 = 1.5;
const GROWTH_FROM: u32 = 100_000;

/// The largest is another flag of the bench.
const SIZES: [u32; 5] = [10_000, 30_000, 100_000, 300_000, 1_000_000];
/// From here on two runs are enough: noise is small beside seconds.
const LARGE: u32 = 1_000_000;

const TRIPLES_PER_URL: u64 = 6;
const TRIPLES_PER_PERSON: u64 = 50;
const SEED: u64 = 2011;

const ORIGIN: &str = "https://www.large.example";
const SITE: &str = "large.example";

/// The site with so many URLs.
pub(super) fn space(urls: u32) -> UrlSpace {
    UrlSpace::new(ORIGIN, (0..TEMPLATES).collect(), urls)
}

fn triples(urls: u32) -> u64 {
    u64::from(urls) * TRIPLES_PER_URL
}

/// Visits to it.
pub(super) fn stored(store: &Path, urls: u32) -> Result<PathBuf> {
    let triples = triples(urls);
    let people = u32::try_from((triples / TRIPLES_PER_PERSON).max(1))?;
    visits::stored(store, &format!("site-{urls}-{triples}"), |writer| {
        people::write(SITE, &space(urls), Crowd { people, triples, seed: SEED }, writer)
    })
}

fn measure(mining: &Mining, urls: u32) -> Result<Mined> {
    let visits = stored(&mining.store, urls)?;
    let runs = if urls >= LARGE { 2 } else { 3 };
    let mined = mining.best(runs, &visits, &[])?;
    mined.check(1, u64::from(urls), triples(urls))?;
    Ok(mined)
}

/// One site of `urls` URLs.
pub(super) fn size(mining: &Mining, urls: u32) -> Result<Vec<Bar>> {
    eprintln!("size: a site of {urls} URLs");
    let mined = measure(mining, urls)?;
    println!("## Size\n\n{}\n{}\n", mine::RUNS, mine::row("one large site", &mined));
    println!("The run with the least time of mining, and the most memory of all runs.\n");
    Ok(vec![
        Bar {
            what: "one large site: tree, cuts and ranks",
            good: Good::Below,
            bar: SECONDS_BAR,
            aim: Some(SECONDS_AIM),
            unit: "s",
            measured: mined.report.seconds.mining,
        },
        Bar {
            what: "one large site: peak memory of the whole run",
            good: Good::Below,
            bar: MEMORY_BAR,
            aim: Some(MEMORY_AIM),
            unit: "GB",
            measured: mined.usage.peak_bytes as f64 / 1e9,
        },
    ])
}

/// Sites of growing size, up to `most` URLs.
pub(super) fn growth(mining: &Mining, most: u32) -> Result<Bar> {
    let sizes: Vec<u32> = SIZES.into_iter().filter(|size| *size < most).chain([most]).collect();
    println!("## Growth\n");
    println!("| URLs | triples | patterns | mining s | CPU s, whole run | ns per URL | ns per URL · log2 URLs |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    let mut costs = Vec::new();
    for urls in sizes {
        eprintln!("growth: {urls} URLs");
        let mined = measure(mining, urls)?;
        let (report, cpu) = (&mined.report, mined.usage.cpu.as_secs_f64());
        let seconds = report.seconds.mining;
        let (each, cost) = (seconds * 1e9 / f64::from(urls), cost(seconds, urls));
        println!(
            "| {urls} | {} | {} | {seconds:.3} | {cpu:.2} | {each:.0} | {cost:.1} |",
            report.visits, report.patterns
        );
        costs.push((urls, cost));
    }
    println!("\nMining is tree, cuts, ranks and writing the model, on all cores; the best of three runs, of two from");
    println!("{LARGE} URLs on. Start-up and reading visits are in CPU s only.\n");
    let (_, last) = costs.last().copied().context("there is a largest size")?;
    let (_, first) = costs.iter().copied().find(|(urls, _)| *urls >= GROWTH_FROM).unwrap_or(costs[0]);
    let what = "time per URL · log2 URLs, largest ÷ 100,000 URLs";
    Ok(Bar { what, good: Good::Below, bar: GROWTH_BAR, aim: None, unit: "×", measured: last / first.max(1e-9) })
}

/// Nanoseconds for each URL and each doubling.
fn cost(seconds: f64, urls: u32) -> f64 {
    seconds * 1e9 / (f64::from(urls) * f64::from(urls).log2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_log_n_has_a_constant_cost() {
        let time = |n: f64| n * n.log2() * 5e-9;
        assert!((cost(time(1000.0), 1000) - cost(time(1e6), 1_000_000)).abs() < 1e-6);
        assert!(cost(1.0, 1 << 20) > 40.0);
    }
}
