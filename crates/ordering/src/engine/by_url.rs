//! What can be done to a URL by its name, whether it is out or not; and how are several handed out at once?
//!
//! A crawler settles what it was handed out. A service hears of URLs from many clients, in any state: an update holds whatever the URL
//! is doing, and the client says when it is fetched again, not the policy. The policy says where it waits, and learns from the outcome
//! if the client tells one.
//!
//! Each call has a twin that ends in `_before`, for an engine that is resumed: the same to the policy, nothing to the frontier.

use trodden_frontier::{Error, Frontier, Offered, Placement, QueueId, Span, Time, UrlId, UrlState};

use super::{Engine, Event, EventLog, Task};
use crate::outcome::{Known, Outcome};

/// What became of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updated {
    /// Whether the URL was not known.
    pub is_new: bool,
}

impl<F: Frontier, L: EventLog> Engine<F, L> {
    /// Hands out a URL of a queue for a time of its own; none if nothing in it is due. Whether the queue may be asked is for the
    /// caller to look at ([`Frontier::is_due`], [`Frontier::due_queues`]), once for all that it takes.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn lease(&mut self, queue: QueueId, lease: Span, now: Time) -> Result<Option<Task>, Error> {
        self.hand_out(queue, lease, now)
    }

    /// Lets a URL that is done be fetched again from a time on, where the policy places it; false if it is not done, or the policy
    /// rejects it. The policy learns nothing by it.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn revive(&mut self, queue: QueueId, key: UrlId, url: &str, from: Time, now: Time) -> Result<bool, Error> {
        if self.frontier.state(key)? != Some(UrlState::Done) {
            return Ok(false);
        }
        let placement = self.policy.place_again(&Known::seed(key, url), now);
        if placement == Placement::Reject {
            return Ok(false);
        }
        self.put(queue, key, placement, from, now)?;
        Ok(true)
    }

    /// A URL that was done was let wait again.
    pub fn revived_before(&mut self, key: UrlId, url: &str, now: Time) {
        let placement = self.policy.place_again(&Known::seed(key, url), now);
        self.name_again(placement, now);
    }

    /// Says that a URL is to be fetched from a time on, or never again, whatever it is doing: a lease on it ends, and one that was not
    /// known is now. The policy learns from the outcome, if there is one.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn update(
        &mut self,
        queue: QueueId,
        known: &Known<'_>,
        outcome: Option<&Outcome<'_>>,
        from: Option<Time>,
        now: Time,
    ) -> Result<Updated, Error> {
        let is_new = !self.frontier.knows(known.key);
        self.log_update(known.key, outcome, is_new, now);
        let placement = self.learn_and_place(known, outcome, is_new, now);
        match from {
            Some(from) => self.put(queue, known.key, placement, from, now)?,
            None => {
                self.name_again(placement, now);
                self.frontier.put(queue, known.key, Placement::Reject, now, now)?
            }
        };
        self.act(now)?;
        Ok(Updated { is_new })
    }

    /// A URL was updated.
    pub fn updated_before(&mut self, known: &Known<'_>, outcome: Option<&Outcome<'_>>, is_new: bool, now: Time) {
        let placement = self.learn_and_place(known, outcome, is_new, now);
        self.name_again(placement, now);
        let mut moves = std::mem::take(&mut self.moves);
        moves.drain().for_each(|(_, placement)| self.name_again(placement, now));
        self.moves = moves;
        self.reprice(now);
    }

    /// Forgets a URL, whatever it is doing; false if it is not known.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn remove(&mut self, key: UrlId) -> Result<bool, Error> {
        let is_removed = self.frontier.remove(key)?;
        if is_removed {
            self.policy.forget(key);
        }
        Ok(is_removed)
    }

    /// A URL was forgotten.
    pub fn removed_before(&mut self, key: UrlId) {
        self.policy.forget(key);
    }

    fn learn_and_place(
        &mut self,
        known: &Known<'_>,
        outcome: Option<&Outcome<'_>>,
        is_new: bool,
        now: Time,
    ) -> Placement {
        let first = is_new.then(|| self.policy.place(known, now));
        if let Some(outcome) = outcome {
            self.policy.settled(known, outcome, &[], &mut self.moves, now);
        }
        first.unwrap_or_else(|| self.policy.place_again(known, now))
    }

    fn log_update(&mut self, key: UrlId, outcome: Option<&Outcome<'_>>, is_new: bool, at: Time) {
        if is_new {
            self.log.record(Event::Seeded { key, at });
        }
        if let Some(Outcome { kind, change, bytes, .. }) = outcome {
            self.log.record(Event::Fetched { key, at, kind: *kind, change: *change, bytes: *bytes });
        }
    }

    fn put(
        &mut self,
        queue: QueueId,
        key: UrlId,
        placement: Placement,
        from: Time,
        now: Time,
    ) -> Result<Offered, Error> {
        if let Placement::Lane(lane) = placement {
            self.name_lane(lane, now);
        }
        self.frontier.put(queue, key, self.lanes.outer(placement), from, now)
    }
}
