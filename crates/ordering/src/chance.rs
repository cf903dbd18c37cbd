//! Numbers that look random and are not: the same for the same seed, whatever the machine and the order of asking.

pub use trodden_mining::random::nth as number;

/// The same, spread evenly between 0 and 1, both left out.
pub fn unit(seed: u64, n: u64) -> f64 {
    ((number(seed, n) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_even_and_depend_on_the_seed() {
        let mean = (0..10_000).map(|n| unit(7, n)).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        assert_ne!(number(1, 0), number(2, 0));
        assert!((0..1_000).all(|n| (0.0..1.0).contains(&unit(n, n))));
    }
}
