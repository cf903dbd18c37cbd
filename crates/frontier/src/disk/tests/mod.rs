//! What a frontier on disk promises.

mod dropped;
mod kill;
mod model;
mod parts;

use std::path::Path;

use super::*;
use crate::{
    Disposition, Due, Frontier, LaneId, LaneOrder, LaneSettings, MemoryFrontier, Offered, Pace, Pick, Placement,
    Priority, Span, Time,
};

const LEASE: Span = Span::seconds(60);

/// Tiny, so that heads run empty and fingerprints are forgotten all the time.
const TINY: DiskSettings = DiskSettings { cache_bytes: 1 << 20, head: 2, heads: 9, recent: 5, seed: 42 };

fn open(path: &Path) -> DiskFrontier {
    DiskFrontier::open(path, TINY, Rotation::Even).unwrap()
}

fn lane(lane: u32) -> Placement {
    Placement::Lane(LaneId(lane))
}

fn exact(value: f64) -> Placement {
    Placement::Exact(Priority::of(value))
}

/// Takes and settles until nothing is due.
fn drain<F: Frontier>(frontier: &mut F, now: Time) -> Vec<u32> {
    let mut taken = Vec::new();
    while let Due::Queue(queue) = frontier.due_queue(now) {
        let leased = frontier.take(queue, Pick::Best, LEASE, now).unwrap().expect("a due queue has a URL");
        frontier.settle(leased.lease, Disposition::Done, now).unwrap();
        taken.push(leased.key.0);
    }
    taken
}
