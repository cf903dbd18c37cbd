//! The hosts of a log, each with a number, as many as fit in the memory.
//!
//! Until all of a log is read, any host may turn out to be that of its paths, so all of them are kept, and a log can name
//! any number. Beyond a cap they are not told apart; where the memory ends before that cap, the run is refused with the
//! memory that is enough for any log, since what became of it would depend on the memory.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use trodden_urls::HostKey;

use crate::hosts::{NOT_WEB, UNKNOWN_SITE};

/// Hosts that are told apart: spammers of referrers could name any number.
const MAX_HOSTS: usize = 1 << 19;

/// What a host takes until the visits are written: its name, how it is written, its site, and what is counted of it.
/// Measured with half a million hosts of one line each; each thread counts for itself.
const HOST_BYTES: usize = 380;
const HOST_BYTES_A_THREAD: usize = 130;

/// Hosts that always fit.
const LEAST_HOSTS: usize = 1 << 12;

/// How many hosts fit in so many bytes.
pub(crate) fn hosts_within(bytes: usize, threads: usize) -> usize {
    (bytes / host_bytes(threads)).clamp(LEAST_HOSTS, MAX_HOSTS)
}

/// Bytes in which any number of hosts fits that is told apart.
pub(crate) fn bytes_of_all_hosts(threads: usize) -> usize {
    MAX_HOSTS * host_bytes(threads)
}

fn host_bytes(threads: usize) -> usize {
    HOST_BYTES + HOST_BYTES_A_THREAD * threads
}

/// All hosts, by number. Shared by the workers, who ask it once for each host.
#[derive(Debug)]
pub(crate) struct HostBook {
    inner: Mutex<Book>,
    /// Hosts that fit in the memory, at most [`MAX_HOSTS`].
    fits: usize,
    bytes: AtomicUsize,
    host_bytes: usize,
}

#[derive(Debug)]
struct Book {
    names: Vec<HostKey>,
    numbers: HashTable<u32>,
    /// Hosts are chosen by whoever writes to the log, so this hash is not one that they can collide.
    hasher: RandomState,
}

/// More hosts than fit in the memory: so many do.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("more than {0} hosts")]
pub(crate) struct TooManyHosts(pub(crate) usize);

impl HostBook {
    /// Empty, for at most so many hosts, and workers.
    pub(crate) fn new(fits: usize, threads: usize) -> Self {
        let names = vec![HostKey::new(UNKNOWN_SITE, None), HostKey::new("other.invalid", None)];
        let book = Book { names, numbers: HashTable::new(), hasher: RandomState::new() };
        Self { inner: Mutex::new(book), fits, bytes: AtomicUsize::new(0), host_bytes: host_bytes(threads) }
    }

    /// The number of a host; that of no host of the web if there are too many.
    pub(crate) fn number(&self, host: &HostKey) -> u32 {
        let mut book = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Book { names, numbers, hasher } = &mut *book;
        let hash = hasher.hash_one(host.as_str());
        if let Some(number) = numbers.find(hash, |number| names[*number as usize] == *host) {
            return *number;
        }
        if names.len() >= self.fits {
            self.bytes.store(usize::MAX, Ordering::Relaxed);
            return NOT_WEB;
        }
        let number = u32::try_from(names.len()).unwrap_or(NOT_WEB);
        names.push(host.clone());
        numbers.insert_unique(hash, number, |number| hasher.hash_one(names[*number as usize].as_str()));
        self.bytes.store(names.len() * self.host_bytes, Ordering::Relaxed);
        number
    }

    /// Bytes that the hosts take, or will.
    ///
    /// # Errors
    /// If there are more than fit. Beyond [`MAX_HOSTS`] hosts are not told apart, which is no error.
    pub(crate) fn bytes(&self) -> Result<usize, TooManyHosts> {
        match self.bytes.load(Ordering::Relaxed) {
            usize::MAX if self.fits < MAX_HOSTS => Err(TooManyHosts(self.fits)),
            usize::MAX => Ok(self.fits * self.host_bytes),
            bytes => Ok(bytes),
        }
    }

    /// The hosts by number.
    pub(crate) fn into_names(self) -> Vec<HostKey> {
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner).names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_hosts_are_told_apart_as_long_as_they_fit() {
        let host = |n: usize| HostKey::new(&format!("h{n}.example.org"), None);
        let book = HostBook::new(hosts_within(1, 2), 2);
        let first: Vec<u32> = (0..LEAST_HOSTS - 2).map(|n| book.number(&host(n))).collect();
        let again: Vec<u32> = (0..LEAST_HOSTS - 2).map(|n| book.number(&host(n))).collect();
        assert_eq!(first, again);
        assert!(first.is_sorted_by(|a, b| a < b));
        assert_eq!(book.bytes().unwrap(), LEAST_HOSTS * host_bytes(2));
        book.number(&host(LEAST_HOSTS));
        assert_eq!(book.bytes().unwrap_err().0, LEAST_HOSTS);
        assert_eq!(hosts_within(usize::MAX, 2), MAX_HOSTS, "a cap whatever the memory");
        assert_eq!(hosts_within(bytes_of_all_hosts(3), 3), MAX_HOSTS);
    }
}
