//! What is a URL doing, and where does it belong?

use serde::{Deserialize, Serialize};

use super::shelf::LaneAt;
use crate::QueueId;
use crate::lane::LaneId;
use crate::priority::{Placement, Priority};
use crate::time::Time;

/// What a URL is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Doing {
    /// It was never offered.
    #[default]
    Unknown,
    /// It waits to be taken.
    Waiting,
    /// It waits for a time.
    Later,
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

/// What is kept of every URL, in 16 bytes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Slot {
    pub(crate) queue: QueueId,
    /// The how-many-eth URL it was; equals are taken in this order.
    pub(crate) arrival: u32,
    lane: LaneId,
    kind: Kind,
    pub(crate) doing: Doing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    #[default]
    Exact,
    Lane,
}

impl Slot {
    pub(crate) fn new(queue: QueueId, arrival: u32) -> Self {
        Self { queue, arrival, ..Self::default() }
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

    /// Whether it waits in this lane of this queue: an entry in a lane is stale if not.
    pub(crate) fn waits_in(&self, at: LaneAt) -> bool {
        self.doing == Doing::Waiting && self.kind == Kind::Lane && self.lane == at.lane && self.queue == at.queue
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
