//! How does a frontier come back?
//!
//! From what was committed: the sieve, from all texts, and queues first; then what says for itself what a URL is doing (done, out,
//! waiting for a time, at a place of its own); then all entries of lanes, in order. A URL that none of the former names, and
//! that has an entry, waits: its home is the lane of the entry that was written last, the others are stale.
//! While entries are read, 8 more bytes a URL are needed.

use std::ops::Bound;

use super::lane::Head;
use super::pending::{COUNTERS, Durable};
use super::record::{Counters, DeferredRecord, Done, Entry, Exact, Kind, LaterText, Out, QueueRecord, Reader, Removed};
use super::settings::DiskSettings;
use super::shelf::DiskShelf;
use super::sieve::Fingerprint;
use super::store::{Pair, Space, Store};
use super::{DiskFrontier, VERSION, texts};
use crate::error::Error;
use crate::rotation::Rotation;
use crate::url_id::UrlId;
use crate::workbench::lane_set::LaneSet;
use crate::workbench::shelf::LaneAt;
use crate::workbench::slot::{Doing, Home, HomeKind, Slot};
use crate::workbench::turns::Standing;
use crate::{LaneId, LeaseId, QueueId};

const VERSION_KEY: &str = "version";
const SEED_KEY: &str = "seed";
/// Records that are read at a time.
const PORTION: usize = 65_536;
/// Behind all others.
const LAST_LANE: LaneAt = LaneAt { queue: QueueId(u32::MAX), lane: LaneId(u32::MAX) };

/// Sets up a frontier from what is in a store.
pub(super) fn open(store: Store, settings: DiskSettings, rotation: Rotation) -> Result<DiskFrontier, Error> {
    let seed = identity(&store, settings.seed)?;
    let next_number = next_number(&store)?;
    let counters = match store.get(Space::Meta, COUNTERS.as_bytes())? {
        Some(bytes) => Counters::read(&bytes).ok_or_else(|| store.damaged("the counters cannot be read"))?,
        None => Counters { written: 1, ..Counters::default() },
    };
    let mut shelf = DiskShelf::new(store, settings, seed, next_number);
    shelf.written = counters.written;
    let mut frontier = DiskFrontier::with(shelf, rotation);
    frontier.next_lease = counters.lease;
    frontier.turns.pass = counters.pass;
    let mut rebuild = Rebuild { frontier, urls: next_number, dropped: Vec::new() };
    rebuild.numbers()?;
    rebuild.sieve()?;
    rebuild.queues()?;
    rebuild.marks()?;
    rebuild.recent()?;
    rebuild.entries()?;
    rebuild.free_numbers();
    let mut frontier = rebuild.frontier;
    // Exactly as it was summed up, not summed up anew: strides depend on the last digit.
    frontier.turns.weights = counters.weights;
    // Making queues has noted them; they are as they were written.
    frontier.shelf.take_changed();
    Ok(frontier)
}

/// Checks the version, or writes it; the seed of the fingerprints.
fn identity(store: &Store, new_seed: u64) -> Result<u64, Error> {
    let Some(version) = store.get(Space::Meta, VERSION_KEY.as_bytes())? else {
        if store.last_key(Space::Urls)?.is_some() {
            return Err(store.damaged("it holds URLs, and its version is missing"));
        }
        let of = |key: &str, value: &[u8]| (Space::Meta, key.as_bytes().into(), Some(value.into()));
        let identity = [of(VERSION_KEY, &VERSION.to_be_bytes()), of(SEED_KEY, &new_seed.to_be_bytes())];
        store.commit(identity.into_iter(), Durable::Power)?;
        return Ok(new_seed);
    };
    let found = Reader(&version).u32().ok_or_else(|| store.damaged("its version cannot be read"))?;
    if found != VERSION {
        return Err(Error::Version { path: store.path().to_owned(), found, known: VERSION });
    }
    let seed = store.get(Space::Meta, SEED_KEY.as_bytes())?;
    seed.and_then(|seed| Reader(&seed).u64()).ok_or_else(|| store.damaged("its seed cannot be read"))
}

