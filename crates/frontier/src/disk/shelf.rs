//! How is a lane kept on disk, and what is written down beside it?

use std::ops::Bound;

use rustc_hash::FxHashMap;

use super::lane::Head;
use super::pending::{Durable, Pending};
use super::record::{Entry, Exact, Kind, Later, Out};
use super::settings::DiskSettings;
use super::sieve::Sieve;
use super::store::Store;
use super::texts::{self, Texts};
use crate::error::Error;
use crate::heap::FewPlaces;
use crate::priority::Priority;
use crate::time::Time;
use crate::url_id::UrlId;
use crate::workbench::shelf::{LaneAt, Shelf, Sorted};
use crate::workbench::slot::{Home, Place};
use crate::workbench::{Lease, Workbench};
use crate::{LeaseId, QueueId};

/// Entries that a lane keeps at hand when all lanes together keep too many.
const SMALL_HEAD: usize = 16;

/// Lanes on disk, and everything else that is.
#[derive(Debug)]
pub struct DiskShelf {
    pub(super) store: Store,
    pub(super) pending: Pending,
    pub(super) settings: DiskSettings,
    pub(super) seed: u64,
    pub(super) sieve: Sieve,
    /// The number of the next new URL.
    pub(super) next_number: u32,
    /// Counts entries as they are written, from 1.
    pub(super) written: u64,
    /// Entries at hand, of all lanes.
    at_hand: usize,
    /// Queues that changed, each once.
    pub(super) changed: Vec<QueueId>,
    is_changed: Vec<bool>,
    /// Names of queues by number.
    pub(super) names: Vec<Box<str>>,
    pub(super) named: FxHashMap<Box<str>, QueueId>,
    /// Why nothing more may be written.
    fault: Option<Fault>,
}

/// Something failed, and memory knows more than the disk from then on.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Full,
    Other,
}

impl DiskShelf {
    pub(super) fn new(store: Store, settings: DiskSettings, seed: u64, next_number: u32) -> Self {
        Self {
            store,
            pending: Pending { texts: Texts::from(next_number), ..Pending::default() },
            sieve: Sieve::new(),
            settings,
            seed,
            next_number,
            written: 1,
            at_hand: 0,
            changed: Vec::new(),
            is_changed: Vec::new(),
            names: Vec::new(),
            named: FxHashMap::default(),
            fault: None,
        }
    }

    /// Remembers that something could not be done.
    pub(super) fn failed(&mut self, error: &Error) {
        self.fault = Some(match error {
            Error::StoreFull { .. } => Fault::Full,
            _ => Fault::Other,
        });
    }

    pub(super) fn take_changed(&mut self) -> Vec<QueueId> {
        let changed = std::mem::take(&mut self.changed);
        for queue in &changed {
            self.is_changed[queue.0 as usize] = false;
        }
        changed
    }

    /// One more entry of a lane, read at the start.
    pub(super) fn read_entry(&mut self, head: &mut Head, entry: Entry) {
        let (room, before) = (self.room(), head.len());
        head.read_one((entry.sort, entry.number), room);
        self.at_hand += head.len() - before;
    }

    fn room(&self) -> usize {
        if self.at_hand < self.settings.heads { self.settings.head } else { self.settings.head.min(SMALL_HEAD) }
    }

    fn write(&mut self, at: LaneAt, head: &mut Head, sort: u64, number: UrlId) {
        let written = self.next_written();
        self.pending.entries.insert(Entry { at, sort, number }, Some(written));
        let (room, before) = (self.room(), head.len());
        head.add((sort, number), room);
        self.at_hand = self.at_hand + head.len() - before;
    }

    fn next_written(&mut self) -> u64 {
        let written = self.written;
        self.written += 1;
        written
    }

    /// Drops the first entry.
    fn drop_first(&mut self, at: LaneAt, head: &mut Head) -> Option<(u64, UrlId)> {
        let (sort, number) = head.pop()?;
        self.at_hand -= 1;
        self.pending.entries.insert(Entry { at, sort, number }, None);
        Some((sort, number))
    }

    /// Entries of a lane behind one of them, committed or not, and when each was written.
    fn scan(&self, at: LaneAt, after: Bound<(u64, UrlId)>, most: usize) -> Result<Vec<(Entry, u64)>, Error> {
        let bound = after.map(|(sort, number)| Entry { at, sort, number });
        let from = match bound {
            Bound::Unbounded => Bound::Included(Entry { at, sort: 0, number: UrlId(0) }),
            bound => bound,
        };
        let to = Bound::Included(Entry { at, sort: u64::MAX, number: UrlId(u32::MAX) });
        let mut changes = self.pending.entries.range((from, to)).peekable();
        let mut found = Vec::new();
        for committed in self.store.entries(from.map(Entry::key), to.map(Entry::key)) {
            let (entry, written) = committed?;
            while let Some((&new, &change)) = changes.next_if(|(new, _)| **new < entry) {
                found.extend(change.map(|written| (new, written)));
            }
            match changes.next_if(|(new, _)| **new == entry) {
                Some((_, &change)) => found.extend(change.map(|written| (entry, written))),
                None => found.push((entry, written)),
            }
            if found.len() >= most {
                break;
            }
        }
        while found.len() < most
            && let Some((&new, &change)) = changes.next()
        {
            found.extend(change.map(|written| (new, written)));
        }
        found.truncate(most);
        Ok(found)
    }
}

