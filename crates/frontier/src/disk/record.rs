//! What does each key and value look like? Drawn in docs/formats/frontier.md; numbers are big-endian, so that keys sort as
//! numbers do.

use smallvec::SmallVec;

use crate::lane::LaneId;
use crate::priority::Priority;
use crate::time::{Span, Time};
use crate::url_id::UrlId;
use crate::workbench::Lease;
use crate::workbench::shelf::{Deferred, LaneAt, Tie};
use crate::workbench::slot::{Home, Place, Turn};
use crate::workbench::turns::Standing;
use crate::{LeaseId, Pace, QueueId};

/// An entry within its lane: what it is sorted by, what decides between equals, and the number of the URL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) sort: u64,
    pub(super) tie: Tie,
    pub(super) number: UrlId,
    pub(super) turn: Turn,
}

impl Spot {
    /// Before all entries: the first of them is counted from 1.
    pub(super) const FIRST: Self = Self { sort: 0, tie: Tie::NONE, number: UrlId(0), turn: Turn(0) };
}

/// An entry of a lane.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) at: LaneAt,
    pub(super) spot: Spot,
}

impl Entry {
    /// Bytes of a key without a tie.
    const SHORT: usize = 22;

    /// Sorts as entries do: a text ends with a byte that no URL has, so that one comes before all that go on behind it.
    pub(super) fn key(&self) -> SmallVec<[u8; Self::SHORT]> {
        let Spot { sort, tie, number, turn } = &self.spot;
        let mut key = SmallVec::new();
        key.extend_from_slice(&self.at.queue.0.to_be_bytes());
        key.extend_from_slice(&self.at.lane.0.to_be_bytes());
        key.extend_from_slice(&sort.to_be_bytes());
        if let Some(text) = tie.text() {
            key.extend_from_slice(text.as_bytes());
            key.push(0);
        }
        key.extend_from_slice(&number.to_be_bytes());
        key.extend_from_slice(&turn.0.to_be_bytes());
        key
    }

    pub(super) fn read(key: &[u8]) -> Option<Self> {
        let mut reader = Reader(key);
        let at = LaneAt { queue: QueueId(reader.u32()?), lane: LaneId(reader.u32()?) };
        let sort = reader.u64()?;
        let tie = match key.len().checked_sub(Self::SHORT)? {
            0 => Tie::default(),
            length => Tie::by(reader.text_before_zero(length - 1)?),
        };
        let spot = Spot { sort, tie, number: UrlId(reader.u32()?), turn: reader.turn()? };
        reader.end(Self { at, spot })
    }

    /// When it was written, counted over all lanes; nothing if that is what it is sorted by.
    pub(super) fn value(&self, written: u64) -> Vec<u8> {
        if written == self.spot.sort { Vec::new() } else { written.to_be_bytes().to_vec() }
    }

    pub(super) fn written(&self, value: &[u8]) -> Option<u64> {
        if value.is_empty() { Some(self.spot.sort) } else { Reader(value).u64() }
    }
}

/// What a key of the state begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Kind {
    Done = b'd',
    Lease = b'l',
    Recent = b'n',
    Queue = b'q',
    Removed = b'r',
    Text = b't',
    Deferred = b'w',
    Exact = b'x',
}

impl Kind {
    /// A key for the number of a URL or queue.
    pub(super) fn key(self, number: u32) -> Vec<u8> {
        let mut key = vec![self as u8];
        key.extend(number.to_be_bytes());
        key
    }

    pub(super) fn lease_key(id: LeaseId) -> Vec<u8> {
        let mut key = vec![Self::Lease as u8];
        key.extend(id.0.to_be_bytes());
        key
    }
}

/// A URL that is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Done {
    pub(super) queue: QueueId,
    pub(super) turn: Turn,
}

impl Done {
    pub(super) fn bytes(self) -> Vec<u8> {
        Writer::default().u32(self.queue.0).turn(self.turn).0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let done = Self { queue: QueueId(reader.u32()?), turn: reader.turn()? };
        reader.end(done)
    }
}

/// A number that no URL has any more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Removed {
    pub(super) turn: Turn,
}

impl Removed {
    pub(super) fn bytes(self) -> Vec<u8> {
        Writer::default().turn(self.turn).0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let removed = Self { turn: reader.turn()? };
        reader.end(removed)
    }
}

/// The text of a URL that has the number of one that was removed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LaterText {
    /// Its first: entries of earlier turns are of the URL that had the number before.
    pub(super) turn: Turn,
    pub(super) created: Time,
    pub(super) text: String,
}

impl LaterText {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default().turn(self.turn).u64(self.created.0);
        writer.0.extend_from_slice(self.text.as_bytes());
        writer.0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let (turn, created) = (reader.turn()?, Time(reader.u64()?));
        Some(Self { turn, created, text: std::str::from_utf8(reader.0).ok()?.to_owned() })
    }
}

/// A URL at a place of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exact {
    pub(super) queue: QueueId,
    pub(super) turn: Turn,
    pub(super) priority: Priority,
}

impl Exact {
    pub(super) fn bytes(self) -> Vec<u8> {
        Writer::default().u32(self.queue.0).turn(self.turn).priority(self.priority).0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let exact = Self { queue: QueueId(reader.u32()?), turn: reader.turn()?, priority: reader.priority()? };
        reader.end(exact)
    }
}

/// A URL that waits for a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DeferredRecord {
    pub(super) queue: QueueId,
    pub(super) turn: Turn,
    pub(super) deferred: Deferred,
}

