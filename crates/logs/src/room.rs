//! How is the memory of an ingest shared out, and what is said where it is not enough?

use std::io;

use crate::error::Error;
use crate::host_book::{TooManyHosts, bytes_of_all_hosts};
use crate::input::{Codec, Prepared};
use crate::spool::{Record, ScratchDir};

/// Shares of the users: many, so that threads share them evenly, and so few that each has its own cache line to fill.
pub(crate) const SHARDS: u32 = 32;

/// What the program itself takes, and the blocks of lines and of visits that a thread has in its hands.
pub(crate) fn own_bytes(threads: usize) -> usize {
    OWN_BYTES + THREAD_BYTES * threads
}

const OWN_BYTES: usize = 16 << 20;
const THREAD_BYTES: usize = 8 << 20;

/// What to say of a reading that failed.
pub(crate) fn failed(error: io::Error, scratch: &ScratchDir, threads: usize) -> Error {
    match error.get_ref().and_then(|e| e.downcast_ref::<TooManyHosts>()) {
        Some(TooManyHosts(hosts)) => {
            // Two fifths of what is left for the log are for hosts.
            let bytes = own_bytes(threads) + bytes_of_all_hosts(threads) / 2 * 5;
            Error::TooManyHosts { hosts: *hosts, megabytes: bytes.div_ceil(10_000_000) * 10 }
        }
        None => scratch.failed(error),
    }
}

/// Bytes of a line, when guessing how many there are: rather too few than too many.
const GUESSED_LINE_BYTES: u64 = 180;
/// How much a packed log grows, when guessing the same.
const GUESSED_RATIO: u64 = 10;

/// How many records a shard of a worker will hold, by the size of the files and the share of users it has.
pub(crate) fn shard_room(files: &[Prepared], threads: usize, budget: usize) -> usize {
    let bytes: u64 = files.iter().map(|f| f.bytes * if f.codec == Codec::Plain { 1 } else { GUESSED_RATIO }).sum();
    let shards = threads * SHARDS as usize;
    let most = budget / 3 / size_of::<Record>() / shards;
    usize::try_from(bytes / GUESSED_LINE_BYTES).map_or(most, |lines| (lines / shards).min(most))
}
