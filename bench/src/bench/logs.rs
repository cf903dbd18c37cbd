//! `bench logs`: reading a large combined log. Three questions:
//!
//! - *speed*: how many lines per CPU second, and how many times the rate of GoAccess?
//! - *threads*: how much sooner are two threads done than one?
//! - *memory*: how much memory does a stream take that is far larger than the memory it may use?

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::corpus::{Corpus, Origin};
use super::generator::{self, Written};
use super::goaccess;
use super::ingest::Ingest;
use super::table::{self, Bar, Good};
use crate::child::Usage;
use crate::repo;

/// Ours over GoAccess, in lines per CPU second.
const SPEED_BAR: f64 = 20.0;
const SPEED_AIM: f64 = 30.0;

/// One thread over two, in wall time.
const THREADS_BAR: f64 = 1.7;

/// Peak memory in GiB when 1 GiB is allowed for the tables: the rest is buffers and code.
const MEMORY_BAR: f64 = 1.3;

/// The best of so many runs counts, for each program alike: noise only ever adds time.
const SPEED_RUNS: usize = 2;
/// Ours takes seconds, not a minute, so it can afford more runs against the noise of a shared machine.
const OUR_RUNS: usize = 5;
const THREAD_RUNS: usize = 7;

/// Arguments of `bench logs`.
#[derive(clap::Args)]
pub(crate) struct LogsArguments {
    /// Size of the log for speed and threads, in MB.
    #[arg(long, value_name = "MB", default_value_t = 1000)]
    size_mb: u64,
    /// Size of the stream for memory, in GB.
    #[arg(long, value_name = "GB", default_value_t = 20)]
    stream_gb: u64,
    /// GoAccess reads this many lines from the head of the log.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    goaccess_lines: u64,
    /// Keep visits, ledgers and reports of the last runs here.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Measure this program instead of building one, for example that of an earlier version.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// One question instead of all three.
    #[arg(long)]
    only: Option<Question>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Question {
    Speed,
    Memory,
    Threads,
}

/// Runs what was asked; false when a bar was missed.
pub(super) fn run(arguments: &LogsArguments) -> Result<bool> {
    let asked = |question| arguments.only.is_none_or(|only| only == question);
    let store = repo::target_dir()?.join("bench");
    std::fs::create_dir_all(&store)?;
    let corpus = Corpus::load(repo::real_logs()?.as_deref())?;
    if asked(Question::Speed) {
        goaccess::install()?;
    }
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => repo::build_trodden()?,
    };

    let temporary = tempfile::tempdir_in(&store)?;
    let folder = arguments.keep.clone().unwrap_or_else(|| temporary.path().to_owned());
    std::fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let ingest = Ingest { program, folder, runs: std::cell::Cell::new(0) };

    println!("# bench logs\n");
    if corpus.origin == Origin::Synthetic {
        println!("The real logs are missing: these numbers are of made-up lines.\n");
    }
    let mut bars = Vec::new();
    if asked(Question::Speed) || asked(Question::Threads) {
        let (log, written) = generator::stored(&corpus, arguments.size_mb * 1_000_000, &store)?;
        println!("A combined log of {} lines, {} bytes.\n", written.lines, written.bytes);
        if asked(Question::Speed) {
            bars.push(speed(&ingest, &log, written, arguments.goaccess_lines)?);
        }
        if asked(Question::Threads) {
            bars.push(threads(&ingest, &log, written)?);
        }
    }
    if asked(Question::Memory) {
        bars.push(memory(&ingest, &corpus, arguments.stream_gb * 1_000_000_000)?);
    }
    println!("## Bars\n\n{}", table::bars(&bars));
    Ok(bars.iter().all(Bar::is_met))
}