impl DeferredRecord {
    pub(super) fn bytes(self) -> Vec<u8> {
        let writer = Writer::default().u32(self.queue.0).turn(self.turn);
        writer.u64(self.deferred.until.0).home(self.deferred.home).0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let (queue, turn) = (QueueId(reader.u32()?), reader.turn()?);
        let deferred = Deferred { until: Time(reader.u64()?), home: reader.home()? };
        reader.end(Self { queue, turn, deferred })
    }
}

/// A URL that is out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub(super) queue: QueueId,
    pub(super) turn: Turn,
    pub(super) home: Home,
    pub(super) lease: Lease,
}

impl Out {
    pub(super) fn bytes(self) -> Vec<u8> {
        let writer = Writer::default().u32(self.queue.0).u32(self.lease.key.0).turn(self.turn).u64(self.lease.ends.0);
        let writer = writer.priority(self.lease.priority).home(self.home);
        match self.lease.place {
            Place::Alone => writer.u8(0).u64(0),
            Place::Line(place) => writer.u8(1).u64(place),
            Place::Dated(time) => writer.u8(2).u64(time.0),
        }
        .0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let (queue, key, turn) = (QueueId(reader.u32()?), UrlId(reader.u32()?), reader.turn()?);
        let ends = Time(reader.u64()?);
        let (priority, home) = (reader.priority()?, reader.home()?);
        let place = match (reader.u8()?, reader.u64()?) {
            (0, _) => Place::Alone,
            (1, place) => Place::Line(place),
            (2, time) => Place::Dated(Time(time)),
            _ => return None,
        };
        reader.end(Self { queue, turn, home, lease: Lease { key, priority, place, ends } })
    }
}

/// A queue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QueueRecord {
    pub(super) pace: Pace,
    pub(super) next_at: Time,
    pub(super) held_until: Time,
    pub(super) done_limit: u64,
    pub(super) pass: u64,
    pub(super) weight: f64,
    pub(super) standing: Standing,
    pub(super) name: String,
}

impl QueueRecord {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let writer = Writer::default().u64(self.pace.delay.0).u32(self.pace.at_once);
        let writer = writer.u64(self.next_at.0).u64(self.held_until.0).u64(self.done_limit);
        let writer = writer.u64(self.pass).u64(self.weight.to_bits());
        let mut writer = match self.standing {
            Standing::Parked => writer.u8(0).u64(0),
            Standing::Awake => writer.u8(1).u64(0),
            Standing::Asleep(until) => writer.u8(2).u64(until.0),
        };
        writer.0.extend_from_slice(self.name.as_bytes());
        writer.0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let pace = Pace { delay: Span(reader.u64()?), at_once: reader.u32()? };
        let (next_at, held_until) = (Time(reader.u64()?), Time(reader.u64()?));
        let done_limit = reader.u64()?;
        let (pass, weight) = (reader.u64()?, f64::from_bits(reader.u64()?));
        let standing = match (reader.u8()?, reader.u64()?) {
            (0, _) => Standing::Parked,
            (1, _) => Standing::Awake,
            (2, until) => Standing::Asleep(Time(until)),
            _ => return None,
        };
        let name = std::str::from_utf8(reader.0).ok()?.to_owned();
        Some(Self { pace, next_at, held_until, done_limit, pass, weight, standing, name })
    }
}

/// What is counted over the whole frontier.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Counters {
    /// The next entry of any lane.
    pub(super) written: u64,
    pub(super) lease: u64,
    pub(super) pass: u64,
    pub(super) weights: (f64, u32),
}

impl Counters {
    pub(super) fn bytes(self) -> Vec<u8> {
        let writer = Writer::default().u64(self.written).u64(self.lease).u64(self.pass);
        writer.u64(self.weights.0.to_bits()).u32(self.weights.1).0
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let (written, lease, pass) = (reader.u64()?, reader.u64()?, reader.u64()?);
        let weights = (f64::from_bits(reader.u64()?), reader.u32()?);
        reader.end(Self { written, lease, pass, weights })
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn turn(mut self, turn: Turn) -> Self {
        self.0.extend(turn.0.to_be_bytes());
        self
    }

    fn priority(self, priority: Priority) -> Self {
        self.u8(priority.tier).u64(priority.value.to_bits())
    }

    fn home(self, home: Home) -> Self {
        match home {
            Home::Lane(lane) => self.u8(0).u32(lane.0),
            Home::Exact(priority) => self.u8(1).priority(priority),
        }
    }
}

/// Reads from the front; nothing if there is too little.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_be_bytes)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_be_bytes)
    }

    /// A text of so many bytes with a zero behind it.
    fn text_before_zero(&mut self, length: usize) -> Option<&str> {
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        if self.u8()? == 0 { std::str::from_utf8(text).ok() } else { None }
    }

    fn turn(&mut self) -> Option<Turn> {
        self.u16().map(Turn)
    }

    fn priority(&mut self) -> Option<Priority> {
        Some(Priority { tier: self.u8()?, value: f64::from_bits(self.u64()?) })
    }

    fn home(&mut self) -> Option<Home> {
        match self.u8()? {
            0 => Some(Home::Lane(LaneId(self.u32()?))),
            1 => Some(Home::Exact(self.priority()?)),
            _ => None,
        }
    }

    /// What was read, if that was all.
    pub(super) fn end<T>(&self, read: T) -> Option<T> {
        self.0.is_empty().then_some(read)
    }
}

#[cfg(test)]
mod tests;
