//! Which connections are open and idle? Few for an origin, not too many in all, none for long. A proxy is asked for the plain pages of all
//! origins, so connections to it are kept for all of them.
//!
//! A connection of HTTP/1.1 leaves the pool while it is used; one of HTTP/2 stays, and is shared. The pool has no task of
//! its own: what is too old is closed when the pool is next touched.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::IdleCaps;
use super::h1::H1;
use super::h2::H2;
use super::target::Key;

/// A connection that can be used again.
pub(super) enum OpenLine {
    H1(Box<H1>),
    H2(H2),
}

impl OpenLine {
    /// Whom it leads to.
    pub(super) fn address(&self) -> IpAddr {
        match self {
            Self::H1(line) => line.address,
            Self::H2(line) => line.address,
        }
    }
}

/// The idle connections of a client.
pub(super) struct Pool {
    caps: IdleCaps,
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    /// Connections by when they came back: the first is the oldest.
    entries: BTreeMap<u64, IdleEntry>,
    /// Where those of an origin are, the newest last. Never iterated.
    by_origin: HashMap<Key, Vec<u64>>,
    next: u64,
}

struct IdleEntry {
    key: Key,
    since: Instant,
    kept: OpenLine,
}

impl Pool {
    pub(super) fn new(caps: &IdleCaps) -> Self {
        Self { caps: caps.clone(), shelf: Mutex::default() }
    }

    /// The connection to this origin, or proxy, that was used last.
    pub(super) fn take(&self, key: &Key) -> Option<OpenLine> {
        let mut shelf = self.lock();
        shelf.sweep(&self.caps);
        loop {
            let newest = *shelf.by_origin.get(key)?.last()?;
            let entry = shelf.remove(newest)?;
            match entry.kept {
                OpenLine::H1(line) => return Some(OpenLine::H1(line)),
                OpenLine::H2(line) if line.is_usable() => {
                    shelf.insert(key.clone(), OpenLine::H2(line.clone()));
                    return Some(OpenLine::H2(line));
                }
                OpenLine::H2(_) => {}
            }
        }
    }

    /// Keeps a connection to an origin.
    pub(super) fn put(&self, key: &Key, kept: OpenLine) {
        self.keep(key, kept, self.caps.per_origin);
    }

    /// Keeps a connection to a proxy: it serves all origins, so only their number in all is bounded.
    pub(super) fn put_to_proxy(&self, key: &Key, kept: OpenLine) {
        self.keep(key, kept, self.caps.overall);
    }

    fn keep(&self, key: &Key, kept: OpenLine, most: usize) {
        let mut shelf = self.lock();
        shelf.insert(key.clone(), kept);
        if let Some(&[oldest, ..]) = shelf.by_origin.get(key).filter(|ids| ids.len() > most).map(|i| &**i) {
            shelf.remove(oldest);
        }
        shelf.sweep(&self.caps);
    }

    /// Forgets the shared connection to an origin: it proved to be dead.
    pub(super) fn forget_shared(&self, key: &Key) {
        let mut shelf = self.lock();
        let ids = shelf.by_origin.get(key).cloned().unwrap_or_default();
        for id in ids {
            if shelf.entries.get(&id).is_some_and(|entry| matches!(entry.kept, OpenLine::H2(_))) {
                shelf.remove(id);
            }
        }
    }

    /// Closes everything.
    pub(super) fn clear(&self) {
        *self.lock() = Shelf::default();
    }

    /// How many connections are kept.
    pub(super) fn len(&self) -> usize {
        let mut shelf = self.lock();
        shelf.sweep(&self.caps);
        shelf.entries.len()
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn insert(&mut self, key: Key, kept: OpenLine) {
        let id = self.next;
        self.next += 1;
        self.by_origin.entry(key.clone()).or_default().push(id);
        self.entries.insert(id, IdleEntry { key, since: Instant::now(), kept });
    }

    fn remove(&mut self, id: u64) -> Option<IdleEntry> {
        let entry = self.entries.remove(&id)?;
        if let Some(ids) = self.by_origin.get_mut(&entry.key) {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.by_origin.remove(&entry.key);
            }
        }
        Some(entry)
    }

    /// Closes what is too old, and the oldest of what is too much.
    fn sweep(&mut self, caps: &IdleCaps) {
        let now = Instant::now();
        while let Some((&id, oldest)) = self.entries.first_key_value() {
            if self.entries.len() <= caps.overall && now.duration_since(oldest.since) < caps.time {
                return;
            }
            self.remove(id);
        }
    }
}
