//! How are lanes numbered, and what was the frontier told of them?
//!
//! A policy numbers its lanes from 0. The frontier numbers them behind those of policies that went, so that URLs of both can
//! wait at once; above all of them is a lane that belongs to no policy: [`LISTS`].

use std::collections::BTreeMap;

use trodden_frontier::{LaneId, LaneSettings, Placement, QueueId};

/// Lists of URLs (sitemaps, feeds) that take turns with pages.
pub(super) const LISTS: LaneId = LaneId::FIRST_RESERVED;

/// The lanes of all queues.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// By the policy's number: what the frontier was told of a lane.
    settings: Vec<Option<LaneSettings>>,
    hand_outs: BTreeMap<QueueId, u64>,
    /// The frontier's number of the policy's lane 0: those before it belong to policies that went.
    base: u32,
}

impl Lanes {
    /// Whether the frontier was never told what a lane is worth.
    pub(super) fn is_new(&self, lane: LaneId) -> bool {
        self.settings.get(lane.0 as usize).is_none_or(Option::is_none)
    }

    /// The frontier is told what a lane is worth and how it is taken.
    pub(super) fn told(&mut self, lane: LaneId, settings: LaneSettings) {
        let at = lane.0 as usize;
        if at >= self.settings.len() {
            self.settings.resize(at + 1, None);
        }
        self.settings[at] = Some(settings);
    }

    /// The how-many-eth hand-out of a queue the next one is, from 1.
    pub(super) fn next_hand_out(&self, queue: QueueId) -> u64 {
        self.hand_outs.get(&queue).map_or(1, |count| count + 1)
    }

    /// Counts a hand-out of a queue.
    pub(super) fn hand_out(&mut self, queue: QueueId) {
        *self.hand_outs.entry(queue).or_default() += 1;
    }

    /// A hand-out never happened.
    pub(super) fn undo_hand_out(&mut self, queue: QueueId) {
        if let Some(count) = self.hand_outs.get_mut(&queue) {
            *count -= 1;
            if *count == 0 {
                self.hand_outs.remove(&queue);
            }
        }
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

    /// A lane as the policy numbers it; none if it belongs to one that went, or to none.
    pub(super) fn inner_lane(&self, lane: LaneId) -> Option<LaneId> {
        if lane >= LaneId::FIRST_RESERVED {
            return None;
        }
        lane.0.checked_sub(self.base).map(LaneId)
    }

    /// Hand-outs by queue.
    pub(super) fn hand_outs(&self) -> &BTreeMap<QueueId, u64> {
        &self.hand_outs
    }

    /// What the frontier was told of lanes, by the policy's number.
    pub(super) fn settings(&self) -> impl Iterator<Item = (LaneId, LaneSettings)> + '_ {
        (0..).map(LaneId).zip(&self.settings).filter_map(|(lane, settings)| Some((lane, (*settings)?)))
    }

    /// Goes on counting from these.
    pub(super) fn go_on_from(&mut self, hand_outs: BTreeMap<QueueId, u64>) {
        self.hand_outs = hand_outs;
    }
}
