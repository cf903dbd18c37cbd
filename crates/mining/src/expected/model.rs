//! What the model says of one URL, once it is fitted.
//!
//! The model itself is at the head of [`super`]; here are its numbers ([`Taste`] of all sites, [`KindLevel`] of a kind) and the
//! mean of what they leave open.

use crate::site_table::SLICES;
use serde::{Deserialize, Serialize};

/// x: logarithms of links, and of the readers that pass by them.
pub type LinkEvidence = [f64; 2];

/// Slices of the whole log.
pub const WHOLE: f64 = SLICES as f64;

/// What all kinds share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taste {
    /// β.
    pub slopes: LinkEvidence,
    /// r: how alike the URLs of a kind are read; the less, the more a URL's own visits say.
    pub size: f64,
    /// q: the share of URLs that the log missed.
    pub missed: f64,
}

impl Taste {
    /// Before anything is fitted: square roots of links and of readers, tastes that differ by far, and one in ten missed.
    pub const BELIEVED: Self = Self { slopes: [0.5, 0.5], size: 0.5, missed: 0.1 };

    /// e^(β·x): what a URL gets of what its kind has.
    pub fn weight(&self, x: &LinkEvidence) -> f64 {
        (self.slopes[0] * x[0] + self.slopes[1] * x[1]).exp()
    }

    /// The probability that a URL read so often on average has no visit by chance.
    pub fn none_by_chance(&self, visits: f64) -> f64 {
        (-self.size * (visits / self.size).ln_1p()).exp()
    }

    /// The probability that the log missed a URL without visits that should have so many.
    pub fn missed(&self, visits: f64) -> f64 {
        self.missed / (self.missed + (1.0 - self.missed) * self.none_by_chance(visits))
    }
}

/// Visits of a URL, those of old slices counting less, and the slices that they are worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisitEvidence {
    /// ŷ.
    pub visits: f64,
    /// ê.
    pub slices: f64,
}

impl VisitEvidence {
    /// Of these slices, the last of them counting in full.
    pub fn of(slices: &[u32], discount: f64) -> Self {
        let (mut visits, mut worth, mut weight) = (0.0, 0.0, 1.0);
        for n in slices.iter().rev() {
            visits += weight * f64::from(*n);
            worth += weight;
            weight *= discount;
        }
        Self { visits, slices: worth }
    }

    /// The posterior mean of a rate with this mean and size beforehand.
    pub fn correct(&self, mean: f64, size: f64) -> f64 {
        mean * (size + self.visits) / (size + mean * self.slices)
    }
}

/// What is known of a kind, in visits a slice for each unit of weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindLevel {
    /// θ: what its URLs have, read or not.
    pub mean: f64,
    /// ν: what its unread URLs get because they are new.
    pub new: f64,
    /// ρ: what its read URLs keep.
    pub kept: f64,
    /// b: the probability that the log missed its branch.
    pub branch_missed: f64,
    /// θ'.
    pub branch_mean: f64,
    /// The weight of unread URLs that the belief beforehand counts for.
    pub prior_weight: f64,
    /// The weight of its unread URLs when it was fitted.
    pub unread_weight: f64,
}

impl KindLevel {
    /// Before anything is known: half a visit in the time of the log.
    pub const BELIEVED: Self = Self {
        mean: 0.5 / WHOLE,
        new: 0.0,
        kept: 1.0,
        branch_missed: 0.0,
        branch_mean: 0.0,
        prior_weight: 1.0,
        unread_weight: 0.0,
    };

    /// Visits a slice that a URL with visits can expect.
    pub fn of_read(&self, taste: &Taste, x: &LinkEvidence, own: VisitEvidence) -> f64 {
        self.kept * own.correct(self.mean * taste.weight(x), taste.size)
    }

    /// Visits a slice that a URL without visits in a log of so many slices can expect.
    pub fn of_unread(&self, taste: &Taste, x: &LinkEvidence, slices: f64) -> f64 {
        let weight = taste.weight(x);
        let mean = self.mean * weight;
        let unlucky = VisitEvidence { visits: 0.0, slices }.correct(mean, taste.size);
        let missed = taste.missed(mean * WHOLE);
        let own = (1.0 - missed) * unlucky + missed * mean + self.new * weight;
        own + self.branch_missed * (self.branch_mean * weight - own).max(0.0)
    }

    /// What is left of the level if more unread URLs were found since it was fitted: they share what there is.
    pub fn shared(&self, unread_weight: f64) -> f64 {
        (self.unread_weight + self.prior_weight) / (unread_weight + self.prior_weight)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn level(mean: f64) -> KindLevel {
        KindLevel { mean, ..KindLevel::BELIEVED }
    }

    proptest! {
        #[test]
        fn ours_the_mean_lies_between_own_rate_and_kind_and_moves_with_evidence(
            mean in 0.01..10.0_f64, size in 0.05..5.0_f64, slices in prop::array::uniform8(0_u32..50),
        ) {
            let own = VisitEvidence::of(&slices, 1.0);
            let found = own.correct(mean, size);
            let rate = own.visits / own.slices;
            prop_assert!(found >= rate.min(mean) - 1e-9 && found <= rate.max(mean) + 1e-9, "{}", found);
            let more = VisitEvidence { visits: own.visits + 1.0, ..own };
            prop_assert!(more.correct(mean, size) > found);
            // The same rate, better known, is believed more.
            let twice = VisitEvidence { visits: 2.0 * own.visits, slices: 2.0 * own.slices };
            prop_assert!((twice.correct(mean, size) - rate).abs() <= (found - rate).abs() + 1e-9);
        }

        #[test]
        fn ours_more_links_and_more_visits_are_never_worse(
            mean in 0.001..5.0_f64, links in 0.0..5.0_f64, visits in 1_u32..100,
        ) {
            let taste = Taste::BELIEVED;
            let (few, many) = ([links, links], [links + 0.5, links]);
            let own = |visits| VisitEvidence::of(&[0, 0, 0, 0, 0, 0, visits, 1], 0.9);
            prop_assert!(level(mean).of_read(&taste, &many, own(visits)) > level(mean).of_read(&taste, &few, own(visits)));
            prop_assert!(level(mean).of_read(&taste, &few, own(visits + 1)) > level(mean).of_read(&taste, &few, own(visits)));
            prop_assert!(level(mean).of_unread(&taste, &many, WHOLE) > level(mean).of_unread(&taste, &few, WHOLE));
        }
    }

    #[test]
    fn ours_a_url_without_visits_is_missed_only_if_chance_cannot_explain_it() {
        let taste = Taste { missed: 0.3, size: 1.0, ..Taste::BELIEVED };
        assert!(taste.missed(0.01) < 0.31 && taste.missed(1_000.0) > 0.99);
        let none = Taste { missed: 0.0, ..taste };
        assert_eq!(none.missed(1_000.0), 0.0);
        let hoped = |taste: &Taste| level(10.0).of_unread(taste, &[0.0, 0.0], WHOLE);
        assert!(hoped(&taste) > 9.0 && hoped(&none) < 0.2, "{} {}", hoped(&taste), hoped(&none));
    }

    #[test]
    fn ours_unread_urls_share_what_their_kind_has() {
        let level = KindLevel { unread_weight: 100.0, prior_weight: 2.0, ..KindLevel::BELIEVED };
        assert_eq!(level.shared(100.0), 1.0);
        assert!((level.shared(10_000.0) - 0.0102).abs() < 1e-4);
    }
}
