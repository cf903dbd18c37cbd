//! Do people come to all these siblings from the same places, and leave for the same places?
//!
//! `transit_similarity(a, b) = ½·(cos(p̂in_a, p̂in_b) + cos(p̂out_a, p̂out_b))` (CIKM 2011, §3). **\[ours\]** Of two
//! zero vectors the cosine is 1, of one it is 0: two pages that nobody leaves are alike in that.
//!
//! A [`Profile`] holds both vectors of a sibling as one: entry 2n is the in-value of node n and 2n + 1 its out-value,
//! each half scaled to length √½. So the similarity is a plain scalar product of vectors of length 1. A half that is
//! zero has its whole length in the entry of the root, which no other half has, for the root carries no evidence; that
//! makes the cosines of zero vectors come out as said above.
//!
//! Method of [`all_alike`], which asks whether the *minimum* over all pairs exceeds a threshold ξ, without looking at
//! all pairs. Let c be the sum of the m profiles u_i.
//! - The minimum is at most the mean, `(|c|² − m) / (m·(m−1))`. If that is no more than ξ, no.
//! - The angle between profiles is a metric. Let θ_i be the angle between u_i and c. If `θ_i + θ_j < arccos ξ`, that
//!   pair is alike. So take the siblings by descending θ, outliers first, and compare only the pairs that are left;
//!   stop at the first that is not alike.
//!
//! Both short cuts keep a margin for rounding, so the answer is that of comparing all pairs. In the worst case all
//! m·(m−1)/2 pairs remain: 32,640 for 256 children.

use std::f64::consts::FRAC_1_SQRT_2;

use super::merging::Work;

/// How far below ξ the mean must be. Rounding is far smaller.
const MEAN_MARGIN: f64 = 1e-9;

/// How far below arccos ξ two angles must stay together. An arc cosine near 0 is only good to 10⁻⁸.
const ANGLE_MARGIN: f64 = 1e-6;

/// Where visits to a sibling come from and go to, of length 1.
#[derive(Clone, Debug)]
pub(super) struct Profile(Vec<(u32, f64)>);

impl Profile {
    /// From its smoothed in- and out-vector: (node, value), ascending, no root.
    pub(super) fn new(incoming: &[(u32, f64)], outgoing: &[(u32, f64)]) -> Self {
        let mut entries = Vec::with_capacity(incoming.len().max(1) + outgoing.len().max(1));
        for (half, vector) in [(0, incoming), (1, outgoing)] {
            let length = vector.iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
            if length > 0.0 {
                entries.extend(vector.iter().map(|&(n, value)| (2 * n + half, value / length * FRAC_1_SQRT_2)));
            } else {
                entries.push((half, FRAC_1_SQRT_2));
            }
        }
        entries.sort_unstable_by_key(|&(entry, _)| entry);
        Self(entries)
    }
}

/// How alike two siblings are: from 0, not at all, to 1. Costs a step an entry.
pub(super) fn transit_similarity(a: &Profile, b: &Profile, work: &mut Work) -> f64 {
    let (mut a, mut b) = (a.0.as_slice(), b.0.as_slice());
    work.comparisons += 1;
    work.entries += (a.len() + b.len()) as u64;
    let mut similarity = 0.0;
    while let ([(i, x), rest_a @ ..], [(k, y), rest_b @ ..]) = (a, b) {
        if i == k {
            similarity += x * y;
        }
        if i <= k {
            a = rest_a;
        }
        if k <= i {
            b = rest_b;
        }
    }
    similarity.min(1.0)
}

