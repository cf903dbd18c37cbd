//! Planted numbers are found again, whatever the order of the facts, and values move with evidence.

use crate::site_table::SLICES;
use proptest::prelude::*;

use super::super::model::{LinkEvidence, VisitEvidence};
use super::*;
use crate::random::{GAMMA, mix};

/// Numbers between 0 and 1, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(GAMMA);
        (mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Poisson, by adding up waiting times.
    fn poisson(&mut self, mean: f64) -> u32 {
        let (mut at, mut count) = (0.0, 0);
        loop {
            at -= (1.0 - self.roll()).ln();
            if at > mean {
                return count;
            }
            count += 1;
        }
    }

    /// Gamma with mean 1 and this whole shape.
    fn gamma(&mut self, shape: u32) -> f64 {
        (0..shape).map(|_| -(1.0 - self.roll()).ln()).sum::<f64>() / f64::from(shape)
    }
}

/// A root with so many patterns below.
fn tree(patterns: u32) -> KindTree {
    KindTree::new((0..patterns + 2).map(|lane| lane.min(1)))
}

/// The kind of a pattern below the root.
fn kind(pattern: u32) -> u32 {
    2 * (pattern + 2) + 1
}

/// What is planted.
struct Planted {
    levels: Vec<f64>,
    slopes: LinkEvidence,
    size: u32,
    missed: f64,
}

impl Planted {
    fn grow(&self, urls: u32, seed: u64) -> Vec<FitSample> {
        let mut dice = Dice(seed);
        let mut samples = Vec::new();
        for (pattern, level) in (0..).zip(&self.levels) {
            for _ in 0..urls {
                let links = [3.0 * dice.roll(), 3.0 * dice.roll() - 1.5];
                let weight = self.slopes[0] * links[0] + self.slopes[1] * links[1];
                let rate = level * weight.exp() * dice.gamma(self.size);
                let is_missed = dice.roll() < self.missed;
                let slices: [u32; SLICES] = std::array::from_fn(|_| if is_missed { 0 } else { dice.poisson(rate) });
                samples.push(FitSample::new(kind(pattern), links, slices, 1.0));
            }
        }
        samples
    }
}

const ALL: FitTerms = FitTerms { links: true, missed: true };

#[test]
fn ours_planted_numbers_are_found() {
    for (size, missed, slopes) in [(1, 0.0, [0.8, 0.3]), (2, 0.3, [0.5, 0.0]), (1, 0.15, [0.0, 1.0])] {
        let planted = Planted { levels: vec![0.05, 0.2, 0.8, 2.0], slopes, size, missed };
        let found = fit(&planted.grow(3_000, 7), &tree(4), ALL);
        let taste = found.taste;
        assert!((0..2).all(|i| (taste.slopes[i] - slopes[i]).abs() < 0.06), "{taste:?} for {slopes:?}");
        assert!((taste.size.ln() - f64::from(size).ln()).abs() < 0.35, "{taste:?} for {size}");
        assert!((taste.missed - missed).abs() < 0.06, "{taste:?} for {missed}");
        for (pattern, level) in (0..).zip(&planted.levels) {
            let mean = found.levels[kind(pattern) as usize].mean;
            assert!((mean / level).ln().abs() < 0.25, "{mean} for {level} with {missed}");
        }
        // Nothing changes and nothing is new.
        let root = found.levels[kind(0) as usize];
        assert!((0.9..1.1).contains(&root.kept) && found.novelty < 0.15, "{root:?} {}", found.novelty);
    }
}