#[expect(private_interfaces, reason = "as the trait")]
impl Shelf for DiskShelf {
    type Lane = Head;
    type Places = FewPlaces;

    fn lane(&self) -> Head {
        Head::default()
    }

    fn arrival(&self, key: UrlId, _: u32) -> Result<u32, Error> {
        if key.0 < self.next_number { Ok(key.0) } else { Err(Error::NoSuchUrl(key)) }
    }

    fn text(&self, key: UrlId) -> Result<Option<String>, Error> {
        match self.pending.texts.find(key) {
            Some(text) => Ok(Some(text.to_owned())),
            None => texts::committed(&self.store, key),
        }
    }

    fn next(
        &mut self,
        at: LaneAt,
        head: &mut Head,
        _: Sorted,
        is_live: impl Fn(UrlId) -> bool,
    ) -> Result<Option<(UrlId, Time)>, Error> {
        loop {
            if let Some(last) = head.wants() {
                let room = self.room().max(1);
                let found = self.scan(at, Bound::Excluded(last), room)?;
                self.at_hand += found.len();
                head.fill(found.iter().map(|(entry, _)| (entry.sort, entry.number)), room);
            }
            let Some((sort, number)) = head.first() else { return Ok(None) };
            if is_live(number) {
                return Ok(Some((number, Time(sort))));
            }
            self.drop_first(at, head);
        }
    }

    fn pop(&mut self, at: LaneAt, head: &mut Head, sorted: Sorted) -> Place {
        let sort = self.drop_first(at, head).map_or(0, |first| first.0);
        match sorted {
            Sorted::ByArrival => Place::Line(sort),
            Sorted::ByTime => Place::Dated(Time(sort)),
        }
    }

    fn push(&mut self, at: LaneAt, head: &mut Head, sorted: Sorted, key: UrlId, time: Time) {
        let sort = match sorted {
            Sorted::ByArrival => self.written,
            Sorted::ByTime => time.0,
        };
        self.write(at, head, sort, key);
    }

    fn put_back(&mut self, at: LaneAt, head: &mut Head, sorted: Sorted, key: UrlId, place: Place) {
        let sort = match (sorted, place) {
            (Sorted::ByArrival, Place::Line(place)) => place,
            (Sorted::ByTime, Place::Dated(time)) => time.0,
            // It came from the heap: before all others.
            _ => 0,
        };
        self.write(at, head, sort, key);
    }

    fn note_exact(&mut self, key: UrlId, queue: QueueId, priority: Priority) {
        self.pending.put(Kind::Exact.key(key.0), Exact { queue, priority }.bytes());
    }

    fn forget_exact(&mut self, key: UrlId) {
        self.pending.delete(Kind::Exact.key(key.0));
    }

    fn note_later(&mut self, key: UrlId, queue: QueueId, time: Time, home: Home) {
        self.pending.put(Kind::Later.key(key.0), Later { queue, time, home }.bytes());
    }

    fn forget_later(&mut self, key: UrlId) {
        self.pending.delete(Kind::Later.key(key.0));
    }

    fn note_lease(&mut self, id: LeaseId, queue: QueueId, home: Home, lease: &Lease) {
        self.pending.put(Kind::lease_key(id), Out { queue, home, lease: *lease }.bytes());
    }

    fn forget_lease(&mut self, id: LeaseId) {
        self.pending.delete_once(Kind::lease_key(id));
    }

    fn note_done(&mut self, key: UrlId) {
        self.pending.put(Kind::Done.key(key.0), Vec::new());
    }

    fn forget_done(&mut self, key: UrlId) {
        self.pending.delete(Kind::Done.key(key.0));
    }

    fn note_queue(&mut self, queue: QueueId) {
        let at = queue.0 as usize;
        if at >= self.is_changed.len() {
            self.is_changed.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.is_changed[at], true) {
            self.changed.push(queue);
        }
    }

    fn check(&self) -> Result<(), Error> {
        let path = || self.store.path().to_owned();
        let source = || "an earlier change could not be stored".into();
        match self.fault {
            None => Ok(()),
            Some(Fault::Full) => Err(Error::StoreFull { path: path(), source: source() }),
            Some(Fault::Other) => Err(Error::Store { path: path(), doing: "written", source: source() }),
        }
    }

    fn sync(frontier: &mut Workbench<Self>) -> Result<(), Error> {
        frontier.commit_to(Durable::Power)
    }
}
