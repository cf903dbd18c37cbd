//! Which values of a key get a branch of their own?
//!
//! WWW 2010 and CIKM 2011, §3: sort the values by frequency, descending, `f_1 ≥ f_2 ≥ …`; the boundary between
//! *salient* values and the rest is where `ln f_i − ln f_{i+1}` is largest.
//!
//! **\[ours\]** A virtual last frequency 1 is appended, so that a few equally frequent values are all salient, and a
//! crowd of singletons (no drop anywhere) is all wildcard. Of equal drops the first counts, so fewer values are kept.
//! A salient value needs the minimum support. Drops are compared as products of integers, not as logarithms: exactly.

/// The frequency of the last salient value: values at least as frequent are salient if they have the support, `None` if no
/// value is. `frequencies` is sorted in place; equal ones may be given once, since between them nothing drops.
pub(crate) fn salient_from(frequencies: &mut [u32]) -> Option<u32> {
    frequencies.sort_unstable_by(|a, b| b.cmp(a));
    let mut boundary: Option<(u32, u32)> = None;
    for (at, &here) in frequencies.iter().enumerate() {
        let next = frequencies.get(at + 1).copied().unwrap_or(1);
        // here / next > best.0 / best.1
        let (numerator, denominator) = boundary.unwrap_or((1, 1));
        if u64::from(here) * u64::from(denominator) > u64::from(numerator) * u64::from(next) {
            boundary = Some((here, next));
        }
    }
    boundary.map(|(here, _)| here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(frequencies: &[u32]) -> usize {
        let mut sorted = frequencies.to_vec();
        salient_from(&mut sorted).map_or(0, |from| frequencies.iter().filter(|f| **f >= from).count())
    }

    #[test]
    fn cikm11_the_boundary_is_the_largest_drop_of_logarithms() {
        // ln 100 − ln 90 = 0.11, ln 90 − ln 80 = 0.12, ln 80 − ln 7 = 2.44, ln 7 − ln 1 = 1.95
        assert_eq!(kept(&[80, 7, 100, 90, 1, 1, 1]), 3);
        // ln 900 − ln 3 = 5.7: one value stands out
        assert_eq!(kept(&[3, 2, 900, 1]), 1);
    }

    #[test]
    fn ours_equally_frequent_values_are_all_salient_and_singletons_are_none() {
        assert_eq!(kept(&[50, 50, 50]), 3);
        assert_eq!(kept(&[1, 1, 1, 1]), 0);
        assert_eq!(kept(&[]), 0);
        assert_eq!(kept(&[9]), 1);
    }

    #[test]
    fn ours_of_equal_drops_the_first_counts() {
        // 100/10 = 10/1
        assert_eq!(kept(&[100, 10]), 1);
        assert_eq!(kept(&[u32::MAX, u32::MAX, 1]), 2, "no overflow");
    }
}
