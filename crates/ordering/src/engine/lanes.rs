//! Which lanes does a queue have, and which may still hold something?

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use trodden_frontier::{LaneId, Placement, Priority, QueueId};

/// The lanes of all queues.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// Queues that were told what a lane is worth: each once, to ask whether, and by lane, to tell them again.
    told: FxHashSet<(QueueId, LaneId)>,
    queues: FxHashMap<LaneId, Vec<QueueId>>,
    /// Lanes that were given something and not found empty since.
    filled: FxHashMap<QueueId, BTreeSet<LaneId>>,
    hand_outs: BTreeMap<QueueId, u64>,
    /// The frontier's number of the policy's lane 0: those before it belong to policies that went.
    base: u32,
}

impl Lanes {
    /// Something goes into a lane; whether its queue must first be told what it is worth.
    pub(super) fn fill(&mut self, queue: QueueId, lane: LaneId) -> bool {
        if !self.filled.entry(queue).or_default().insert(lane) {
            return false;
        }
        let is_new = self.told.insert((queue, lane));
        if is_new {
            self.queues.entry(lane).or_default().push(queue);
        }
        is_new
    }

    /// A queue was told what a lane is worth, by an engine before this one.
    pub(super) fn was_told(&mut self, queue: QueueId, lane: LaneId) {
        if self.told.insert((queue, lane)) {
            self.queues.entry(lane).or_default().push(queue);
        }
    }

    /// A lane of a queue was found empty.
    pub(super) fn ran_empty(&mut self, queue: QueueId, lane: LaneId) {
        if let Some(lanes) = self.filled.get_mut(&queue) {
            lanes.remove(&lane);
        }
    }

    /// Queues that have a lane.
    pub(super) fn queues(&self, lane: LaneId) -> &[QueueId] {
        self.queues.get(&lane).map_or(&[], Vec::as_slice)
    }

    /// The lane of a queue that one is most curious about; of equals the lowest.
    pub(super) fn most_curious(
        &self,
        queue: QueueId,
        curiosity: impl Fn(LaneId) -> Option<Priority>,
    ) -> Option<LaneId> {
        let mut best: Option<(Priority, LaneId)> = None;
        for lane in self.filled.get(&queue)? {
            if let Some(curious) = curiosity(*lane).filter(|curious| best.is_none_or(|best| *curious > best.0)) {
                best = Some((curious, *lane));
            }
        }
        best.map(|best| best.1)
    }

    /// Counts a hand-out of a queue, from 1.
    pub(super) fn hand_out(&mut self, queue: QueueId) -> u64 {
        let count = self.hand_outs.entry(queue).or_default();
        *count += 1;
        *count
    }

    /// The frontier's number of lane 0.
    pub(super) fn base(&self) -> u32 {
        self.base
    }

    /// Another policy, with other lanes: they are numbered from here.
    pub(super) fn begin_anew(&mut self, base: u32) {
        *self = Self { base, hand_outs: std::mem::take(&mut self.hand_outs), ..Self::default() };
    }

    /// A lane as the frontier numbers it.
    pub(super) fn outer_lane(&self, lane: LaneId) -> LaneId {
        LaneId(self.base + lane.0)
    }

    /// A placement as the frontier numbers it.
    pub(super) fn outer(&self, placement: Placement) -> Placement {
        match placement {
            Placement::Lane(lane) => Placement::Lane(self.outer_lane(lane)),
            other => other,
        }
    }

    /// A lane as the policy numbers it; none if it belongs to one that went.
    pub(super) fn inner_lane(&self, lane: LaneId) -> Option<LaneId> {
        lane.0.checked_sub(self.base).map(LaneId)
    }

    /// Hand-outs by queue.
    pub(super) fn hand_outs(&self) -> &BTreeMap<QueueId, u64> {
        &self.hand_outs
    }

    /// Goes on counting from these.
    pub(super) fn go_on_from(&mut self, hand_outs: BTreeMap<QueueId, u64>) {
        self.hand_outs = hand_outs;
    }
}
