//! What can be done with an answer before its turn comes?
//!
//! The session is serial: what came of a URL is applied by one thread, one after the other. But reading a page, its digests and packing its
//! records need nothing of the session, and are much of the work. So an answer goes to other threads first, if there are any:
//!
//! ```text
//! the loop:    ask ─► answer ─┐                    ┌─► apply, write, settle
//! a worker:                   └─► read, digest, pack ┘
//! ```
//!
//! Invariants:
//! - What is applied is the same whoever prepared it, or nobody: then it is prepared when it is applied.
//! - Nothing waits long for a worker. If all have enough to do, the loop does it: it would only wait for them otherwise. It also does what
//!   takes less time than handing it over.
//! - No more than [`PREPARED_BYTES`] of bodies are with the workers or on their way back. What is more is prepared when it is applied.
//! - With one request at a time the order is that of a crawl without workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, bounded};
use tokio::sync::oneshot;
use trodden_archive::warc::write::{PackedRecords, WarcPacker, WarcSettings};
use trodden_archive::warc::{Digest, WarcDate};

use super::archive::{self, Provenance};
use super::fetch_task::{FetchTask, Fetched};
use super::reading::{PageReader, Reading};
use crate::client::{Exchange, HttpAnswer};
use crate::outcome::{OutcomeKind, retry};
use crate::robots_tag::PageUse;

/// Bodies that are with workers, or come back from them.
const PREPARED_BYTES: usize = 64 << 20;
/// Answers that may wait for each worker.
const WAITING: usize = 2;
/// Shorter bodies are read by the loop, if nothing is packed: to wake a worker, and the loop again, takes longer than to read so much.
const WORTH_A_WORKER: usize = 4 << 10;

/// What an answer comes to, before the session knows of it.
pub(super) struct Prepared {
    pub(super) reading: Reading,
    /// A hash of the body, to see whether it is another next time.
    pub(super) digest: Option<u64>,
    pub(super) records: Option<PreparedRecords>,
    _held: Option<HeldBytes>,
}

/// Records of an answer, as long as nothing else has the same payload.
pub(super) struct PreparedRecords {
    pub(super) date: WarcDate,
    pub(super) payload_digest: Option<Digest>,
    pub(super) packed: PackedRecords,
}

/// Bytes of a body that count until it is applied.
struct HeldBytes {
    bytes: usize,
    sum: Arc<AtomicUsize>,
}

