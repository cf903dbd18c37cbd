//! Views of a page, bin by bin.

/// The views of one bin; or nothing, where nobody looked: a gap is no zero.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Bin(f32);

impl Bin {
    /// Nobody looked.
    pub const GAP: Self = Self(f32::NAN);

    /// So many views; none for a number that is none, infinite or below zero.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "24 bits of a count are more than a fit can tell apart")]
    pub fn new(views: f64) -> Option<Self> {
        (views.is_finite() && views >= 0.0).then(|| Self((views as f32).min(f32::MAX)))
    }

    /// The views, if somebody looked.
    #[inline]
    #[must_use]
    pub fn views(self) -> Option<f64> {
        (!self.0.is_nan()).then(|| f64::from(self.0))
    }

    /// So many views more; a gap that was looked at after all becomes a number.
    #[must_use]
    pub fn plus(self, views: f64) -> Self {
        Self::new(self.views().unwrap_or(0.0) + views).unwrap_or(self)
    }
}

impl std::fmt::Debug for Bin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.views() {
            Some(views) => write!(f, "{views}"),
            None => f.write_str("gap"),
        }
    }
}

/// Views of a page in a window, bin by bin.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    bins: &'a [Bin],
}

/// Why a series cannot be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeriesFault {
    /// Fewer bins with a number than the curve has parameters.
    TooShort,
    /// Nothing was viewed.
    NoViews,
    /// Fewer than one view a day: chance would decide.
    TooFew,
}

impl SeriesFault {
    /// Its name in a ledger.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooShort => "too-short",
            Self::NoViews => "no-views",
            Self::TooFew => "too-few",
        }
    }
}

/// The curve has four parameters; fewer numbers say nothing about it.
const LEAST_BINS: usize = 4;

impl<'a> Series<'a> {
    /// Checks a series.
    ///
    /// # Errors
    /// If it is too short or has no views.
    pub fn new(bins: &'a [Bin]) -> Result<Self, SeriesFault> {
        let series = Self { bins };
        if series.observed().count() < LEAST_BINS {
            return Err(SeriesFault::TooShort);
        }
        if series.observed().all(|(_, y)| y <= 0.0) {
            return Err(SeriesFault::NoViews);
        }
        Ok(series)
    }

    /// How many bins, gaps included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bins.len()
    }

    /// Never: a series without a bin is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bins.is_empty()
    }

    /// Bins that somebody looked at, with their views.
    pub fn observed(&self) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        self.bins.iter().enumerate().filter_map(|(bin, y)| Some((bin, y.views()?)))
    }

    /// All views that were seen.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.observed().map(|(_, y)| y).sum()
    }

    /// The bin that time b lies in, if it is within the window; else the first.
    pub(super) fn start_after(&self, b: f64) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the window")]
        let bin = b.clamp(0.0, self.bins.len() as f64) as usize;
        bin
    }

    /// Bins from one on, gaps included.
    pub(super) fn views_from(&self, start: usize) -> impl Iterator<Item = (usize, Option<f64>)> + use<'a> {
        (start..).zip(&self.bins[start.min(self.bins.len())..]).map(|(bin, y)| (bin, y.views()))
    }
}