/// Whether the similarity of every pair exceeds a threshold; of fewer than two profiles, yes. `sums` has two entries a
/// node, all zero, and is left so.
pub(super) fn all_alike(profiles: &[Profile], threshold: f64, sums: &mut [f64], work: &mut Work) -> bool {
    if profiles.len() < 2 {
        return true;
    }
    for &(entry, value) in profiles.iter().flat_map(|p| &p.0) {
        sums[entry as usize] += value;
        work.entries += 1;
    }
    let along: Vec<f64> =
        profiles.iter().map(|p| p.0.iter().map(|&(entry, value)| value * sums[entry as usize]).sum()).collect();
    for &(entry, _) in profiles.iter().flat_map(|p| &p.0) {
        sums[entry as usize] = 0.0;
    }

    let m = profiles.len() as f64;
    let squared: f64 = along.iter().sum();
    if (squared - m) / (m * (m - 1.0)) <= threshold - MEAN_MARGIN {
        return false;
    }
    let mut by_angle: Vec<(f64, &Profile)> =
        along.iter().map(|a| (a / squared.sqrt()).min(1.0).acos()).zip(profiles).collect();
    by_angle.sort_by(|a, b| b.0.total_cmp(&a.0));
    let alike_below = threshold.clamp(-1.0, 1.0).acos() - ANGLE_MARGIN;
    for (i, (angle, profile)) in by_angle.iter().enumerate() {
        for (other_angle, other) in &by_angle[i + 1..] {
            if angle + other_angle < alike_below {
                break;
            }
            let alike = transit_similarity(profile, other, work) > threshold;
            if !alike {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn similarity(a: &Profile, b: &Profile) -> f64 {
        transit_similarity(a, b, &mut Work::default())
    }

    #[test]
    fn cikm11_similarity_is_the_mean_of_two_cosines() {
        // In: (3,4) and (4,3): cosine 24/25. Out: (1,1,0) and (0,1,1): cosine 1/2. Mean (0.96 + 0.5)/2 = 0.73.
        let a = Profile::new(&[(1, 3.0), (2, 4.0)], &[(1, 1.0), (2, 1.0)]);
        let b = Profile::new(&[(1, 4.0), (2, 3.0)], &[(2, 1.0), (3, 1.0)]);
        assert!((similarity(&a, &b) - 0.73).abs() < 1e-15);
        assert!((similarity(&a, &a) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn ours_two_zero_vectors_are_alike_and_one_is_not() {
        let none = Profile::new(&[], &[]);
        let only_in = Profile::new(&[(1, 5.0)], &[]);
        let both = Profile::new(&[(1, 9.0)], &[(2, 1.0)]);
        for (a, b, expected) in
            [(&none, &none, 1.0), (&none, &only_in, 0.5), (&only_in, &only_in, 1.0), (&only_in, &both, 0.5)]
        {
            assert!((similarity(a, b) - expected).abs() < 1e-15);
        }
        assert!(similarity(&none, &both).abs() < 1e-15);
    }

    #[test]
    fn cikm11_one_pair_that_is_not_alike_decides() {
        let near = |x: f64| Profile::new(&[(1, 1.0), (2, x)], &[]);
        let mut profiles: Vec<_> = (0..300).map(|i| near(f64::from(i) * 1e-4)).collect();
        let (mut work, mut sums) = (Work::default(), vec![0.0; 8]);
        assert!(all_alike(&profiles, 0.9, &mut sums, &mut work));
        assert_eq!(work.comparisons, 0, "300 profiles within a degree of their mean need no pairs");
        profiles.insert(150, Profile::new(&[(3, 1.0)], &[]));
        assert!(!all_alike(&profiles, 0.9, &mut sums, &mut work));
        assert_eq!(work.comparisons, 1, "the outlier comes first");
        assert!(sums.iter().all(|s| *s == 0.0));
    }

    #[test]
    fn a_threshold_no_pair_can_pass_or_fail() {
        let same = vec![Profile::new(&[(1, 1.0)], &[]); 3];
        let apart = [Profile::new(&[(1, 1.0)], &[(1, 1.0)]), Profile::new(&[(2, 1.0)], &[(2, 1.0)])];
        let ask = |profiles: &[Profile], t| all_alike(profiles, t, &mut [0.0; 6], &mut Work::default());
        assert!(!ask(&same, 1.0), "nothing exceeds 1");
        assert!(!ask(&same, f64::NAN));
        assert!(ask(&same, 0.999));
        assert!(!ask(&apart, 0.0), "0 does not exceed 0");
        assert!(ask(&apart, -0.5) && ask(&apart, -7.0));
    }

    proptest! {
        #[test]
        fn short_cuts_never_change_the_answer(
            vectors in prop::collection::vec(prop::collection::vec(0u8..9, 8), 2..12),
            offset in 0.0f64..12.0,
            threshold in 0.05f64..0.995,
        ) {
            // The offset moves all of them towards one direction, so that thresholds of every size are met.
            let profiles: Vec<_> = vectors
                .iter()
                .map(|v| {
                    let half = |from: usize| -> Vec<(u32, f64)> {
                        let value = |i: usize| f64::from(v[from + i]) + offset.floor();
                        (0..4).map(|i| (i as u32 + 1, value(i))).filter(|e| e.1 > 0.0).collect()
                    };
                    Profile::new(&half(0), &half(4))
                })
                .collect();
            let pairs = profiles.iter().enumerate().flat_map(|(i, a)| profiles[i + 1..].iter().map(move |b| (a, b)));
            let minimum = pairs.map(|(a, b)| similarity(a, b)).fold(1.0, f64::min);
            let alike = all_alike(&profiles, threshold, &mut [0.0; 10], &mut Work::default());
            prop_assert_eq!(alike, minimum > threshold, "{}", minimum);
        }
    }
}
