//! What a series says of its page: a curve, or nothing that rises and falls.
//!
//! The curve is compared with a flat line through the mean by Schwarz's criterion `n ln(left/n) + k ln n`, with k = 4
//! parameters against one, n bins that were looked at. Where the curve does not pay for its three parameters, interest is
//! flat **\[ours\]**.
//!
//! **\[ours\]** A busy day on a page that is read all year makes a narrow curve under which few of its views lie. So a page
//! is temporal only if at least half of its views in the window lie under its curve ([`Fitted::explained`]).

use super::curve::InterestCurve;
use super::fit::{CurveForm, Found, descend};
use super::series::{Bin, Series, SeriesFault};
use super::start::{bounds, starts};

/// A curve and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The curve; times in bins.
    pub curve: InterestCurve,
    /// Share of the variance that it explains; below zero if a flat line is nearer.
    pub r_squared: f64,
    /// Share of the views that lie under it.
    pub explained: f64,
}

/// How interest in a page goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interest {
    /// It rises and falls.
    Curve(Fitted),
    /// It does not; the curve that fits best all the same.
    Flat(Fitted),
}

/// When a page is temporal: `Φ(days) > share`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemporalRule {
    /// n: days since birth.
    pub days: f64,
    /// q: share of all interest that must have come by then.
    pub share: f64,
}

impl Default for TemporalRule {
    fn default() -> Self {
        Self { days: 3.0, share: 0.7 }
    }
}

/// Less of its views under the curve, and the curve is not what the page is about.
const LEAST_EXPLAINED: f64 = 0.5;

/// A start whose descent leaves this share of the variance or less is as good as any.
const GOOD_ENOUGH: f64 = 0.1;

/// How many starts are tried at most.
const MOST_STARTS: usize = 3;

impl Interest {
    /// Fits a series.
    ///
    /// # Errors
    /// If it says nothing: too short, or without views.
    pub fn of(bins: &[Bin], form: CurveForm) -> Result<Self, SeriesFault> {
        let series = Series::new(bins)?;
        let (mut yy, mut n) = (0.0, 0.0);
        for (_, y) in series.observed() {
            yy += y * y;
            n += 1.0;
        }
        let total = series.total();
        let variance = (yy - total * total / n).max(0.0);
        let bounds = bounds(&series);
        let mut best: Option<Found> = None;
        for (_, start) in starts(&series, &bounds, form, yy).into_iter().take(MOST_STARTS) {
            let found = descend(&series, start, &bounds, form, yy);
            if best.as_ref().is_none_or(|best| found.left < best.left) {
                best = Some(found);
            }
            if best.as_ref().is_some_and(|best| best.left <= GOOD_ENOUGH * variance) {
                break;
            }
        }
        let found = best.ok_or(SeriesFault::TooShort)?;
        let [birth, mu, ln_sigma] = found.at;
        let curve = InterestCurve { amount: found.amount, birth, mu, sigma: ln_sigma.exp() };
        let fitted = Fitted {
            curve,
            r_squared: if variance > 0.0 { 1.0 - found.left / variance } else { 0.0 },
            explained: explained(&series, &curve, form, total),
        };
        let is_flat = criterion(variance, n, 1.0) <= criterion(found.left, n, 4.0);
        Ok(if is_flat { Self::Flat(fitted) } else { Self::Curve(fitted) })
    }

    /// The curve that fits best.
    #[must_use]
    pub fn fitted(&self) -> &Fitted {
        match self {
            Self::Curve(fitted) | Self::Flat(fitted) => fitted,
        }
    }

    /// Whether interest rises and falls.
    #[must_use]
    pub fn is_curve(&self) -> bool {
        matches!(self, Self::Curve(_))
    }

    /// Whether a page is temporal by a rule, with so many bins a day.
    #[must_use]
    pub fn is_temporal(&self, rule: TemporalRule, bins_a_day: f64) -> bool {
        match self {
            Self::Curve(fitted) => {
                fitted.explained >= LEAST_EXPLAINED && fitted.curve.share_within(rule.days * bins_a_day) > rule.share
            }
            Self::Flat(_) => false,
        }
    }
}

/// Schwarz's criterion; what is left is at least a millionth of a view a bin, so that a perfect fit has a number.
fn criterion(left: f64, n: f64, parameters: f64) -> f64 {
    n * (left / n).max(1e-6).ln() + parameters * n.ln()
}

/// Share of the views that lie under the curve.
fn explained(series: &Series<'_>, curve: &InterestCurve, form: CurveForm, total: f64) -> f64 {
    let mut under = 0.0;
    let mut before = curve.share_within(-curve.birth);
    for (bin, y) in series.views_from(0) {
        let x = bin as f64;
        let after = curve.share_within(x + 1.0 - curve.birth);
        let expected = match form {
            CurveForm::BinMass => curve.amount * (after - before),
            CurveForm::PointDensity => curve.density(x + 0.5),
        };
        before = after;
        under += y.map_or(0.0, |y| y.min(expected));
    }
    under / total
}
