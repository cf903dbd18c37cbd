//! Which page is next, if each has an interval?
//!
//! Pages with nearly the same interval share a lane (eight to an octave, as levels in a crawl), in the order of their last requests.
//! The lane goes first of whose interval the largest share has passed since the last request of its first page. If the rates need more
//! than the budget, all intervals stretch by the same factor; if less, they shrink.
//!
//! Cost of a hand-out: a look at each lane, some hundred.

use std::collections::VecDeque;

/// Lanes of an octave.
const STEPS: f64 = 8.0;
/// Intervals from a minute to 3,000 years.
const SHORTEST_DAYS: f64 = 1.0 / 1_440.0;
const LANES: usize = 8 * 31;

/// Pages by interval.
#[derive(Clone, Debug)]
pub struct IntervalLanes {
    lanes: Vec<VecDeque<(u32, f64)>>,
    per_day: Vec<f64>,
    /// Lanes with something in them.
    used: Vec<usize>,
}

impl Default for IntervalLanes {
    fn default() -> Self {
        let days = |lane: usize| SHORTEST_DAYS * (lane as f64 / STEPS).exp2();
        Self {
            lanes: vec![VecDeque::new(); LANES],
            per_day: (0..LANES).map(|lane| 1.0 / days(lane)).collect(),
            used: Vec::new(),
        }
    }
}

impl IntervalLanes {
    /// The lane of an interval; none if it never ends.
    pub fn lane(days: f64) -> Option<usize> {
        let level = ((days / SHORTEST_DAYS).log2() * STEPS).round();
        level.is_finite().then(|| (level.max(0.0) as usize).min(LANES - 1))
    }

    /// Nothing waits.
    pub fn clear(&mut self) {
        self.used.drain(..).for_each(|lane| self.lanes[lane].clear());
    }

    /// A page waits behind those of its lane; its interval counts from a day.
    pub fn push(&mut self, lane: usize, page: u32, since: f64) {
        if self.lanes[lane].is_empty() {
            self.used.push(lane);
        }
        self.lanes[lane].push_back((page, since));
    }

    /// The next page, and its lane.
    pub fn pop(&mut self, day: f64) -> Option<(usize, u32)> {
        let share = |lane: usize| self.lanes[lane].front().map_or(0.0, |(_, since)| (day - since) * self.per_day[lane]);
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for (at, lane) in self.used.iter().enumerate() {
            let share = share(*lane);
            if share > most {
                (best, most) = (Some(at), share);
            }
        }
        let at = best?;
        let lane = self.used[at];
        let (page, _) = self.lanes[lane].pop_front()?;
        if self.lanes[lane].is_empty() {
            self.used.swap_remove(at);
        }
        Some((lane, page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_pages_share_a_budget_in_proportion_to_their_rates() {
        let mut lanes = IntervalLanes::default();
        // Ten pages every 2 days, a hundred every 40: together 7.5 a day. There are 5 a day.
        let [fast, slow] = [2.0, 40.0].map(|days| IntervalLanes::lane(days).unwrap());
        (0..10).for_each(|page| lanes.push(fast, page, -f64::from(10 - page) * 0.2));
        (10..110).for_each(|page| lanes.push(slow, page, -f64::from(110 - page) * 0.4));
        let mut counts = [0_u32; 110];
        for tick in 1..=6_000 {
            let day = f64::from(tick) * 0.2;
            let (lane, page) = lanes.pop(day).unwrap();
            counts[page as usize] += 1;
            lanes.push(lane, page, day);
        }
        let [fast, slow] = [0..10, 10..110].map(|pages| counts[pages].iter().sum::<u32>());
        assert!((f64::from(fast) / f64::from(slow) - 2.0).abs() < 0.2, "{counts:?}");
        assert_eq!(IntervalLanes::lane(f64::INFINITY), None);
        lanes.clear();
        assert_eq!(lanes.pop(0.0), None);
    }
}
