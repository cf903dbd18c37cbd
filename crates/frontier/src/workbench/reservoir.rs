//! Which few URLs stand for a lane? A sample, each URL as likely as any other (algorithm R).
//!
//! The n-th URL that goes in takes the place of a random one of the sample with probability SIZE/n. Chance is a hash of n,
//! seeded by the lane, so that the same crawl has the same samples.

use super::shelf::LaneAt;
use crate::url_id::UrlId;

/// URLs in a sample.
pub(crate) const SAMPLE_SIZE: usize = 64;

/// A sample of what went into a lane. It may hold URLs that have left.
#[derive(Debug, Default)]
pub(crate) struct Reservoir {
    keys: Vec<UrlId>,
    seen: u32,
}

impl Reservoir {
    /// A URL went into the lane that this is a sample of.
    pub(crate) fn saw(&mut self, at: LaneAt, key: UrlId) {
        self.seen = self.seen.saturating_add(1);
        if self.keys.len() < SAMPLE_SIZE {
            self.keys.push(key);
            return;
        }
        let (seed, seen) = ((u64::from(at.queue.0) << 32) | u64::from(at.lane.0), u64::from(self.seen));
        let place = (u128::from(mixed(seed ^ seen.rotate_left(40))) * u128::from(seen)) >> 64;
        if let Some(kept) = self.keys.get_mut(place as usize) {
            *kept = key;
        }
    }

    pub(crate) fn keys(&self) -> &[UrlId] {
        &self.keys
    }
}

/// Bits without a visible pattern: two rounds of multiplying by odd numbers and folding the high half down.
fn mixed(bits: u64) -> u64 {
    let mut bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    for odd in [0xd6e8_feb8_6659_fd93_u64, 0xa076_1d64_78bd_642f] {
        bits = (bits ^ (bits >> 32)).wrapping_mul(odd);
    }
    bits ^ (bits >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LaneId, QueueId};

    #[test]
    fn ours_every_url_of_a_lane_is_as_likely_to_be_in_its_sample() {
        let mut hits = [0_u32; 4];
        for queue in 0..200 {
            let mut sample = Reservoir::default();
            let at = LaneAt { queue: QueueId(queue), lane: LaneId(3) };
            (0..4_000).for_each(|key| sample.saw(at, UrlId(key)));
            assert_eq!(sample.keys().len(), SAMPLE_SIZE);
            for key in sample.keys() {
                hits[key.index() / 1_000] += 1;
            }
        }
        // 200 samples of 64, in four quarters: 3,200 each, give or take four standard deviations.
        assert!(hits.iter().all(|hits| (3_000..3_400).contains(hits)), "{hits:?}");
    }
}
