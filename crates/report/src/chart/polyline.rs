//! Which points of a curve does anybody see?
//!
//! A curve of thousands of points is drawn with those that matter: a point is dropped if the line without it runs
//! within [`TOLERANCE`] of it (Douglas and Peucker's rule). Points that are no numbers are dropped, and the line ends
//! where it leaves the plot.

/// How far, in pixels, a drawn line may be from its curve.
const TOLERANCE: f64 = 0.2;

/// The value of a curve at `x`, between points on a straight line; none before its first point or after its last.
pub(super) fn value_at(points: &[[f64; 2]], x: f64) -> Option<f64> {
    let after = points.partition_point(|point| point[0] <= x);
    let before = points.get(after.checked_sub(1)?)?;
    match points.get(after) {
        Some(next) => Some(before[1] + (next[1] - before[1]) * (x - before[0]) / (next[0] - before[0])),
        None => (before[0] >= x).then_some(before[1]),
    }
}

/// The points up to `until`, the last of them on that edge if the curve crosses it. Only numbers.
pub(super) fn clipped(points: &[[f64; 2]], until: f64) -> Vec<[f64; 2]> {
    let numbers: Vec<[f64; 2]> = points.iter().copied().filter(|point| point.iter().all(|x| x.is_finite())).collect();
    let mut inside: Vec<[f64; 2]> = numbers.iter().copied().take_while(|point| point[0] <= until).collect();
    if inside.len() < numbers.len()
        && let Some(edge) = value_at(&numbers, until)
    {
        inside.push([until, edge]);
    }
    inside
}

/// The points without those that nobody sees.
pub(super) fn simplified(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let Some(last) = points.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut kept = vec![false; points.len()];
    kept[0] = true;
    kept[last] = true;
    let mut spans = vec![(0, last)];
    while let Some((from, to)) = spans.pop() {
        let far = (from + 1..to)
            .map(|at| (at, distance(points[at], points[from], points[to])))
            .fold((from, TOLERANCE), |far, next| if next.1 > far.1 { next } else { far });
        if far.0 > from {
            kept[far.0] = true;
            spans.extend([(from, far.0), (far.0, to)]);
        }
    }
    points.iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}

/// How far a point is from the stretch between two others.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length } else { 0.0 };
    let along = along.clamp(0.0, 1.0);
    (p[0] - a[0] - along * dx).hypot(p[1] - a[1] - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ours_a_curve_is_read_between_its_points() {
        let curve = [[0.0, 0.0], [0.5, 1.0], [1.0, 1.0]];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|x| value_at(&curve, x)), [Some(0.0), Some(0.5), Some(1.0), Some(1.0)]);
        assert_eq!([-0.1, 1.1].map(|x| value_at(&curve, x)), [None, None]);
        assert_eq!(clipped(&curve, 0.25), [[0.0, 0.0], [0.25, 0.5]]);
        assert_eq!(clipped(&[[0.0, 0.0], [0.1, f64::NAN], [0.2, 0.4]], 1.0), [[0.0, 0.0], [0.2, 0.4]]);
    }

    #[test]
    fn ours_straight_lines_need_two_points() {
        let line: Vec<[f64; 2]> = (0..1000).map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
        assert_eq!(simplified(&line), [line[0], line[999]]);
        assert!(simplified(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn ours_no_dropped_point_is_seen_to_be_missing(ys in prop::collection::vec(0.0_f64..300.0, 1..80)) {
            let points: Vec<[f64; 2]> = (0..).zip(&ys).map(|(i, y)| [f64::from(i), *y]).collect();
            let drawn = simplified(&points);
            for point in &points {
                let near = drawn.windows(2).any(|ends| distance(*point, ends[0], ends[1]) <= TOLERANCE + 1e-9);
                prop_assert!(near || drawn.contains(point));
            }
        }
    }
}
