//! How is a lane kept on disk, and what is written down beside it?

use std::ops::Bound;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lane::Head;
use super::pending::{Durable, Pending};
use super::recent::Fate;
use super::record::{DeferredRecord, Done, Entry, Exact, Kind, Out, Removed, Spot};
use super::settings::DiskSettings;
use super::sieve::{Fingerprint, Sieve};
use super::store::Store;
use super::texts::Texts;
use crate::error::Error;
use crate::heap::FewPlaces;
use crate::priority::Priority;
use crate::time::Time;
use crate::url_id::UrlId;
use crate::workbench::shelf::{Deferred, LaneAt, NewEntry, PutAway, Shelf, Sorted, Tie};
use crate::workbench::slot::{Home, HomeKind, Place, Slot, Turn};
use crate::workbench::{Lease, Workbench};
use crate::{LaneId, LeaseId, QueueId};

/// Entries that a lane keeps at hand when all lanes together keep too many.
const SMALL_HEAD: usize = 16;
/// Entries that are read together.
const PORTION: usize = 4_096;
/// Stale entries of a queue that are deleted at once, when nothing of it waits any more.
const CLEARED: usize = 1 << 16;

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
    /// The latest time that it was told: when new URLs were made.
    pub(super) now: Time,
    /// Numbers that no URL has any more, and that may be told of yet.
    pub(super) removed: Vec<(UrlId, Turn)>,
    /// Numbers for new URLs, before any new number.
    pub(super) free: Vec<(UrlId, Turn)>,
    /// Numbers that had another URL before: their text is a record of its own.
    pub(super) reused: FxHashSet<UrlId>,
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
            now: Time(0),
            removed: Vec::new(),
            free: Vec::new(),
            reused: FxHashSet::default(),
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

    fn room(&self) -> usize {
        if self.at_hand < self.settings.heads { self.settings.head } else { self.settings.head.min(SMALL_HEAD) }
    }

    fn write(&mut self, at: LaneAt, head: &mut Head, spot: Spot, fate: Fate) {
        self.pending.entries.insert(Entry { at, spot: spot.clone() }, fate);
        let (room, before) = (self.room(), head.len());
        head.add(spot, room);
        self.at_hand = self.at_hand + head.len() - before;
    }

    /// What decides between entries of one time.
    fn tie(&mut self, sorted: Sorted, url: UrlId) -> Tie {
        if sorted != Sorted::Date {
            return Tie::default();
        }
        match self.text_and_time(url) {
            Ok(text) => text.map(|(text, _)| Tie::by(&text)).unwrap_or_default(),
            Err(error) => {
                self.failed(&error);
                Tie::default()
            }
        }
    }

    fn next_written(&mut self) -> u64 {
        let written = self.written;
        self.written += 1;
        written
    }

    /// Drops the first entry; what it was sorted by.
    fn drop_first(&mut self, at: LaneAt, head: &mut Head) -> Option<u64> {
        let spot = head.pop()?;
        self.at_hand -= 1;
        let sort = spot.sort;
        self.pending.entries.delete(Entry { at, spot });
        Some(sort)
    }

    /// Entries of a lane behind one of them, committed or not, and when each was written.
    fn scan(&self, at: LaneAt, after: Bound<Spot>, most: usize) -> Result<Vec<(Entry, u64)>, Error> {
        let from = match after {
            Bound::Unbounded => Bound::Included(Spot::FIRST),
            bound => bound,
        };
        let from = from.map(|spot| Entry { at, spot });
        self.read(from, at, most)
    }

    /// Entries of lanes from one to another.
    fn scan_between(&self, first: LaneAt, last: LaneAt, most: usize) -> Result<Vec<(Entry, u64)>, Error> {
        self.read(Bound::Included(Entry { at: first, spot: Spot::FIRST }), last, most)
    }

    /// Entries from here to the end of a lane, committed or not.
    pub(super) fn read(&self, from: Bound<Entry>, to: LaneAt, most: usize) -> Result<Vec<(Entry, u64)>, Error> {
        // No time is so late, so this is behind all entries, whatever their texts.
        let last = Spot { sort: u64::MAX, tie: Tie::default(), number: UrlId(u32::MAX), turn: Turn(u16::MAX) };
        let to = Bound::Included(Entry { at: to, spot: last });
        let changes = self.pending.entries.range((from.clone(), to.clone()));
        let mut changes = changes.map(|(entry, fate)| (entry, fate.written())).peekable();
        let (from, to) = (from.map(|entry| entry.key()), to.map(|entry| entry.key()));
        let mut found = Vec::new();
        for committed in self.store.entries(from.as_ref().map(|key| &key[..]), to.as_ref().map(|key| &key[..])) {
            let (entry, written) = committed?;
            while let Some((new, change)) = changes.next_if(|(new, _)| **new < entry) {
                found.extend(change.map(|written| (new.clone(), written)));
            }
            match changes.next_if(|(new, _)| **new == entry) {
                Some((_, change)) => found.extend(change.map(|written| (entry, written))),
                None => found.push((entry, written)),
            }
            if found.len() >= most {
                break;
            }
        }
        while found.len() < most
            && let Some((new, change)) = changes.next()
        {
            found.extend(change.map(|written| (new.clone(), written)));
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

    fn arrival(&self, key: UrlId, _: &Slot, _: u32) -> Result<u32, Error> {
        if key.0 < self.next_number { Ok(key.0) } else { Err(Error::NoSuchUrl(key)) }
    }

    fn text(&self, key: UrlId) -> Result<Option<String>, Error> {
        Ok(self.text_and_time(key)?.map(|(text, _)| text))
    }

    fn next(
        &mut self,
        at: LaneAt,
        head: &mut Head,
        _: Sorted,
        is_live: impl Fn(UrlId, Turn) -> bool,
    ) -> Result<Option<(UrlId, Time)>, Error> {
        loop {
            if let Some(last) = head.wants() {
                let room = self.room().max(1);
                let behind = if *last == Spot::FIRST { Bound::Unbounded } else { Bound::Excluded(last.clone()) };
                let found = self.scan(at, behind, room)?;
                self.at_hand += found.len();
                head.fill(found.into_iter().map(|(entry, _)| entry.spot), room);
            }
            let Some(first) = head.first() else { return Ok(None) };
            if is_live(first.number, first.turn) {
                return Ok(Some((first.number, Time(first.sort))));
            }
            self.drop_first(at, head);
        }
    }

    fn put_away(&mut self, at: LaneAt, head: &mut Head) -> PutAway {
        self.at_hand -= head.len();
        // What the store has never heard of it never will.
        let stale = std::mem::take(head).into_all().map(|all| {
            let known =
                all.into_iter().filter(|spot| !self.pending.entries.delete_new(Entry { at, spot: spot.clone() }));
            known.count()
        });
        match stale {
            Some(0) => PutAway::Empty,
            stale => PutAway::OnShelf(stale.and_then(|stale| u32::try_from(stale).ok()).unwrap_or(u32::MAX)),
        }
    }

    fn lane_on_shelf(&self) -> Head {
        Head::on_disk()
    }

    fn clear(&mut self, queue: QueueId) -> Result<(), Error> {
        let (first, last) = (LaneAt { queue, lane: LaneId(0) }, LaneAt { queue, lane: LaneId(u32::MAX) });
        // What is left, if it is too much for a batch, is stale for ever and does no harm.
        for (entry, _) in self.scan_between(first, last, CLEARED)? {
            self.pending.entries.delete(entry);
        }
        Ok(())
    }

    fn pop(&mut self, at: LaneAt, head: &mut Head, sorted: Sorted) -> Place {
        let sort = self.drop_first(at, head).unwrap_or(0);
        match sorted {
            Sorted::Arrival => Place::Line(sort),
            Sorted::Time | Sorted::Date => Place::Dated(Time(sort)),
        }
    }

    fn push(&mut self, at: LaneAt, head: &mut Head, sorted: Sorted, entry: NewEntry) {
        let written = self.next_written();
        let (sort, fate) = match sorted {
            Sorted::Arrival => (written, Fate::New(written)),
            Sorted::Time | Sorted::Date => (entry.time.0, Fate::Again(written)),
        };
        let tie = self.tie(sorted, entry.url);
        self.write(at, head, Spot { sort, tie, number: entry.url, turn: entry.turn }, fate);
    }

    fn put_back(&mut self, at: LaneAt, head: &mut Head, sorted: Sorted, url: (UrlId, Turn), place: Place) {
        let sort = match (sorted, place) {
            (Sorted::Arrival, Place::Line(place)) => place,
            (Sorted::Time | Sorted::Date, Place::Dated(time)) => time.0,
            // It came from the heap: before all others.
            _ => 0,
        };
        let ((number, turn), tie) = (url, self.tie(sorted, url.0));
        let fate = Fate::Again(self.next_written());
        self.write(at, head, Spot { sort, tie, number, turn }, fate);
    }

    fn take_at(&mut self, at: LaneAt, head: &mut Head, time: Time) -> Result<Vec<(UrlId, Turn)>, Error> {
        let mut taken = Vec::new();
        let mut from = Bound::Included(Spot { sort: time.0, tie: Tie::default(), number: UrlId(0), turn: Turn(0) });
        loop {
            let mut found = self.scan(at, from, PORTION)?;
            found.retain(|(entry, _)| entry.spot.sort == time.0);
            let is_last = found.len() < PORTION;
            from = found.last().map_or(Bound::Unbounded, |(last, _)| Bound::Excluded(last.spot.clone()));
            for (entry, _) in found {
                self.at_hand -= usize::from(head.remove(&entry.spot));
                taken.push((entry.spot.number, entry.spot.turn));
                self.pending.entries.delete(entry);
            }
            if is_last {
                return Ok(taken);
            }
        }
    }

    fn note_exact(&mut self, key: UrlId, slot: &Slot, priority: Priority) {
        let exact = Exact { queue: slot.queue, turn: slot.turn, priority };
        self.pending.put(Kind::Exact.key(key.0), exact.bytes());
    }

    fn forget_exact(&mut self, key: UrlId) {
        self.pending.delete(Kind::Exact.key(key.0));
    }

    fn note_deferred(&mut self, key: UrlId, slot: &Slot, deferred: Deferred) {
        let record = DeferredRecord { queue: slot.queue, turn: slot.turn, deferred };
        self.pending.put(Kind::Deferred.key(key.0), record.bytes());
    }

    fn deferred(&self, key: UrlId, _: HomeKind) -> Result<Deferred, Error> {
        let record = self.state_record(Kind::Deferred, key)?.and_then(|bytes| DeferredRecord::read(&bytes));
        record.map(|record| record.deferred).ok_or_else(|| self.store.damaged("a URL is deferred until no time"))
    }

    fn forget_deferred(&mut self, key: UrlId) {
        self.pending.delete(Kind::Deferred.key(key.0));
    }

    fn note_lease(&mut self, id: LeaseId, slot: &Slot, home: Home, lease: &Lease) {
        let out = Out { queue: slot.queue, turn: slot.turn, home, lease: *lease };
        self.pending.put(Kind::lease_key(id), out.bytes());
    }

    fn forget_lease(&mut self, id: LeaseId) {
        self.pending.delete_once(Kind::lease_key(id));
    }

    fn note_done(&mut self, key: UrlId, slot: &Slot) {
        self.pending.put(Kind::Done.key(key.0), Done { queue: slot.queue, turn: slot.turn }.bytes());
    }

    fn forget_done(&mut self, key: UrlId) {
        self.pending.delete(Kind::Done.key(key.0));
    }

    fn note_removed(&mut self, key: UrlId, turn: Turn) -> Result<(), Error> {
        let text = self.text(key)?.ok_or(Error::NoSuchUrl(key))?;
        self.sieve.remove(Fingerprint::of(&text, self.seed));
        // The text stays until another URL has the number: steps of a journal may speak of it.
        self.pending.put(Kind::Removed.key(key.0), Removed { turn }.bytes());
        self.removed.push((key, turn));
        Ok(())
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
