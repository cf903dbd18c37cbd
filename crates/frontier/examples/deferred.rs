//! How much memory does a URL take that is deferred, and how much CPU a put?
//!
//! ```text
//! cargo run --release -p trodden-frontier --example deferred -- 1000000
//! ```
//! Prints the memory of the process after each part, and CPU seconds. The URLs go into 10 lanes of 20 queues; then all are taken and
//! deferred, each until a time of its own.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::error::Error;

use trodden_frontier::{
    DiskFrontier, DiskSettings, Disposition, Frontier, LaneId, Pick, Placement, QueueId, Rotation, Span, Time,
};

/// Puts between two commits.
const STEP: u64 = 1_000;
const QUEUES: u32 = 20;
const LANES: u32 = 10;

/// Megabytes of memory that the process holds, and CPU seconds that it used.
fn usage() -> Result<(f64, f64), Box<dyn Error>> {
    let statm = std::fs::read_to_string("/proc/self/statm")?;
    let pages: f64 = statm.split(' ').nth(1).ok_or("no resident pages")?.parse()?;
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let ticks: Vec<f64> = stat.split(' ').skip(13).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok((pages * 4_096.0 / 1e6, ticks.iter().sum::<f64>() / 100.0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let urls: u64 = std::env::args().nth(1).map_or(Ok(1_000_000), |urls| urls.parse())?;
    let folder = tempfile::tempdir()?;
    let mut frontier = DiskFrontier::open(folder.path(), DiskSettings::default(), Rotation::Even)?;
    let (before, start) = usage()?;
    for url in 0..urls {
        let key = frontier.number(&format!(
            "https://site-{}.example/section/{:x}/article-{url}.html",
            url % 20,
            url * 7919
        ))?;
        let queue = QueueId(url as u32 % QUEUES);
        frontier.offer(queue, key, Placement::Lane(LaneId(url as u32 / QUEUES % LANES)), Time(url))?;
        if url % STEP == 0 {
            frontier.commit()?;
        }
    }
    frontier.sync()?;
    let (put, put_cpu) = usage()?;
    println!(
        "{urls} put: {put:.0} MB ({:.1} bytes a URL), {:.2} us of CPU a put",
        (put - before) * 1e6 / urls as f64,
        (put_cpu - start) * 1e6 / urls as f64
    );
    let mut deferred = 0;
    for queue in (0..QUEUES).map(QueueId) {
        while let Some(leased) = frontier.take(queue, Pick::Best, Span::seconds(600), Time(urls))? {
            frontier.settle(leased.lease, Disposition::At(Time(2 * urls + deferred)), Time(urls))?;
            deferred += 1;
            if deferred % STEP == 0 {
                frontier.commit()?;
            }
        }
    }
    frontier.sync()?;
    let (after, after_cpu) = usage()?;
    println!(
        "{deferred} deferred: {after:.0} MB ({:.1} bytes a URL in all), {:.2} us of CPU each",
        (after - before) * 1e6 / urls as f64,
        (after_cpu - put_cpu) * 1e6 / urls as f64
    );
    drop(frontier);
    let frontier = DiskFrontier::open(folder.path(), DiskSettings::default(), Rotation::Even)?;
    println!("opened again: {:.0} MB, {} wait", usage()?.0, frontier.waiting());
    Ok(())
}
