//! Do the pages of a pattern look alike?
//!
//! For a pattern P with *n* ≥ 2 pages, let *s(P)* be the mean likeness of pairs of them. The likeness of a tree is the mean
//! over its patterns, weighted by pages:
//!
//! ```text
//! within = Σ n(P)·s(P) / Σ n(P)
//! ```
//!
//! A pattern with one page has no pair and no part in it; a page in no pattern neither. Against it stands the mean over
//! random pairs of *all* pages, in a pattern or not. **\[ours\]** The source says neither how patterns are weighted nor how
//! pairs are taken. Here pairs of a pattern are taken without chance: its pages lie in the order of their URLs, its
//! *N = n(n−1)/2* pairs (i, j), i < j, in the order of j and then i; all of them count if they are no more than the bound
//! *K*, else those numbered *⌊(2k+1)·N / 2K⌋*, k = 0 … K−1: K pairs at equal strides. Random pairs are drawn with
//! repetition from a seed that the caller gives; all pairs count if there are no more than were to be drawn.
//!
//! What likeness is, from 0 to 1, is the caller's affair.

use std::collections::BTreeMap;

use serde::Serialize;

use super::SplitMix64;

/// How alike the pages of patterns are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Layout {
    /// The mean likeness, as in the [module's text](self).
    pub likeness: f64,
    /// Patterns with two pages or more.
    pub patterns: u64,
    /// Pages in these.
    pub pages: u64,
    /// Pairs that were compared.
    pub pairs: u64,
}

/// The likeness within patterns; none if no pattern has two pages.
///
/// `patterns` gives the pattern of each page, the pages in the order of their URLs; `likeness` compares two pages by their
/// numbers, at most `most_pairs` times a pattern.
pub fn within_patterns(
    patterns: &[Option<u32>],
    most_pairs: usize,
    likeness: impl Fn(usize, usize) -> f64,
) -> Option<Layout> {
    let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (page, pattern) in patterns.iter().enumerate() {
        if let Some(pattern) = pattern {
            groups.entry(*pattern).or_default().push(page);
        }
    }
    let mut layout = Layout { likeness: 0.0, patterns: 0, pages: 0, pairs: 0 };
    for pages in groups.values() {
        let (mut sum, mut pairs) = (0.0, 0_u32);
        for number in strided(pairs_of(pages.len()), most_pairs as u64) {
            let (i, j) = pair(number);
            sum += likeness(pages[i], pages[j]);
            pairs += 1;
        }
        if pairs > 0 {
            #[expect(clippy::cast_precision_loss, reason = "there are fewer pages than 2^52")]
            let weight = pages.len() as f64;
            layout.likeness += weight * sum / f64::from(pairs);
            layout.patterns += 1;
            layout.pages += pages.len() as u64;
            layout.pairs += u64::from(pairs);
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "there are fewer pages than 2^52")]
    let pages = layout.pages as f64;
    layout.likeness /= pages;
    (layout.pages > 0).then_some(layout)
}

/// The mean likeness of random pairs of different pages; none if there are fewer than two pages.
pub fn random_likeness(
    pages: usize,
    draws: u32,
    random: &mut SplitMix64,
    likeness: impl Fn(usize, usize) -> f64,
) -> Option<f64> {
    let all = pairs_of(pages);
    let draws = all.min(u64::from(draws));
    let mut sum = 0.0;
    for number in 0..draws {
        let (i, j) = pair(if draws == all { number } else { random.below(all) });
        sum += likeness(i, j);
    }
    #[expect(clippy::cast_precision_loss, reason = "it fits 32 bits")]
    let mean = sum / draws as f64;
    (draws > 0).then_some(mean)
}

/// How many pairs so many things have.
fn pairs_of(n: usize) -> u64 {
    let n = n as u64;
    n * n.saturating_sub(1) / 2
}

/// The i and j of a pair by its number: number = j(j−1)/2 + i, i < j.
fn pair(number: u64) -> (usize, usize) {
    let j = (8 * u128::from(number) + 1).isqrt().div_ceil(2);
    let i = u128::from(number) - j * (j - 1) / 2;
    let index = |n: u128| usize::try_from(n).expect("it is the index of a page in memory");
    (index(i), index(j))
}

/// Up to `most` numbers below `all`, at equal strides.
fn strided(all: u64, most: u64) -> impl Iterator<Item = u64> {
    let taken = all.min(most);
    (0..taken).map(move |k| {
        let number = u128::from(2 * k + 1) * u128::from(all) / u128::from(2 * taken);
        u64::try_from(number).expect("it is below `all`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_pairs_are_numbered_without_gaps() {
        let mut expected = Vec::new();
        for j in 0..50 {
            expected.extend((0..j).map(|i| (i, j)));
        }
        assert_eq!(pairs_of(50), expected.len() as u64);
        assert_eq!((0..pairs_of(50)).map(pair).collect::<Vec<_>>(), expected);
        let many = 3_000_000_000_usize;
        assert_eq!(pair(pairs_of(many) - 1), (many - 2, many - 1));
    }

    #[test]
    fn ours_strides_are_even_and_never_repeat() {
        assert_eq!(strided(5, 9).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(strided(100, 4).collect::<Vec<_>>(), [12, 37, 62, 87]);
        assert_eq!(strided(0, 4).count() + strided(4, 0).count(), 0);
    }

    #[test]
    fn cikm11_layout_is_weighted_by_pages() {
        // Pages 0, 1 and 4 in one pattern: pairs (0,1) = 1, (0,4) = ½, (1,4) = 0; pages 2 and 3 in another: 1. Page 5 is
        // alone in its pattern and page 6 in none.
        let patterns = [Some(7), Some(7), Some(2), Some(2), Some(7), Some(9), None];
        let likeness = |i, j| match (i, j) {
            (0, 1) | (2, 3) => 1.0,
            (0, 4) => 0.5,
            _ => 0.0,
        };
        let layout = within_patterns(&patterns, 10, likeness).unwrap();
        assert!((layout.likeness - (3.0 * 0.5 + 2.0 * 1.0) / 5.0).abs() < 1e-12);
        assert_eq!((layout.patterns, layout.pages, layout.pairs), (2, 5, 4));
        // Of three pairs only the middle one: (0, 4).
        let one = within_patterns(&patterns, 1, likeness).unwrap();
        assert!((one.likeness - (3.0 * 0.5 + 2.0 * 1.0) / 5.0).abs() < 1e-12);
        assert_eq!(one.pairs, 2);
        assert_eq!(within_patterns(&[Some(1), None, Some(2)], 10, likeness), None);
    }

    #[test]
    fn ours_random_pairs_depend_on_the_seed_alone() {
        let mean = |pages, seed| random_likeness(pages, 100, &mut SplitMix64::new(seed), |i, j| (j - i) as f64);
        assert_eq!(mean(1, 1), None);
        // All three pairs: 1, 2, 1.
        assert!((mean(3, 1).unwrap() - 4.0 / 3.0).abs() < 1e-12);
        assert_eq!(mean(1_000, 1), mean(1_000, 1));
        assert_ne!(mean(1_000, 1), mean(1_000, 2));
        // The mean distance of two places in a row of n is (n + 1) / 3.
        assert!((mean(1_000, 1).unwrap() - 333.7).abs() < 75.0);
    }
}
