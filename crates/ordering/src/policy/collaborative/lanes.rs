//! In which lane does a URL wait?
//!
//! A lane is a level of evidence, in quarters of a nat, and whether the URL was read near a satisfying page (class). What nearness is worth changes with every
//! page; it is in the price of the lanes of its class, so no URL moves. URLs of the trace without evidence are spread by chance over [`CHANCES`] lanes of
//! almost one price: that is sampling the trace.

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, UrlId};

use crate::chance;

/// Nats of a level.
const STEP: f64 = 0.25;
/// Levels above and below that of no evidence.
const HALF: i32 = 256;
const LEVELS: u32 = 2 * HALF as u32 + 1;
/// Lanes that the trace without evidence is spread over.
const CHANCES: u32 = 256;

/// Whether and where a URL stands in the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Class {
    /// Nobody read it.
    Unread,
    /// Not near a satisfying page.
    Far,
    /// Near one.
    Near,
}

impl Class {
    pub(super) const ALL: [Self; 3] = [Self::Unread, Self::Far, Self::Near];
}

/// What nearness is worth, by class, in nats.
pub(super) type Offsets = [f64; 3];

/// The lane of a URL with so much evidence.
pub(super) fn lane(class: Class, nats: f64, url: UrlId, seed: u64) -> LaneId {
    let level = (nats / STEP).round().clamp(-f64::from(HALF), f64::from(HALF)) as i32;
    if level == 0 && class != Class::Unread {
        let among = chance::number(seed, u64::from(url.0)) % u64::from(CHANCES);
        return LaneId(3 * LEVELS + class as u32 * CHANCES + among as u32);
    }
    LaneId(class as u32 * LEVELS + (level + HALF) as u32)
}

/// What a lane is worth. Before evidence against URLs counts, what is against them makes no difference.
pub(super) fn price(lane: LaneId, offsets: &Offsets, sinks: bool) -> f64 {
    match lane.0.checked_sub(3 * LEVELS) {
        None => {
            let (class, level) = (lane.0 / LEVELS, (lane.0 % LEVELS).cast_signed() - HALF);
            let nats = f64::from(level) * STEP + offsets[class as usize];
            if sinks { nats } else { nats.max(-STEP) }
        }
        Some(rest) => {
            let (class, among) = ((rest / CHANCES) as usize % 3, f64::from(rest % CHANCES));
            // All within half a level, those by chance above what nobody read.
            let nats = offsets[class] + STEP / 2.0 * (among + 1.0) / f64::from(CHANCES);
            if sinks { nats } else { nats.max(-STEP) }
        }
    }
}

/// All lanes of a class.
pub(super) fn of_class(class: Class) -> impl Iterator<Item = LaneId> {
    let levels = class as u32 * LEVELS..(class as u32 + 1) * LEVELS;
    let chances = 3 * LEVELS + class as u32 * CHANCES..3 * LEVELS + (class as u32 + 1) * CHANCES;
    levels.chain(chances).map(LaneId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_more_evidence_is_a_dearer_lane_and_chance_decides_without() {
        let offsets = [0.0, -0.1, 1.0];
        let worth = |class, nats, url| price(lane(class, nats, UrlId(url), 7), &offsets, true);
        assert!(worth(Class::Far, 1.0, 1) > worth(Class::Far, 0.7, 2));
        assert!(
            worth(Class::Far, 0.3, 1) > worth(Class::Far, 0.0, 2)
                && worth(Class::Far, -0.3, 1) < worth(Class::Far, 0.0, 2)
        );
        assert!(worth(Class::Near, 0.0, 1) > worth(Class::Far, 0.9, 1));
        assert_eq!(worth(Class::Unread, 0.0, 1), worth(Class::Unread, 0.1, 2));
        let different: std::collections::BTreeSet<u32> =
            (0..100).map(|url| lane(Class::Far, 0.0, UrlId(url), 7).0).collect();
        assert!(different.len() > 50);
        assert!(worth(Class::Far, f64::INFINITY, 1) > 60.0 && worth(Class::Far, -1e300, 1) < -60.0);
    }

    #[test]
    fn ours_nothing_sinks_before_enough_is_known() {
        let offsets = [0.0; 3];
        let low = price(lane(Class::Far, -5.0, UrlId(1), 7), &offsets, false);
        assert_eq!(low, -STEP);
        assert!(Class::ALL.into_iter().map(|class| of_class(class).count()).all(|lanes| lanes == 769));
    }
}
