//! Windows that slide over longer data, and which groups came or went between them.

use std::ops::Range;

/// Windows of so many bins, each starting so many bins after the one before; the last ends with the data. Data that is no
/// longer than a window is one.
#[must_use]
pub fn windows(bins: usize, window: usize, step: usize) -> Vec<Range<usize>> {
    let (window, step) = (window.max(1), step.max(1));
    if bins <= window {
        return std::iter::once(0..bins).filter(|all| !all.is_empty()).collect();
    }
    // Counted from the end: the latest window is the one that seeds are drawn from, and is never cut.
    let mut ends: Vec<usize> =
        (0..).map(|n| bins.checked_sub(n * step)).map_while(|end| end.filter(|e| *e >= window)).collect();
    ends.reverse();
    ends.into_iter().map(|end| end - window..end).collect()
}

/// Groups that are listed in one window and not in the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListChange {
    /// Listed now, not before.
    pub joined: Vec<usize>,
    /// Listed before, not now.
    pub left: Vec<usize>,
}

/// What changed between two lists, in the order of places.
#[must_use]
pub fn changes(before: &[usize], now: &[usize]) -> ListChange {
    let missing = |from: &[usize], to: &[usize]| {
        let mut to = to.to_vec();
        to.sort_unstable();
        let mut out: Vec<usize> = from.iter().copied().filter(|place| to.binary_search(place).is_err()).collect();
        out.sort_unstable();
        out.dedup();
        out
    };
    ListChange { joined: missing(now, before), left: missing(before, now) }
}
