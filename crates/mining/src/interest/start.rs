//! Where to begin: guesses of birth, and for each the mean and spread that the views themselves show.
//!
//! Given a birth b, `μ` and `σ` are near the mean and standard deviation of `ln(x + ½ − b)`, each bin counted as often as it
//! has views. That is exact for a curve that lies within the window; where the window cuts it, the descent does the rest.
//!
//! **\[ours\]** The birth is bounded by the first view. One stray view weeks before everybody comes would pin the birth
//! there, and a page that lived a day would seem to have waited for a month: so the first view is where the first hundredth
//! of all views is reached.

use super::fit::{Bounds, CurveForm, Params, left_at};
use super::normal::Normal;
use super::series::Series;

/// Views before the first so many of all are strays.
const STRAY_SHARE: f64 = 0.01;

/// Bins before the end of the first bin at which births are guessed, besides multiples of the window.
const GUESSES: [f64; 4] = [0.1, 0.8, 2.0, 8.0];

/// Guesses as shares of the window, for what was born long before it.
const FAR_GUESSES: [f64; 2] = [0.5, 1.0];

/// What bounds the parameters of a series.
pub(super) fn bounds(series: &Series<'_>) -> Bounds {
    let bins = series.len() as f64;
    let first = first_bin(series) as f64;
    Bounds { low: [-bins, (0.02_f64).ln(), (0.25_f64).ln()], high: [first + 0.99, (10.0 * bins).ln(), (4.0_f64).ln()] }
}

/// The bin in which views begin, strays left out.
fn first_bin(series: &Series<'_>) -> usize {
    let stray = STRAY_SHARE * series.total();
    let mut sum = 0.0;
    for (bin, y) in series.observed() {
        sum += y;
        if sum > stray {
            return bin;
        }
    }
    0
}

/// Points to begin at, the most promising first.
pub(super) fn starts(series: &Series<'_>, bounds: &Bounds, form: CurveForm, yy: f64) -> Vec<(f64, Params)> {
    let normal = Normal::new();
    let bins = series.len() as f64;
    let births = GUESSES.iter().copied().chain(FAR_GUESSES.iter().map(|share| share * bins));
    let mut starts: Vec<(f64, Params)> = births
        .map(|before| bounds.high[0] + 0.01 - before)
        .filter(|birth| *birth >= bounds.low[0])
        .map(|birth| {
            let at = bounds.clamp(moments(series, birth));
            (left_at(series, at, form, normal, yy), at)
        })
        .collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    starts
}

/// Mean and spread of the logarithm of age, given a birth.
fn moments(series: &Series<'_>, birth: f64) -> Params {
    let (mut weight, mut mean, mut square) = (0.0, 0.0, 0.0);
    for (bin, y) in series.observed().filter(|(_, y)| *y > 0.0) {
        let age = bin as f64 + 0.5 - birth;
        // The bin of the birth itself: half of what is left of it.
        let age = if age > 0.5 { age } else { (bin as f64 + 1.0 - birth) * 0.5 };
        if age <= 0.0 {
            continue;
        }
        let log = age.ln();
        weight += y;
        mean += y * log;
        square += y * log * log;
    }
    if weight <= 0.0 {
        return [birth, 0.0, 0.0];
    }
    mean /= weight;
    let variance = (square / weight - mean * mean).max(1e-3);
    [birth, mean, 0.5 * variance.ln()]
}
