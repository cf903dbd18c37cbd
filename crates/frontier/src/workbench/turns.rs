//! Whose turn is it? Queues in the order of their passes; see [`crate::rotation`].

use std::collections::BTreeSet;
use std::ops::Bound;

use super::queue::Queue;
use super::shelf::Shelf;
use crate::QueueId;
use crate::priority::Priority;
use crate::rotation::Rotation;
use crate::time::Time;

/// Where a queue stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing in it waits, or as much is out as may be.
    Parked,
    /// In the order of passes.
    Awake,
    /// Until a time.
    Asleep(Time),
}

/// The order of the queues.
#[derive(Debug)]
pub(crate) struct Turns {
    rotation: Rotation,
    pub(crate) standings: Vec<Standing>,
    awake: BTreeSet<(u64, QueueId)>,
    asleep: BTreeSet<(Time, QueueId)>,
    /// The pass of the last queue taken from.
    pub(crate) pass: u64,
    /// Weights of the queues that are not parked, and their number.
    pub(crate) weights: (f64, u32),
}

impl Turns {
    pub(crate) fn new(rotation: Rotation) -> Self {
        Self {
            rotation,
            standings: Vec::new(),
            awake: BTreeSet::new(),
            asleep: BTreeSet::new(),
            pass: 0,
            weights: (0.0, 0),
        }
    }

    /// One more queue, parked.
    pub(crate) fn set_rotation(&mut self, rotation: Rotation) {
        self.rotation = rotation;
    }

    pub(crate) fn add(&mut self) {
        self.standings.push(Standing::Parked);
    }

    /// Puts a queue back where it stood.
    pub(crate) fn restore(&mut self, id: QueueId, pass: u64, standing: Standing) {
        match standing {
            Standing::Parked => {}
            Standing::Awake => drop(self.awake.insert((pass, id))),
            Standing::Asleep(until) => drop(self.asleep.insert((until, id))),
        }
        self.standings[id.0 as usize] = standing;
    }

    pub(crate) fn first(&self) -> Option<QueueId> {
        self.awake.first().map(|first| first.1)
    }

    /// The queue behind this one, of those that may be due, and its pass; the first behind none.
    pub(crate) fn after(&self, last: Option<(u64, QueueId)>) -> Option<(u64, QueueId)> {
        let from = last.map_or(Bound::Unbounded, Bound::Excluded);
        self.awake.range((from, Bound::Unbounded)).next().copied()
    }

    pub(crate) fn first_to_wake(&self, now: Time) -> Option<QueueId> {
        self.asleep.first().filter(|first| first.0 <= now).map(|first| first.1)
    }

    pub(crate) fn next_wake(&self) -> Option<Time> {
        self.asleep.first().map(|first| first.0)
    }

    /// Puts a queue where it may be found, if something in it could be due.
    pub(crate) fn wake<S: Shelf>(&mut self, queue: &mut Queue<S>) {
        let at = queue.id.0 as usize;
        match self.standings[at] {
            Standing::Awake => return,
            Standing::Asleep(until) => drop(self.asleep.remove(&(until, queue.id))),
            Standing::Parked => {
                queue.pass = queue.pass.max(self.pass);
                self.weights.0 += queue.weight;
                self.weights.1 += 1;
            }
        }
        self.awake.insert((queue.pass, queue.id));
        self.standings[at] = Standing::Awake;
    }

    /// Takes a queue that was looked at and is not due out of the order of passes.
    pub(crate) fn rest<S: Shelf>(&mut self, queue: &Queue<S>, until: Option<Time>) {
        self.awake.remove(&(queue.pass, queue.id));
        self.standings[queue.id.0 as usize] = match until {
            Some(until) => {
                self.asleep.insert((until, queue.id));
                Standing::Asleep(until)
            }
            None => {
                self.weights.0 -= queue.weight;
                self.weights.1 -= 1;
                Standing::Parked
            }
        };
    }

    /// A URL of this priority was taken from a queue.
    pub(crate) fn moves_on<S: Shelf>(&mut self, queue: &mut Queue<S>, best: Priority) {
        let standing = self.standings[queue.id.0 as usize];
        let weight = self.rotation.weight(best);
        let (old_pass, old_weight) = (queue.pass, std::mem::replace(&mut queue.weight, weight));
        if standing != Standing::Parked {
            self.weights.0 += weight - old_weight;
        }
        let mean = self.weights.0 / f64::from(self.weights.1.max(1));
        self.pass = self.pass.max(old_pass);
        queue.pass = old_pass.saturating_add(self.rotation.stride(weight, mean));
        if standing == Standing::Awake {
            self.awake.remove(&(old_pass, queue.id));
            self.awake.insert((queue.pass, queue.id));
        }
    }
}