#[test]
fn ours_what_is_foretold_is_what_comes() {
    // The same tastes go on: what each class had in the next log beside what was foretold for it.
    let planted = Planted { levels: vec![0.02, 0.1, 0.5], slopes: [0.5, 0.5], size: 1, missed: 0.0 };
    let mut dice = Dice(3);
    let mut samples = Vec::new();
    let mut later = Vec::new();
    for (pattern, level) in (0..).zip(&planted.levels) {
        for _ in 0..4_000 {
            let links = [3.0 * dice.roll(), 3.0 * dice.roll() - 1.5];
            let rate = level * ((links[0] + links[1]) / 2.0).exp() * dice.gamma(1);
            let slices: [u32; SLICES] = std::array::from_fn(|_| dice.poisson(rate));
            samples.push(FitSample::new(kind(pattern), links, slices, 1.0));
            later.push(8.0 * rate);
        }
    }
    let found = fit(&samples, &tree(3), ALL);
    let classes: [std::ops::Range<f64>; 5] = [0.0..1.0, 1.0..2.0, 2.0..4.0, 4.0..11.0, 11.0..1e9];
    for class in classes {
        let (mut said, mut came) = (0.0, 0.0);
        for (sample, later) in samples.iter().zip(&later).filter(|(sample, _)| class.contains(&sample.visits)) {
            let level = &found.levels[sample.node()];
            let own = VisitEvidence::of(&sample.slices, 1.0);
            said += 8.0
                * if sample.is_read() {
                    level.of_read(&found.taste, &sample.links, own)
                } else {
                    level.of_unread(&found.taste, &sample.links, WHOLE)
                };
            came += later;
        }
        // Luck and novelty are not told apart wholly: of unread URLs too much is foretold, by up to a third.
        let most = if class.start == 0.0 { 1.35 } else { 1.2 };
        assert!((0.85..most).contains(&(said / came)), "{class:?}: {said} foretold, {came} came");
    }
}

#[test]
fn ours_news_keeps_little_and_goes_on_to_be_born() {
    // Each URL is read in one slice only, the same number in each; as many again are still to come.
    let mut samples = Vec::new();
    for n in 0..3_200_u32 {
        let mut slices = [0; SLICES];
        if n < 1_600 {
            slices[(n % 8) as usize] = 5;
        }
        samples.push(FitSample::new(kind(0), [1.0, 0.0], slices, 1.0));
        // Beside it pages that go on as they are.
        samples.push(FitSample::new(kind(1), [1.0, 0.0], [1; SLICES], 1.0));
    }
    let found = fit(&samples, &tree(2), ALL);
    let (news, rest) = (found.levels[kind(0) as usize], found.levels[kind(1) as usize]);
    assert!(news.kept < 0.2 && rest.kept > 0.9, "{news:?} {rest:?}");
    // 1,000 visits a slice go to news that are born; 1,600 that are known have not been read.
    let hoped = 1_600.0 * news.of_unread(&found.taste, &[1.0, 0.0], WHOLE);
    assert!((300.0..1_500.0).contains(&hoped), "{hoped} {news:?} {:?}", found.taste);
    assert!(found.novelty > 0.1, "{}", found.novelty);
}

#[test]
fn ours_without_visits_nothing_but_belief_is_left() {
    let samples: Vec<FitSample> =
        (0..500).map(|n| FitSample::new(kind(n % 3), [f64::from(n % 7), 0.0], [0; SLICES], 1.0)).collect();
    let found = fit(&samples, &tree(3), ALL);
    assert_eq!(found.taste, Taste::BELIEVED);
    assert!(found.levels.iter().all(|level| level.branch_missed == 0.0 && level.mean > 0.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn ours_the_fit_is_the_same_for_any_order_of_the_same_facts(seed in any::<u64>()) {
        let planted = Planted { levels: vec![0.1, 1.0], slopes: [0.5, 0.5], size: 1, missed: 0.1 };
        let samples = planted.grow(300, seed);
        let mut dice = Dice(seed);
        let mut mixed = samples.clone();
        for at in (1..mixed.len()).rev() {
            mixed.swap(at, (dice.roll() * (at + 1) as f64) as usize);
        }
        let (one, other) = (fit(&samples, &tree(2), ALL), fit(&mixed, &tree(2), ALL));
        prop_assert!((one.taste.size / other.taste.size).ln().abs() < 1e-6);
        prop_assert!((one.taste.missed - other.taste.missed).abs() < 1e-6);
        for (a, b) in one.levels.iter().zip(&other.levels) {
            prop_assert!((a.mean / b.mean).ln().abs() < 1e-6 && (a.new / b.new).ln().abs() < 1e-6);
        }
    }

    #[test]
    fn ours_two_urls_of_which_the_same_is_known_are_worth_the_same(seed in any::<u64>()) {
        let planted = Planted { levels: vec![0.1, 1.0], slopes: [0.5, 0.5], size: 1, missed: 0.1 };
        let mut samples = planted.grow(200, seed);
        let twin = samples[5];
        samples[300] = twin;
        let before = fit(&samples, &tree(2), ALL);
        samples.swap(5, 300);
        let after = fit(&samples, &tree(2), ALL);
        prop_assert_eq!(before.levels, after.levels);
    }
}