fn next_number(store: &Store) -> Result<u32, Error> {
    let Some(key) = store.last_key(Space::Urls)? else { return Ok(0) };
    let last = Reader(&key).u32().and_then(|last| last.checked_add(1));
    last.ok_or_else(|| store.damaged("the number of a URL cannot be read"))
}

/// A frontier that is being set up.
struct Rebuild {
    frontier: DiskFrontier,
    /// How many URLs there are; whatever names another is damaged.
    urls: u32,
    /// Removed URLs whose text was dropped: their numbers are free, in order.
    dropped: Vec<UrlId>,
}

impl Rebuild {
    /// Everything of one kind: its key, read by `read`, its value, and what to do with them.
    fn each<V>(
        &mut self,
        kind: Kind,
        read: impl Fn(&[u8]) -> Option<V>,
        mut put: impl FnMut(&mut Self, Reader<'_>, V) -> Option<()>,
    ) -> Result<(), Error> {
        // In portions: what is read is put into the frontier that it is read from.
        let (mut from, to) = (Bound::Included(vec![kind as u8]), [kind as u8 + 1]);
        loop {
            let store = &self.frontier.shelf.store;
            let range = store.range(Space::State, from.as_ref().map(Vec::as_slice), Bound::Excluded(&to[..]));
            let portion: Vec<Pair> = range.take(PORTION).collect::<Result<_, _>>()?;
            let Some((last, _)) = portion.last() else { return Ok(()) };
            from = Bound::Excluded(last.to_vec());
            for (key, value) in portion {
                let done = read(&value).and_then(|value| put(self, Reader(&key[1..]), value));
                done.ok_or_else(|| self.frontier.shelf.store.damaged("a record cannot be read"))?;
            }
        }
    }

    /// Numbers of URLs that were removed, and those that another URL has since.
    fn numbers(&mut self) -> Result<(), Error> {
        self.each(Kind::Removed, Removed::read, |this, mut key, removed| {
            let number = UrlId(key.u32()?);
            *this.frontier.slots.slot(number) = Slot::removed(number.0, removed.turn);
            this.frontier.shelf.removed.push((number, removed.turn));
            (number.0 < this.urls).then_some(())
        })?;
        self.each(Kind::Text, LaterText::read, |this, mut key, text| {
            let number = UrlId(key.u32()?);
            let shelf = &mut this.frontier.shelf;
            shelf.reused.insert(number);
            if shelf.removed.binary_search_by_key(&number, |removed| removed.0).is_err() {
                shelf.sieve.add(Fingerprint::of(&text.text, shelf.seed), number);
                *this.frontier.slots.slot(number) = Slot::removed(number.0, text.turn);
            } else if text.text.is_empty() {
                this.dropped.push(number);
            }
            (number.0 < this.urls).then_some(())
        })
    }

    /// All texts, in the order of their numbers.
    fn sieve(&mut self) -> Result<(), Error> {
        let DiskShelf { store, pending, sieve, seed, removed, reused, .. } = &mut self.frontier.shelf;
        // They were read in order.
        let is_removed = |number: UrlId| removed.binary_search_by_key(&number, |removed| removed.0).is_ok();
        let mut next = 0;
        for pair in store.all(Space::Urls) {
            let (key, block) = pair?;
            let mut useless = Vec::new();
            for text in texts::each(&block) {
                let text = text.ok_or_else(|| store.damaged("a URL cannot be read"))?;
                let number = UrlId(next);
                match (reused.contains(&number), is_removed(number)) {
                    (true, _) if text.is_empty() => {}
                    (true, _) => useless.push(number),
                    (false, true) if text.is_empty() => self.dropped.push(number),
                    (false, true) => {}
                    (false, false) => sieve.add(Fingerprint::of(text, *seed), number),
                }
                next += 1;
            }
            if Reader(&key).u32().and_then(|last| last.checked_add(1)) != Some(next) {
                return Err(store.damaged("numbers of URLs have a hole"));
            }
            pending.committed.push(next - 1);
            for number in useless {
                let _ = pending.committed.drop_text(number);
            }
        }
        Ok(())
    }

    /// Numbers of removed URLs that nobody may speak of any more.
    fn free_numbers(&mut self) {
        self.dropped.sort_unstable();
        let (dropped, shelf) = (&self.dropped, &mut self.frontier.shelf);
        let removed = std::mem::take(&mut shelf.removed).into_iter();
        (shelf.free, shelf.removed) = removed.partition(|(number, _)| dropped.binary_search(number).is_ok());
        // The lowest is the next.
        shelf.free.reverse();
    }

    fn queues(&mut self) -> Result<(), Error> {
        self.each(Kind::Queue, QueueRecord::read, |this, mut key, record| {
            let id = QueueId(key.u32()?);
            // They come in order, without holes.
            if id.0 as usize != this.frontier.queues.len() {
                return None;
            }
            this.frontier.make_queue(id);
            let queue = &mut this.frontier.queues[id.0 as usize];
            queue.pace = record.pace;
            queue.next_at = record.next_at;
            queue.held_until = record.held_until;
            queue.done_limit = record.done_limit;
            queue.pass = record.pass;
            queue.weight = record.weight;
            this.frontier.turns.restore(id, record.pass, record.standing);
            if !record.name.is_empty() {
                this.frontier.shelf.name(id, &record.name);
            }
            Some(())
        })
    }

    /// What says for itself what a URL is doing.
    fn marks(&mut self) -> Result<(), Error> {
        self.each(Kind::Done, Done::read, |this, mut key, done| {
            this.slot(UrlId(key.u32()?), Slot::new(done.queue, 0, done.turn), HomeKind::Exact, Doing::Done)?;
            this.frontier.queues.get_mut(done.queue.0 as usize)?.done += 1;
            Some(())
        })?;
        self.each(Kind::Lease, Out::read, |this, mut key, out| {
            let id = LeaseId(key.u64()?);
            this.slot(out.lease.key, Slot::new(out.queue, 0, out.turn), out.home.kind(), Doing::Leased)?;
            let queue = this.frontier.queues.get_mut(out.queue.0 as usize)?;
            queue.out += 1;
            if let Home::Lane(lane) = out.home {
                queue.lane(lane, &this.frontier.shelf);
            }
            this.frontier.hold_lease(id, out.lease);
            Some(())
        })?;
        self.each(Kind::Deferred, DeferredRecord::read, |this, mut key, record| {
            let (number, home) = (UrlId(key.u32()?), record.deferred.home);
            this.slot(number, Slot::new(record.queue, 0, record.turn), home.kind(), Doing::Deferred)?;
            this.frontier.deferred.mark(number);
            let queue = this.frontier.queues.get_mut(record.queue.0 as usize)?;
            if let Home::Lane(lane) = home {
                queue.lane(lane, &this.frontier.shelf);
            }
            this.frontier.count_waiting(record.queue);
            Some(())
        })?;
        self.each(Kind::Exact, Exact::read, |this, mut key, exact| {
            let number = UrlId(key.u32()?);
            this.slot(number, Slot::new(exact.queue, 0, exact.turn), HomeKind::Exact, Doing::Waiting)?;
            let queue = this.frontier.queues.get_mut(exact.queue.0 as usize)?;
            queue.exact.set_arrived(number, exact.priority, number.0.into());
            this.frontier.count_waiting(exact.queue);
            Some(())
        })
    }

    fn slot(&mut self, number: UrlId, of: Slot, home: HomeKind, doing: Doing) -> Option<()> {
        if number.0 >= self.urls {
            return None;
        }
        let slot = self.frontier.slots.slot(number);
        *slot = of;
        (slot.arrival, slot.doing) = (number.0, doing);
        slot.set_home(home);
        Some(())
    }

    /// Entries that came and went lately.
    fn recent(&mut self) -> Result<(), Error> {
        self.each(
            Kind::Recent,
            |block| Some(block.to_vec()),
            |this, mut key, block| this.frontier.shelf.pending.entries.replay(key.u32()?, &block),
        )
    }

    fn entries(&mut self) -> Result<(), Error> {
        // By number: when the newest entry of a URL that waits in a lane was written.
        let mut newest = vec![0_u64; self.urls as usize];
        let (mut reading, mut from) = (None, Bound::Unbounded);
        loop {
            let portion = self.frontier.shelf.read(from, LAST_LANE, PORTION)?;
            let Some((last, _)) = portion.last() else { break };
            from = Bound::Excluded(last.clone());
            for (entry, written) in portion {
                if entry.spot.number.0 >= self.urls || entry.at.queue.0 as usize >= self.frontier.queues.len() {
                    return Err(self.frontier.shelf.store.damaged("an entry of a lane cannot be read"));
                }
                // Most lanes of a queue turn out to have stale entries only: they must not all be in memory at once.
                match reading.replace(entry.at.queue) {
                    Some(before) if before != entry.at.queue => self.put_idle_away(before),
                    _ => {}
                }
                self.entry(&entry, written, &mut newest);
            }
        }
        for queue in (0..self.frontier.queues.len() as u32).map(QueueId) {
            self.put_idle_away(queue);
            let of = &mut self.frontier.queues[queue.0 as usize];
            let is_parked = self.frontier.turns.standings[queue.0 as usize] == Standing::Parked;
            if is_parked && of.waiting == 0 && of.out == 0 {
                // What was left of it is stale for ever.
                of.lanes = LaneSet::default();
            }
            of.lanes.ids().into_iter().for_each(|lane| of.list_if_waiting(lane, &self.frontier.lanes));
        }
        Ok(())
    }

    fn put_idle_away(&mut self, queue: QueueId) {
        self.frontier.queues[queue.0 as usize].lanes.put_idle_away(queue, &mut self.frontier.shelf);
    }

    /// An entry was read: its lane is on disk, until somebody asks for the first of it.
    fn entry(&mut self, entry: &Entry, written: u64, newest: &mut [u64]) {
        let at = entry.at;
        if at.lane == LaneId::DEFERRED {
            self.frontier.queues[at.queue.0 as usize].deferred = Head::on_disk();
            return;
        }
        let lane = self.frontier.queues[at.queue.0 as usize].lane(at.lane, &self.frontier.shelf);
        if lane.entries.is_all_empty() {
            lane.entries = Head::on_disk();
        }
        lane.sample.saw(at, entry.spot.number);
        self.waits(entry, written, &mut newest[entry.spot.number.index()]);
    }

    /// A URL has an entry; whether it waits there is for the newest to say.
    fn waits(&mut self, entry: &Entry, written: u64, newest: &mut u64) {
        let slot = self.frontier.slots.slot(entry.spot.number);
        let is_known = slot.doing != Doing::Unknown && *newest == 0;
        if is_known || written <= *newest || (*newest == 0 && self.is_of_another(entry)) {
            return;
        }
        let slot = self.frontier.slots.slot(entry.spot.number);
        if *newest == 0 {
            *slot = Slot::new(entry.at.queue, entry.spot.number.0, entry.spot.turn);
            slot.doing = Doing::Waiting;
        } else {
            // It may have been done in one queue, and revived in another.
            let before = std::mem::replace(&mut slot.queue, entry.at.queue);
            if let HomeKind::Lane(lane) = slot.home()
                && let Some(lane) = self.frontier.queues[before.0 as usize].lanes.get_mut(lane)
            {
                lane.left();
            }
            self.frontier.count_left(before);
        }
        self.frontier.count_waiting(entry.at.queue);
        self.frontier.queues[entry.at.queue.0 as usize].lane(entry.at.lane, &self.frontier.shelf).joined();
        let slot = self.frontier.slots.slot(entry.spot.number);
        slot.turn = entry.spot.turn;
        slot.set_home(HomeKind::Lane(entry.at.lane));
        *newest = written;
    }

    /// Whether an entry is of a URL that was removed, or whose number another has since.
    fn is_of_another(&self, entry: &Entry) -> bool {
        let shelf = &self.frontier.shelf;
        let is_removed = shelf.removed.binary_search_by_key(&entry.spot.number, |removed| removed.0).is_ok();
        let born = self.frontier.slots.get(entry.spot.number).turn;
        is_removed || (shelf.reused.contains(&entry.spot.number) && entry.spot.turn.is_before(born))
    }
}
