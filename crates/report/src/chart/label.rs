//! Where is there room for the name of a line?
//!
//! At the right edge names are pushed apart until none touches another, as near to their lines as that allows
//! ([`spread`]). Inside the plot every name is tried at many places beside its line, and takes the one that covers the
//! least: another name never, an important line at a high price, its own line and thin lines at a low one ([`inside`]).
//! A short leader ties it to its line. A name without a place is left to the legend.

use super::raster::{Raster, along};

/// An upright rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rectangle {
    fn meets(self, other: Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn has(self, [x, y]: [f64; 2]) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    fn holds(self, other: Self) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }
}

/// About the width of a text in a sans-serif font of that size.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let wide = |c: char| if c.is_ascii() { 0.56 } else { 1.0 };
    text.chars().map(wide).sum::<f64>() * size
}

/// Heights as near to those wished for as they can be `gap` apart and within `top` and `bottom`, in the same order.
/// If there is not room for all, they are as far apart as there is.
pub(super) fn spread(wished: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a few labels")]
    let gap = gap.min((bottom - top) / wished.len().saturating_sub(1).max(1) as f64);
    let mut order: Vec<usize> = (0..wished.len()).collect();
    order.sort_by(|a, b| wished[*a].total_cmp(&wished[*b]));
    // Runs of labels that touch, each with the mean of what its first would have to be: neighbors that overlap merge.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for at in &order {
        runs.push((wished[*at], 1));
        while let [.., (above, n), (below, m)] = runs[..]
            && above + gap * real(n) > below
        {
            let first = (above * real(n) + (below - gap * real(n)) * real(m)) / real(n + m);
            runs.truncate(runs.len() - 2);
            runs.push((first, n + m));
        }
    }
    let mut heights: Vec<f64> =
        runs.iter().flat_map(|(first, n)| (0..*n).map(move |i| first + gap * real(i))).collect();
    let mut floor = top;
    for height in &mut heights {
        *height = height.max(floor);
        floor = *height + gap;
    }
    let mut ceiling = bottom;
    for height in heights.iter_mut().rev() {
        *height = height.min(ceiling);
        ceiling = *height - gap;
    }
    let mut placed = vec![0.0; wished.len()];
    for (at, height) in order.into_iter().zip(heights) {
        placed[at] = height;
    }
    placed
}

#[expect(clippy::cast_precision_loss, reason = "a few labels")]
fn real(n: usize) -> f64 {
    n as f64
}

/// A line that wants a name, or is only in the way.
pub(super) struct Way<'a> {
    /// In pixels.
    pub(super) points: &'a [[f64; 2]],
    /// Its name, if it is to have one.
    pub(super) name: Option<&'a str>,
}

/// Where a name stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// The middle of the left edge of its text.
    pub(super) text: [f64; 2],
    /// From the line to the text.
    pub(super) leader: [[f64; 2]; 2],
}

/// How far from its line a name is tried.
const REACHES: [f64; 5] = [8.0, 16.0, 28.0, 44.0, 64.0];

/// In which directions, as parts of a right angle's sides.
const DIRECTIONS: [(f64, f64); 8] =
    [(0.7, 0.7), (-0.7, -0.7), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0.7, -0.7), (-0.7, 0.7)];

/// A name that would cost more goes without a place.
const TOO_MUCH: f64 = 150.0;

