//! From a value to a lane, and back.
//!
//! A value v is known by its level `⌊steps·log2 v⌋`, so that URLs of one lane differ by less than a step: an eighth of an
//! octave, or 9 %. Lanes are group × level, where a group shares what changes for all its URLs at once: when a kind is worth
//! less, its lanes are told, not its URLs. Lanes get their numbers as they are used.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use trodden_frontier::LaneId;

/// No value is told from others beyond these levels, which are more than there are floating-point numbers.
const FARTHEST: f64 = 1e6;
/// The level of nothing.
const NOTHING: i32 = i32::MIN;

/// How fine values are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps(
    /// Levels of an octave.
    pub u16,
);

impl Steps {
    /// Fine enough: see the measured loss in docs/experiments.md.
    pub const DEFAULT: Self = Self(8);
    /// As near to exact as levels need to get.
    pub const FINEST: Self = Self(64);

    fn level(self, value: f64) -> i32 {
        if value.is_nan() || value <= 0.0 {
            return NOTHING;
        }
        (value.log2() * f64::from(self.0)).floor().clamp(-FARTHEST, FARTHEST) as i32
    }

    /// The middle of a level.
    fn value(self, level: i32) -> f64 {
        if level == NOTHING { 0.0 } else { ((f64::from(level) + 0.5) / f64::from(self.0)).exp2() }
    }
}

/// URLs whose worth changes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Group {
    pub(super) kind: u32,
    pub(super) is_visited: bool,
}

/// Lanes in use.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<(Group, i32)>", into = "Vec<(Group, i32)>")]
pub(super) struct Lanes {
    /// By number.
    lanes: Vec<(Group, i32)>,
    numbers: FxHashMap<(Group, i32), u32>,
    groups: FxHashMap<u32, Vec<LaneId>>,
}

impl From<Vec<(Group, i32)>> for Lanes {
    fn from(lanes: Vec<(Group, i32)>) -> Self {
        let mut all = Self::default();
        for (group, level) in lanes {
            all.at(group, level);
        }
        all
    }
}

impl From<Lanes> for Vec<(Group, i32)> {
    fn from(lanes: Lanes) -> Self {
        lanes.lanes
    }
}

impl Lanes {
    /// The lane of a value in a group.
    pub(super) fn of(&mut self, group: Group, value: f64, steps: Steps) -> LaneId {
        self.at(group, steps.level(value))
    }

    fn at(&mut self, group: Group, level: i32) -> LaneId {
        let next = self.lanes.len() as u32;
        let number = *self.numbers.entry((group, level)).or_insert(next);
        if number == next {
            self.lanes.push((group, level));
            self.groups.entry(group.kind).or_default().push(LaneId(number));
        }
        LaneId(number)
    }

    /// The lane of a value in a group, if it is in use.
    pub(super) fn find(&self, group: Group, value: f64, steps: Steps) -> Option<LaneId> {
        self.numbers.get(&(group, steps.level(value))).map(|number| LaneId(*number))
    }

    /// The group and value that a lane stands for.
    pub(super) fn meaning(&self, lane: LaneId, steps: Steps) -> Option<(Group, f64)> {
        self.lanes.get(lane.0 as usize).map(|(group, level)| (*group, steps.value(*level)))
    }

    /// The lanes of a kind.
    pub(super) fn of_kind(&self, kind: u32) -> &[LaneId] {
        self.groups.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// All lanes.
    pub(super) fn all(&self) -> impl Iterator<Item = LaneId> + use<> {
        (0..self.lanes.len() as u32).map(LaneId)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ours_a_lane_stands_for_its_values_within_a_step(
            value in prop_oneof![1e-200..1e-3_f64, 1e-3..1e3_f64, 1e3..1e200_f64],
            kind in 0_u32..1_000_000, is_visited in any::<bool>(),
        ) {
            let (mut lanes, group) = (Lanes::default(), Group { kind, is_visited });
            let lane = lanes.of(group, value, Steps::DEFAULT);
            prop_assert_eq!(lanes.of(group, value, Steps::DEFAULT), lane);
            let (back, middle) = lanes.meaning(lane, Steps::DEFAULT).unwrap();
            prop_assert_eq!(back, group);
            prop_assert!((middle / value).log2().abs() <= 1.0 / 8.0, "{} {}", value, middle);
        }
    }

    #[test]
    fn ours_nothing_and_worse_are_the_last_level() {
        let (mut lanes, group) = (Lanes::default(), Group { kind: 3, is_visited: false });
        for value in [0.0, -1.0, f64::NAN] {
            let lane = lanes.of(group, value, Steps::DEFAULT);
            assert_eq!(lanes.meaning(lane, Steps::DEFAULT), Some((group, 0.0)));
        }
        assert_eq!((lanes.of_kind(3).len(), lanes.of_kind(4).len()), (1, 0));
    }
}
