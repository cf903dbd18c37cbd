//! How much of a line runs through a rectangle?
//!
//! The plot in cells of [`CELL`] by [`CELL`] pixels, each 1 where the line runs, as a summed-area table: `sums[y][x]` is
//! the number of such cells above and left of (x, y), and any rectangle takes four look-ups. Names are tried at some
//! thousand places; walking along the lines for each would take seconds.

use super::label::Rectangle;

/// Pixels of a cell's side.
const CELL: f64 = 2.0;

/// The cells that lines run through.
pub(super) struct Raster {
    plot: Rectangle,
    columns: usize,
    rows: usize,
    sums: Vec<u32>,
}

impl Raster {
    /// Of lines in pixels.
    pub(super) fn new<'l>(plot: Rectangle, lines: impl IntoIterator<Item = &'l [[f64; 2]]>) -> Self {
        let (columns, rows) = (cells(plot.right - plot.left) + 1, cells(plot.bottom - plot.top) + 1);
        let mut raster = Self { plot, columns, rows, sums: vec![0; (columns + 1) * (rows + 1)] };
        for line in lines {
            for [x, y] in along(line, CELL) {
                let at = raster.at(raster.column(x) + 1, raster.row(y) + 1);
                raster.sums[at] = 1;
            }
        }
        for row in 1..=rows {
            for column in 1..=columns {
                let above = raster.sums[raster.at(column, row - 1)];
                let left = raster.sums[raster.at(column - 1, row)];
                let both = raster.sums[raster.at(column - 1, row - 1)];
                let at = raster.at(column, row);
                raster.sums[at] += above + left - both;
            }
        }
        raster
    }

    fn at(&self, column: usize, row: usize) -> usize {
        row * (self.columns + 1) + column
    }

    fn column(&self, x: f64) -> usize {
        cells(x - self.plot.left).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        cells(y - self.plot.top).min(self.rows - 1)
    }

    /// Cells of the lines within a rectangle.
    pub(super) fn within(&self, part: Rectangle) -> u32 {
        let (left, right) = (self.column(part.left), self.column(part.right) + 1);
        let (top, bottom) = (self.row(part.top), self.row(part.bottom) + 1);
        self.sums[self.at(right, bottom)] + self.sums[self.at(left, top)]
            - self.sums[self.at(left, bottom)]
            - self.sums[self.at(right, top)]
    }

    /// The same around a point.
    pub(super) fn near(&self, [x, y]: [f64; 2], reach: f64) -> u32 {
        self.within(Rectangle { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a plot of some hundred pixels")]
fn cells(pixels: f64) -> usize {
    (pixels.max(0.0) / CELL) as usize
}

/// Points along a line, at most so far apart.
pub(super) fn along(line: &[[f64; 2]], apart: f64) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for ends in line.windows(2) {
        let (dx, dy) = (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
        let steps = (dx.hypot(dy) / apart).ceil().max(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a plot of some hundred pixels")]
        for step in 0..steps as u32 {
            let part = f64::from(step) / steps;
            points.push([ends[0][0] + part * dx, ends[0][1] + part * dy]);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_rectangle_has_what_runs_through_it() {
        let plot = Rectangle { left: 10.0, top: 20.0, right: 110.0, bottom: 120.0 };
        let line = [[10.0, 20.0], [110.0, 120.0]];
        let raster = Raster::new(plot, [&line[..]]);
        let part = |left, top, right, bottom| raster.within(Rectangle { left, top, right, bottom });
        assert_eq!(part(60.0, 20.0, 110.0, 60.0), 0);
        assert!((19..=21).contains(&part(10.0, 20.0, 49.0, 59.0)), "{}", part(10.0, 20.0, 49.0, 59.0));
        assert_eq!(part(0.0, 0.0, 500.0, 500.0), part(10.0, 20.0, 110.0, 120.0));
    }
}
