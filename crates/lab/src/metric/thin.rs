//! Which points of a long curve does a reader need? The ends and the bends.
//!
//! Start with the two ends. Again and again take the point that lies farthest above or below the line between its kept
//! neighbors (Ramer, Douglas and Peucker), until there are [`MOST_POINTS`] or all others lie on the lines. Ties go
//! to the earlier point. Few passes over the curve as a rule, [`MOST_POINTS`] at worst.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::result::Curve;

/// Points that are kept at most.
pub const MOST_POINTS: usize = 200;

/// A piece between two kept points, by the point in it that is farthest off.
struct Piece {
    off: f64,
    at: usize,
    start: usize,
    end: usize,
}

impl Piece {
    /// None if all points lie on the line.
    fn new(points: &[[f64; 2]], start: usize, end: usize) -> Option<Self> {
        let ([x0, y0], [x1, y1]) = (points[start], points[end]);
        let slope = if x1 > x0 { (y1 - y0) / (x1 - x0) } else { 0.0 };
        let mut piece = Self { off: 0.0, at: start, start, end };
        for (at, [x, y]) in points.iter().enumerate().take(end).skip(start + 1) {
            let off = (y - (y0 + slope * (x - x0))).abs();
            if off > piece.off {
                (piece.off, piece.at) = (off, at);
            }
        }
        (piece.at > start).then_some(piece)
    }
}

impl Ord for Piece {
    fn cmp(&self, other: &Self) -> Ordering {
        self.off.total_cmp(&other.off).then(other.at.cmp(&self.at))
    }
}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Piece {}

/// The ends and the bends of a curve whose points come from left to right. A short one is kept as it is.
pub fn thin(points: &[[f64; 2]]) -> Curve {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let last = points.len() - 1;
    let mut kept = vec![0, last];
    let mut pieces: BinaryHeap<Piece> = Piece::new(points, 0, last).into_iter().collect();
    while let Some(Piece { at, start, end, .. }) = pieces.pop().filter(|_| kept.len() < MOST_POINTS) {
        kept.push(at);
        pieces.extend(Piece::new(points, start, at));
        pieces.extend(Piece::new(points, at, end));
    }
    kept.sort_unstable();
    kept.into_iter().map(|at| points[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_ends_and_bends_are_kept() {
        let bent = |at: usize| [at as f64, if at < 700 { 0.0 } else { at as f64 - 700.0 }];
        let points: Curve = (0..1_000).map(bent).collect();
        assert_eq!(thin(&points), [bent(0), bent(700), bent(999)]);
    }

    #[test]
    fn ours_a_smooth_curve_stays_close_to_itself() {
        let points: Curve = (0..=20_000).map(|at| f64::from(at) / 20_000.0).map(|x| [x, x.powf(0.2)]).collect();
        let kept = thin(&points);
        assert!(kept.len() <= MOST_POINTS);
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
        let farthest = points.iter().map(|[x, y]| {
            let right = kept.partition_point(|[kept, _]| kept < x).max(1);
            let ([x0, y0], [x1, y1]) = (kept[right - 1], kept[right]);
            (y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y).abs()
        });
        assert!(farthest.fold(0.0, f64::max) < 1e-3);
    }

    #[test]
    fn a_short_curve_is_kept_as_it_is() {
        assert_eq!(thin(&[[0.0, 1.0], [1.0, 1.0]]), [[0.0, 1.0], [1.0, 1.0]]);
        assert!(thin(&[]).is_empty());
    }
}
