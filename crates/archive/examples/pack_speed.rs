//! What does it cost to keep a page? Writes the pages of a WARC file anew at several gzip levels, and prints a table.
//!
//! Times are of the processor, where Linux tells them: others may be at work on the machine. The least of three rounds
//! counts.
//!
//! `cargo run --release -p trodden-archive --example pack_speed -- pages.warc.gz [folder to write in]`

#![expect(clippy::print_stdout, reason = "its output is the table")]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use trodden_archive::http::Response;
use trodden_archive::warc::write::{BlockDigests, Message, WarcExchange, WarcSettings};
use trodden_archive::warc::{Digest, WarcDate};
use trodden_archive::{Caps, RecordKind, WarcReader, WarcWriter};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let input = args.next().ok_or("give a WARC file")?;
    let folder = args.next().unwrap_or_else(std::env::temp_dir).join("trodden-pack-speed");
    let pages = pages_of(&input)?;
    let bytes: usize = pages.iter().map(|(_, head, body)| head.len() + body.len()).sum();
    println!("{} pages, {} bytes each in the mean", pages.len(), bytes / pages.len().max(1));

    let digests = (0..3).map(|_| {
        let started = spent();
        let sum = pages.iter().map(|(.., body)| u64::from(Digest::of(body).as_bytes()[0])).sum::<u64>();
        (spent().saturating_sub(started), sum)
    });
    let (elapsed, sum) = digests.min().unwrap_or_default();
    println!("one digest of the payload: {:.1} µs a page (check {sum})", each(elapsed, pages.len()));
    println!("level  digests  µs a page  bytes a page");
    for level in [0, 1, 2, 3, 4, 6, 9] {
        for block_digests in [BlockDigests::Written, BlockDigests::LeftOut] {
            let settings = WarcSettings { level, block_digests, ..WarcSettings::default() };
            let rounds = (0..3).map(|_| write_all(&folder, &pages, settings.clone()));
            let (elapsed, written) = rounds.collect::<Result<Vec<_>, _>>()?.into_iter().min().unwrap_or_default();
            let digests = if block_digests == BlockDigests::Written { "both" } else { "payload" };
            let (micros, size) = (each(elapsed, pages.len()), written / pages.len().max(1) as u64);
            println!("{level:5}  {digests:7}  {micros:9.1}  {size:12}");
        }
    }
    Ok(())
}

/// Target, head and payload.
type Page = (String, Vec<u8>, Vec<u8>);

fn pages_of(path: &Path) -> Result<Vec<Page>, Failure> {
    let caps = Caps::default();
    let mut pages = Vec::new();
    for record in WarcReader::open(path, caps.clone())? {
        let record = record?;
        if let (RecordKind::Response, Some(target)) = (record.kind, record.target)
            && let Ok(response) = Response::parse(&record.body, &caps)
        {
            let head = record.body.len() - response.body.len();
            pages.push((target, record.body[..head].to_vec(), record.body[head..].to_vec()));
        }
    }
    Ok(pages)
}

fn write_all(folder: &Path, pages: &[Page], settings: WarcSettings) -> Result<(Duration, u64), Failure> {
    let _ = std::fs::remove_dir_all(folder);
    let mut count = 0_u128;
    let ids = move || {
        count += 1;
        count.to_be_bytes()
    };
    let mut writer = WarcWriter::open(folder, settings, ids)?;
    let started = spent();
    let mut bytes = 0;
    for (target, head, payload) in pages {
        let exchange = WarcExchange::new(target, WarcDate::from_unix_ms(0), Message { head, payload });
        bytes += writer.write(&exchange)?.length;
    }
    let elapsed = spent().saturating_sub(started);
    writer.finish()?;
    std::fs::remove_dir_all(folder)?;
    Ok((elapsed, bytes))
}

/// Time of the processor that this thread has had; of the clock, where that is not told.
fn spent() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn each(elapsed: Duration, pages: usize) -> f64 {
    elapsed.as_secs_f64() * 1e6 / pages.max(1) as f64
}
