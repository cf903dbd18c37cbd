//! What the logs say of single URLs: who visited them when, and where people went from there.

use rustc_hash::FxHashSet;
use trodden_frontier::{UrlId, UrlTable};
use trodden_mining::Slices;

/// Visits and transits by URL, from private visits: no model holds them.
#[derive(Clone, Debug)]
pub struct Past {
    /// By URL: its place in `visits`, from 1.
    places: UrlTable<u32>,
    visits: Vec<Slices>,
    /// By place.
    keys: Vec<UrlId>,
    /// All visits.
    total: f64,
    /// From and to, by the first; those of one page as they were given, so that no order depends on how URLs are numbered.
    forth: Vec<(UrlId, UrlId)>,
    /// To and from, by the first in the same way.
    back: Vec<(UrlId, UrlId)>,
}

impl Past {
    /// Of these visits, which add up for a URL that is there more than once, and transits.
    pub fn new(
        visits: impl IntoIterator<Item = (UrlId, Slices)>,
        transits: impl IntoIterator<Item = (UrlId, UrlId)>,
    ) -> Self {
        let (mut places, mut all, mut keys) = (UrlTable::<u32>::default(), Vec::<Slices>::new(), Vec::new());
        for (key, slices) in visits {
            let place = places.slot(key);
            if *place == 0 {
                all.push(Slices::default());
                keys.push(key);
                *place = all.len() as u32;
            }
            all[*place as usize - 1].iter_mut().zip(slices).for_each(|(sum, n)| *sum = sum.saturating_add(n));
        }
        let mut seen = FxHashSet::default();
        let is_new = |(from, to): &(UrlId, UrlId)| from != to && seen.insert((*from, *to));
        let mut forth: Vec<(UrlId, UrlId)> = transits.into_iter().filter(is_new).collect();
        let mut back: Vec<(UrlId, UrlId)> = forth.iter().map(|(from, to)| (*to, *from)).collect();
        forth.sort_by_key(|(from, _)| *from);
        back.sort_by_key(|(to, _)| *to);
        let total = all.iter().flatten().map(|n| f64::from(*n)).sum();
        Self { places, visits: all, keys, total, forth, back }
    }

    /// All visits of each URL.
    pub fn totals(&self) -> impl Iterator<Item = (UrlId, f64)> + '_ {
        let sum = |slices: &Slices| slices.iter().map(|n| f64::from(*n)).sum();
        self.keys.iter().copied().zip(self.visits.iter().map(sum))
    }

    /// All visits to all URLs.
    pub(super) fn total(&self) -> f64 {
        self.total
    }

    /// When a URL was visited; none if never.
    pub(super) fn visits(&self, key: UrlId) -> Option<&Slices> {
        let place = self.places.get(key).checked_sub(1)?;
        self.visits.get(place as usize).filter(|slices| slices.iter().any(|n| *n > 0))
    }

    /// Where people went from a page.
    pub(super) fn led_to(&self, key: UrlId) -> impl Iterator<Item = UrlId> + '_ {
        run(&self.forth, key)
    }

    /// Where people came from to a page.
    pub(super) fn came_from(&self, key: UrlId) -> impl Iterator<Item = UrlId> + '_ {
        run(&self.back, key)
    }
}

/// Who stands second behind this first.
fn run(pairs: &[(UrlId, UrlId)], first: UrlId) -> impl Iterator<Item = UrlId> + '_ {
    let start = pairs.partition_point(|(key, _)| *key < first);
    pairs[start..].iter().take_while(move |(key, _)| *key == first).map(|(_, second)| *second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_transits_stay_as_given_however_urls_are_numbered() {
        let given = [(0, 1), (2, 1), (0, 2), (0, 0), (0, 1), (3, 1)];
        for numbers in [[0_u32, 1, 2, 3], [7, 3, 1, 0]] {
            let number = |place: usize| UrlId(numbers[place]);
            let past = Past::new([], given.map(|(from, to)| (number(from), number(to))));
            let back: Vec<UrlId> = past.came_from(number(1)).collect();
            assert_eq!(back, [0, 2, 3].map(number));
            assert_eq!(past.led_to(number(0)).collect::<Vec<_>>(), [1, 2].map(number));
            assert_eq!(past.led_to(number(1)).count(), 0);
        }
    }
}
