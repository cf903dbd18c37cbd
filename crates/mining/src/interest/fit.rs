//! The best curve through a series: least squares over three parameters, the fourth eliminated.
//!
//! Let `y_i` be the views of bin i, `t_i = x_i − b` its start since birth, `z = (ln t − μ)/σ`, and
//! `s_i = Φ(z(t_i + 1)) − Φ(z(t_i))` its share of the curve. The amount is linear, so for given `(b, μ, σ)` the best one is
//! `A = s·y / s·s`, and what is left is `y·y − (s·y)²/(s·s)`: variable projection. Its Jacobian, by Kaufman, is
//! `−A·(g_k − s (s·g_k)/(s·s))`, with `g_k` the derivatives of s:
//!
//! ```text
//! ∂Φ/∂b = −φ(z)/(σ t)      ∂Φ/∂μ = −φ(z)/σ      ∂Φ/∂(ln σ) = −z φ(z)
//! ```
//!
//! All that a step needs are sums over bins of products of `y, s, g`: one pass, no storage ([`Sums`]). Steps are those of
//! Levenberg and Marquardt, damped by the diagonal, kept within bounds (`Bounds`); a parameter that stands at a bound and
//! is pushed beyond it is held. It stops when a step gains less than 10⁻⁵ of what is left, or after [`MAX_STEPS`].
//!
//! A bin that nobody looked at is in no sum: a gap is no zero.

use super::normal::Normal;
use super::series::Series;

/// `(b, μ, ln σ)`.
pub(super) type Params = [f64; 3];

const MAX_STEPS: usize = 60;
const GAIN: f64 = 1e-5;

/// How a bin's views follow from the curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveForm {
    /// **\[ours\]** The mass of the bin: what a count of views is.
    #[default]
    BinMass,
    /// The paper's own: the density in the middle of the bin.
    PointDensity,
}

/// Between these the parameters stay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) low: Params,
    pub(super) high: Params,
}

impl Bounds {
    pub(super) fn clamp(&self, p: Params) -> Params {
        std::array::from_fn(|k| p[k].clamp(self.low[k], self.high[k]))
    }
}

/// What a pass over the bins adds up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    ss: f64,
    sy: f64,
    sg: [f64; 3],
    yg: [f64; 3],
    /// Upper half: 00, 01, 02, 11, 12, 22.
    gg: [f64; 6],
}

impl Sums {
    /// The best amount.
    pub(super) fn amount(&self) -> f64 {
        if self.ss > 0.0 { self.sy / self.ss } else { 0.0 }
    }

    /// What the curve leaves, of `yy` in all.
    pub(super) fn left(&self, yy: f64) -> f64 {
        if self.ss > 0.0 { (yy - self.sy * self.sy / self.ss).max(0.0) } else { yy }
    }

    #[inline]
    fn add(&mut self, y: f64, s: f64, g: [f64; 3]) {
        self.ss += s * s;
        self.sy += s * y;
        for (k, g) in g.into_iter().enumerate() {
            self.sg[k] += s * g;
            self.yg[k] += y * g;
        }
        self.gg[0] += g[0] * g[0];
        self.gg[1] += g[0] * g[1];
        self.gg[2] += g[0] * g[2];
        self.gg[3] += g[1] * g[1];
        self.gg[4] += g[1] * g[2];
        self.gg[5] += g[2] * g[2];
    }
}

/// All sums at a point.
pub(super) fn sums(series: &Series<'_>, p: Params, form: CurveForm, normal: Normal) -> Sums {
    match form {
        CurveForm::BinMass => mass_sums(series, p, normal),
        CurveForm::PointDensity => density_sums(series, p, normal),
    }
}

/// `Φ` and its derivatives at a time since birth.
#[inline]
fn edge(t: f64, mu: f64, inverse: f64, normal: Normal) -> (f64, [f64; 3]) {
    if t <= 0.0 {
        return (0.0, [0.0; 3]);
    }
    let z = (t.ln() - mu) * inverse;
    let (below, density) = normal.both(z);
    let slope = density * inverse;
    (below, [-slope / t, -slope, -z * density])
}

fn mass_sums(series: &Series<'_>, [b, mu, ln_sigma]: Params, normal: Normal) -> Sums {
    let inverse = (-ln_sigma).exp();
    let mut sums = Sums::default();
    let start = series.start_after(b);
    let mut left = edge(start as f64 - b, mu, inverse, normal);
    for (bin, y) in series.views_from(start) {
        // All of the curve has come: what follows adds nothing to any sum.
        if left.0 >= 1.0 {
            break;
        }
        let right = edge((bin + 1) as f64 - b, mu, inverse, normal);
        if let Some(y) = y {
            let g = std::array::from_fn(|k| right.1[k] - left.1[k]);
            sums.add(y, right.0 - left.0, g);
        }
        left = right;
    }
    sums
}

