//! How fresh is a copy, and what is it worth to fetch the page again?
//!
//! ```text
//! F(r) = (r/D)(1 − e^(−D/r))                share of the time that a copy is right, at fixed intervals 1/r
//! V(t) = ∂(m·F)/∂r at r = 1/t
//!      = (m/D)(1 − e^(−Dt)(1 + Dt))         what one more request a day gains, if the page is fetched every t days
//! V(∞) = m/D
//! ```
//! V grows with t. So at a price λ for a request, the best interval is the t with V(t) = λ; none if m/D ≤ λ. With x = Dt and
//! λD/m = 1 − e^(−z):
//!
//! ```text
//! e^(−x)(1 + x) = e^(−z)    ⇔    x − ln(1 + x) = z
//! ```
//! The left side is convex and grows, so Newton's method ends. It starts from √(2z) + ⅔z, which is right to second order for small z and
//! never too large (Chatzigeorgiou 2013, on Lambert's function).
//!
//! **A rate that is not known well [ours].** If D is Gamma distributed with shape a and mean D̂, the mean of V is, with x = D̂t and
//! s = 1 + x/a:
//!
//! ```text
//! V(t) = (m/D̂)·g(x),    g(x) = a·((1 − s^(1−a))/(a − 1) − (s − 1)·s^(−a)),    g'(x) = x·s^(−a−1)
//! ```
//! For large a it is the V above. For a ≤ 1 it grows for ever: a page of which little is known is asked for in the end. To solve g(x) = y,
//! Newton's method in logarithms starts from x = √(2y), which is too small, because g(x) ≤ x²/2; ln g is concave in ln x, so it never
//! steps too far.

use super::Perishable;

/// A page that was never fetched is worth what [`refetch_value`] can reach, but at least as much as if its copy were right for so
/// long: that it changes often must not keep a page from ever being fetched.
pub const UNFETCHED_DAYS: f64 = 30.0;

/// Below this x, 1 − e^(−x)(1 + x) is summed as a series: the difference would lose its digits.
const SMALL: f64 = 1e-2;

/// F: the share of the time that a copy is right at fixed intervals.
#[must_use]
pub fn fresh_share(requests_a_day: f64, change_rate: f64) -> f64 {
    let x = change_rate / requests_a_day;
    match x {
        _ if change_rate <= 0.0 => 1.0,
        x if x.is_nan() || x == f64::INFINITY => 0.0,
        x if x < f64::EPSILON => 1.0,
        x => -(-x).exp_m1() / x,
    }
}

/// The same if revisits come at random (Poisson) times.
#[must_use]
pub fn fresh_share_at_random(requests_a_day: f64, change_rate: f64) -> f64 {
    if change_rate <= 0.0 { 1.0 } else { 1.0 / (1.0 + change_rate / requests_a_day.max(0.0)) }
}

/// V: what a refetch is worth when the copy has this age.
#[must_use]
pub fn refetch_value(page: &Perishable, age_days: f64) -> f64 {
    let x = page.change_rate * age_days.max(0.0);
    let share = match x {
        x if page.shape.is_finite() => gain(page.shape, x),
        x if x < SMALL => x * x * (0.5 - x * (1.0 / 3.0 - x * (1.0 / 8.0 - x * (1.0 / 30.0 - x / 144.0)))),
        f64::INFINITY => 1.0,
        x => 1.0 - (-x).exp() * (1.0 + x),
    };
    page.importance / page.change_rate * share
}

/// What a first fetch is worth.
#[must_use]
pub fn first_value(page: &Perishable) -> f64 {
    page.importance * (1.0 / page.change_rate).max(UNFETCHED_DAYS)
}

/// t with V(t) = λ; infinite if no refetch is ever worth that much.
#[must_use]
pub fn interval_at_price(page: &Perishable, price: f64) -> f64 {
    let y = price.max(0.0) * page.change_rate / page.importance;
    if page.shape.is_finite() {
        return uncertain_changes_between(page.shape, y) / page.change_rate;
    }
    if y < 1.0 { changes_between(-(-y).ln_1p()) / page.change_rate } else { f64::INFINITY }
}

/// g.
fn gain(shape: f64, x: f64) -> f64 {
    if x < SMALL * shape.min(1.0) {
        // The first terms: what remains is smaller than a hundredth of a hundredth.
        return x * x * (0.5 - (1.0 + 1.0 / shape) * x * (1.0 / 3.0 - (1.0 + 2.0 / shape) * x / 8.0));
    }
    let log = (x / shape).ln_1p();
    if log == f64::INFINITY {
        return if shape > 1.0 { shape / (shape - 1.0) } else { f64::INFINITY };
    }
    let exponent = 1.0 - shape;
    // (1 − s^(1−a))/(a − 1), also at a = 1.
    let integral = if (exponent * log).abs() < 1e-9 { log } else { (exponent * log).exp_m1() / exponent };
    shape * (integral - x / shape * (-shape * log).exp())
}

/// x with g(x) = y; infinite if g never gets there.
fn uncertain_changes_between(shape: f64, y: f64) -> f64 {
    if shape > 1.0 && y >= shape / (shape - 1.0) {
        return f64::INFINITY;
    }
    let (wanted, mut log_x) = (y.ln(), 0.5 * (2.0 * y).ln());
    for _ in 0..MOST_STEPS {
        let x = log_x.exp();
        let gain = gain(shape, x);
        // d ln g/d ln x
        let slope = x * x * (-(shape + 1.0) * (x / shape).ln_1p()).exp() / gain;
        let step = (wanted - gain.ln()) / slope;
        if !step.is_finite() {
            break;
        }
        log_x += step;
        if step.abs() < CLOSE {
            break;
        }
    }
    log_x.exp()
}

/// After a step this small the next one would be its square. Nobody waits for longer than for these steps.
const CLOSE: f64 = 1e-4;
const MOST_STEPS: usize = 60;

/// x with x − ln(1 + x) = z: how many changes of a page are to be expected between two requests.
fn changes_between(z: f64) -> f64 {
    let root = (2.0 * z).sqrt();
    if root < SMALL {
        // Lambert's function at its branch point: the next term is root⁴/270.
        return root * (1.0 + root * (1.0 / 3.0 + root / 36.0));
    }
    let mut x = root + z * (2.0 / 3.0);
    // Quadratic from a start within a third: three steps reach the last digits, for every z.
    for _ in 0..4 {
        x -= (x - x.ln_1p() - z) * (1.0 + x) / x;
    }
    x
}
