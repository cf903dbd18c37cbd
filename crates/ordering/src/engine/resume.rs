//! How does a crawl go on that was cut off?
//!
//! The frontier keeps what waits. What the policy has learnt, and how often each queue was asked, is saved now and then
//! ([`Engine::save`]), and whoever crawls keeps a journal of what happened since: URLs seeded, handed out and settled, in
//! their order. An engine is a function of these, so one that takes up what was saved and is told the journal again
//! stands where it stood. Telling it again touches no frontier: what was placed and moved is there already.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trodden_frontier::{Frontier, LaneId, LaneSettings, Placement, QueueId, Time, UrlId};

use super::swap::Old;
use super::{Engine, EventLog};
use crate::outcome::{Found, Known, Outcome};
use crate::policy::SaveFault;

/// What an engine is besides its frontier.
#[derive(Serialize, Deserialize)]
struct Saved {
    handed_out: u64,
    hand_outs: BTreeMap<QueueId, u64>,
    base: u32,
    lanes: Vec<(LaneId, LaneSettings)>,
    old: Old,
    policy: Vec<u8>,
}

impl<F: Frontier, L: EventLog> Engine<F, L> {
    /// All that is not in the frontier.
    pub fn save(&self) -> Vec<u8> {
        let saved = Saved {
            handed_out: self.handed_out,
            hand_outs: self.lanes.hand_outs().clone(),
            base: self.lanes.base(),
            lanes: self.lanes.settings().collect(),
            old: self.old.clone(),
            policy: self.policy.save(),
        };
        crate::policy::save_state(&saved)
    }

    /// Takes up what was saved.
    ///
    /// # Errors
    /// If these are not the bytes of such an engine.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), SaveFault> {
        let saved: Saved = crate::policy::restore_state(saved)?;
        self.policy.restore(&saved.policy)?;
        self.handed_out = saved.handed_out;
        self.lanes.begin_anew(saved.base);
        self.lanes.go_on_from(saved.hand_outs);
        self.frontier.retire_lanes(LaneId(saved.base));
        // What they were last told, not what the policy says now: a lane is told again when its price is off by more than a
        // little, and that little is part of the order.
        for (lane, settings) in saved.lanes {
            self.set_lane(lane, settings);
        }
        self.old = saved.old;
        Ok(())
    }

    /// A URL was seeded.
    pub fn seeded_before(&mut self, key: UrlId, url: &str, now: Time) {
        let placement = self.policy.place(&Known::seed(key, url), now);
        self.name_again(placement, now);
    }

    /// The frontier has it; what its lane is worth is known here only.
    pub(super) fn name_again(&mut self, placement: Placement, now: Time) {
        if let Placement::Lane(lane) = placement {
            self.name_lane(lane, now);
        }
    }

    /// A URL of a queue was handed out.
    pub fn handed_out_before(&mut self, queue: QueueId, explored: Option<LaneId>) {
        self.lanes.hand_out(queue);
        self.handed_out += 1;
        if let Some(lane) = explored {
            self.policy.explored(lane);
        }
    }

    /// A hand-out never happened: its URL was out when the process ended, and waits again.
    pub fn undo_hand_out(&mut self, queue: QueueId, explored: Option<LaneId>) {
        self.lanes.undo_hand_out(queue);
        self.handed_out = self.handed_out.saturating_sub(1);
        if let Some(lane) = explored {
            self.policy.unexplored(lane);
        }
    }

    /// A task was refused.
    pub fn refused_before(&mut self) {
        self.handed_out = self.handed_out.saturating_sub(1);
    }

    /// A task was deferred; whether its URL waits in a lane of a policy that went.
    pub fn deferred_before(&mut self, key: UrlId, is_old: bool) {
        self.handed_out = self.handed_out.saturating_sub(1);
        if is_old {
            self.old.defer(key);
        }
    }

    /// A task was settled; which links were new is said by `is_new`.
    pub fn settled_before(&mut self, key: UrlId, url: &str, outcome: &Outcome<'_>, found: &[Found<'_>], now: Time) {
        let known = Known { key, url, from: None, anchor: "" };
        self.policy.settled(&known, outcome, found, &mut self.moves, now);
        self.disposition(&known, outcome, now);
        for link in found.iter().filter(|link| link.is_new) {
            let known = Known { key: link.key, url: link.url, from: Some(key), anchor: link.anchor };
            let placement = self.policy.place(&known, now);
            self.name_again(placement, now);
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.drain().for_each(|(_, placement)| self.name_again(placement, now));
        self.moves = moves;
        self.reprice(now);
    }
}