fn density_sums(series: &Series<'_>, [b, mu, ln_sigma]: Params, normal: Normal) -> Sums {
    let inverse = (-ln_sigma).exp();
    let mut sums = Sums::default();
    for (bin, y) in series.views_from(series.start_after(b)) {
        let (t, Some(y)) = (bin as f64 + 0.5 - b, y) else { continue };
        if t <= 0.0 {
            continue;
        }
        let z = (t.ln() - mu) * inverse;
        let s = normal.both(z).1 * inverse / t;
        // d ln s: by b (1 + z/σ)/t, by μ z/σ, by ln σ z² − 1.
        sums.add(y, s, [s * (1.0 + z * inverse) / t, s * z * inverse, s * (z * z - 1.0)]);
    }
    sums
}

/// What the curve at a point leaves of `yy`: the same without derivatives.
pub(super) fn left_at(series: &Series<'_>, p: Params, form: CurveForm, normal: Normal, yy: f64) -> f64 {
    let [b, mu, ln_sigma] = p;
    if form == CurveForm::PointDensity {
        return density_sums(series, p, normal).left(yy);
    }
    let inverse = (-ln_sigma).exp();
    let below = |t: f64| if t > 0.0 { normal.below((t.ln() - mu) * inverse) } else { 0.0 };
    let mut sums = Sums::default();
    let start = series.start_after(b);
    let mut left = below(start as f64 - b);
    for (bin, y) in series.views_from(start) {
        if left >= 1.0 {
            break;
        }
        let right = below((bin + 1) as f64 - b);
        if let Some(y) = y {
            let s = right - left;
            sums.ss += s * s;
            sums.sy += s * y;
        }
        left = right;
    }
    sums.left(yy)
}

/// Where a descent ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) at: Params,
    pub(super) amount: f64,
    /// What is left of the squares.
    pub(super) left: f64,
}

/// Descends from a point; `yy` is the sum of squares of the views that were looked at.
pub(super) fn descend(series: &Series<'_>, start: Params, bounds: &Bounds, form: CurveForm, yy: f64) -> Found {
    let normal = Normal::new();
    let mut at = bounds.clamp(start);
    let mut here = sums(series, at, form, normal);
    let mut left = here.left(yy);
    let mut damping = 1e-3;
    for _ in 0..MAX_STEPS {
        if left <= 1e-12 * yy || here.ss <= 0.0 {
            break;
        }
        let Some(step) = step(&here, at, bounds, damping) else { break };
        let next_at = bounds.clamp(std::array::from_fn(|k| at[k] + step[k]));
        let next = sums(series, next_at, form, normal);
        let next_left = next.left(yy);
        if next_left < left {
            let gain = left - next_left;
            (at, here, left) = (next_at, next, next_left);
            damping = (damping * 0.2).max(1e-9);
            if gain <= GAIN * left {
                break;
            }
        } else {
            damping *= 8.0;
            if damping > 1e8 {
                break;
            }
        }
    }
    Found { at, amount: here.amount(), left }
}

/// The damped step within the bounds; none if no parameter can move.
fn step(sums: &Sums, at: Params, bounds: &Bounds, damping: f64) -> Option<Params> {
    let amount = sums.amount();
    let over = 1.0 / sums.ss;
    let pair = |k: usize, l: usize| {
        const PLACE: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
        sums.gg[PLACE[k][l]] - sums.sg[k] * sums.sg[l] * over
    };
    // Downhill: residual · derivative of the curve, the residual being orthogonal to s.
    let downhill: Params = std::array::from_fn(|k| (sums.yg[k] - amount * sums.sg[k]) / amount.max(f64::MIN_POSITIVE));
    let is_free = |k: usize| {
        pair(k, k) > 0.0
            && !(at[k] <= bounds.low[k] && downhill[k] < 0.0 || at[k] >= bounds.high[k] && downhill[k] > 0.0)
    };
    let free: [bool; 3] = std::array::from_fn(is_free);
    if !free.iter().any(|free| *free) {
        return None;
    }
    let mut matrix = [[0.0; 4]; 3];
    for k in 0..3 {
        if !free[k] {
            matrix[k][k] = 1.0;
            continue;
        }
        for l in (0..3).filter(|l| free[*l]) {
            matrix[k][l] = pair(k, l);
        }
        matrix[k][k] *= 1.0 + damping;
        matrix[k][3] = downhill[k];
    }
    solve(matrix)
}

/// Gauss with pivots, three by three.
fn solve(mut m: [[f64; 4]; 3]) -> Option<Params> {
    for k in 0..3 {
        let pivot = (k..3).max_by(|a, b| m[*a][k].abs().total_cmp(&m[*b][k].abs()))?;
        m.swap(k, pivot);
        if m[k][k].abs() < f64::MIN_POSITIVE {
            return None;
        }
        let (above, below) = m.split_at_mut(k + 1);
        for row in below {
            let factor = row[k] / above[k][k];
            row.iter_mut().zip(&above[k]).for_each(|(own, pivot)| *own -= factor * pivot);
        }
    }
    let mut x = [0.0; 3];
    for k in (0..3).rev() {
        let known: f64 = (k + 1..3).map(|l| m[k][l] * x[l]).sum();
        x[k] = (m[k][3] - known) / m[k][k];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}