/// Places inside the plot, by line.
pub(super) fn inside(ways: &[Way<'_>], plot: Rectangle, size: f64) -> Vec<Option<Place>> {
    let thin = Raster::new(plot, ways.iter().filter(|way| way.name.is_none()).map(|way| way.points));
    let mut taken = Taken::default();
    let mut places = vec![None; ways.len()];
    for (at, way) in ways.iter().enumerate() {
        let Some(name) = way.name else { continue };
        let rivals = ways.iter().enumerate().filter(|(other, way)| *other != at && way.name.is_some());
        let on_the_way = OnTheWay {
            own: Raster::new(plot, [way.points]),
            rivals: Raster::new(plot, rivals.map(|(_, way)| way.points)),
            thin: &thin,
        };
        let (width, height) = (text_width(name, size) + 4.0, size + 2.0);
        let mut best: Option<(f64, Rectangle, Place)> = None;
        for spot in along(way.points, 8.0) {
            for reach in REACHES {
                for (dx, dy) in DIRECTIONS {
                    let end = [spot[0] + dx * reach, spot[1] + dy * reach];
                    // The leader ends at that side or corner of the name which looks to the spot.
                    let left = end[0] - width * (0.5 - 0.5 * dx.signum() * if dx == 0.0 { 0.0 } else { 1.0 });
                    let middle = end[1] + dy * height / 2.0;
                    let room = Rectangle {
                        left,
                        top: middle - height / 2.0,
                        right: left + width,
                        bottom: middle + height / 2.0,
                    };
                    if !plot.holds(room) || taken.meets(room, [spot, end]) {
                        continue;
                    }
                    let price = on_the_way.price(room, spot, end) + reach * 0.6;
                    if best.is_none_or(|(least, ..)| price < least) {
                        best = Some((price, room, Place { text: [left + 2.0, middle], leader: [spot, end] }));
                    }
                }
            }
        }
        if let Some((_, room, place)) = best.filter(|(price, ..)| *price < TOO_MUCH) {
            taken.rooms.push(room);
            taken.leaders.extend(along(&place.leader, 3.0));
            places[at] = Some(place);
        }
    }
    places
}

/// Where names and their leaders are already.
#[derive(Default)]
struct Taken {
    rooms: Vec<Rectangle>,
    /// Points along them.
    leaders: Vec<[f64; 2]>,
}

impl Taken {
    fn meets(&self, room: Rectangle, leader: [[f64; 2]; 2]) -> bool {
        self.rooms.iter().any(|other| other.meets(room))
            || self.leaders.iter().any(|point| room.has(*point))
            || along(&leader, 3.0).iter().any(|point| self.rooms.iter().any(|other| other.has(*point)))
    }
}

/// What a name might cover.
struct OnTheWay<'r> {
    own: Raster,
    rivals: Raster,
    thin: &'r Raster,
}

impl OnTheWay<'_> {
    /// What it costs that a name stands in this room, with a leader from the spot to its end.
    fn price(&self, room: Rectangle, spot: [f64; 2], end: [f64; 2]) -> f64 {
        let covered = f64::from(self.own.within(room)) * 4.0
            + f64::from(self.rivals.within(room)) * 12.0
            + f64::from(self.thin.within(room));
        let confused = f64::from(self.rivals.near(spot, 5.0)).min(6.0) * 14.0;
        let crossed: u32 = along(&[spot, end], 4.0).into_iter().skip(1).map(|at| self.rivals.near(at, 1.0)).sum();
        covered + confused + f64::from(crossed) * 25.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ours_names_with_room_stand_at_their_lines() {
        assert_eq!(spread(&[10.0, 90.0, 50.0], 14.0, 0.0, 100.0), [10.0, 90.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 14.0, 0.0, 100.0), [43.0, 57.0]);
        assert!(spread(&[], 14.0, 0.0, 100.0).is_empty());
    }

    proptest! {
        #[test]
        fn ours_names_at_the_edge_never_touch(wished in prop::collection::vec(0.0_f64..100.0, 1..8)) {
            let mut placed = spread(&wished, 14.0, 0.0, 100.0);
            placed.sort_by(f64::total_cmp);
            prop_assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= 14.0 - 1e-9), "{placed:?}");
            prop_assert!(placed.iter().all(|y| (-1e-9..=100.0 + 1e-9).contains(y)), "{placed:?}");
        }

        #[test]
        fn ours_names_inside_never_touch(slopes in prop::collection::vec(0.0_f64..1.0, 1..12)) {
            let lines: Vec<[[f64; 2]; 2]> = slopes.iter().map(|slope| [[0.0, 300.0], [400.0, 300.0 - 300.0 * slope]]).collect();
            let ways: Vec<Way<'_>> = lines.iter().map(|points| Way { points, name: Some("breadth-first") }).collect();
            let plot = Rectangle { left: 0.0, top: 0.0, right: 400.0, bottom: 300.0 };
            let places: Vec<[f64; 2]> = inside(&ways, plot, 12.0).iter().flatten().map(|place| place.text).collect();
            for (i, a) in places.iter().enumerate() {
                for b in &places[..i] {
                    let apart = (a[0] - b[0]).abs() >= text_width("breadth-first", 12.0) || (a[1] - b[1]).abs() >= 12.0;
                    prop_assert!(apart, "{a:?} {b:?}");
                }
            }
        }
    }
}