fn speed(ingest: &Ingest, log: &Path, written: Written, head_lines: u64) -> Result<Bar> {
    let head = ingest.folder.join("goaccess-head.log");
    let lines = goaccess::head(log, head_lines, &head)?;
    eprintln!("speed: GoAccess on {lines} lines, trodden on {}", written.lines);
    let peer = best(SPEED_RUNS, |usage| usage.cpu, || goaccess::run(&head, lines, &ingest.folder))?;
    // One thread against one thread: GoAccess has no other, and two share what a core has.
    let ours = best(OUR_RUNS, |usage| usage.cpu, || ingest.file(log, written.lines, &["--threads", "1"]))?;
    let all = best(OUR_RUNS, |usage| usage.cpu, || ingest.file(log, written.lines, &[]))?;
    std::fs::remove_file(&head)?;

    println!("## Speed\n\n{}", table::RUNS);
    println!("{}", table::run(&goaccess::version(), lines, &peer));
    println!("{}", table::run("trodden ingest --threads 1", written.lines, &ours));
    println!("{}\n", table::run("trodden ingest, a thread a core", written.lines, &all));
    let note =
        if lines < written.lines { " GoAccess read the head of the log only; its rate falls with size." } else { "" };
    println!("GoAccess best of {SPEED_RUNS} runs by CPU time, ours of {OUR_RUNS}.{note}");
    let with_all = table::rate(written.lines, &all) / table::rate(lines, &peer);
    println!("With a thread a core the ratio is {with_all:.2} ×.\n");
    let measured = table::rate(written.lines, &ours) / table::rate(lines, &peer);
    let what = "lines per CPU second, trodden ÷ GoAccess";
    Ok(Bar { what, good: Good::AtLeast, bar: SPEED_BAR, aim: Some(SPEED_AIM), unit: "×", measured })
}

fn threads(ingest: &Ingest, log: &Path, written: Written) -> Result<Bar> {
    eprintln!("threads: one and two, {THREAD_RUNS} runs each, in turn");
    let run = |count| ingest.file(log, written.lines, &["--threads", count]);
    let (mut one, mut two) = (run("1")?, run("2")?);
    for _ in 1..THREAD_RUNS {
        one = [one, run("1")?].into_iter().min_by_key(|u| u.wall).context("one of two")?;
        two = [two, run("2")?].into_iter().min_by_key(|u| u.wall).context("one of two")?;
    }
    println!("## Threads\n\n{}", table::RUNS);
    println!("{}", table::run("--threads 1", written.lines, &one));
    println!("{}\n", table::run("--threads 2", written.lines, &two));
    println!("Each best of {THREAD_RUNS} runs by wall time, in turn.\n");
    let measured = one.wall.as_secs_f64() / two.wall.as_secs_f64().max(1e-6);
    let what = "wall time, one thread ÷ two";
    Ok(Bar { what, good: Good::AtLeast, bar: THREADS_BAR, aim: None, unit: "×", measured })
}

fn memory(ingest: &Ingest, corpus: &Corpus, size: u64) -> Result<Bar> {
    eprintln!("memory: a stream of {size} bytes under --memory 1GiB");
    let (usage, written) = ingest.stream(corpus, size, &["--memory", "1GiB"])?;
    println!("## Memory\n\n{}", table::RUNS);
    println!("{}\n", table::run("--memory 1GiB, from a pipe", written.lines, &usage));
    println!(
        "The stream of {} bytes was made on another core while it was read, so wall time is not speed.\n",
        written.bytes
    );
    let measured = usage.peak_bytes as f64 / f64::from(1 << 30);
    let what = "peak memory of a long stream";
    Ok(Bar { what, good: Good::Below, bar: MEMORY_BAR, aim: None, unit: "GiB", measured })
}

/// The run with the least `cost` of `runs`.
fn best<T: Ord>(runs: usize, cost: impl Fn(&Usage) -> T, run: impl Fn() -> Result<Usage>) -> Result<Usage> {
    let mut best = run()?;
    for _ in 1..runs {
        let next = run()?;
        if cost(&next) < cost(&best) {
            best = next;
        }
    }
    Ok(best)
}
