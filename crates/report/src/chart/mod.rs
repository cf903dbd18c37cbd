//! Can every curve be told from every other, on a screen, on a phone and on a black-and-white print?
//!
//! Line charts as SVG, written by hand rather than by the `plotters` crate, because here lines must differ in print:
//! by color *and* by dash pattern *and* by a label beside the line; and because text must stay text, which scales, is
//! found by a search and is read by a screen reader.
//!
//! A chart shows shares: x from 0 to [`Chart::until`] of the pages, y from 0 to 100 %. Both axes are linear by
//! default. That was chosen by looking: most curves do their rising within a tenth of the pages, and a logarithmic or
//! square-root axis gives that tenth more room, but then the area that a reader sees is not the area that the table
//! gives, and chance is no straight line. So a figure whose curves rise early has two panels instead, all pages and
//! the first few percent ([`zoom`]), and only the latter's lines are labeled, at its right edge, where they stand
//! apart. [`Axis::Logarithmic`] is there for who wants it.
//!
//! `axis` places numbers, `polyline` drops points that nobody sees, `look` says how a line looks, `label`
//! finds room for names with the help of `raster`, `svg` writes it all.

mod axis;
mod label;
mod look;
mod polyline;
mod raster;
mod svg;
#[cfg(test)]
mod tests;

pub use axis::Axis;
pub use look::{Look, Tint, Weight};
pub use svg::{draw, swatch};

/// A chart of shares.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Unlike that of any other chart on the page: letters, digits, hyphens.
    pub id: &'a str,
    /// Above the plot, and what a screen reader says.
    pub title: &'a str,
    /// Below the x-axis.
    pub x_title: &'a str,
    /// Above the y-axis.
    pub y_title: &'a str,
    /// The share of the pages at the right edge.
    pub until: f64,
    /// How shares of pages are spread.
    pub axis: Axis,
    /// Where the names of important lines stand.
    pub labels: Labels,
    /// The lines; important ones are drawn above others whatever their order.
    pub lines: Vec<Line<'a>>,
}

/// Where the names of important lines stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Beside the lines where there is room.
    Inside,
    /// To the right of the plot, each at the height where its line leaves.
    AtRight,
    /// Nowhere: another panel has them.
    None,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Its name.
    pub name: &'a str,
    /// Said when it is pointed at, after its name.
    pub remark: String,
    /// Its points, x ascending.
    pub points: &'a [[f64; 2]],
    /// How it looks.
    pub look: Look,
}

/// The first share of the pages that deserves a panel of its own, if any does: a round one, at most half, in which the
/// first of these curves gets to 80 % and at whose edge the curves are furthest apart.
#[must_use]
pub fn zoom(curves: &[&[[f64; 2]]]) -> Option<f64> {
    // What a name needs, as a share of the plot's height: more does not make two lines easier to tell apart.
    const ENOUGH: f64 = 0.06;
    let first = curves.first()?.iter().find(|point| point[1] >= 0.8)?[0];
    let apart = |until: f64| -> f64 {
        let mut ends: Vec<f64> = curves.iter().filter_map(|curve| polyline::value_at(curve, until)).collect();
        ends.sort_by(f64::total_cmp);
        ends.windows(2).map(|pair| (pair[1] - pair[0]).min(ENOUGH)).sum()
    };
    let rounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].into_iter().filter(|until| *until >= first);
    rounds
        .map(|until| (until, apart(until)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|best| best.0)
}