impl HeldBytes {
    fn hold(bytes: usize, sum: &Arc<AtomicUsize>) -> Option<Self> {
        let held = Self { bytes, sum: Arc::clone(sum) };
        (sum.fetch_add(bytes, Ordering::Relaxed) + bytes <= PREPARED_BYTES).then_some(held)
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        self.sum.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// An answer for a worker, and where it goes from there.
struct Job {
    fetched: Box<Fetched>,
    held: HeldBytes,
    back: oneshot::Sender<Box<Fetched>>,
}

/// Prepares answers.
pub(super) struct Preparer {
    reader: Arc<PageReader>,
    jobs: Option<Sender<Job>>,
    workers: Vec<JoinHandle<()>>,
    held: Arc<AtomicUsize>,
    /// Bytes of the shortest body that is handed over.
    shortest: usize,
}

impl Preparer {
    /// With so many threads, who pack records as these settings say; none: everything is prepared when it is applied.
    pub(super) fn new(reader: PageReader, archive: Option<&WarcSettings>, workers: usize) -> std::io::Result<Self> {
        let reader = Arc::new(reader);
        let (jobs, waiting) = bounded(WAITING * workers);
        let start = |n: usize| {
            let (reader, waiting) = (Arc::clone(&reader), waiting.clone());
            let packer = archive.map(WarcPacker::new);
            std::thread::Builder::new().name(format!("reader-{n}")).spawn(move || work(&reader, packer, &waiting))
        };
        let workers: Vec<JoinHandle<()>> = (0..workers).map(start).collect::<Result<_, _>>()?;
        let jobs = (!workers.is_empty()).then_some(jobs);
        let shortest = if archive.is_some() { 0 } else { WORTH_A_WORKER };
        Ok(Self { reader, jobs, workers, held: Arc::default(), shortest })
    }

    /// Gives an answer to a worker, if one has time for it, and waits for it.
    pub(super) async fn prepare(&self, fetched: Box<Fetched>) -> Box<Fetched> {
        let Some(jobs) = self.jobs.as_ref().filter(|jobs| !jobs.is_full()) else { return fetched };
        let Some((_, answer)) = page_of(&fetched).filter(|(_, answer)| answer.body.len() >= self.shortest) else {
            return fetched;
        };
        let Some(held) = HeldBytes::hold(answer.body.len(), &self.held) else { return fetched };
        let (back, prepared) = oneshot::channel();
        match jobs.try_send(Job { fetched, held, back }) {
            Ok(()) => prepared.await.expect("a worker answers, or the crawl ends with it"),
            Err(full) => full.into_inner().fetched,
        }
    }

    /// Prepares what nobody else did; records are packed when they are written.
    pub(super) fn prepare_here(&self, fetch: &FetchTask, answer: &HttpAnswer) -> Prepared {
        let kind = OutcomeKind::of_status(answer.status);
        let reading = self.reader.read(fetch, answer, kind);
        Prepared { reading, digest: content_digest(answer), records: None, _held: None }
    }
}

impl Drop for Preparer {
    fn drop(&mut self) {
        // Who waits for a job sees that none will come.
        self.jobs = None;
        for worker in self.workers.drain(..) {
            // One that panicked said so.
            drop(worker.join());
        }
    }
}

/// The answer that is to be read, if there is one: not that of a request that is made again, and not a list of URLs.
fn page_of(fetched: &Fetched) -> Option<(&Exchange, &HttpAnswer)> {
    let exchange = fetched.exchange.as_ref()?;
    let answer = exchange.answer.as_ref().ok()?;
    let is_final = retry(OutcomeKind::of_status(answer.status)).tries <= 1;
    (is_final && !fetched.fetch.is_listing).then_some((exchange, answer))
}

fn work(reader: &PageReader, mut packer: Option<WarcPacker>, jobs: &Receiver<Job>) {
    for Job { mut fetched, held, back } in jobs {
        if let Some((exchange, answer)) = page_of(&fetched) {
            let reading = reader.read(&fetched.fetch, answer, OutcomeKind::of_status(answer.status));
            let may_archive = !reading.tag.refuses(PageUse::Archive);
            let records =
                packer.as_mut().filter(|_| may_archive).and_then(|packer| pack(packer, &fetched, exchange, answer));
            fetched.prepared = Some(Prepared { reading, digest: content_digest(answer), records, _held: Some(held) });
        }
        // A crawl that has ended does not want it any more.
        drop(back.send(fetched));
    }
}

/// The records of an answer. None: what is wrong with them is told when they are written.
fn pack(
    packer: &mut WarcPacker,
    fetched: &Fetched,
    exchange: &Exchange,
    answer: &HttpAnswer,
) -> Option<PreparedRecords> {
    let (fetch, head) = (&fetched.fetch, answer.archived_head());
    let payload_digest = archive::payload_digest(answer);
    let provenance = Provenance { via: fetch.via.as_deref(), hops: Some(fetch.source.depth.into()), before: None };
    let date = archive::date_of(exchange);
    let kept = archive::exchange_of(&fetch.url, exchange, answer, &head, date, payload_digest, &provenance);
    let packed = packer.pack(&kept, fetch.names?).ok()?;
    Some(PreparedRecords { date, payload_digest, packed })
}

/// A hash of a body, to see whether it is another next time.
fn content_digest(answer: &HttpAnswer) -> Option<u64> {
    (200..300).contains(&answer.status).then(|| xxhash_rust::xxh3::xxh3_64(&answer.body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_bodies_on_their_way_are_bounded_and_make_room_when_they_are_applied() {
        let sum = Arc::default();
        let large = HeldBytes::hold(PREPARED_BYTES - 10, &sum).unwrap();
        assert!(HeldBytes::hold(11, &sum).is_none());
        let small = HeldBytes::hold(10, &sum).unwrap();
        drop(large);
        assert!(HeldBytes::hold(PREPARED_BYTES - 10, &sum).is_some());
        drop(small);
        assert_eq!(sum.load(Ordering::Relaxed), 0);
    }
}
