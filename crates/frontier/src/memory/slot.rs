//! What is a URL doing, and where does it belong?

use serde::{Deserialize, Serialize};

use crate::QueueId;
use crate::lane::LaneId;
use crate::priority::{Placement, Priority};

/// What a URL is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Doing {
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
pub(super) enum Home {
    /// In a lane.
    Lane(LaneId),
    /// In the heap, at this priority.
    Exact(Priority),
}

/// The same, without the priority, which the heap knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum HomeKind {
    #[default]
    Exact,
    Lane(LaneId),
}

impl Home {
    pub(super) fn of(placement: Placement) -> Option<Self> {
        match placement {
            Placement::Lane(lane) => Some(Self::Lane(lane)),
            Placement::Exact(priority) => Some(Self::Exact(priority)),
            Placement::Reject => None,
        }
    }

    pub(super) fn kind(self) -> HomeKind {
        match self {
            Self::Lane(lane) => HomeKind::Lane(lane),
            Self::Exact(_) => HomeKind::Exact,
        }
    }
}

impl HomeKind {
    /// The home, if its priority was this one.
    pub(super) fn at(self, priority: Priority) -> Home {
        match self {
            Self::Lane(lane) => Home::Lane(lane),
            Self::Exact => Home::Exact(priority),
        }
    }
}

/// What is kept of every URL.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Slot {
    pub(super) queue: QueueId,
    /// The how-many-eth URL it was; equals are taken in this order.
    pub(super) arrival: u32,
    pub(super) home: HomeKind,
    pub(super) doing: Doing,
}
