//! The logarithm of the Gamma function, and of the Beta function.

/// Below this, the recurrence leads up to where the series is good to ten digits.
const LARGE: f64 = 8.0;

/// ln Γ(x) for x > 0, by Stirling's series.
pub(super) fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < LARGE {
        shift -= x.ln();
        x += 1.0;
    }
    let half_ln_tau = 0.5 * std::f64::consts::TAU.ln();
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    shift + (x - 0.5) * x.ln() - x + half_ln_tau + series
}

/// ln B(a, b).
pub(super) fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_and_a_half_are_what_they_are() {
        let mut factorial = 1.0_f64;
        for n in 1..40_u32 {
            assert!((ln_gamma(f64::from(n)) - factorial.ln()).abs() < 1e-8, "{n}");
            factorial *= f64::from(n);
        }
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-8);
        assert!((ln_beta(3.0, 4.0) - (1.0_f64 / 60.0).ln()).abs() < 1e-8);
    }
}
