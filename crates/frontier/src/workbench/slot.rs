//! What is a URL doing, and where does it belong?

use super::shelf::LaneAt;
use crate::QueueId;
use crate::lane::LaneId;
use crate::priority::{Placement, Priority};
use crate::time::Time;

/// What a URL is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It was never offered.
    #[default]
    Unknown,
    /// It waits to be taken.
    Waiting,
    /// It waits for a time.
    Deferred,
    /// It is out.
    Leased,
    /// It is done, or was rejected.
    Done,
}

/// Where a URL waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Home {
    /// In a lane.
    Lane(LaneId),
    /// In the heap, at this priority.
    Exact(Priority),
}

/// The same, without the priority, which the heap knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HomeKind {
    Exact,
    Lane(LaneId),
}

/// Where in its home a URL was when it was taken: it goes back there if nobody settles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the heap.
    Alone,
    /// In an arrival lane: counted in the order of arrival, from 1.
    Line(u64),
    /// In a lane by date or period.
    Dated(Time),
}

impl Home {
    pub(crate) fn of(placement: Placement) -> Option<Self> {
        match placement {
            Placement::Lane(lane) => Some(Self::Lane(lane)),
            Placement::Exact(priority) => Some(Self::Exact(priority)),
            Placement::Reject => None,
        }
    }

    pub(crate) fn kind(self) -> HomeKind {
        match self {
            Self::Lane(lane) => HomeKind::Lane(lane),
            Self::Exact(_) => HomeKind::Exact,
        }
    }
}

impl HomeKind {
    /// The home, if its priority was this one.
    pub(crate) fn at(self, priority: Priority) -> Home {
        match self {
            Self::Lane(lane) => Home::Lane(lane),
            Self::Exact => Home::Exact(priority),
        }
    }
}

/// Which entries of a URL in lanes count: those that were written in its present turn. A new turn begins when a URL is put or moved
/// somewhere, removed, or deferred: then no old entry of it may bring it back too early, and an entry that is stale stays so.
///
/// After 65,536 turns an entry that was never met could count again. Entries are met when they are the first of their lane, so
/// that takes a lane that nothing is taken from all the while.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub(crate) u16);

impl Turn {
    pub(crate) fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// Whether it came before another, if fewer than 32,768 are between them.
    pub(crate) fn is_before(self, other: Self) -> bool {
        self.0.wrapping_sub(other.0).cast_signed() < 0
    }
}

/// What is kept of every URL, in 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    pub(crate) queue: QueueId,
    /// The how-many-eth URL it was; equals are taken in this order.
    pub(crate) arrival: u32,
    lane: LaneId,
    pub(crate) turn: Turn,
    kind: Kind,
    pub(crate) doing: Doing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Exact,
    Lane,
}

impl Slot {
    pub(crate) fn new(queue: QueueId, arrival: u32, turn: Turn) -> Self {
        Self { queue, arrival, turn, ..Self::default() }
    }

    /// Of a URL that is not known any more.
    pub(crate) fn removed(arrival: u32, turn: Turn) -> Self {
        Self { arrival, turn, ..Self::default() }
    }

    /// Whether it was known once and is no more.
    pub(crate) fn was_removed(&self) -> bool {
        self.doing == Doing::Unknown && self.turn != Turn::default()
    }

    pub(crate) fn home(&self) -> HomeKind {
        match self.kind {
            Kind::Exact => HomeKind::Exact,
            Kind::Lane => HomeKind::Lane(self.lane),
        }
    }

    pub(crate) fn set_home(&mut self, home: HomeKind) {
        (self.kind, self.lane) = match home {
            HomeKind::Exact => (Kind::Exact, LaneId(0)),
            HomeKind::Lane(lane) => (Kind::Lane, lane),
        };
    }

    /// Whether it waits in this lane of this queue since this turn: an entry in a lane is stale if not.
    pub(crate) fn waits_in(&self, at: LaneAt, turn: Turn) -> bool {
        self.doing == Doing::Waiting
            && self.kind == Kind::Lane
            && self.lane == at.lane
            && self.queue == at.queue
            && self.turn == turn
    }

    /// Whether it is deferred in this queue since this turn.
    pub(crate) fn is_deferred_in(&self, queue: QueueId, turn: Turn) -> bool {
        self.doing == Doing::Deferred && self.queue == queue && self.turn == turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_url_costs_sixteen_bytes() {
        assert_eq!(size_of::<Slot>(), 16);
    }
}
